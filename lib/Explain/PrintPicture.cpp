//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The picture as SVG.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;

static constexpr const char *kStyle = R"(
.back { fill: #ffffff; }
text { font: 11px ui-monospace, "DejaVu Sans Mono", monospace; fill: #1d2430; }
.title { font-weight: bold; font-size: 13px; }
.small { fill: #5a6577; font-size: 10px; }
.frame { fill: #f3f6fb; stroke: #8fa3bf; stroke-width: 1.2; }
.op { fill: #ffffff; stroke: #b6c2d4; }
.argument { fill: #e8f3ec; stroke: #7fae90; }
.output { fill: #fdf1dc; stroke: #d3a954; }
path { fill: none; }
.inner { stroke: #9aa7b8; stroke-width: 1; }
.memory { stroke: #5f7fb0; stroke-width: 1.4; }
.mark { stroke: #7d4fb3; stroke-width: 2.4; }
.circle { stroke: #7d4fb3; stroke-width: 2.4; stroke-dasharray: 6 3; }
.refusal { stroke: #c23b3b; stroke-width: 2.4; }
.host { stroke: #3b8a8a; stroke-width: 2.4; }
.cost { stroke: #d9822b; stroke-width: 2.4; }
)";

/// Text for XML.
static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

static std::string describeOrder(const TensorNode &value) {
  std::string text;
  llvm::raw_string_ostream(text) << "order " << llvm::interleaved_array(value.order) << " ("
                                 << value.orderSource << ")";
  return text;
}

namespace {

class SvgPrinter {
public:
  SvgPrinter(llvm::raw_ostream &out, const Explanation &all) : out(out), all(all), drawing(all) {}

  void print();

private:
  void printText(double x, double y, const char *style, StringRef text, bool isCentered = false);
  void printBox(const Box &box, const char *style);
  void printLegend();
  void printFrame(unsigned number);
  void printWire(const Wire &wire);
  /// The launches of a program on several streams over time: one lane for each stream, from `y`
  /// down.
  void printStreams(double y);

  llvm::raw_ostream &out;
  const Explanation &all;
  Drawing drawing;
};

} // namespace

void SvgPrinter::printText(double x, double y, const char *style, StringRef text, bool isCentered) {
  out << llvm::formatv("<text class=\"{0}\" x=\"{1:f1}\" y=\"{2:f1}\"{3}>{4}</text>\n", style, x, y,
                       isCentered ? " text-anchor=\"middle\"" : "", escape(text));
}

void SvgPrinter::printBox(const Box &box, const char *style) {
  const Rect &rect = box.rect;
  out << llvm::formatv("<rect class=\"{0}\" x=\"{1:f1}\" y=\"{2:f1}\" width=\"{3:f1}\" "
                       "height=\"{4:f1}\" rx=\"5\"/>\n",
                       style, rect.x, rect.y, rect.width, rect.height);
  printText(rect.centerX(), rect.y + 16, "", box.first, /*isCentered=*/true);
  printText(rect.centerX(), rect.y + 30, "small", box.second, /*isCentered=*/true);
}

void SvgPrinter::printLegend() {
  printText(24, 22, "title",
            "@" + all.program + " on " + all.device + ": " + std::to_string(all.fused.kernels) +
                " kernels, " + formatTime(all.fused.microseconds) +
                " predicted (unfused: " + std::to_string(all.unfused.kernels) + " kernels, " +
                formatTime(all.unfused.microseconds) + ")");
  double x = 24;
  for (auto [style, text] :
       {std::pair("memory", "through memory"), std::pair("mark", "segment_set"),
        std::pair("refusal", "refused together"), std::pair("cost", "costs time together")}) {
    out << llvm::formatv("<path class=\"{0}\" d=\"M{1:f1} 44 h26\"/>\n", style, x);
    printText(x + 32, 48, "small", text);
    x += 170;
  }
}

void SvgPrinter::printFrame(unsigned number) {
  const SegmentNode &segment = all.segments[number];
  const Rect &frame = drawing.frames[number];
  out << llvm::formatv("<rect class=\"frame\" x=\"{0:f1}\" y=\"{1:f1}\" width=\"{2:f1}\" "
                       "height=\"{3:f1}\" rx=\"10\"/>\n",
                       frame.x, frame.y, frame.width, frame.height);
  printText(frame.x + 16, frame.y + 17, "title",
            "segment " + std::to_string(number) + "  " + formatTime(segment.microseconds));
  printText(frame.x + 16, frame.y + 31, "small",
            describe(segment) + ", " + formatBytes(segment.work.bytesRead) + " in, " +
                formatBytes(segment.work.bytesWritten) + " out");
}

void SvgPrinter::printWire(const Wire &wire) {
  const TensorNode &value = all.values[wire.value];
  std::string style = wire.isMemory ? "memory" : "inner";
  std::string note = value.name + ": " + value.type;
  if (wire.isMemory)
    note += ", " + formatBytes(value.bytes) + ", " + describeOrder(value);
  if (wire.boundary) {
    const Boundary &boundary = all.boundaries[*wire.boundary];
    style = stringifyReason(boundary.reason).str();
    note += "; " + describe(boundary);
  }
  double bend = std::max(14.0, (wire.y1 - wire.y0) / 2);
  out << llvm::formatv("<path class=\"{0}\" d=\"M{1:f1} {2:f1} C{1:f1} {3:f1} {4:f1} {5:f1} {4:f1} "
                       "{6:f1}\"><title>{7}</title></path>\n",
                       style, wire.x0, wire.y0, wire.y0 + bend, wire.x1, wire.y1 - bend, wire.y1,
                       escape(note));
  if (!wire.boundary)
    return;
  double x = (wire.x0 + wire.x1) / 2, y = (wire.y0 + wire.y1) / 2;
  printText(x + 8, y, "small", value.name + " " + formatBytes(value.bytes));
  printText(x + 8, y + 12, "small", describeOrder(value));
}

/// Pixels of a lane.
static constexpr double kLane = 34;

/// The height of the lanes; 0 if there is one stream.
static double getStreamsHeight(const Explanation &all) {
  unsigned numStreams = 0;
  for (const Launch &launch : all.launches)
    numStreams = std::max(numStreams, launch.stream.value_or(0) + 1);
  return numStreams > 1 ? numStreams * kLane + 48 : 0;
}

void SvgPrinter::printStreams(double y) {
  double end = 0;
  for (const Launch &launch : all.launches)
    end = std::max(end, launch.end);
  const double left = 100, width = std::max(drawing.width - left - 24, 200.0);
  printText(24, y + 22, "title", "launches over time, " + formatTime(end) + " predicted");
  for (const Launch &launch : all.launches) {
    if (!launch.stream || end <= 0)
      continue;
    const double top = y + 36 + *launch.stream * kLane;
    printText(24, top + 18, "small", "stream " + std::to_string(*launch.stream));
    const Rect rect{left + launch.start / end * width, top,
                    (launch.end - launch.start) / end * width, kLane - 8};
    out << llvm::formatv("<rect class=\"op\" x=\"{0:f1}\" y=\"{1:f1}\" width=\"{2:f1}\" "
                         "height=\"{3:f1}\" rx=\"3\"><title>@{4} {5} to {6}</title></rect>\n",
                         rect.x, rect.y, rect.width, rect.height, escape(launch.kernel),
                         formatTime(launch.start), formatTime(launch.end));
    printText(rect.x + 5, top + 17, "small", launch.kernel);
  }
}

void SvgPrinter::print() {
  const double height = drawing.height + getStreamsHeight(all);
  out << llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:f0}\" height=\"{1:f0}\" "
      "viewBox=\"0 0 {0:f0} {1:f0}\">\n<style>{2}</style>\n"
      "<rect class=\"back\" width=\"{0:f0}\" height=\"{1:f0}\"/>\n",
      drawing.width, height, kStyle);
  printLegend();
  for (unsigned number = 0; number < all.segments.size(); ++number)
    printFrame(number);
  for (const Wire &wire : drawing.wires)
    printWire(wire);
  for (const std::vector<Box> &boxes : drawing.ops)
    for (const Box &box : boxes)
      printBox(box, "op");
  for (const Box &box : drawing.arguments)
    printBox(box, "argument");
  for (const Box &box : drawing.outputs)
    printBox(box, "output");
  if (height > drawing.height)
    printStreams(drawing.height);
  out << "</svg>\n";
}

void fuser::explain::printSvg(llvm::raw_ostream &out, const Explanation &explanation) {
  SvgPrinter(out, explanation).print();
}
