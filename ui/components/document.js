export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "document");
  const json = JSON.stringify(data);
  if (root.memory.json === json) return;
  const before = root.memory.asked ?? 0;
  Object.assign(root.memory, { json, asked: data.asked });
  const focused = root.getRootNode().activeElement?.dataset?.act;
  const body = data.sheet ? sheet(data) : written(data);
  const file = data.bar ? [data.where, [data.source, data.metadata].filter(Boolean).join(" · ")] : [data.source, data.metadata];
  const about = file.filter(Boolean).map((line) => el("p", { class: "source" }, line));
  const head = data.bar ? [bar(data.bar, setTriggerValue), el("h3", {}, data.title), ...changed(data)] : [];
  root.classList.toggle("pane", Boolean(data.bar));
  root.replaceChildren(...head, ...about, body);
  if (focused) root.querySelector(`[data-act=${focused}]`)?.focus({ preventScroll: true });
  const first = body.querySelector("mark, .box");
  // A dialog opens with an animation; only afterwards do its sizes hold.
  const scroll = () => {
    if (first) body.scrollTop += first.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
    const likely = body.querySelector("td .likely")?.closest("td");
    const frame = likely?.closest(".table");
    if (frame) frame.scrollLeft = likely.offsetLeft + likely.offsetWidth - frame.clientWidth;
    if (data.asked > before) bringIntoView(root, first ?? root);
  };
  requestAnimationFrame(scroll);
  setTimeout(scroll, 350);
}

/** The text with its structure. */
function written({ title, pieces }) {
  const runs = pieces.flatMap((piece, at) => {
    if (piece.page) return el("span", { class: "page" }, `Page ${piece.page}`);
    if (piece.left_out) return el("span", { class: "page" }, `… ${piece.left_out.toLocaleString("en")} more characters …`);
    if (piece.table) return table(piece.table);
    const between = !piece.text.trim() && pieces[at - 1]?.kind === "item" && pieces[at + 1]?.kind === "item";
    const kind = [piece.kind, piece.likely && piece.mark && "likely"].filter(Boolean).join(" ");
    const run = el(piece.mark ? "mark" : "span", kind ? { class: kind, "data-level": piece.level } : {}, between ? "\n" : piece.text);
    if (piece.kind !== "item" || !piece.begins) return run;
    const bullet = el("span", { class: "bullet", "aria-hidden": "true" });
    bullet.style.setProperty("--level", piece.level);
    return [bullet, run];
  });
  return el("div", { class: "text", tabindex: "0", role: "document", "aria-label": title }, runs);
}

/** A table with its columns named; the cells of the cited span are marked, a row of one cell spans all columns. */
function table({ heads, rows }) {
  const named = heads.map((head) => el("th", { scope: "col" }, head));
  const drawn = rows.map((cells) => {
    const span = cells.length < heads.length ? heads.length : null;
    return el("tr", {}, cells.map((cell) => el("td", { colspan: span }, cell.mark ? el("mark", { class: cell.likely ? "likely" : "" }, cell.text) : cell.text)));
  });
  return el("div", { class: "table" }, el("table", {}, el("thead", {}, el("tr", {}, named)), el("tbody", {}, drawn)));
}

/** A page as its picture, with the cited words boxed. */
function sheet({ title, sheet: { image, width, height, number, boxes } }) {
  const drawn = boxes.map(([left, top, across, down, likely]) => {
    const box = el("span", { class: likely ? "box likely" : "box" });
    Object.assign(box.style, { left: `${100 * left}%`, top: `${100 * top}%`, width: `${100 * across}%`, height: `${100 * down}%` });
    return box;
  });
  const picture = el("img", { src: image, width, height, alt: `Page ${number} of ${title}` });
  return el("div", { class: "text sheet", tabindex: "0", role: "document", "aria-label": title }, el("div", { class: "paper" }, picture, drawn));
}

/** What a quote that has changed said, beside what stands there now. */
function changed({ then, now }) {
  if (!then) return [];
  const part = (label, words) => el("div", {}, el("b", {}, label), el("q", {}, words));
  return [el("div", { class: "changed" }, part("It said", then), now ? part("It says now", now) : el("div", {}, el("b", {}, "The document no longer says it.")))];
}

function bar({ at, count, copy, views, view }, tell) {
  const step = (act, sign, label, to) => {
    const off = to < 0 || to >= count;
    return el("button", { "data-act": act, title: label, "aria-label": label, "aria-disabled": String(off), click: () => off || tell("go", to) }, sign);
  };
  const now = at === null ? -1 : at;
  const place = at === null ? `${count} cited` : `${at + 1} of ${count}`;
  const through = count
    ? [step("up", "↑", "Previous citation", now - 1), step("down", "↓", "Next citation", now + 1), el("span", { class: "quiet", role: "status" }, place)]
    : [];
  const seen = views.map((one) =>
    el("button", { class: "view", "data-act": one.toLowerCase(), "aria-pressed": String(one === view), click: () => tell("view", one) }, one),
  );
  const take = el("button", { "data-act": "copy", title: "Copy the sentence with its title and page", click: () => copied(take, copy) }, "Copy");
  return el("div", { class: "bar" }, through, el("span", { class: "gap" }), seen.length ? el("span", { class: "views" }, seen) : null, take);
}

/** Scrolls the page to the pane where its marked words are out of view, or behind the field for the next question. */
function bringIntoView(root, marked) {
  const { top } = marked.getBoundingClientRect();
  if (top < 0 || top > innerHeight - 160) root.scrollIntoView({ block: "start" });
}
