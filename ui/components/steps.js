function opener(source, open) {
  return { click: () => open({ document: source.document, title: source.title, start: source.start, end: source.end }) };
}

function factItem(fact, open) {
  const [source] = fact.sources;
  const text = source
    ? el("button", { class: "text link", title: "Open the source", ...opener(source, open) }, fact.text)
    : el("span", { class: "text" }, fact.text);
  const names = fact.entities.map((name) => el("li", {}, name));
  return el(
    "li",
    { class: fact.used ? "fact used" : "fact" },
    el("span", { class: "number" }, `[${fact.number}]`),
    el(
      "div",
      {},
      text,
      names.length ? el("ul", { class: "entities", "aria-label": "Entities" }, names) : null,
      source ? el("span", { class: "place" }, fact.sources.map(place).slice(0, 3).join(", ")) : null,
    ),
  );
}

function factList(step, open, memory) {
  const { facts } = step;
  if (!step.query) return null;
  if (!facts.length) return el("p", { class: "quiet" }, "Nothing found.");
  const used = facts.filter((fact) => fact.used).length;
  const count = `${facts.length} ${facts.length === 1 ? "fact" : "facts"}${used ? `, ${used} cited` : ""}`;
  const details = el(
    "details",
    { class: "facts", open: memory.has(step.number), toggle: () => remember(memory, step.number, details.open) },
    el(
      "summary",
      {},
      el("span", { class: "count" }, count),
      el("span", { class: "topics" }, step.topics.join(" · ")),
      el("span", { class: "quiet time" }, step.seconds),
    ),
    el("ol", {}, facts.map((fact) => factItem(fact, open))),
  );
  return details;
}

function remember(memory, number, isOpen) {
  if (isOpen) memory.add(number);
  else memory.delete(number);
}

function turnItem(root, step, open, memory, live, departs) {
  const item = el(
    "li",
    { class: ["turn", live && "live", departs && "departs"].filter(Boolean).join(" "), "aria-busy": live },
    el("span", { class: "dot", "aria-label": `Turn ${step.number}` }, String(step.number)),
    el(
      "div",
      { class: "body" },
      departs ? el("p", { class: "parting" }, "From here the two differ") : null,
      step.thought ? el("p", { class: "thought" }, step.thought) : null,
      step.query ? el("p", { class: "query" }, el("span", { class: "lens", "aria-hidden": "true" }), step.query) : null,
      step.note ? el("p", { class: "note" }, step.note) : null,
      live ? el("p", { class: "quiet pulse", role: "status" }, `${step.label} …`) : factList(step, open, memory),
    ),
  );
  item.style.setProperty("--turn", turnColour(root, step.number - 1));
  return item;
}

/** A quote as its pieces, the likeliest answer spans in bold. */
function quoted(pieces) {
  return pieces.map(([text, bold]) => (bold ? el("strong", {}, text) : text));
}

/** A quote whose likeliest words stand in its first lines: what is long before one is cut in the middle. */
function shortened(pieces) {
  const EDGE = 60;
  const isBefore = (at) => pieces.slice(at + 1).some(([, bold]) => bold);
  return pieces.map(([text, bold], at) => {
    if (bold || text.length < 3 * EDGE || !isBefore(at)) return [text, bold];
    return [`${text.slice(0, EDGE).replace(/\s\S*$/, "")} … ${text.slice(-EDGE).replace(/^\S*\s/, "")}`, false];
  });
}

function sourceItem(citation, open, isQuoted = true) {
  return el(
    "li",
    {},
    el(
      citation.gone ? "div" : "button",
      citation.gone ? { class: "citation gone" } : { class: "citation", ...opener(citation, open) },
      el("span", { class: "number" }, `[${citation.number}]`),
      el(
        "span",
        { class: "source" },
        el("b", {}, place(citation)),
        isQuoted ? el("q", { class: "quote" }, quoted(shortened(citation.quote))) : null,
        citation.told ? el("span", { class: "note" }, citation.told) : null,
        citation.now ? el("q", { class: "quote" }, citation.now) : null,
      ),
    ),
  );
}

/** The sources as a list; where sentences stand in place of a value, all but the best lie folded under it. */
function sourceList(citations, open, best) {
  if (!citations.length) return null;
  const items = citations.map((citation) => sourceItem(citation, open, citation !== best));
  const list = (found, label) => el("ol", { class: "citations", "aria-label": label }, found);
  if (!best || items.length < 2) return list(items, "Sources");
  const more = el("details", { class: "folded" }, el("summary", {}, `${items.length - 1} more`), list(items.slice(1), "More sources"));
  return el("div", {}, list(items.slice(0, 1), "Sources"), more);
}

const sentence = (citation) => citation.quote.map(([text]) => text).join("");

function marker(number, source, words, open) {
  if (!source) return el("span", { class: "quiet" }, ` [${number}]`);
  return el("button", { class: "mark", title: words, "aria-label": `Open source ${number}`, ...opener(source, open) }, `${number}`);
}

/** A model's answer: its Markdown as elements, its markers where it put them, the sentence on hover. */
function ownWords({ nodes, citations, verdict }, steps, open) {
  const places = new Map(steps.flatMap((step) => step.facts).map((fact) => [fact.number, [fact.sources[0], fact.text]]));
  for (const citation of citations) if (!citation.gone) places.set(citation.number, [citation, sentence(citation)]);
  const placed = new Set();
  const drawn = (children) =>
    children.map((node) => {
      if (typeof node === "string") return node;
      if (node.doubt) return el("span", { class: "doubt", title: "No cited sentence says this." }, node.doubt);
      if (node.tag) return el(node.tag, {}, drawn(node.children));
      placed.add(node.mark);
      return marker(node.mark, ...(places.get(node.mark) ?? [null, ""]), open);
    });
  const words = el("div", {}, drawn(nodes));
  const small = verdict?.kind === "unsupported" && !verdict.partly;
  const rest = small ? [] : citations.filter((citation) => !citation.gone && !placed.has(citation.number));
  const last = words.lastElementChild?.tagName === "P" ? words.lastElementChild : words;
  last.append(...rest.map((citation) => marker(citation.number, citation, sentence(citation), open)));
  const long = nodes.length > 1 || words.textContent.length > 240;
  return el("div", { class: ["said", "own", long && "long", small && "small"].filter(Boolean).join(" ") }, words);
}

