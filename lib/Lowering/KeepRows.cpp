//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that stay packed in registers from a reduction to their use.
//
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"
#include "Stages.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace {
/// Which buffers each buffer's elements depend on.
class BufferDependences {
public:
  explicit BufferDependences(loop::KernelOp kernel);
  /// The buffer, and all that are computed from it.
  const llvm::SmallSetVector<Value, 8> &getDependents(Value buffer);

private:
  llvm::DenseMap<Value, llvm::SmallSetVector<Value, 4>> readersOf;
  llvm::DenseMap<Value, std::unique_ptr<llvm::SmallSetVector<Value, 8>>> dependents;
};
} // namespace

BufferDependences::BufferDependences(loop::KernelOp kernel) {
  kernel.walk([&](loop::TileOp tile) {
    for (Value input : tile.getInputs())
      readersOf[input].insert(tile.getOutputs().begin(), tile.getOutputs().end());
  });
}

const llvm::SmallSetVector<Value, 8> &BufferDependences::getDependents(Value buffer) {
  std::unique_ptr<llvm::SmallSetVector<Value, 8>> &slot = dependents[buffer];
  if (slot)
    return *slot;
  slot = std::make_unique<llvm::SmallSetVector<Value, 8>>();
  slot->insert(buffer);
  for (unsigned next = 0; next < slot->size(); ++next)
    if (auto it = readersOf.find((*slot)[next]); it != readersOf.end())
      slot->insert(it->second.begin(), it->second.end());
  return *slot;
}

/// Rows of fewer bytes in the registers of a thread leave room for their elements in f32, which
/// saves a second conversion. Each reduction after the second may keep another function of the
/// elements: a row of four reductions of 16 bf16 took 99 registers, 72 with its elements kept
/// alone.
static constexpr int64_t kLeastPackedBytes = 64;
/// Blocks of so many threads, and threads with so many bytes of a row, need packed rows in any
/// case: fewer blocks are resident the more registers a block has.
static constexpr int64_t kAlwaysPackedThreads = 512, kAlwaysPackedBytes = 192;

/// The buffers in registers into which tiles load short elements of memory.
static llvm::SetVector<Value> getShortLoads(loop::KernelOp kernel) {
  llvm::SetVector<Value> loads;
  kernel.walk([&](loop::TileOp tile) {
    auto type = dyn_cast<loop::BufferType>(tile.getOutputs().front().getType());
    if (type && type.getSpace() == MemoryType::Register &&
        llvm::any_of(tile.getInputs(), isGlobal) &&
        ElementBuilder::getRegisterType(type.getElementType()).getIntOrFloatBitWidth() < 32)
      loads.insert(tile.getOutputs().front());
  });
  return loads;
}

static int64_t getNumElements(Value buffer) {
  return ShapedType::getNumElements(cast<loop::BufferType>(buffer.getType()).getShape());
}

namespace {
/// Reads of rows that combines over threads consume, after one of these combines.
class KeptRows {
public:
  KeptRows(loop::KernelOp kernel, ArrayRef<loop::CombineOp> all);
  bool shouldPack();
  void pack();

private:
  bool feeds(Value buffer, loop::CombineOp combine) {
    return dependences.getDependents(buffer).contains(combine.getAccumulators().front());
  }
  bool isAfter(Value buffer, loop::TileOp tile, loop::CombineOp combine);
  bool isKept(Value buffer, loop::TileOp tile) {
    return rows.contains(buffer) && llvm::any_of(combines, [&](loop::CombineOp combine) {
             return isAfter(buffer, tile, combine);
           });
  }
  bool areOnlyReduced();
  int64_t countSteps();

  loop::KernelOp kernel;
  BufferDependences dependences;
  SmallVector<loop::CombineOp> combines;
  llvm::SetVector<Value> rows;
};
} // namespace

