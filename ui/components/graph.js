const PAD = { x: 46, top: 26, bottom: 40 };
const LABEL = 24;

/** The drawing: where things are, which turns show, and what is selected. */
class Graph {
  constructor(root, data, open) {
    this.root = root;
    this.data = data;
    this.open = open;
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.turn = data.turns;
    this.selected = null;
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
    this.svg = el("svg", { role: "group", "aria-label": this.summary() }, el("g", {}, this.lines), el("g", {}, this.marks));
    this.details = el("div", { class: "details", "aria-live": "polite" });
    const button = (label, text, action) => el("button", { "aria-label": label, title: label, click: action }, text);
    const buttons = el(
      "div",
      { class: "buttons" },
      button("Zoom in", "+", () => this.scale(1.3)),
      button("Zoom out", "−", () => this.scale(1 / 1.3)),
      button("Fit", "⤢", () => this.fit()),
    );
    this.frame = el("div", { class: "frame" }, this.svg, buttons);
    this.root.replaceChildren(this.frame, this.slider(), this.details);
    this.listen();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.frame);
    this.walk(this.turn);
    this.select(null);
  }

  mark(node, index) {
    const size = node.kind === "fact" ? (node.used ? 12 : 9) : node.used ? 7.5 : 5.5;
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
        class: `node ${node.kind}${node.used ? " used" : ""}`,
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
    return turnColour(this.root, this.data.nodes[index].turn);
  }

  summary() {
    const facts = this.data.nodes.filter((node) => node.kind === "fact").length;
    return `Graph of ${facts} facts and ${this.data.nodes.length - facts} entities. Arrow keys move between them.`;
  }

  slider() {
    const { turns } = this.data;
    this.shown = el("output", {});
    const input = el("input", {
      type: "range",
      min: 1,
      max: turns,
      value: this.turn,
      "aria-label": "Turns shown",
      input: (event) => this.walk(Number(event.target.value)),
    });
    const legend = Array.from({ length: turns }, (_, turn) => {
      const item = el("li", {}, `turn ${turn + 1}`);
      item.style.setProperty("--turn", turnColour(this.root, turn));
      return item;
    });
    return el(
      "div",
      { class: "below" },
      turns > 1 ? el("label", { class: "walk" }, input, this.shown) : null,
      el("ul", { class: "legend" }, el("li", { class: "square" }, "fact"), el("li", { class: "round" }, "entity"), turns > 1 ? legend : null),
    );
  }

  walk(turn) {
    this.turn = turn;
    this.shown.textContent = turn === this.data.turns ? `all ${turn} turns` : `turns 1–${turn}`.replace("turns 1–1", "turn 1");
    const hidden = (index) => this.data.nodes[index].turn >= turn;
    this.marks.forEach((mark, index) => mark.classList.toggle("later", hidden(index)));
    this.data.edges.forEach(([a, b], i) => this.lines[i].classList.toggle("later", hidden(a) || hidden(b)));
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
        const node = this.data.nodes[held.index];
        node.x += dx / this.zoom.scale / this.room().width;
        node.y += dy / this.zoom.scale / this.room().height;
      }
      this.draw();
    });
    this.svg.addEventListener("pointerup", () => {
      if (held && !held.moved) this.select(held.index);
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
    if (event.key === "Enter" || event.key === " ") this.select(index);
    else if (event.key === "Escape") this.select(null);
    else if (event.key.startsWith("Arrow")) {
      const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
      const next = this.marks[(index + step + this.marks.length) % this.marks.length];
      this.marks.forEach((other) => other.setAttribute("tabindex", other === next ? 0 : -1));
      next.focus();
    } else return;
    event.preventDefault();
  }

  room() {
    const { width, height } = this.frame.getBoundingClientRect();
    return { width: Math.max(1, width - 2 * PAD.x), height: Math.max(1, height - PAD.top - PAD.bottom) };
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
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      const { width, height } = this.room();
      const { scale, x, y } = this.zoom;
      const at = this.data.nodes.map((node) => [
        x + scale * (PAD.x + node.x * width),
        y + scale * (PAD.top + node.y * height),
      ]);
      this.marks.forEach((mark, i) => mark.setAttribute("transform", `translate(${at[i][0]} ${at[i][1]})`));
      this.data.edges.forEach(([a, b], i) => {
        const [x1, y1, x2, y2] = [...at[a], ...at[b]];
        for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) this.lines[i].setAttribute(name, value);
      });
      this.hideCrowdedNames(at);
    });
  }

  /** Shows the names that have room, the important ones first; a name shows always while its node is pointed at. */
  hideCrowdedNames(at) {
    const { nodes } = this.data;
    const near = this.selected === null ? new Set() : new Set([this.selected, ...this.neighbours[this.selected]]);
    const rank = (i) => (near.has(i) ? 1000 : 0) + (nodes[i].used ? 100 : 0) + this.neighbours[i].size;
    const taken = nodes.flatMap((node, i) =>
      node.turn < this.turn && node.kind === "fact" ? [[at[i][0] - 11, at[i][1] - 11, at[i][0] + 11, at[i][1] + 11]] : [],
    );
    const order = nodes.map((_, i) => i).filter((i) => nodes[i].kind === "entity" && nodes[i].turn < this.turn);
    for (const i of order.sort((a, b) => rank(b) - rank(a))) {
      const [cx, cy] = at[i];
      const half = Math.min(LABEL, nodes[i].text.length) * 3.1 + 2;
      const box = [cx - half, cy + 7, cx + half, cy + 23];
      const free = taken.every((t) => box[2] < t[0] || t[2] < box[0] || box[3] < t[1] || t[3] < box[1]);
      if (free) taken.push(box);
      this.marks[i].classList.toggle("crowded", !free);
    }
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
    return [el("p", { class: "quiet" }, "Select a fact or an entity to read it. Larger marks support the answer.")];
  }

  described(index) {
    const node = this.data.nodes[index];
    if (node.kind === "fact") {
      const sources = node.sources.map((source) =>
        el("button", { class: "source", click: () => this.open({ document: source.document, start: source.start, end: source.end }) }, `Open ${place(source)}`),
      );
      const title = el("p", { class: "quiet" }, `Fact ${node.number ?? ""} · turn ${node.turn + 1}`);
      return [title, el("p", { class: "full" }, node.text), el("p", { class: "sources" }, sources)];
    }
    const facts = [...this.neighbours[index]].filter((i) => this.data.nodes[i].turn < this.turn);
    const list = facts.map((i) =>
      el("li", {}, el("button", { class: "goto", click: () => this.select(i) }, `[${this.data.nodes[i].number ?? "–"}] ${this.data.nodes[i].text}`)),
    );
    return [
      el("p", { class: "quiet" }, `Entity · in ${facts.length} ${facts.length === 1 ? "fact" : "facts"}`),
      el("p", { class: "full strong" }, node.text),
      el("ul", {}, list),
    ];
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "graph");
  const json = JSON.stringify(data) + getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors");
  if (root.memory.json === json) return;
  root.memory.json = json;
  root.memory.graph?.observer.disconnect();
  root.memory.graph = new Graph(root, data, (wanted) => setTriggerValue("open", wanted));
}
