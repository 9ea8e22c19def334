//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShortBuffers.h"

using namespace mlir;
using namespace fuser;

static bool isShortFloat(Value buffer) {
  auto element = dyn_cast<FloatType>(cast<loop::BufferType>(buffer.getType()).getElementType());
  return element && element.getWidth() <= 16;
}

/// Values of other types, and outputs: a workspace is read by this kernel only.
static bool isExact(Value buffer) {
  auto type = cast<loop::BufferType>(buffer.getType());
  return !type.getElementType().isF32() || isa<BlockArgument>(buffer);
}

ShortBuffers::ShortBuffers(loop::KernelOp kernel) {
  // From the outputs to the inputs, over tiles that read what they write: until nothing changes.
  llvm::DenseMap<Value, SmallVector<Value>> sources;
  SmallVector<Value> work;
  auto addExact = [&](Value buffer) {
    if (isa<loop::BufferType>(buffer.getType()) && !isShortFloat(buffer) &&
        exact.insert(buffer).second)
      work.push_back(buffer);
  };
  kernel.walk([&](loop::TileOp tile) {
    for (Value output : tile.getOutputs()) {
      llvm::append_range(sources[output], tile.getInputs());
      if (isExact(output))
        addExact(output);
    }
    // The components of one tuple depend on each other.
    if (tile.updatesOutputs())
      for (Value output : tile.getOutputs())
        llvm::append_range(sources[output], tile.getOutputs());
  });
  while (!work.empty())
    for (Value source : sources.lookup(work.pop_back_val()))
      addExact(source);
}

bool ShortBuffers::holdAll(ValueRange buffers) const {
  return llvm::none_of(buffers, [&](Value buffer) { return exact.contains(buffer); });
}