KeptRows::KeptRows(loop::KernelOp kernel, ArrayRef<loop::CombineOp> all)
    : kernel(kernel), dependences(kernel), rows(getShortLoads(kernel)) {
  llvm::copy_if(all, std::back_inserter(combines), [](loop::CombineOp combine) {
    return llvm::any_of(combine.getOver().getTypes(), [](ParallelType type) {
      return isThreadType(type) || type == ParallelType::ClusterX;
    });
  });
  rows.remove_if([&](Value buffer) {
    return llvm::none_of(combines, [&](loop::CombineOp combine) { return feeds(buffer, combine); });
  });
}

/// True if the tile reads the buffer for what the result of the combine meets: what feeds the
/// combine is computed before it.
bool KeptRows::isAfter(Value buffer, loop::TileOp tile, loop::CombineOp combine) {
  const auto &used = dependences.getDependents(tile.getOutputs().front());
  const Value total = combine.getAccumulators().front();
  const auto &ofTotal = dependences.getDependents(total);
  return feeds(buffer, combine) && !used.contains(total) &&
         llvm::any_of(used, [&](Value value) { return ofTotal.contains(value); });
}

/// Bytes of a row in the registers of a thread.
static int64_t getBytes(Value row) {
  auto type = cast<loop::BufferType>(row.getType());
  return getNumElements(row) *
         ElementBuilder::getRegisterType(type.getElementType()).getIntOrFloatBitWidth() / 8;
}

/// True if all reads after a combine feed another one. Else elements in f32, and what is computed
/// of them, serve the reads after the last combine too.
bool KeptRows::areOnlyReduced() {
  bool onlyReduced = true;
  kernel.walk([&](loop::TileOp tile) {
    onlyReduced &= llvm::none_of(tile.getInputs(), [&](Value input) {
      return isKept(input, tile) && llvm::none_of(combines, [&](loop::CombineOp combine) {
               return feeds(tile.getOutputs().front(), combine);
             });
    });
  });
  return onlyReduced;
}

/// The most combines of which each depends on the one before.
int64_t KeptRows::countSteps() {
  SmallVector<int64_t> steps;
  for (loop::CombineOp combine : combines) {
    int64_t step = 1;
    for (auto [earlier, count] : llvm::zip(combines, steps))
      if (feeds(earlier.getAccumulators().front(), combine))
        step = std::max(step, count + 1);
    steps.push_back(step);
  }
  return steps.empty() ? 0 : *llvm::max_element(steps);
}

bool KeptRows::shouldPack() {
  int64_t bytes = 0, most = 0;
  for (Value row : rows) {
    bytes += getBytes(row);
    most = std::max(most, getBytes(row));
  }
  if (bytes * std::max<int64_t>(1, countSteps() - 1) < kLeastPackedBytes)
    return false;
  // A block of a cluster holds as much of a row as its registers can.
  return most >= kAlwaysPackedBytes || kernel.getCluster() ||
         ShapedType::getNumElements(*kernel.getThreads()) >= kAlwaysPackedThreads ||
         areOnlyReduced();
}

void KeptRows::pack() {
  kernel.walk([&](loop::TileOp tile) {
    SmallVector<Attribute> reads(tile.getReads().getValue());
    for (auto [input, read] : llvm::zip_equal(tile.getInputs(), reads))
      if (auto access = dyn_cast<loop::AccessAttr>(read); access && isKept(input, tile))
        read = loop::AccessAttr::get(tile.getContext(), access.getMap(), access.getGuard(),
                                     access.getChunk(), access.getAlignment(), access.getClamped(),
                                     /*kept=*/true, access.getFollows());
    tile.setReadsAttr(ArrayAttr::get(tile.getContext(), reads));
  });
}

void fuser::keepRows(loop::KernelOp kernel, ArrayRef<loop::CombineOp> all) {
  KeptRows kept(kernel, all);
  if (kept.shouldPack())
    kept.pack();
}
