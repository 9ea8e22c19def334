// The graph of segments: arguments on the left, outputs on the right, each segment right of those whose values it reads.
// Boxes are laid out from their measured sizes, so that texts of any length fit.

/// A box with ports: `reads` and `writes` are lists of values.
function makeGraphBox(kind, title, lines, reads, writes, open) {
  const port = (side) => (number) => {
    const value = data.values[number];
    return h("li", { "data-value": number, title: `${value.name}: ${value.type}, order [${value.order}] (${value.order_source})` },
      h("span", { class: "name" }, value.name), " ", h("span", { class: "dim" }, formatBytes(value.bytes)));
  };
  const element = h("div", { class: `box ${kind}` },
    open ? h("button", { class: "title", click: open }, title) : h("div", { class: "title" }, title),
    lines.map((line) => h("div", { class: "dim" }, line)),
    reads.length + writes.length > 0 && h("div", { class: "ports" },
      h("ul", { class: "reads", "aria-label": "reads" }, reads.map(port("reads"))),
      h("ul", { class: "writes", "aria-label": "writes" }, writes.map(port("writes")))));
  return { kind, element, reads, writes };
}

function makeGraphBoxes(openKernel) {
  const boxes = [];
  const produced = new Set(data.ops.flatMap((op) => op.results));
  data.values.forEach((value, number) => {
    if (produced.has(number)) return;
    const box = makeGraphBox("argument", value.name, [value.type, formatBytes(value.bytes)], [], [], null);
    boxes.push({ ...box, layer: 0, from: [], provides: [number] });
  });
  data.segments.forEach((segment, number) => {
    const lines = [
      segment.kernel ? `kernel ${segment.kernel}` : "no kernel",
      segment.scheduler ? `${segment.scheduler}, ${segment.ops.length} ${segment.ops.length === 1 ? "op" : "ops"}` : `${segment.ops.length} ops`,
      segment.scheduler ? `predicted ${formatTime(segment.microseconds)}` : "",
    ].filter((line) => line);
    const open = segment.kernel && data.kernels.length ? () => openKernel(segment.kernel) : null;
    const box = makeGraphBox("segment", `segment ${number}`, lines, segment.reads, segment.writes, open);
    boxes.push({ ...box, number, layer: 1, from: segment.reads, provides: segment.writes });
  });
  const outputs = data.values.flatMap((value, number) => value.outputs.map((output) => [output, number]));
  outputs.sort((a, b) => a[0] - b[0]);
  for (const [output, number] of outputs) {
    const value = data.values[number];
    const box = makeGraphBox("output", `output ${output}`, [value.name, value.type, formatBytes(value.bytes)], [], [], null);
    boxes.push({ ...box, layer: 0, from: [number], provides: [] });
  }
  return boxes;
}

/// Sets the layer of each box: one more than that of all boxes that it reads from; outputs are last.
function setGraphLayers(boxes) {
  const provider = new Map(boxes.flatMap((box) => box.provides.map((value) => [value, box])));
  // Segments are in run order.
  for (const box of boxes)
    if (box.kind === "segment")
      box.layer = 1 + Math.max(0, ...box.from.map((value) => (provider.get(value) && provider.get(value) !== box ? provider.get(value).layer : 0)));
  const last = 1 + Math.max(0, ...boxes.map((box) => box.layer));
  for (const box of boxes) if (box.kind === "output") box.layer = last;
  return provider;
}

/// A place in a layer that an edge passes on its way to a later layer, so that it crosses no box. Edges of one value share it.
function makePassages(boxes, provider) {
  const passages = new Map();
  for (const box of boxes)
    for (const value of box.from) {
      const source = provider.get(value);
      for (let layer = source ? source.layer + 1 : box.layer; layer < box.layer; ++layer) {
        const key = `${value} ${layer}`;
        if (!passages.has(key)) passages.set(key, { kind: "passage", layer, from: [value], provides: [], value });
      }
    }
  return passages;
}

