//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A layered drawing: rows by depth, positions in a row by the mean position of operands.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;

namespace {

constexpr double kCharWidth = 6.7, kBoxHeight = 38, kBoxGap = 16, kRowGap = 26;
constexpr double kPadding = 16, kTitleHeight = 40, kMargin = 24, kSegmentGap = 56;
constexpr double kLegendHeight = 56;

/// Places boxes in rows and connects them.
class Draftsman {
public:
  Draftsman(const Explanation &all, Drawing &drawing) : all(all), drawing(drawing) {}

  void run();

private:
  Box makeBox(std::string first, std::string second) const;
  void layOutSegment(unsigned number);
  void placeSegments();
  void placeArguments();
  void placeOutputs(double y);
  void connect();
  void addWire(const Rect &from, const Rect &to, unsigned value, bool isMemory,
               std::optional<unsigned> boundary);
  /// Centres boxes in a row of `width`; returns its height.
  static double placeRow(std::vector<Box *> &row, double x, double y, double width);

  const Explanation &all;
  Drawing &drawing;
  /// The box of an argument, or of a result in the segment that writes it.
  llvm::DenseMap<unsigned, const Box *> argumentBoxes, writtenBoxes;
  llvm::DenseMap<unsigned, unsigned> writers;
};

} // namespace

Box Draftsman::makeBox(std::string first, std::string second) const {
  Box box;
  box.rect.width = double(std::max(first.size(), second.size())) * kCharWidth + 2 * kPadding;
  box.rect.height = kBoxHeight;
  box.first = std::move(first);
  box.second = std::move(second);
  return box;
}

static double getRowWidth(ArrayRef<Box *> row) {
  double width = row.empty() ? 0 : kBoxGap * double(row.size() - 1);
  for (const Box *box : row)
    width += box->rect.width;
  return width;
}

double Draftsman::placeRow(std::vector<Box *> &row, double x, double y, double width) {
  x += (width - getRowWidth(row)) / 2;
  for (Box *box : row) {
    box->rect.x = x;
    box->rect.y = y;
    x += box->rect.width + kBoxGap;
  }
  return kBoxHeight;
}

/// "tensor<?x8xf32>" without its frame.
static std::string shorten(StringRef type) {
  type.consume_front("tensor<");
  type.consume_back(">");
  return type.str();
}

void Draftsman::layOutSegment(unsigned number) {
  const SegmentNode &segment = all.segments[number];
  std::vector<Box> &boxes = drawing.ops[number];
  llvm::DenseMap<unsigned, unsigned> producers; // of values, by position in the segment
  std::vector<unsigned> depths;
  unsigned deepest = 0;
  for (auto [position, op] : llvm::enumerate(segment.ops)) {
    const OpNode &entry = all.ops[op];
    StringRef name = entry.name;
    name.consume_front("fuser.");
    bool isRecomputed = llvm::is_contained(segment.recomputed, op);
    const TensorNode &result = all.values[entry.results.front()];
    boxes.push_back(makeBox(result.name + " = " + name.str() + (isRecomputed ? " (again)" : ""),
                            shorten(result.type)));
    unsigned depth = 0;
    for (unsigned operand : entry.operands)
      if (auto it = producers.find(operand); it != producers.end())
        depth = std::max(depth, depths[it->second] + 1);
    for (unsigned value : entry.results)
      producers[value] = position;
    depths.push_back(depth);
    deepest = std::max(deepest, depth);
  }

  std::vector<std::vector<unsigned>> rows(deepest + 1);
  for (auto [position, depth] : llvm::enumerate(depths))
    rows[depth].push_back(position);
  // Room for the title and the text after it.
  double width = double(describe(segment).size() + 28) * kCharWidth;
  auto getRow = [&](ArrayRef<unsigned> positions) {
    std::vector<Box *> row;
    for (unsigned position : positions)
      row.push_back(&boxes[position]);
    return row;
  };
  for (ArrayRef<unsigned> positions : rows)
    width = std::max(width, getRowWidth(getRow(positions)));

  double y = kTitleHeight;
  for (std::vector<unsigned> &positions : rows) {
    // Below its operands.
    auto getPlace = [&](unsigned position) {
      double sum = 0, count = 0;
      for (unsigned operand : all.ops[segment.ops[position]].operands)
        if (auto it = producers.find(operand); it != producers.end()) {
          sum += boxes[it->second].rect.centerX();
          ++count;
        }
      return count > 0 ? sum / count : width / 2;
    };
    std::vector<std::pair<double, unsigned>> places;
    for (unsigned position : positions)
      places.push_back({getPlace(position), position});
    llvm::sort(places);
    for (auto [position, place] : llvm::zip_equal(positions, places))
      position = place.second;
    std::vector<Box *> row = getRow(positions);
    y += placeRow(row, kPadding, y, width) + kRowGap;
  }
  drawing.frames[number] = {0, 0, width + 2 * kPadding, y - kRowGap + kPadding};
}

