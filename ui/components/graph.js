const PAD = { x: 44, top: 26, bottom: 34 };
const LABEL = 24;
const GAP = 16;
const TYPES = ["fact", "name", "person", "organisation", "place", "thing", "date", "amount", "flag"];

/** The type of an entity, as far as it is known; facts are one. */
const typeOf = (node) => node.type ?? node.kind;

/** The drawing: where things are, which turns and types show, what is hidden or pinned, and what is selected. */
class Graph {
  constructor(root, data, tell, before) {
    this.root = root;
    this.data = data;
    this.open = tell.open;
    this.expand = tell.expand;
    const same = before && before.data.nodes.every((node, i) => data.nodes[i]?.text === node.text) ? before : null;
    this.zoom = same?.zoom ?? { scale: 1, x: 0, y: 0 };
    this.turn = same && same.turn < same.data.turns ? same.turn : data.turns;
    this.kept = same?.at ? { at: same.at, width: same.frame.clientWidth } : null;
    this.focused = same?.root.getRootNode().activeElement?.closest?.(".node, .more") ? same.selected : null;
    this.selected = same?.selected ?? null;
    for (const name of ["off", "hidden", "pinned"]) this[name] = same?.[name] ?? new Set();
    const found = [...new Set(data.nodes.map(typeOf))];
    this.types = [...TYPES.filter((type) => found.includes(type)), ...found.filter((type) => !TYPES.includes(type)).sort()];
    this.neighbours = data.nodes.map(() => new Set());
    for (const [a, b] of data.edges) {
      this.neighbours[a].add(b);
      this.neighbours[b].add(a);
    }
    this.build();
  }

  build() {
    const { nodes, edges } = this.data;
    this.lines = edges.map(([a, b]) => {
      const line = el("line", { class: nodes[a].used && nodes[b].used ? "edge used" : "edge" });
      line.style.stroke = this.colour(a);
      return line;
    });
    this.marks = nodes.map((node, index) => this.mark(node, index));
    this.svg = el("svg", { role: "group", "aria-label": this.summary() }, el("g", {}, this.lines), el("g", {}, this.drawn()));
    this.details = el("div", { class: "details", "aria-live": "polite" });
    this.frame = el("div", { class: "frame" }, this.svg);
    this.root.classList.toggle("tall", this.data.tall);
    const controls = this.controls();
    this.root.replaceChildren(...(this.data.tall ? [controls, this.frame] : [this.frame, controls]), this.details);
    this.listen();
    this.observer = new ResizeObserver(() => this.place());
    this.observer.observe(this.frame);
    this.walk(this.turn);
    this.select(this.selected);
    this.place();
    if (this.focused !== null) this.marks[this.focused].focus({ preventScroll: true });
  }

  /** What was added later lies below. */
  drawn() {
    const [added, first] = [true, false].map((grown) => this.marks.filter((_, i) => Boolean(this.data.nodes[i].grown) === grown));
    return [...added, ...first];
  }

  size(index) {
    const node = this.data.nodes[index];
    if (node.grown) return node.kind === "fact" ? 7 : 5;
    return node.kind === "fact" ? (node.used ? 12 : 9) : node.used ? 7.5 : 5.5;
  }

  mark(node, index) {
    const size = this.size(index);
    const shape =
      node.kind === "fact"
        ? el("rect", { x: -size, y: -size, width: 2 * size, height: 2 * size, rx: 4 })
        : el("circle", { r: size });
    const short = node.text.length > LABEL ? `${node.text.slice(0, LABEL - 1)}…` : node.text;
    const label =
      node.kind === "fact"
        ? el("text", { class: "number", "text-anchor": "middle", dy: "0.36em" }, node.number ? String(node.number) : "")
        : el("text", { class: "name", "text-anchor": "middle", y: size + 12 }, short);
    const group = el(
      "g",
      {
        class: `node ${node.kind}${node.used ? " used" : ""}${node.grown ? " grown" : ""}`,
        role: "button",
        tabindex: index === 0 ? 0 : -1,
        "aria-label": node.kind === "fact" ? `Fact ${node.number ?? ""}: ${node.text}` : `Entity: ${node.text}`,
        "data-index": index,
      },
      el("circle", { class: "target", r: Math.max(14, size) }),
      shape,
      label,
    );
    group.style.setProperty("--turn", this.colour(index));
    return group;
  }

