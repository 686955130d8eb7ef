function track(item, select, heads, tell) {
  const box = el("input", {
    type: "checkbox",
    "aria-label": `Select: ${item.question}`,
    checked: item.chosen,
    change: (event) => tell("pick", { id: item.id, on: event.target.checked }),
  });
  const mark = item.mark ? el("span", { class: `mark ${item.mark}` }, item.mark) : null;
  return el(
    "li",
    { class: select ? "track" : "track single" },
    select ? el("label", { class: "box" }, box) : null,
    el(
      "button",
      { class: "open", click: () => tell("open", item.id) },
      el("span", { class: "asked" }, item.question),
      el("span", { class: item.answered ? "answer" : "answer unknown" }, item.answer),
      item.comment ? el("q", { class: "comment" }, item.comment) : null,
      el("span", { class: "meta" }, mark, item.meta),
    ),
    heads.length ? el("span", { class: "cells" }, item.cells.map((cell, place) => el("span", cell ? { title: heads[place] } : {}, cell))) : null,
  );
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "tracks");
  const json = JSON.stringify(data);
  if (root.memory.json === json) return;
  root.memory.json = json;
  const focused = root.getRootNode().activeElement?.getAttribute?.("aria-label");
  root.replaceChildren(el("ul", { "aria-label": data.label }, data.items.map((item) => track(item, data.select, data.heads, setTriggerValue))));
  if (data.heads.length) root.prepend(el("p", { class: "cells heads", "aria-hidden": "true" }, data.heads.map((head) => el("span", {}, head))));
  if (focused) [...root.querySelectorAll("input")].find((box) => box.getAttribute("aria-label") === focused)?.focus();
}
