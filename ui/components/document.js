export default function ({ data, parentElement }) {
  const root = mounted(parentElement, "document");
  const json = JSON.stringify(data);
  if (root.memory.json === json) return;
  root.memory.json = json;
  const runs = data.pieces.map((piece) => {
    if (piece.page) return el("span", { class: "page" }, `Page ${piece.page}`);
    if (piece.left_out) return el("span", { class: "page" }, `… ${piece.left_out.toLocaleString("en")} more characters …`);
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
