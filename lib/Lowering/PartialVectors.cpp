//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PartialVectors.h"
#include "KernelOperands.h"
#include "LaneSplits.h"
#include "OffsetExprs.h"
#include "UnswitchLoops.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

namespace {
/// Splits loops of vectors at the accesses whose lanes may differ in whether they are in bounds.
class PartialVectors {
public:
  explicit PartialVectors(loop::KernelOp kernel)
      : facts(kernel), offsets(kernel, facts), lanes(facts) {}

  /// True if a loop of vectors has such an access.
  bool hasPartial(loop::ForOp vector);
  /// Puts two versions of a loop around vectors in a branch: all vectors of the first one are
  /// whole.
  bool unswitch(loop::ForOp loop);
  /// Returns the loops that have such accesses alone.
  SmallVector<loop::ForOp> isolate(loop::ForOp vector);

private:
  bool isPartial(loop::TileOp tile);
  void setLanes(loop::ForOp vector);
  Constraints getConstraintsOfLanes(loop::TileOp tile);
  bool isVectorUpTo(Value buffer, const AccessExprs &access, const Constraints &guard);

  LoopFacts facts;
  OffsetExprs offsets;
  LaneSplits lanes;
};
} // namespace

/// True if the access is a vector, but for a guard in which its lanes differ.
bool PartialVectors::isVectorUpTo(Value buffer, const AccessExprs &access,
                                  const Constraints &guard) {
  auto type = dyn_cast<loop::BufferType>(buffer.getType());
  if (!type || type.getSpace() != MemoryType::Global)
    return false;
  const int64_t bytes = getElementBytes(type.getElementType());
  const int64_t alignment = offsets.getAlignment(buffer);
  const AffineExpr offset = offsets.getOffset(buffer, access.results);
  for (int64_t chunk = lanes.getWidth(); chunk > 1; chunk /= 2) {
    std::optional<LaneSplit> parts = lanes.split(offset, chunk);
    if (parts && lanes.isVector(*parts, chunk, bytes, alignment))
      return !lanes.isUniform(guard, chunk);
  }
  return false;
}

bool PartialVectors::isPartial(loop::TileOp tile) {
  const TileExprs exprs = facts.lift(tile);
  Constraints guard = exprs.guard;
  llvm::erase_if(guard,
                 [&](const Constraint &each) { return isImpliedByBranches(each, tile, facts); });
  for (Constraint &constraint : guard)
    constraint.lhs = offsets.fold(constraint.lhs);
  return llvm::any_of(llvm::zip_equal(tile.getInputs(), exprs.reads),
                      [&](auto pair) {
                        const auto &[input, access] = pair;
                        return access && isVectorUpTo(input, *access, guard);
                      }) ||
         llvm::any_of(llvm::zip_equal(tile.getOutputs(), exprs.writes), [&](auto pair) {
           const auto &[output, access] = pair;
           return isVectorUpTo(output, access, guard);
         });
}

void PartialVectors::setLanes(loop::ForOp vector) {
  lanes.setLanes(facts.getExpr(vector.getInductionVar()), *vector.getConstantExtent());
}

bool PartialVectors::hasPartial(loop::ForOp vector) {
  setLanes(vector);
  return llvm::any_of(vector.getBlock(), [&](Operation &op) {
    auto tile = dyn_cast<loop::TileOp>(op);
    return tile && tile.touchesMemory() && isPartial(tile);
  });
}

/// The constraints that hold for some lanes of the vector around a tile only.
Constraints PartialVectors::getConstraintsOfLanes(loop::TileOp tile) {
  auto vector = tile->getParentOfType<loop::ForOp>();
  if (!vector || vector.getType() != ParallelType::Vectorize)
    return {};
  setLanes(vector);
  Constraints guard = facts.lift(tile).guard;
  llvm::erase_if(guard, [&](Constraint each) {
    each.lhs = offsets.fold(each.lhs);
    return lanes.isUniform(each, lanes.getWidth());
  });
  return guard;
}

bool PartialVectors::unswitch(loop::ForOp loop) {
  return unswitchLoop(loop, facts, [&](loop::TileOp tile) { return getConstraintsOfLanes(tile); });
}