  colour(index) {
    if (this.data.nodes[index].grown) return "var(--quiet)";
    const { nodes, turns } = this.data;
    return turns > 1 ? turnColour(this.root, nodes[index].turn) : this.typeColour(typeOf(nodes[index]));
  }

  typeColour(type) {
    return turnColour(this.root, TYPES.includes(type) ? TYPES.indexOf(type) : TYPES.length + this.types.indexOf(type));
  }

  /** Whether a node is drawn. */
  shows(index) {
    const node = this.data.nodes[index];
    const kept = this.pinned.has(index) || !(this.hidden.has(index) || this.off.has(typeOf(node)));
    return kept && node.turn < this.turn;
  }

  summary() {
    const facts = this.data.nodes.filter((node) => node.kind === "fact").length;
    return `Graph of ${facts} facts and ${this.data.nodes.length - facts} entities. Arrow keys move between them.`;
  }

  controls() {
    const button = (label, text, action) => el("button", { "aria-label": label, title: label, click: action }, text);
    const buttons = el(
      "div",
      { class: "buttons" },
      button("Zoom in", "+", () => this.scale(1.3)),
      button("Zoom out", "−", () => this.scale(1 / 1.3)),
      button("Fit", "⤢", () => this.fit()),
    );
    this.all = el("button", { class: "more", click: () => this.showAll() }, "Show everything");
    const { turns } = this.data;
    this.shown = el("output", {});
    this.input = el("input", {
      type: "range",
      min: 1,
      max: turns,
      value: this.turn,
      "aria-label": "Turns shown",
      input: (event) => this.walk(Number(event.target.value)),
    });
    const legend = Array.from({ length: turns }, (_, turn) => {
      const item = el("li", {}, el("button", { title: `Show up to turn ${turn + 1}`, click: () => this.walk(turn + 1) }, `turn ${turn + 1}`));
      item.style.setProperty("--turn", turnColour(this.root, turn));
      return item;
    });
    const types = this.types.map((type) => {
      const click = (event) => this.toggle(type, event.currentTarget);
      const named = el("button", { class: "type", "aria-pressed": String(!this.off.has(type)), title: `Show or hide: ${type}`, click }, type);
      const item = el("li", { class: type === "fact" ? "square" : "round" }, named);
      if (turns === 1) item.style.setProperty("--turn", this.typeColour(type));
      return item;
    });
    return el(
      "div",
      { class: "below" },
      el("div", { class: "row" }, turns > 1 ? el("label", { class: "walk" }, this.input, this.shown) : null, this.all, buttons),
      el("ul", { class: "legend" }, types, turns > 1 ? legend : null),
    );
  }

  toggle(type, button) {
    if (!this.off.delete(type)) this.off.add(type);
    button.setAttribute("aria-pressed", String(!this.off.has(type)));
    this.walk(this.turn);
  }

  showAll() {
    this.off.clear();
    this.hidden.clear();
    this.root.querySelectorAll(".type").forEach((button) => button.setAttribute("aria-pressed", "true"));
    this.walk(this.turn);
  }

  walk(turn) {
    this.turn = turn;
    this.input.value = turn;
    this.shown.textContent = turn === this.data.turns ? "all turns" : `turns 1–${turn}`.replace("turns 1–1", "turn 1");
    this.all.hidden = !this.off.size && !this.hidden.size;
    this.marks.forEach((mark, index) => {
      mark.classList.toggle("later", !this.shows(index));
      mark.classList.toggle("pinned", this.pinned.has(index));
    });
    this.data.edges.forEach(([a, b], i) => this.lines[i].classList.toggle("later", !this.shows(a) || !this.shows(b)));
    this.draw();
  }

