// Puts the parts together. What a kernel shows is made when it is opened, so that a page with many kernels opens at once.

const viewers = new Map();
let currentKernel = null;

function openKernel(name) {
  const section = document.getElementById(`kernel-${data.kernels.findIndex((kernel) => kernel.name === name)}`);
  if (!section) return;
  section.open = true;
  section.scrollIntoView({ block: "start" });
  section.querySelector("summary").focus({ preventScroll: true });
}

function showKernels(parent) {
  if (data.error) parent.append(h("p", { class: "error" }, `Stopped: ${data.error}`));
  if (!data.kernels.length) parent.append(h("p", {}, "No kernels."));
  data.kernels.forEach((kernel, number) => {
    const work = findWork(kernel.name);
    const measured = data.measured[kernel.name];
    const parts = data.kernels.filter((part) => part.merged_into === kernel.name).map((part) => part.name);
    const facts = [work && work.scheduler, parts.length > 0 && `one launch of ${parts.join(", ")}`, work && `predicted ${formatTime(work.microseconds)}`, measured !== undefined && `measured ${formatTime(measured)}`, kernel.merged_into && `part of ${kernel.merged_into}`, kernel.error && "not compiled"];
    const body = h("div", { class: "kernel-body" });
    const section = h("details", { class: "kernel", id: `kernel-${number}` }, h("summary", {}, h("span", { class: "name" }, kernel.name), h("span", { class: "dim" }, ` ${facts.filter((fact) => fact).join(", ")}`)), body);
    const open = () => {
      if (!section.open) return;
      currentKernel = kernel.name;
      if (viewers.has(kernel.name)) return;
      const nest = h("div", { class: "nest-column" }), stages = h("div", { class: "stage-column" });
      body.append(kernel.loops.length ? nest : "", stages);
      showNest(nest, kernel);
      viewers.set(kernel.name, new StageViewer(stages, kernel));
      for (const listener of selection.listeners) listener();
    };
    section.addEventListener("toggle", open);
    section.addEventListener("focusin", () => (currentKernel = kernel.name));
    parent.append(section);
    if (data.kernels.length === 1) {
      section.open = true;
      open();
    }
  });
}

function showSummary(parent) {
  const tile = (title, value, note) => h("div", { class: "tile" }, h("div", { class: "dim" }, title), h("div", { class: "value" }, value), h("div", { class: "dim" }, note));
  const { fused, unfused } = data;
  const kernels = (count) => `${count} ${count === 1 ? "kernel" : "kernels"}`;
  const times = Object.values(data.measured);
  parent.append(h("div", { class: "tiles" },
    tile("predicted", formatTime(fused.microseconds), `${kernels(fused.kernels)}, launches included`),
    times.length > 0 && tile("measured", formatTime(times.reduce((sum, time) => sum + time, 0)), `sum of ${kernels(times.length)}, ${data.measured_on}`),
    tile("memory traffic", formatBytes(fused.bytes_read + fused.bytes_written), `${formatBytes(fused.bytes_read)} read, ${formatBytes(fused.bytes_written)} written`),
    tile("unfused", formatTime(unfused.microseconds), `${kernels(unfused.kernels)}, launches included, ${formatBytes(unfused.bytes_read + unfused.bytes_written)}`),
    tile("gain", fused.microseconds > 0 ? `${(unfused.microseconds / fused.microseconds).toFixed(2)}×` : "unknown", "predicted")));
}

function describeBoundary(boundary) {
  const first = boundary.refusals[0];
  if (boundary.reason === "refusal" && first) return `${first.scheduler} [${first.code}]: ${first.sentence}`;
  if (boundary.reason === "cost") return `together ${formatTime(boundary.together_microseconds)}, apart ${formatTime(boundary.apart_microseconds)}`;
  return { mark: "a fuser.segment_set", circle: "segments would depend on each other", host: "one side is no kernel" }[boundary.reason] || "";
}

