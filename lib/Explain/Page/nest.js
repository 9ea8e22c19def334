// The loop nest of a kernel: loops as nested boxes in the colors of their parallel types.

const kNestKinds = [["block", "blocks"], ["thread", "threads"], ["vectorize", "vector"], ["unroll", "unrolled"], ["serial", "serial"]];

function getLoopClass(type) {
  const known = kNestKinds.find(([prefix]) => type.startsWith(prefix));
  return known ? known[0] : "serial";
}

/// A button that selects what an item came from; a plain text if that is unknown.
function makeSourceButton(text, sources) {
  if (!sources || !sources.length) return h("span", { class: "plain" }, text);
  return h("button", { class: "source", "data-sources": sources.join(" "), "aria-pressed": "false", click: () => select(sources) }, text);
}

function makeNestItem(item) {
  switch (item.kind) {
    case "loop": {
      const isNumber = /^[0-9]+$/.test(item.extent);
      const count = item.count === undefined ? (isNumber ? item.extent : "?") : item.count.toLocaleString("en-US");
      return h("div", { class: `loop ${getLoopClass(item.label)}` },
        h("div", { class: "head" }, h("span", { class: "type" }, item.label), " ", h("span", { class: "count" }, `× ${count}`), !isNumber && h("span", { class: "dim" }, ` ${item.extent}`)),
        makeNestItems(item.items));
    }
    case "buffer":
      return h("div", { class: `buffer ${item.memory}` }, h("span", { class: "type" }, item.memory), " ", makeSourceButton(`${item.label}: ${item.type}`, item.sources));
    case "combine":
      return h("div", { class: "combine" }, h("span", { class: "type" }, `combine over ${item.over}`), " ", makeSourceButton(item.label, item.sources));
    case "barrier":
      return h("div", { class: "barrier" }, `barrier: ${item.label}`, item.count > 1 ? ` × ${item.count}` : "");
    default:
      return h("div", { class: "op" }, makeSourceButton(item.label, item.sources));
  }
}

/// Buffers in a row share a line.
function makeNestItems(items) {
  const elements = [];
  for (const item of items) {
    const element = makeNestItem(item);
    const last = elements[elements.length - 1];
    if (item.kind === "buffer" && last && last.classList.contains("buffers")) last.append(element);
    else elements.push(item.kind === "buffer" ? h("div", { class: "buffers" }, element) : element);
  }
  return elements;
}

function showNest(parent, kernel) {
  if (!kernel.loops.length) return;
  const legend = h("p", { class: "legend" }, kNestKinds.map(([kind, name]) => h("span", { class: `key loop-${kind}` }, name)));
  const nest = h("div", { class: "nest" }, makeNestItems(kernel.loops));
  parent.append(h("h3", {}, "Loop nest"), legend, nest);
  selection.listeners.push(() => {
    for (const button of nest.querySelectorAll("[data-sources]")) {
      const marked = isSelected(button.dataset.sources.split(" ").map(Number));
      button.classList.toggle("marked", marked);
      button.setAttribute("aria-pressed", String(marked));
    }
  });
}
