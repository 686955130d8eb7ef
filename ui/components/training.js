function bar({ name, value, share }) {
  const fill = el("span", { class: share < 0 ? "fill less" : "fill" });
  fill.style.width = `${Math.abs(share) * 50}%`;
  return el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "scale", "aria-hidden": "true" }, fill), el("td", { class: "value" }, value));
}

function tokenRun(root, { owner, turn, texts }) {
  const who = owner === "policy" ? "policy" : "environment";
  const run = el("span", { class: `run ${who}`, title: `Turn ${turn}, ${who}` }, texts.map((text) => el("span", { class: "token" }, text)));
  run.style.setProperty("--turn", turnColour(root, turn - 1));
  return run;
}

export default function ({ data, parentElement }) {
  const root = mounted(parentElement, "training");
  const json = JSON.stringify(data) + getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors");
  if (root.memory.json === json) return;
  root.memory.json = json;
  if (data.bars) {
    root.replaceChildren(el("table", { "aria-label": "Parts of the reward" }, el("tbody", {}, data.bars.map(bar))));
    return;
  }
  const { policy, environment } = data.counts;
  root.replaceChildren(
    el(
      "ul",
      { class: "legend" },
      el("li", { class: "policy" }, `${policy.toLocaleString("en")} tokens of the policy, which are trained`),
      el("li", { class: "environment" }, `${environment.toLocaleString("en")} of the environment, masked`),
    ),
    el("div", { class: "tokens", role: "region", tabindex: "0", "aria-label": "Tokens" }, data.runs.map((run) => tokenRun(root, run))),
    data.left_out ? el("p", { class: "quiet" }, `${data.left_out.toLocaleString("en")} more tokens are not shown.`) : "",
  );
}
