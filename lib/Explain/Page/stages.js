// The texts of a kernel after each step: a slider over the steps, panes with the last ones up to it, lines that changed, and
// lines of the selected ops.

const kStageNotes = {
  program: "as it was read", preseg: "rewritten", segmentation: "a kernel", choose: "parameters", apply: "domains on each op",
  loops: "loops, buffers, accesses", launched: "threads and blocks", reduced: "shuffles and slots",
  placed: "shared memory", synchronized: "barriers", accessed: "offsets and vectors", guarded: "branches",
  lowering: "kernel IR", ptx: "PTX",
};

/// The lines of `after` that are not in a longest common subsequence with `before`, and those of `before`: Myers' algorithm.
/// Texts that have little in common are compared as sets of lines, as the exact answer would take long and say nothing.
function compareLines(before, after) {
  const numbers = new Map();
  const number = (line) => {
    const key = line.trim();
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  };
  const a = before.map(number), b = after.map(number);
  const kept = { before: new Uint8Array(a.length), after: new Uint8Array(b.length) };
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  let endA = a.length, endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) --endA, --endB;
  kept.before.fill(1, 0, start).fill(1, endA);
  kept.after.fill(1, 0, start).fill(1, endB);
  const trace = searchPath(a.slice(start, endA), b.slice(start, endB), 400);
  if (trace) {
    for (const [x, y] of trace) {
      kept.before[start + x] = 1;
      kept.after[start + y] = 1;
    }
  } else {
    const inA = new Set(a), inB = new Set(b);
    a.forEach((line, at) => inB.has(line) && (kept.before[at] = 1));
    b.forEach((line, at) => inA.has(line) && (kept.after[at] = 1));
  }
  return kept;
}

/// Pairs of equal elements on a shortest path; null if it has more than `most` differences.
function searchPath(a, b, most) {
  const limit = Math.min(a.length + b.length, most), offset = limit + 1;
  const reach = new Int32Array(2 * limit + 3), history = [];
  for (let d = 0; d <= limit; ++d) {
    history.push(reach.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && reach[offset + k - 1] < reach[offset + k + 1]) ? reach[offset + k + 1] : reach[offset + k - 1] + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) ++x, ++y;
      reach[offset + k] = x;
      if (x >= a.length && y >= b.length) return walkBack(history, offset, a.length, b.length);
    }
  }
  return null;
}

