/** A link that Streamlit follows without a new page; with a modifier the browser opens it as any other. */
function way(item, attributes, go, ...children) {
  const click = (event) => {
    if (!item.go || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(item.go);
  };
  return el("a", { ...attributes, href: item.href, click }, ...children);
}

function runs(parts) {
  return parts.map((part) => (part.mark ? el("mark", {}, part.text) : el("span", {}, part.text)));
}

function card(item, go) {
  const chips = (item.chips ?? []).map((chip) =>
    el("li", {}, way(chip, { class: `chip ${chip.kind}` }, go, el("span", { class: "name" }, chip.label), chip.note ? el("span", { class: "note" }, chip.note) : null)),
  );
  return el(
    "li",
    { class: `card ${item.kind}` },
    item.href ? way(item, { class: "title" }, go, runs(item.runs)) : el("span", { class: "title" }, runs(item.runs)),
    item.meta ? el("p", { class: "meta" }, item.meta) : null,
    chips.length ? el("ul", { class: "chips", "aria-label": item.about ?? "Who takes part" }, chips) : null,
  );
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "cards");
  const json = JSON.stringify(data);
  if (root.memory.json === json) return;
  root.memory.json = json;
  const go = (where) => setTriggerValue("go", where);
  root.classList.toggle("compact", Boolean(data.compact));
  root.replaceChildren(el("ul", { class: "list", "aria-label": data.label }, data.items.map((item) => card(item, go))));
}
