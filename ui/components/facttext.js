export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "facttext");
  const json = JSON.stringify(data);
  if (root.memory.json === json) return;
  root.memory.json = json;
  const parts = data.pieces.map((piece) => {
    if (piece.page) return el("span", { class: "page" }, `Page ${piece.page}`);
    const kind = piece.heading ? "heading" : "";
    if (!piece.href) return el("span", { class: kind }, piece.text);
    const click = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
      event.preventDefault();
      setTriggerValue("go", piece.go);
    };
    return el("a", { class: `fact ${piece.here ? "here" : ""} ${kind}`, href: piece.href, title: "Open this fact", click }, piece.text);
  });
  const body = el("div", { class: "text", role: "document", "aria-label": data.title, dir: "auto" }, parts);
  root.replaceChildren(body);
  const here = body.querySelector(".here");
  if (here) requestAnimationFrame(() => here.scrollIntoView({ block: "center" }));
}
