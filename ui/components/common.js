// What every component's script begins with. Text gets into the page as text nodes alone, so nothing in it is markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (functions become listeners) and children: elements, texts, or nothing. */
function el(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "line", "circle", "rect", "text"].includes(tag);
  const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** The element in which the component draws, and what it remembered between two calls. */
function mounted(parent, name) {
  let root = [...parent.children].find((child) => child.classList.contains(name));
  if (!root) {
    root = el("div", { class: name });
    root.memory = {};
    parent.append(root);
  }
  return root;
}

/** The theme's colour of a turn, from 0. */
function turnColour(root, turn) {
  const colours = getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors").split(",");
  return colours[turn % colours.length].trim();
}

/** "Title · p. 3 · Rent › Deposit" */
function place(source) {
  return [source.title, source.page && `p. ${source.page}`, source.section].filter(Boolean).join(" · ");
}

/** Puts words on the clipboard, and says so on the button that was pressed. */
async function copied(button, words) {
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    const field = el("textarea", { class: "unseen" }, words); // where the page is not served over TLS
    button.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    button.focus();
  }
  const label = (button.dataset.label ??= button.textContent); // pressed again, it says "Copied"
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = label), 1500);
}
