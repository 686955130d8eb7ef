export default function ({ data, parentElement }) {
  const root = mounted(parentElement, "document");
  const json = JSON.stringify(data);
  if (root.memory.json === json) return;
  root.memory.json = json;
  const runs = data.pieces.map((piece) => {
    if (piece.page) return el("span", { class: "page" }, `Page ${piece.page}`);
    if (piece.left_out) return el("span", { class: "page" }, `… ${piece.left_out.toLocaleString("en")} more characters …`);
    if (piece.table) return table(piece.table);
    return el(piece.mark ? "mark" : "span", piece.kind ? { class: piece.kind } : {}, piece.text);
  });
  const body = el("div", { class: "text", tabindex: "0", role: "document", "aria-label": data.title }, runs);
  const told = data.metadata ? [el("p", { class: "source" }, data.metadata)] : [];
  root.replaceChildren(el("p", { class: "source" }, data.source), ...told, body);
  const first = body.querySelector("mark");
  if (!first) return;
  // The dialog opens with an animation; only afterwards do its sizes hold.
  const scroll = () => {
    body.scrollTop += first.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
  };
  requestAnimationFrame(scroll);
  setTimeout(scroll, 350);
}

/** A table with its columns named; the cells of the cited span are marked, a row of one cell spans all columns. */
function table({ heads, rows }) {
  const named = heads.map((head) => el("th", { scope: "col" }, head));
  const drawn = rows.map((cells) => {
    const span = cells.length < heads.length ? heads.length : null;
    return el("tr", {}, cells.map((cell) => el("td", { colspan: span }, cell.mark ? el("mark", {}, cell.text) : cell.text)));
  });
  return el("div", { class: "table" }, el("table", {}, el("thead", {}, el("tr", {}, named)), el("tbody", {}, drawn)));
}
