// The data of the report, and functions that all parts use. Texts are set as text nodes only, so that no name is markup.
const data = JSON.parse(document.getElementById("data").textContent);

/// An element with attributes (functions are listeners) and children; null and false children are skipped.
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/// An element of SVG.
function s(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function formatScaled(value, units, base) {
  let unit = 0;
  while (value >= base && unit + 1 < units.length) {
    value /= base;
    ++unit;
  }
  const digits = unit === 0 && Number.isInteger(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
const formatBytes = (bytes) => formatScaled(bytes, ["B", "KB", "MB", "GB", "TB"], 1000);
const formatCount = (count) => formatScaled(count, ["", "K", "M", "G", "T", "P"], 1000).trim();
const formatTime = (us) => (us < 1000 ? `${us.toFixed(us < 10 ? 2 : 1)} µs` : `${(us / 1000).toFixed(2)} ms`);
const formatShare = (share) => `${(100 * share).toFixed(0)} %`;

/// The segment or copy that a kernel computes; undefined: a kernel of several.
function findWork(kernel) {
  return data.segments.find((segment) => segment.kernel === kernel) || data.copies.find((copy) => copy.kernel === kernel);
}

/// What a source of a line is: the text of an op, or an argument.
function describeSource(source) {
  if (source < data.ops.length) return data.ops[source].text;
  const value = data.values[source - data.ops.length];
  return value ? `argument ${value.name}: ${value.type}` : "";
}

/// The rows of a table; a row is a list of cells, each a string, a number or an element.
function table(titles, rows, caption) {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "hidden" }, caption),
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", { class: (cell.textContent || String(cell)).length > 24 ? "text" : null }, cell instanceof Node ? cell : String(cell)))))),
    ),
  );
}

// The selection: sources whose lines are marked everywhere. Parts register a function that shows it.
const selection = { sources: new Set(), listeners: [] };
const isSelected = (sources) => (sources || []).some((source) => selection.sources.has(source));
function select(sources) {
  const same = sources.length === selection.sources.size && sources.every((source) => selection.sources.has(source));
  selection.sources = new Set(same ? [] : sources);
  for (const listener of selection.listeners) listener();
}
