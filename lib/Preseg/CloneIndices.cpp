//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-clone-indices.
//
//===----------------------------------------------------------------------===//

#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERCLONEINDICES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The most ops that compute an index.
constexpr size_t kMaxIndexOps = 16;

static bool changesDims(Operation *op) {
  return isa<BroadcastOp, PermuteOp, ReshapeOp, SqueezeOp>(op);
}

/// The ops that compute the value from `fuser.iota`, in order; none if it depends on a tensor, or
/// if there are too many.
static SmallVector<Operation *> getIndexOps(Value value) {
  llvm::SmallSetVector<Operation *, 16> ops;
  SmallVector<Value> stack = {value};
  bool hasIota = false;
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    if (!isa<RankedTensorType>(next.getType()))
      continue;
    Operation *op = next.getDefiningOp();
    const bool isIota = isa_and_nonnull<IotaOp>(op);
    if (!op || op->getNumResults() != 1 || fuser::detail::isScheduled(op) ||
        !(isIota || isa<FullOp>(op) || changesDims(op) ||
          (isPointwise(op) && op->hasTrait<fuser::CheapElement>())))
      return {};
    hasIota |= isIota;
    if (ops.insert(op))
      llvm::append_range(stack, op->getOperands());
    if (ops.size() > kMaxIndexOps)
      return {};
  }
  if (!hasIota)
    return {};
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return sorted;
}

/// True for a slice of an argument of which other slices with the same steps are read: elements of
/// windows, which a kernel reads where it uses them. One value has one place in a kernel, so that
/// pads that move it differently would be in different kernels.
static bool isWindowOfArgument(Operation *op) {
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice || !isa<BlockArgument>(slice.getInput()) || fuser::detail::isScheduled(op))
    return false;
  return llvm::any_of(slice.getInput().getUsers(), [&](Operation *user) {
    auto other = dyn_cast<SliceOp>(user);
    return other && other != slice && other.getStrides() == slice.getStrides();
  });
}

/// What the value is computed from, if it is computed again for each group of readers.
static SmallVector<Operation *> getClonedOps(Value value) {
  if (isWindowOfArgument(value.getDefiningOp()))
    return {value.getDefiningOp()};
  return getIndexOps(value);
}

/// The readers of a value that give it the same dimensions, and move it by the same amounts.
static SmallVector<SmallVector<Operation *>> groupReaders(Value value) {
  llvm::SmallSetVector<Operation *, 8> users(value.user_begin(), value.user_end());
  SmallVector<Operation *> readers = users.takeVector();
  llvm::sort(readers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<SmallVector<Operation *>> groups;
  for (Operation *reader : readers) {
    auto isAlike = [&](ArrayRef<Operation *> group) {
      Operation *other = group.front();
      const bool isAlone = changesDims(reader) || isa<PadOp>(reader);
      return isAlone ? OperationEquivalence::isEquivalentTo(reader, other,
                                                            OperationEquivalence::IgnoreLocations)
                     : !changesDims(other) && !isa<PadOp>(other);
    };
    auto *found = llvm::find_if(groups, isAlike);
    if (found == groups.end())
      groups.push_back({reader});
    else
      found->push_back(reader);
  }
  return groups;
}

unsigned fuser::cloneIndices(FusionOp fusion) {
  unsigned numCloned = 0;
  // Users first: the clone of an op gives its operands another reader.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(fusion.getBody().front()))) {
    if (op.getNumResults() != 1 || op.getResult(0).hasOneUse())
      continue;
    const SmallVector<Operation *> needed = getClonedOps(op.getResult(0));
    if (needed.empty())
      continue;
    const SmallVector<SmallVector<Operation *>> groups = groupReaders(op.getResult(0));
    for (ArrayRef<Operation *> group : ArrayRef(groups).drop_front()) {
      OpBuilder builder(fusion.getContext());
      builder.setInsertionPointAfter(&op);
      IRMapping mapping;
      for (Operation *each : needed)
        builder.clone(*each, mapping);
      for (Operation *reader : group)
        reader->replaceUsesOfWith(op.getResult(0), mapping.lookup(op.getResult(0)));
      numCloned += needed.size();
    }
  }
  return numCloned;
}

namespace {
struct CloneIndicesPass : fuser::impl::FuserCloneIndicesBase<CloneIndicesPass> {
  void runOnOperation() override { numCloned += cloneIndices(getOperation()); }
};
} // namespace
