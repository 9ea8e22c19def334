//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that stay packed in registers from a reduction to their use.
//
//===----------------------------------------------------------------------===//

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

/// Rows of so many bytes in the registers of a thread stay packed, in blocks of so many threads:
/// fewer of them are resident the more registers a thread has. Others leave registers for their
/// elements in f32, which saves a second conversion.
static constexpr int64_t kLeastPackedBytes = 64, kLeastPackedThreads = 512;

/// The buffers in registers into which tiles load short elements of memory.
static llvm::SetVector<Value> getShortLoads(loop::KernelOp kernel) {
  llvm::SetVector<Value> loads;
  auto isGlobal = [](Value buffer) {
    auto type = dyn_cast<loop::BufferType>(buffer.getType());
    return type && type.getSpace() == MemoryType::Global;
  };
  kernel.walk([&](loop::TileOp tile) {
    auto type = dyn_cast<loop::BufferType>(tile.getOutputs().front().getType());
    if (type && type.getSpace() == MemoryType::Register &&
        llvm::any_of(tile.getInputs(), isGlobal) &&
        ElementBuilder::getRegisterType(type.getElementType()).getIntOrFloatBitWidth() < 32)
      loads.insert(tile.getOutputs().front());
  });
  return loads;
}

void fuser::keepRows(loop::KernelOp kernel, ArrayRef<loop::CombineOp> all) {
  const ArrayRef<int64_t> block = *kernel.getThreads();
  SmallVector<loop::CombineOp> combines;
  llvm::copy_if(all, std::back_inserter(combines), [](loop::CombineOp combine) {
    return llvm::any_of(combine.getOver().getTypes(), [](ParallelType type) {
      return isThreadType(type) || type == ParallelType::ClusterX;
    });
  });
  // A block of a cluster holds as much of a row as its registers can.
  if (ShapedType::getNumElements(block) < kLeastPackedThreads && !kernel.getCluster())
    return;
  BufferDependences dependences(kernel);
  llvm::SetVector<Value> rows = getShortLoads(kernel);
  rows.remove_if([&](Value buffer) {
    return llvm::none_of(combines, [&](loop::CombineOp combine) {
      return dependences.getDependents(buffer).contains(combine.getAccumulators().front());
    });
  });
  int64_t bytes = 0;
  for (Value buffer : rows) {
    auto type = cast<loop::BufferType>(buffer.getType());
    bytes += ShapedType::getNumElements(type.getShape()) *
             ElementBuilder::getRegisterType(type.getElementType()).getIntOrFloatBitWidth() / 8;
  }
  if (bytes < kLeastPackedBytes)
    return;
  // What feeds the reduction is computed before it; what its result meets, after it.
  auto isKept = [&](Value buffer, loop::TileOp tile) {
    const auto &used = dependences.getDependents(tile.getOutputs().front());
    return rows.contains(buffer) && llvm::any_of(combines, [&](loop::CombineOp combine) {
             const Value total = combine.getAccumulators().front();
             const auto &ofTotal = dependences.getDependents(total);
             return dependences.getDependents(buffer).contains(total) && !used.contains(total) &&
                    llvm::any_of(used, [&](Value value) { return ofTotal.contains(value); });
           });
  };
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
