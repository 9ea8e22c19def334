//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlockResults.h"

using namespace mlir;
using namespace fuser;

SmallVector<ParallelType> BlockResults::getSplitBlocks(loop::CombineOp combine) {
  auto kernel = combine->getParentOfType<loop::KernelOp>();
  SmallVector<ParallelType> types;
  for (ParallelType type : combine.getOver().getTypes())
    if (isBlockType(type) && type != ParallelType::ClusterX && kernel.isSplit(type))
      types.push_back(type);
  return types;
}

BlockResults::BlockResults(loop::KernelOp kernel, ArrayRef<ArrayRef<loop::CombineOp>> groups) {
  bool hasSources = false;
  for (ArrayRef<loop::CombineOp> group : groups) {
    const SmallVector<ParallelType> blocks = getSplitBlocks(group.front());
    auto isOfSame = [&](loop::CombineOp combine) { return getSplitBlocks(combine) == blocks; };
    hasSources |= !llvm::all_of(group, [](auto each) { return getSplitBlocks(each).empty(); });
    if (group.size() > 1 && !blocks.empty() && llvm::all_of(group, isOfSame))
      shared[group.front()] = group;
  }
  if (!hasSources)
    return;
  size_t numShared;
  do {
    wanted.clear();
    findWanted(kernel);
    // All blocks would wait for all of a group, and not only for what they need.
    numShared = shared.size();
    shared.remove_if([&](const auto &group) { return wanted.contains(group.first); });
  } while (shared.size() != numShared);
}

Operation *BlockResults::getFirst(loop::CombineOp combine) const {
  for (const auto &[first, group] : shared)
    if (llvm::is_contained(group, combine))
      return first;
  return combine;
}

void BlockResults::findWanted(loop::KernelOp kernel) {
  // A result that turns out to be wanted everywhere is valid everywhere for all that read it.
  for (std::optional<size_t> known; known != wanted.size();) {
    known = wanted.size();
    sources.clear();
    stores.clear();
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto combine = dyn_cast<loop::CombineOp>(op))
        propagate(combine);
      else if (auto tile = dyn_cast<loop::TileOp>(op))
        propagate(tile);
    });
  }
}

ArrayRef<loop::TileOp> BlockResults::getStores(loop::CombineOp combine) const {
  auto it = stores.find(getFirst(combine));
  return it == stores.end() ? ArrayRef<loop::TileOp>() : ArrayRef(it->second);
}

void BlockResults::propagate(loop::CombineOp combine) {
  Operation *first = getFirst(combine);
  if (wanted.contains(first) || getSplitBlocks(combine).empty())
    return;
  for (Value total : combine.getAccumulators()) {
    Sources &from = sources[total];
    // What the reduction is of would be valid in another block.
    wanted.insert(from.begin(), from.end());
    from.clear();
    from.insert(first);
  }
}

/// True if the last block alone is not sufficient for a tile that is no part of the reduction: a
/// tuple that is carried from one iteration to the next is of results of several last blocks.
bool BlockResults::needsAll(loop::CombineOp source, loop::TileOp reader) const {
  SmallVector<Operation *> readers = {reader};
  if (reader.updatesOutputs())
    for (Value output : reader.getOutputs())
      if (Operation *buffer = output.getDefiningOp())
        readers.push_back(buffer);
  const SmallVector<ParallelType> blocks = getSplitBlocks(source);
  for (auto loop = reader->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (llvm::is_contained(blocks, loop.getType()))
      return true;
  for (auto loop = source->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (!isBlockType(loop.getType()) && !isThreadType(loop.getType()) &&
        !llvm::all_of(readers, [&](Operation *op) { return loop->isAncestor(op); }))
      return true;
  return false;
}

void BlockResults::propagate(loop::TileOp tile) {
  Sources from;
  auto add = [&](ValueRange buffers) {
    for (Value buffer : buffers)
      if (auto it = sources.find(buffer); it != sources.end())
        from.insert(it->second.begin(), it->second.end());
  };
  add(tile.getInputs());
  if (tile.updatesOutputs())
    add(tile.getOutputs());
  for (Operation *op : from) {
    auto source = cast<loop::CombineOp>(op);
    ArrayRef<loop::CombineOp> group = shared.lookup(op);
    if (group.empty())
      group = source;
    const bool isOwn = tile.getStep() == loop::TileStep::Finalize &&
                       llvm::any_of(group, [&](loop::CombineOp each) {
                         return tile.getInputs() == ValueRange(each.getAccumulators());
                       });
    if (!isOwn && (from.size() > 1 || needsAll(source, tile)))
      wanted.insert(op);
  }
  for (Value output : tile.getOutputs()) {
    // A value in global memory is read after a barrier of all blocks.
    if (cast<loop::BufferType>(output.getType()).getSpace() != MemoryType::Global)
      sources[output].insert(from.begin(), from.end());
    else if (from.size() == 1)
      stores[from.front()].push_back(tile);
  }
}