function answerCard(answer, steps, tell) {
  const open = (wanted) => tell("open", wanted);
  const marks = answer.citations
    .filter((citation) => !citation.gone)
    .map((citation) => marker(citation.number, citation, sentence(citation), open));
  const kind = answer.verdict?.kind;
  const best = kind === "found" ? answer.citations.find((citation) => !citation.gone) : null;
  let said = answer.nodes ? ownWords(answer, steps, open) : el("p", { class: "said" }, el("span", {}, answer.text), marks);
  if (best) said = el("p", { class: "said sentence" }, el("span", {}, quoted(best.quote)), marks.slice(0, 1));
  const more = answer.cut ? el("button", { class: "more", click: () => tell("more", true) }, "Cut off: go on") : null;
  const nearest = kind === "unsupported" && !answer.verdict.partly && answer.citations.length ? el("p", { class: "quiet nearest" }, "These sentences come nearest:") : null;
  return el(
    "section",
    { class: `answer ${kind ?? ""}${answer.answered ? "" : " unknown"}`, "aria-label": "Answer" },
    answer.verdict
      ? el("p", { class: `verdict ${answer.verdict.now}` }, el("span", { class: "badge" }, answer.verdict.word), el("span", {}, answer.verdict.reason))
      : null,
    said,
    more,
    answer.note && !answer.cut ? el("p", { class: "note" }, answer.note) : null,
    answer.answered || best ? null : el("p", { class: "quiet" }, answer.looked),
    nearest,
    sourceList(answer.citations, open, best),
    el("p", { class: "quiet meta" }, answer.meta),
  );
}

/** A part behind one line, which stays open where it has been opened. */
function folded(memory, label, part) {
  const toggle = () => remember(memory.open, label, details.open);
  const details = el("details", { class: "folded", open: memory.open.has(label), toggle }, el("summary", {}, label), part);
  return details;
}

/** Lets a screen reader say something; what it watches has to be there before. */
function say(words) {
  if (!window.clewLive) {
    window.clewLive = el("p", { class: "unseen", role: "status", "aria-live": "polite" });
    Object.assign(window.clewLive.style, { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" });
    document.body.append(window.clewLive);
  }
  setTimeout(() => (window.clewLive.textContent = words), 300);
}

/** Brings an answer into view, once, under its question, and keeps it there whenever the page, which would stay at its
 * end, grows: until somebody scrolls. One that has just come is said aloud, and the field has the focus again. */
function showOnce(root, { id, fresh, answer }) {
  window.clewShown ??= new Set();
  if (window.clewShown.has(id) || root.memory.showing === id) return;
  root.memory.showing = id; // another drawing of it may take this one's place, and goes on
  const touch = matchMedia("(pointer: coarse)").matches; // where a keyboard would cover the answer
  let waits = fresh && !touch;
  let left = 25; // looks after the page last grew; a part that loads late makes it grow again
  let height = 0;
  let before = -1;
  const timer = setInterval(() => {
    if (!root.isConnected) return clearInterval(timer);
    const field = document.querySelector("[data-testid=stChatInputTextArea]:enabled");
    const tall = document.querySelector("[data-testid=stMainBlockContainer]").offsetHeight;
    left = field && tall === height ? left - 1 : 25;
    height = tall;
    if (left < 0) return window.clewShown.add(id);
    if (waits && field && [document.body, field].includes(document.activeElement)) {
      field.focus({ preventScroll: true });
      waits = false;
    }
    const main = document.querySelector(".stMain");
    // While the page glides to its end it takes no scrolling for a wish to be elsewhere, and would glide there again.
    if (main.scrollTop === before) root.querySelector(".answer")?.scrollIntoView({ block: "start" });
    before = main.scrollTop;
  }, 150);
  const leave = () => {
    window.clewShown.add(id);
    clearInterval(timer);
  };
  for (const act of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(act, leave, { once: true });
  if (fresh) say([answer.verdict?.word, root.querySelector(".said > :first-child").textContent].filter(Boolean).join(": "));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "steps");
  const json = JSON.stringify(data) + getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors");
  if (root.memory.json === json) return;
  root.memory.json = json;
  root.memory.open ??= new Set();
  const open = (wanted) => setTriggerValue("open", wanted);
  const answer = data.answer && { ...data.answer, cut: data.answer.cut && data.intoView };

  const turns = data.steps.map((step) => turnItem(root, step, open, root.memory.open, false, step.number === data.departs));
  if (data.now) turns.push(turnItem(root, data.now, open, root.memory.open, true));
  const list = el("ol", { class: "turns", "aria-label": "Steps" }, turns);
  const count = `${data.steps.length} ${data.steps.length === 1 ? "turn" : "turns"}`;
  const way = data.folded ? folded(root.memory, `How it was found: ${count}`, list) : list;
  const card = answer ? answerCard(answer, data.steps, setTriggerValue) : null;
  root.replaceChildren(...(card ? [card] : []), way);
  if (card && data.intoView) showOnce(root, data);
}
