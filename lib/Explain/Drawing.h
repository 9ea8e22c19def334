//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The layout of the drawing of an explanation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPLAIN_DRAWING_H
#define FUSER_LIB_EXPLAIN_DRAWING_H

#include "fuser/Explain/Explanation.h"

namespace fuser::explain {

/// In pixels; y grows downwards.
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;

  double centerX() const { return x + width / 2; }
  double bottom() const { return y + height; }
};

/// A box with up to two lines of text.
struct Box {
  Rect rect;
  std::string first, second;
};

/// A curve from the bottom of one box to the top of another.
struct Wire {
  double x0, y0, x1, y1;
  /// The value; and whether it passes through memory.
  unsigned value;
  bool isMemory;
  /// Number of the boundary that it crosses, if it does.
  std::optional<unsigned> boundary;
};

/// Arguments in a row at the top, then segments, each in a row below the segments whose values it
/// reads; outputs in a row at the bottom. Within a segment each op is below its operands.
struct Drawing {
  double width = 0, height = 0;
  /// By number of the segment: its frame and the boxes of its ops (in the order of Segment::ops).
  std::vector<Rect> frames;
  std::vector<std::vector<Box>> ops;
  /// Tensors that are arguments and are used, and outputs.
  std::vector<Box> arguments, outputs;
  std::vector<Wire> wires;

  explicit Drawing(const Explanation &explanation);
};

} // namespace fuser::explain

#endif // FUSER_LIB_EXPLAIN_DRAWING_H