SmallVector<loop::ForOp> PartialVectors::isolate(loop::ForOp vector) {
  setLanes(vector);
  // Groups of ops in a row that access memory, or that do not.
  struct Group {
    SmallVector<Operation *> ops;
    bool isPartial = false;
  };
  SmallVector<Group> groups;
  bool touchesMemory = false;
  for (Operation &op : vector.getBlock()) {
    auto tile = dyn_cast<loop::TileOp>(op);
    if (!tile || tile.getStep() != loop::TileStep::Element || tile.getInstruction())
      return {};
    if (groups.empty() || touchesMemory != tile.touchesMemory())
      groups.emplace_back();
    touchesMemory = tile.touchesMemory();
    groups.back().ops.push_back(&op);
    groups.back().isPartial |= touchesMemory && isPartial(tile);
  }
  SmallVector<loop::ForOp> isolated;
  if (llvm::none_of(groups, [](const Group &group) { return group.isPartial; }))
    return isolated;
  OpBuilder builder(vector->getContext());
  builder.setInsertionPointAfter(vector);
  for (auto [number, group] : llvm::enumerate(groups)) {
    loop::ForOp loop = vector;
    if (number > 0) {
      loop = cast<loop::ForOp>(builder.cloneWithoutRegions(*vector));
      Block &block = loop.getBody().emplaceBlock();
      block.addArgument(builder.getIndexType(), vector.getLoc());
      for (Operation *op : group.ops) {
        op->moveBefore(&block, block.end());
        op->replaceUsesOfWith(vector.getInductionVar(), block.getArgument(0));
      }
    }
    if (group.isPartial)
      isolated.push_back(loop);
  }
  return isolated;
}

static SmallVector<loop::ForOp> getVectorLoops(loop::KernelOp kernel) {
  SmallVector<loop::ForOp> vectors;
  kernel.walk([&](loop::ForOp loop) {
    if (loop.getType() == ParallelType::Vectorize)
      vectors.push_back(loop);
  });
  return vectors;
}

/// The outermost loop to unswitch around `inner`; null if there is none.
static loop::ForOp getUnswitched(loop::ForOp inner) {
  loop::ForOp outermost;
  for (auto loop = inner->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (loop.getUnswitch())
      outermost = loop;
  return outermost;
}

/// Unswitches the loops around partial vectors: where each vector has two versions of its own,
/// loads of several wait for each other. Returns the loops of vectors of the second versions, which
/// few blocks run.
static llvm::SmallPtrSet<Operation *, 8> unswitchAroundPartialVectors(loop::KernelOp kernel) {
  llvm::SmallPtrSet<Operation *, 8> rare;
  auto unswitchNext = [&] {
    SmallVector<loop::ForOp> vectors = getVectorLoops(kernel);
    llvm::erase_if(vectors, [](loop::ForOp vector) { return !getUnswitched(vector); });
    if (vectors.empty())
      return false;
    PartialVectors partial(kernel);
    auto *next = llvm::find_if(vectors, [&](loop::ForOp each) { return partial.hasPartial(each); });
    if (next == vectors.end())
      return false;
    loop::ForOp loop = getUnswitched(*next);
    if (partial.unswitch(loop))
      loop->getParentOfType<loop::IfOp>().getOtherwise().walk(
          [&](loop::ForOp other) { rare.insert(other); });
    return true;
  };
  while (unswitchNext()) {
  }
  return rare;
}

void fuser::versionPartialVectors(loop::KernelOp kernel) {
  if (getVectorLoops(kernel).empty())
    return;
  const llvm::SmallPtrSet<Operation *, 8> rare = unswitchAroundPartialVectors(kernel);
  PartialVectors partial(kernel);
  SmallVector<loop::ForOp> isolated;
  for (loop::ForOp vector : getVectorLoops(kernel))
    if (!rare.contains(vector))
      llvm::append_range(isolated, partial.isolate(vector));
  if (isolated.empty())
    return;
  LoopFacts facts(kernel);
  for (loop::ForOp loop : isolated)
    unswitchLoop(loop, facts, [&](loop::TileOp tile) {
      Constraints guard = facts.lift(tile.getGuard(), tile.getIndices());
      llvm::erase_if(guard, [&](const Constraint &each) { return facts.isProved(each); });
      return guard;
    });
}
