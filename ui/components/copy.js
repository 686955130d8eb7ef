export default function ({ data, parentElement, setTriggerValue }) {
  const root = mounted(parentElement, "copy");
  root.memory.button ??= el("button", { click: () => setTriggerValue("wanted", true) }, data.label);
  if (!root.firstChild) root.append(root.memory.button);
  if (data.words) copied(root.memory.button, data.words).then(() => setTriggerValue("copied", true));
}
