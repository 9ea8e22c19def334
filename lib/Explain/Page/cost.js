// Bytes, operations, occupancy and times of the kernels, as a roofline and as a table. Measured times are compared with the
// roofline if its device ran the kernels.

/// The rows of both: kernels of segments and copies, numbered from 1.
function getCosts() {
  const works = [...data.segments.filter((segment) => segment.scheduler), ...data.copies];
  return works.map((work, number) => {
    const bytes = work.bytes_read + work.bytes_written;
    const limit = Math.max(bytes / data.roofs.bytes_per_second, work.operations / data.roofs.operations_per_second) * 1e6;
    return { number: number + 1, work, bytes, limit, measured: data.measured[work.kernel], isComparable: data.measured_on === data.device };
  });
}

function showCostTable(parent, costs, openKernel) {
  const measured = costs.some((cost) => cost.measured !== undefined);
  const titles = ["#", "kernel", "scheduler", "read", "written", "operations", "grid × block", "registers", "shared", "occupancy", "limit", "predicted", "share of limit"];
  const rows = costs.map((cost) => {
    const { work } = cost;
    const time = (cost.isComparable && cost.measured) || work.microseconds;
    const name = work.kernel || "unknown";
    const cells = [
      cost.number,
      data.kernels.some((kernel) => kernel.name === work.kernel) ? h("button", { class: "link", click: () => openKernel(work.kernel) }, name) : name,
      work.scheduler, formatBytes(work.bytes_read), formatBytes(work.bytes_written), formatCount(work.operations),
      `${work.blocks || "?"} × ${work.threads}`, work.registers, formatBytes(work.shared_bytes), formatShare(work.occupancy),
      formatTime(cost.limit), formatTime(work.microseconds), formatShare(time > 0 ? cost.limit / time : 0),
    ];
    if (measured) cells.splice(12, 0, cost.measured === undefined ? "unknown" : formatTime(cost.measured));
    return cells;
  });
  if (measured) titles.splice(12, 0, costs[0].isComparable ? "measured" : `measured on ${data.measured_on}`);
  parent.append(table(titles, rows, "cost of each kernel"));
}

const kRoofline = { width: 760, height: 380, left: 78, right: 20, top: 26, bottom: 48 };

/// Maps a number to a pixel on a logarithmic axis.
function logScale(low, high, from, to) {
  const span = Math.log(high) - Math.log(low);
  return (value) => from + ((Math.log(value) - Math.log(low)) / span) * (to - from);
}

/// 1, 2 and 5 of each decade, or its start alone where there are many.
function getTicks(low, high) {
  const ticks = [];
  for (let decade = 10 ** Math.floor(Math.log10(low)); decade <= high; decade *= 10)
    for (const step of high / low > 1e3 ? [1] : [1, 2, 5]) if (decade * step >= low && decade * step <= high) ticks.push(decade * step);
  return ticks;
}
const formatTick = (tick) => (tick < 1 ? String(+tick.toPrecision(1)) : formatCount(tick).replace(/\.0+(?= |$)/, ""));

function drawAxes(svg, x, y, xRange, yRange) {
  const { width, height, left, right, top, bottom } = kRoofline;
  for (const tick of getTicks(...xRange)) {
    svg.append(s("line", { class: "grid", x1: x(tick), x2: x(tick), y1: top, y2: height - bottom }));
    svg.append(s("text", { x: x(tick), y: height - bottom + 18, "text-anchor": "middle" }, formatTick(tick)));
  }
  for (const tick of getTicks(...yRange)) {
    svg.append(s("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }));
    svg.append(s("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, `${formatTick(tick)}/s`));
  }
  svg.append(s("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, "operations per byte of memory"));
  svg.append(s("text", { x: 12, y: 12 }, "operations"));
}

function showRoofline(parent, costs) {
  const points = costs.map((cost) => (cost.isComparable ? cost : { ...cost, measured: undefined })).filter((cost) => cost.bytes > 0 && cost.work.operations > 0 && cost.work.microseconds > 0);
  if (!points.length) return;
  const { width, height, left, right, top, bottom } = kRoofline;
  const { bytes_per_second: bandwidth, operations_per_second: peak } = data.roofs;
  const intensity = (cost) => cost.work.operations / cost.bytes;
  const rate = (cost, time) => cost.work.operations / (time * 1e-6);
  const times = (cost) => [cost.work.microseconds, cost.measured].filter((time) => time > 0);
  const xs = [...points.map(intensity), peak / bandwidth];
  const ys = [...points.flatMap((cost) => times(cost).map((time) => rate(cost, time))), peak];
  const xRange = [Math.min(...xs) / 4, Math.max(...xs) * 4], yRange = [Math.min(...ys, bandwidth * xRange[0]) / 2, peak * 2];
  const x = logScale(...xRange, left, width - right), y = logScale(...yRange, height - bottom, top);
  const svg = s("svg", { class: "roofline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "roofline of the kernels" });
  drawAxes(svg, x, y, xRange, yRange);
  const knee = peak / bandwidth;
  svg.append(s("path", { class: "roof", d: `M${x(xRange[0])} ${y(bandwidth * xRange[0])}L${x(knee)} ${y(peak)}L${x(xRange[1])} ${y(peak)}` }));
  svg.append(s("text", { x: x(knee) + 8, y: y(peak) - 6 }, `${formatCount(peak)} operations/s`));
  svg.append(s("text", { x: x(xRange[0]) + 10, y: y(bandwidth * xRange[0]) - 34 }, `${formatBytes(bandwidth)}/s`));
  for (const cost of points)
    for (const [kind, time] of [["predicted", cost.work.microseconds], ["measured", cost.measured]]) {
      if (!(time > 0)) continue;
      const cx = x(intensity(cost)), cy = y(rate(cost, time));
      const mark = kind === "predicted" ? s("circle", { class: kind, cx, cy, r: 5 }) : s("path", { class: kind, d: `M${cx} ${cy - 7}L${cx + 7} ${cy}L${cx} ${cy + 7}L${cx - 7} ${cy}Z` });
      mark.append(s("title", {}, `${cost.work.kernel}: ${kind} ${formatTime(time)}`));
      svg.append(mark);
      if (kind === "predicted" && points.length <= 40) svg.append(s("text", { class: "label", x: cx + 9, y: cy + 4 }, String(cost.number)));
    }
  const keys = [h("span", { class: "key predicted" }, "predicted"), points.some((cost) => cost.measured !== undefined) && h("span", { class: "key measured" }, "measured")];
  parent.append(h("p", { class: "legend" }, keys.filter((key) => key)), svg);
}

function showCosts(parent, openKernel) {
  const costs = getCosts();
  showRoofline(parent, costs);
  showCostTable(parent, costs, openKernel);
}