function walkBack(history, offset, x, y) {
  const pairs = [];
  for (let d = history.length - 1; d >= 0; --d) {
    const reach = history[d], k = x - y;
    const previous = k === -d || (k !== d && reach[offset + k - 1] < reach[offset + k + 1]) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : reach[offset + previous], fromY = d === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  return pairs;
}

/// The stages of a kernel with those of the whole program before them, and what changed between them.
class KernelStages {
  constructor(kernel) {
    this.stages = [...data.programs, ...kernel.stages].map((stage) => ({
      name: stage.stage,
      lines: stage.text.split("\n"),
      sources: new Map(stage.lines),
    }));
    this.differences = [];
  }
  /// Between stage `number` and the one before.
  getDifference(number) {
    if (number === 0) return null;
    return (this.differences[number] ||= compareLines(this.stages[number - 1].lines, this.stages[number].lines));
  }
  countMarked(number) {
    let count = 0;
    for (const sources of this.stages[number].sources.values()) count += isSelected(sources);
    return count;
  }
}

/// The text of one stage. `before` and `after` are its differences with its neighbours.
class StagePane {
  constructor(kernel, stages, number, next) {
    const { name, lines, sources } = stages.stages[number];
    const changed = stages.getDifference(number), gone = next === null ? null : stages.getDifference(next);
    this.lines = lines.map((text, at) => {
      const line = h("div", { class: "line" }, text || " ");
      line.dataset.number = at + 1;
      if (changed && !changed.after[at]) line.classList.add("changed");
      if (gone && !gone.before[at]) line.classList.add("gone");
      if (sources.has(at)) line.classList.add("known");
      return line;
    });
    this.sources = sources;
    this.cursor = -1;
    const count = changed ? changed.after.reduce((sum, kept) => sum + 1 - kept, 0) : 0;
    // Where nearly all lines are new, or gone, a background would say nothing.
    const isRewritten = count > 0.8 * lines.length;
    const isReplaced = gone && gone.before.reduce((sum, kept) => sum + 1 - kept, 0) > 0.8 * lines.length;
    this.marked = h("span", { class: "count-marked" });
    // Groups of lines, so that the browser lays out only what is visible.
    const groups = [];
    for (let at = 0; at < this.lines.length; at += 100) groups.push(h("div", { class: "group", style: `contain-intrinsic-size: auto ${1.45 * Math.min(100, this.lines.length - at)}em` }, this.lines.slice(at, at + 100)));
    this.code = h("div", { class: "code", tabindex: 0, role: "region", "aria-label": `${kernel.name} after ${name}`, keydown: (event) => this.onKey(event), click: (event) => this.onClick(event) }, groups);
    this.element = h("div", { class: `pane${isRewritten ? " rewritten" : ""}${isReplaced ? " replaced" : ""}`, "data-stage": name },
      h("div", { class: "pane-title" }, h("strong", {}, name), h("span", { class: "dim" }, ` ${kStageNotes[name] || ""}`), changed && h("span", { class: "count-changed" }, ` ${count} of ${lines.length} lines changed`), this.marked),
      this.code);
    this.showMarks();
  }
  showMarks() {
    let count = 0;
    this.lines.forEach((line, at) => {
      const marked = this.sources.has(at) && isSelected(this.sources.get(at));
      line.classList.toggle("marked", marked);
      count += marked;
    });
    this.marked.textContent = selection.sources.size ? ` ${count} marked` : "";
  }
  onClick(event) {
    const line = event.target.closest(".line");
    if (!line || String(getSelection())) return;
    this.setCursor(Number(line.dataset.number) - 1);
    this.selectAt(this.cursor);
  }
  selectAt(at) {
    if (this.sources.has(at)) select(this.sources.get(at));
  }
  setCursor(at) {
    if (this.cursor >= 0) this.lines[this.cursor].classList.remove("cursor");
    this.cursor = Math.max(0, Math.min(at, this.lines.length - 1));
    this.lines[this.cursor].classList.add("cursor");
    this.lines[this.cursor].scrollIntoView({ block: "nearest" });
  }
  onKey(event) {
    const moves = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, Home: 0, End: this.lines.length - 1 };
    if (event.key in moves) this.setCursor(moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.selectAt(this.cursor);
    else return;
    event.preventDefault();
  }
  /// Moves the cursor to the next marked line in a direction, around the end.
  goToMarked(step) {
    for (let tried = 1; tried <= this.lines.length; ++tried) {
      const at = (((this.cursor + step * tried) % this.lines.length) + this.lines.length) % this.lines.length;
      if (this.lines[at].classList.contains("marked")) return this.setCursor(at);
    }
  }
}

/// The slider, the names of the stages, and the panes.
class StageViewer {
  constructor(parent, kernel) {
    this.kernel = kernel;
    this.stages = new KernelStages(kernel);
    const last = this.stages.stages.length - 1;
    this.slider = h("input", { type: "range", min: 0, max: last, step: 1, value: last, "aria-label": `stage of ${kernel.name}`, input: () => this.show(Number(this.slider.value)) });
    this.buttons = this.stages.stages.map((stage, number) => h("button", { class: "stage", click: () => this.show(number) }, stage.name, h("span", { class: "badge" })));
    this.buttons.forEach((button, number) => (button.style.gridColumn = String(number + 1)));
    this.wrap = h("input", { type: "checkbox", checked: true, change: () => this.panes.classList.toggle("wrap", this.wrap.checked) });
    this.panes = h("div", { class: "panes wrap" });
    const steps = h("div", { class: "steps", style: `--count: ${last + 1}` }, this.slider, this.buttons);
    parent.append(h("h3", {}, "Stages"), kernel.error && h("p", { class: "error" }, `No PTX: ${kernel.error}`) || "",
      kernel.merged_into ? h("p", {}, `Its launch is a part of ${kernel.merged_into}, which shows kernel IR and PTX.`) : "",
      h("div", { class: "scroll" }, steps),
      h("p", { class: "legend" }, h("span", { class: "key changed" }, "not in the stage before"), h("span", { class: "key gone" }, "not in the next stage"), h("span", { class: "key marked" }, "of the selected op"), h("label", {}, this.wrap, " wrap lines")),
      this.panes);
    this.shown = [];
    selection.listeners.push(() => this.showMarks());
    new ResizeObserver(() => this.getPaneCount() !== this.shown.length && this.show(this.current)).observe(this.panes);
    this.show(last);
  }
  /// As many stages next to each other as are readable.
  getPaneCount() {
    const fitting = Math.floor(this.panes.clientWidth / 540);
    return Math.min(this.current + 1, Math.max(1, Math.min(4, fitting)));
  }
  show(number) {
    this.current = Math.max(0, Math.min(number, this.stages.stages.length - 1));
    this.slider.value = this.current;
    this.slider.setAttribute("aria-valuetext", this.stages.stages[this.current].name);
    const first = this.current + 1 - this.getPaneCount();
    this.shown = [];
    for (let each = first; each <= this.current; ++each) this.shown.push(new StagePane(this.kernel, this.stages, each, each < this.current ? each + 1 : null));
    this.panes.replaceChildren(...this.shown.map((pane) => pane.element));
    this.buttons.forEach((button, each) => {
      button.classList.toggle("shown", each >= first && each <= this.current);
      button.setAttribute("aria-current", each === this.current ? "step" : "false");
    });
    this.showMarks();
  }
  move(step) {
    this.show(this.current + step);
  }
  showMarks() {
    for (const pane of this.shown) pane.showMarks();
    this.buttons.forEach((button, number) => {
      const count = selection.sources.size ? this.stages.countMarked(number) : 0;
      button.querySelector(".badge").textContent = count ? String(count) : "";
    });
  }
  goToMarked(step) {
    for (const pane of this.shown) pane.goToMarked(step);
  }
}