/// Moves each segment, which was laid out at (0, 0), to its final position.
void Draftsman::placeSegments() {
  std::vector<unsigned> depths(all.segments.size(), 0);
  for (auto [number, segment] : llvm::enumerate(all.segments)) {
    for (unsigned value : segment.reads)
      if (auto it = writers.find(value); it != writers.end())
        depths[number] = std::max(depths[number], depths[it->second] + 1);
    for (unsigned value : segment.writes)
      writers[value] = number;
  }
  unsigned rows = depths.empty() ? 0 : 1 + *llvm::max_element(depths);
  std::vector<double> widths(rows, 0), heights(rows, 0);
  for (auto [depth, frame] : llvm::zip_equal(depths, drawing.frames)) {
    widths[depth] += frame.width + (widths[depth] > 0 ? kSegmentGap : 0);
    heights[depth] = std::max(heights[depth], frame.height);
  }
  for (double width : widths)
    drawing.width = std::max(drawing.width, width + 2 * kMargin);
  double y = kLegendHeight + kMargin + kBoxHeight + kSegmentGap;
  for (unsigned depth = 0; depth < rows; ++depth) {
    double x = (drawing.width - widths[depth]) / 2;
    for (auto [number, frame] : llvm::enumerate(drawing.frames)) {
      if (depths[number] != depth)
        continue;
      frame.x = x;
      frame.y = y;
      for (Box &box : drawing.ops[number]) {
        box.rect.x += x;
        box.rect.y += y;
      }
      x += frame.width + kSegmentGap;
    }
    y += heights[depth] + kSegmentGap;
  }
  drawing.height = y;
}

void Draftsman::placeArguments() {
  llvm::DenseMap<unsigned, bool> isDefined;
  for (const OpNode &op : all.ops)
    for (unsigned value : op.results)
      isDefined[value] = true;
  std::vector<unsigned> numbers;
  for (unsigned value = 0; value < all.values.size(); ++value)
    if (!isDefined.lookup(value) && (!all.values[value].outputs.empty() ||
                                     llvm::any_of(all.segments, [&](const SegmentNode &segment) {
                                       return llvm::is_contained(segment.reads, value);
                                     })))
      numbers.push_back(value);
  for (unsigned value : numbers)
    drawing.arguments.push_back(
        makeBox(all.values[value].name + ", " + formatBytes(all.values[value].bytes),
                shorten(all.values[value].type)));
  std::vector<Box *> row;
  for (auto [box, value] : llvm::zip_equal(drawing.arguments, numbers)) {
    row.push_back(&box);
    argumentBoxes[value] = &box;
  }
  drawing.width = std::max(drawing.width, getRowWidth(row) + 2 * kMargin);
  placeRow(row, 0, kLegendHeight + kMargin, drawing.width);
}

void Draftsman::placeOutputs(double y) {
  std::vector<std::pair<unsigned, unsigned>> outputs;
  for (unsigned value = 0; value < all.values.size(); ++value)
    for (unsigned output : all.values[value].outputs)
      outputs.push_back({output, value});
  llvm::sort(outputs);
  for (auto [output, value] : outputs)
    drawing.outputs.push_back(
        makeBox("output " + std::to_string(output) + ", " + formatBytes(all.values[value].bytes),
                shorten(all.values[value].type)));
  std::vector<Box *> row;
  for (Box &box : drawing.outputs)
    row.push_back(&box);
  placeRow(row, 0, y, std::max(drawing.width, getRowWidth(row) + 2 * kMargin));
  drawing.width = std::max(drawing.width, getRowWidth(row) + 2 * kMargin);
  for (auto [box, entry] : llvm::zip_equal(drawing.outputs, outputs)) {
    const Box *from = writtenBoxes.lookup(entry.second);
    if (!from)
      from = argumentBoxes.lookup(entry.second);
    if (from)
      addWire(from->rect, box.rect, entry.second, true, std::nullopt);
  }
}

void Draftsman::addWire(const Rect &from, const Rect &to, unsigned value, bool isMemory,
                        std::optional<unsigned> boundary) {
  drawing.wires.push_back(
      {from.centerX(), from.bottom(), to.centerX(), to.y, value, isMemory, boundary});
}

void Draftsman::connect() {
  for (auto [number, segment] : llvm::enumerate(all.segments))
    for (auto [position, op] : llvm::enumerate(segment.ops))
      if (!llvm::is_contained(segment.recomputed, op))
        for (unsigned value : all.ops[op].results)
          writtenBoxes[value] = &drawing.ops[number][position];
  for (auto [number, segment] : llvm::enumerate(all.segments)) {
    llvm::DenseMap<unsigned, const Box *> own;
    for (auto [position, op] : llvm::enumerate(segment.ops)) {
      const Box &box = drawing.ops[number][position];
      llvm::SmallSetVector<unsigned, 4> operands;
      operands.insert(all.ops[op].operands.begin(), all.ops[op].operands.end());
      for (unsigned value : operands) {
        std::optional<unsigned> crossed;
        for (auto [index, boundary] : llvm::enumerate(all.boundaries))
          if (boundary.value == value && boundary.consumer == number)
            crossed = index;
        if (const Box *producer = own.lookup(value))
          addWire(producer->rect, box.rect, value, false, std::nullopt);
        else if (const Box *argument = argumentBoxes.lookup(value))
          addWire(argument->rect, box.rect, value, true, std::nullopt);
        else if (const Box *producer = writtenBoxes.lookup(value))
          addWire(producer->rect, box.rect, value, true, crossed);
      }
      for (unsigned value : all.ops[op].results)
        own[value] = &box;
    }
  }
}

void Draftsman::run() {
  drawing.frames.resize(all.segments.size());
  drawing.ops.resize(all.segments.size());
  for (unsigned number = 0; number < all.segments.size(); ++number)
    layOutSegment(number);
  double widest = 0;
  for (const Rect &frame : drawing.frames)
    widest = std::max(widest, frame.width);
  // Arguments affect the width as well.
  placeArguments();
  placeSegments();
  std::vector<Box *> row;
  for (Box &box : drawing.arguments)
    row.push_back(&box);
  placeRow(row, 0, kLegendHeight + kMargin, drawing.width);
  connect();
  placeOutputs(drawing.height);
  drawing.width = std::max(drawing.width, widest + 2 * kMargin);
  drawing.height += kBoxHeight + kMargin;
}

Drawing::Drawing(const Explanation &explanation) { Draftsman(explanation, *this).run(); }