/// Positions the boxes: layers are columns, and a box is near those that it reads from. Returns the size.
function placeGraphBoxes(boxes, provider) {
  const gap = { column: 110, row: 18, margin: 12 };
  const layers = [];
  const passages = makePassages(boxes, provider);
  for (const box of [...boxes, ...passages.values()]) (layers[box.layer] ||= []).push(box);
  let x = gap.margin, height = 0;
  for (const layer of layers.filter((each) => each)) {
    for (const box of layer) {
      const sources = box.from.map((value) => passages.get(`${value} ${box.layer - 1}`) || provider.get(value)).filter((source) => source && source.y !== undefined);
      box.place = sources.length ? sources.reduce((sum, source) => sum + source.y + source.height / 2, 0) / sources.length : 0;
    }
    layer.sort((a, b) => a.place - b.place);
    let y = gap.margin;
    // Rounded up, so that no line that fits is broken.
    const elements = layer.filter((box) => box.element).map((box) => box.element);
    const width = Math.ceil(Math.max(0, ...elements.map((element) => element.getBoundingClientRect().width)));
    for (const element of elements) element.style.width = `${width}px`;
    for (const box of layer) {
      box.height = box.element ? box.element.offsetHeight : 12;
      box.width = width;
      box.x = x;
      box.y = Math.max(y, box.place - box.height / 2);
      y = box.y + box.height + gap.row;
      if (!box.element) continue;
      box.element.style.left = `${box.x}px`;
      box.element.style.top = `${box.y}px`;
    }
    x += width + gap.column;
    height = Math.max(height, y);
  }
  return { width: x - gap.column + gap.margin, height, passages };
}

/// The middle of the port of a value at one side of a box; of a box without ports, its own middle.
function getPortY(box, value, side) {
  const port = box.element.querySelector(`.${side} [data-value="${value}"]`);
  return port ? box.y + port.offsetTop + port.offsetHeight / 2 : box.y + box.height / 2;
}

/// A curve through points, each of which it leaves and reaches horizontally.
function drawCurve(points) {
  let path = `M${points[0].join(" ")}`;
  for (let next = 1; next < points.length; ++next) {
    const [x0, y0] = points[next - 1], [x1, y1] = points[next];
    const bend = (x1 - x0) / 2;
    path += y0 === y1 ? `H${x1}` : `C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`;
  }
  return path;
}

function drawGraphEdges(boxes, provider, passages, svg) {
  const labelled = new Set();
  for (const box of boxes)
    for (const value of box.from) {
      const source = provider.get(value);
      if (!source || source === box) continue;
      const boundary = data.boundaries.find((each) => each.value === value && each.consumer === box.number);
      const x0 = source.x + source.width, y0 = getPortY(source, value, "writes");
      const x1 = box.x, y1 = getPortY(box, value, "reads");
      const points = [[x0, y0]];
      for (let layer = source.layer + 1; layer < box.layer; ++layer) {
        const passage = passages.get(`${value} ${layer}`), y = passage.y + passage.height / 2;
        points.push([passage.x, y], [passage.x + passage.width, y]);
      }
      points.push([x1, y1]);
      const path = s("path", { class: `edge ${boundary ? boundary.reason : "memory"}`, d: drawCurve(points) });
      const name = data.values[value].name;
      path.append(s("title", {}, `${name}, ${formatBytes(data.values[value].bytes)}${boundary ? `: ${boundary.reason}` : ""}`));
      svg.append(path);
      const key = `${x0} ${y0}`;
      if (labelled.has(key)) continue;
      labelled.add(key);
      svg.append(s("text", { x: x0 + 6, y: y0 - 4, class: "bytes" }, formatBytes(data.values[value].bytes)));
    }
}

function showGraph(parent, openKernel) {
  const boxes = makeGraphBoxes(openKernel);
  const svg = s("svg", { "aria-hidden": "true" });
  const canvas = h("div", { class: "canvas" }, boxes.map((box) => box.element));
  canvas.prepend(svg);
  const reasons = [...new Set(data.boundaries.map((boundary) => boundary.reason))];
  parent.append(
    h("p", { class: "legend" }, ["memory", ...reasons].map((reason) => h("span", { class: `key ${reason}` }, reason === "memory" ? "argument or output" : `boundary: ${reason}`))),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "graph of segments" }, canvas));
  const provider = setGraphLayers(boxes);
  const size = placeGraphBoxes(boxes, provider);
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
  svg.setAttribute("width", size.width);
  svg.setAttribute("height", size.height);
  drawGraphEdges(boxes, provider, size.passages, svg);
}