/// The launches of a program on several streams: one lane for each stream, over the predicted time.
function makeLanes() {
  const launches = data.launches.filter((launch) => launch.stream !== undefined);
  const streams = Math.max(0, ...launches.map((launch) => launch.stream + 1));
  if (streams < 2) return null;
  const end = Math.max(...launches.map((launch) => launch.end_microseconds));
  const width = 1000, height = 26, left = 80;
  const lanes = s("svg", { class: "lanes", viewBox: `0 0 ${left + width} ${streams * height}`, role: "img", "aria-label": "launches over time" });
  for (let stream = 0; stream < streams; ++stream) lanes.append(s("text", { x: 0, y: stream * height + 17 }, `stream ${stream}`));
  for (const launch of launches) {
    const x = left + (launch.start_microseconds / end) * width, y = launch.stream * height + 2;
    const box = s("rect", { x, y, width: ((launch.end_microseconds - launch.start_microseconds) / end) * width, height: height - 6, rx: 3 }, s("title", {}, `${launch.kernel}: ${formatTime(launch.start_microseconds)} to ${formatTime(launch.end_microseconds)}`));
    box.addEventListener("click", () => openKernel(launch.kernel));
    lanes.append(box, s("text", { x: x + 4, y: y + 15 }, launch.kernel));
  }
  return h("div", {}, h("p", {}, `Predicted: ${formatTime(end)} on ${streams} streams.`), lanes);
}

function showDetails(parent) {
  const part = (title, ...content) => parent.append(h("details", {}, h("summary", {}, title), content.filter((child) => child)));
  if (data.boundaries.length)
    part(`Boundaries (${data.boundaries.length})`, table(["value", "bytes", "from segment", "to segment", "reason", "explanation"], data.boundaries.map((boundary) => [data.values[boundary.value].name, formatBytes(data.values[boundary.value].bytes), boundary.producer, boundary.consumer, boundary.reason, describeBoundary(boundary)]), "boundaries of segments"));
  part(`Ops (${data.ops.length})`, h("div", { class: "op-list" }, data.ops.map((op, number) => makeSourceButton(op.text, [number]))));
  part(`Values (${data.values.length})`, table(["name", "type", "bytes", "order", "source of the order", "outputs"], data.values.map((value) => [value.name, value.type, formatBytes(value.bytes), `[${value.order.join(", ")}]`, value.order_source, value.outputs.join(", ")]), "values"));
  if (data.launches.length)
    part(`Launches (${data.launches.length})`, table(["kernel", "inputs", "outputs", "batch", "stream"], data.launches.map((launch) => [launch.kernel, launch.inputs.join(", "), launch.outputs.join(", "), launch.batch ?? "", launch.stream ?? ""]), "launches"), makeLanes());
  if (data.ignored_marks.length) part("Marks that were not honored", h("ul", {}, data.ignored_marks.map((mark) => h("li", {}, mark))));
  selection.listeners.push(() => {
    for (const button of parent.querySelectorAll("[data-sources]")) button.classList.toggle("marked", isSelected(button.dataset.sources.split(" ").map(Number)));
  });
}

const kKeys = [["[ and ]", "previous and next stage"], ["n and p", "next and previous marked line"], ["arrows, Enter", "in a text: move, and select the op of a line"], ["Escape", "select nothing"], ["t", "light or dark"]];

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function showHeader(parent) {
  parent.append(
    h("h1", {}, `@${data.program}`),
    h("p", { class: "dim" }, `${data.device}, ${data.sizes ? `sizes ${data.sizes}` : "sizes unknown"}`),
    h("details", { class: "keys" }, h("summary", {}, "Keys"), h("dl", {}, kKeys.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]))),
    h("button", { id: "theme", click: toggleTheme }, "Light / dark"));
}

function showSelection(parent) {
  const texts = [...selection.sources].map(describeSource).filter((text) => text);
  parent.replaceChildren(...(texts.length ? [h("strong", {}, "Selected: "), h("span", {}, texts.join("; ")), " ", h("button", { click: () => select([]) }, "Clear")] : []));
  document.body.classList.toggle("has-selection", texts.length > 0);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input[type=text], textarea")) return;
  const viewer = viewers.get(currentKernel);
  const actions = {
    "[": () => viewer && viewer.move(-1),
    "]": () => viewer && viewer.move(1),
    n: () => viewer && viewer.goToMarked(1),
    p: () => viewer && viewer.goToMarked(-1),
    t: toggleTheme,
    Escape: () => select([]),
  };
  if (actions[event.key]) actions[event.key]();
}

showHeader(document.getElementById("top"));
showSummary(document.getElementById("summary"));
showGraph(document.getElementById("graph"), openKernel);
showCosts(document.getElementById("cost"), openKernel);
showKernels(document.getElementById("kernels"));
showDetails(document.getElementById("details"));
selection.listeners.push(() => showSelection(document.getElementById("selection")));
document.addEventListener("keydown", onKey);