  listen() {
    let held = null;
    this.svg.addEventListener("pointerdown", (event) => {
      const mark = event.target.closest(".node");
      held = { x: event.clientX, y: event.clientY, index: mark ? Number(mark.dataset.index) : null, moved: false };
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moved && Math.hypot(dx, dy) < 4) return;
      Object.assign(held, { x: event.clientX, y: event.clientY, moved: true });
      if (held.index === null) {
        this.zoom.x += dx;
        this.zoom.y += dy;
      } else {
        this.at[held.index].x += dx / this.zoom.scale;
        this.at[held.index].y += dy / this.zoom.scale;
      }
      this.draw();
    });
    this.svg.addEventListener("pointerup", () => {
      if (held && !held.moved) this.press(held.index);
      held = null;
    });
    this.svg.addEventListener("pointercancel", () => (held = null));
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
        event.preventDefault();
        const box = this.svg.getBoundingClientRect();
        this.scale(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false },
    );
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const mark = event.target.closest(".node");
    if (!mark) return;
    const index = Number(mark.dataset.index);
    if (event.key === "Enter" || event.key === " ") this.press(index);
    else if (event.key === "Escape") this.select(null);
    else if (event.key.startsWith("Arrow")) {
      const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
      const next = this.marks[(index + step + this.marks.length) % this.marks.length];
      this.marks.forEach((other) => other.setAttribute("tabindex", other === next ? 0 : -1));
      next.focus();
    } else return;
    event.preventDefault();
  }

  /** A first click selects a node, a second one draws what lies around it. */
  press(index) {
    if (index !== null && index === this.selected && this.canExpand(index)) this.expand(index);
    else this.select(index);
  }

  canExpand(index) {
    const { expandable, expanded, nodes, most } = this.data;
    return expandable && !(index in expanded) && nodes.length < most;
  }

  /** Puts the layout into the frame, whatever its proportions, and moves apart what would overlap. */
  place() {
    const { clientWidth, clientHeight } = this.frame;
    const [width, height] = [Math.max(1, clientWidth - 2 * PAD.x), Math.max(1, clientHeight - PAD.top - PAD.bottom)];
    const before = this.at;
    this.at = this.data.nodes.map((node) => ({ x: PAD.x + node.x * width, y: PAD.top + node.y * height }));
    const settled = this.kept?.width === clientWidth ? this.kept.at.length : 0;
    const fixed = (i) => i < settled || this.pinned.has(i);
    for (let i = 0; i < this.at.length; i += 1) if (fixed(i)) this.at[i] = (before ?? this.kept.at)[i];
    const inside = (value, low, room) => Math.min(low + room, Math.max(low, value));
    for (let round = 0; round < 40; round += 1) {
      let moved = false;
      for (let i = 0; i < this.at.length; i += 1) {
        for (let j = 0; j < i; j += 1) {
          const [a, b] = [this.at[i], this.at[j]];
          const least = this.size(i) + this.size(j) + GAP;
          const [dx, dy] = [a.x - b.x || 0.1, a.y - b.y || 0.1];
          const distance = Math.hypot(dx, dy);
          if (distance >= least) continue;
          if (fixed(i) && fixed(j)) continue;
          const push = (least - distance) / distance / (fixed(i) || fixed(j) ? 1 : 2);
          for (const [node, sign] of fixed(j) ? [[a, push]] : fixed(i) ? [[b, -push]] : [[a, push], [b, -push]]) {
            node.x = inside(node.x + sign * dx, PAD.x, width);
            node.y = inside(node.y + sign * dy, PAD.top, height);
          }
          moved = true;
        }
      }
      if (!moved) break;
    }
    this.draw();
  }

  scale(factor, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    const scale = Math.min(8, Math.max(0.5, this.zoom.scale * factor));
    const by = scale / this.zoom.scale;
    this.zoom = { scale, x: x - (x - this.zoom.x) * by, y: y - (y - this.zoom.y) * by };
    this.draw();
  }

  fit() {
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.draw();
  }

  draw() {
    if (this.pending || !this.at) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      const { scale, x, y } = this.zoom;
      const at = this.at.map((node) => [x + scale * node.x, y + scale * node.y]);
      this.marks.forEach((mark, i) => mark.setAttribute("transform", `translate(${at[i][0]} ${at[i][1]})`));
      this.data.edges.forEach(([a, b], i) => {
        const [x1, y1, x2, y2] = [...at[a], ...at[b]];
        for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) this.lines[i].setAttribute(name, value);
      });
      this.hideCrowdedNames(at);
    });
  }

  /** Shows the names that have room, the important ones first and if need be over other marks; a name that is hidden
   * shows while its node is pointed at. */
  hideCrowdedNames(at) {
    const { nodes } = this.data;
    const near = this.selected === null ? new Set() : new Set([this.selected, ...this.neighbours[this.selected]]);
    const rank = (i) => (near.has(i) || this.pinned.has(i) ? 1000 : 0) + (nodes[i].used ? 100 : 0) + this.neighbours[i].size;
    const marks = nodes.flatMap((_, i) => {
      const [[cx, cy], size] = [at[i], this.size(i)];
      return this.shows(i) ? [[cx - size, cy - size, cx + size, cy + size]] : [];
    });
    const names = [];
    const order = nodes.map((_, i) => i).filter((i) => nodes[i].kind === "entity" && this.shows(i));
    for (const i of order.sort((a, b) => rank(b) - rank(a))) {
      const places = this.namePlaces(i, at[i]);
      const clear = (of) => ({ box }) =>
        of.every((t) => box[2] < t[0] || t[2] < box[0] || box[3] < t[1] || t[3] < box[1]);
      const free = places.find(clear([...marks, ...names])) ?? (rank(i) >= 100 ? places.find(clear(names)) : null);
      if (free) names.push(free.box);
      const { anchor, x, y } = free ?? places[0];
      const name = this.marks[i].lastChild;
      name.setAttribute("text-anchor", anchor);
      name.setAttribute("x", x);
      name.setAttribute("y", y);
      this.marks[i].classList.toggle("crowded", !free);
    }
  }

  /** Where a name may stand, best first: below its node, above, beside and aslant; with the room it takes. */
  namePlaces(index, [cx, cy]) {
    const node = this.data.nodes[index];
    const size = this.size(index);
    const width = Math.min(LABEL, node.text.length) * (node.used ? 6.3 : 5.7) + 4;
    const beside = (x, anchor, left) => ({ anchor, x, y: 4, box: [left, cy - 7, left + width, cy + 7] });
    const aslant = (down, right) => ({
      anchor: right > 0 ? "start" : "end",
      x: right * size,
      y: down * (size + 5) + 4,
      box: [right > 0 ? cx + size : cx - size - width, cy + down * (size + 5) - 7, right > 0 ? cx + size + width : cx - size, cy + down * (size + 5) + 7],
    });
    const room = this.frame.clientWidth - width - 2;
    const left = this.zoom.scale > 1 ? cx - width / 2 : Math.max(2, Math.min(cx - width / 2, room));
    const over = (y, top) => ({ anchor: "middle", x: left + width / 2 - cx, y, box: [left, top, left + width, top + 13] });
    return [
      over(size + 12, cy + size + 2),
      over(-size - 4, cy - size - 15),
      beside(size + 4, "start", cx + size + 3),
      beside(-size - 4, "end", cx - size - 3 - width),
      ...[1, -1].flatMap((down) => [aslant(down, 1), aslant(down, -1)]),
    ].filter(({ box }) => this.zoom.scale > 1 || (box[0] > 0 && box[2] < this.frame.clientWidth)).concat(over(size + 12, cy + size + 2));
  }

  select(index) {
    this.selected = index;
    const near = index === null ? null : new Set([index, ...this.neighbours[index]]);
    this.marks.forEach((mark, i) => {
      mark.classList.toggle("far", near !== null && !near.has(i));
      mark.classList.toggle("selected", i === index);
    });
    this.data.edges.forEach(([a, b], i) => {
      this.lines[i].classList.toggle("far", index !== null && a !== index && b !== index);
    });
    this.details.replaceChildren(...(index === null ? this.hint() : this.described(index)));
    this.draw();
  }

  hint() {
    const more = this.data.expandable ? " Select it again to see what lies around it." : "";
    const meant = this.data.tall ? "are the shortest way" : "support the answer";
    const larger = this.data.nodes.some((node) => node.used) ? ` Larger marks ${meant}.` : "";
    return [el("p", { class: "quiet" }, `Select a fact or an entity to read it.${more}${larger}`)];
  }

  more(index) {
    const { expanded, expandable, nodes, most } = this.data;
    if (!expandable) return null;
    if (index in expanded) {
      const found = expanded[index];
      return el("p", { class: "quiet" }, found ? `${found} more ${found === 1 ? "fact" : "facts"} drawn around it.` : "There is nothing more around it.");
    }
    if (nodes.length >= most) return el("p", { class: "quiet" }, `The graph is full: it shows ${most} nodes.`);
    return el("button", { class: "more", click: () => this.expand(index) }, "Show what lies around it");
  }

  described(index) {
    const node = this.data.nodes[index];
    if (node.kind === "fact") {
      const sources = node.sources.map((source) =>
        el("button", { class: "source", click: () => this.open({ document: source.document, start: source.start, end: source.end }) }, `Open ${place(source)}`),
      );
      const title = el("p", { class: "quiet" }, node.grown ? "Fact nearby" : `Fact ${node.number ?? ""}${this.data.turns > 1 ? ` · turn ${node.turn + 1}` : ""}`);
      const names = [...this.neighbours[index]].map((i) =>
        el("button", { class: "goto", click: () => this.select(i) }, this.data.nodes[i].text),
      );
      const members = el("p", { class: "members" }, names.length ? "With " : "", names);
      return [title, el("p", { class: "full" }, node.text), el("p", { class: "sources" }, sources), members, this.keep(index)];
    }
    const facts = [...this.neighbours[index]].filter((i) => this.shows(i));
    const list = facts.map((i) =>
      el("li", {}, el("button", { class: "goto", click: () => this.select(i) }, `[${this.data.nodes[i].number ?? "–"}] ${this.data.nodes[i].text}`)),
    );
    return [
      el("p", { class: "quiet" }, ["Entity", `in ${facts.length} ${facts.length === 1 ? "fact" : "facts"}`, node.type === "name" ? "" : node.type].filter(Boolean).join(" · ")),
      el("p", { class: "full strong" }, node.text),
      el("ul", {}, list),
      this.keep(index),
    ];
  }

  /** What may be done with a node that is selected. */
  keep(index) {
    const pinned = this.pinned.has(index);
    const pin = () => {
      if (!this.pinned.delete(index)) this.pinned.add(index);
      this.walk(this.turn);
      this.select(index);
    };
    const hide = () => {
      this.pinned.delete(index);
      this.hidden.add(index);
      this.walk(this.turn);
      this.select(null);
    };
    return el(
      "div",
      { class: "keep" },
      this.more(index),
      el("button", { class: "more", title: "It stays where it is, named, whatever is hidden", click: pin }, pinned ? "Unpin" : "Pin"),
      el("button", { class: "more", click: hide }, "Hide"),
    );
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "graph");
  const json = JSON.stringify(data) + getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors");
  if (root.memory.json === json) return;
  root.memory.json = json;
  const before = root.memory.graph;
  before?.observer.disconnect();
  const tell = (name) => (wanted) => setTriggerValue(name, wanted);
  root.memory.graph = new Graph(root, data, { open: tell("open"), expand: tell("expand") }, before);
}
