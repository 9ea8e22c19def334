//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-share-reductions.
//
//===----------------------------------------------------------------------===//

#include "SplitSteps.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSHAREREDUCTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The least number of elements that the first step reduces to one: its results are few then.
static constexpr int64_t kLeastShared = 32;
/// Elements of a tensor that is read again in less time than a launch takes.
static constexpr int64_t kLeastElements = 1 << 18;
static ArrayRef<int64_t> getShape(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
}

/// True for a reduction along dimensions of its only tensor.
static bool isReduction(Operation *op) {
  return isa<CombinerOpInterface>(op) && op->hasAttrOfType<DenseI64ArrayAttr>("dims") &&
         op->getNumOperands() == 1 && isa<RankedTensorType>(op->getOperand(0).getType()) &&
         !fuser::detail::isScheduled(op);
}

/// True for a reduction that may have two steps, along dimensions of its own each.
static bool hasTwoSteps(Operation *op) {
  return isExactInSteps(op) && getReducedDims(op).size() > 1;
}

/// True if `value` depends on the op.
static bool dependsOn(Value value, Operation *op) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Operation *producer = stack.pop_back_val().getDefiningOp();
    if (producer == op)
      return true;
    if (producer && op->isBeforeInBlock(producer) && seen.insert(producer).second)
      llvm::append_range(stack, producer->getOperands());
  }
  return false;
}

/// True if the operand of `whole` depends on ops with loops of their own other than reductions
/// along the dimensions of `part`: then a kernel that reduces both cannot exist.
static bool isAfterOthers(Operation *whole, Operation *part) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {whole->getOperand(0)};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    const bool isAlike = isReduction(op) && getReducedDims(op) == getReducedDims(part) &&
                         getShape(op) == getShape(part);
    if (hasOwnLoops(op) && !isAlike)
      return true;
    llvm::append_range(stack, op->getOperands());
  }
  return false;
}

/// The number of elements that a reduction combines; 0 if it is unknown.
static int64_t countReduced(Operation *op) {
  int64_t count = 1;
  for (int64_t dim : getReducedDims(op))
    count = ShapedType::isDynamic(getShape(op)[dim]) ? 0 : count * getShape(op)[dim];
  return count;
}

/// True if `part` reduces elements of which `whole` reduces all, along some of its dimensions.
static bool isPartOf(Operation *part, Operation *whole) {
  if (part == whole || getShape(part) != getShape(whole) ||
      getReducedDims(part).size() >= getReducedDims(whole).size() ||
      !llvm::all_of(getReducedDims(part),
                    [&](int64_t dim) { return llvm::is_contained(getReducedDims(whole), dim); }) ||
      countReduced(part) < kLeastShared)
    return false;
  const llvm::SmallSetVector<Value, 16> read = getValuesOfShape(part->getOperand(0));
  return llvm::any_of(getValuesOfShape(whole->getOperand(0)),
                      [&](Value value) { return read.contains(value); }) &&
         !dependsOn(part->getOperand(0), whole) && !isAfterOthers(whole, part);
}

/// Replaces the reduction by one over the dimensions of `other`, or by `other` itself if it is the
/// same function of the same elements, and one of its results.
static void split(Operation *op, Operation *other) {
  OpBuilder builder(op);
  const SmallVector<int64_t> part(getReducedDims(other));
  const bool isSame = other->getName() == op->getName() && other->isBeforeInBlock(op) &&
                      other->getOperand(0) == op->getOperand(0);
  SmallVector<int64_t> rest;
  for (int64_t dim : getReducedDims(op))
    if (!llvm::is_contained(part, dim))
      rest.push_back(dim - llvm::count_if(part, [&](int64_t gone) { return gone < dim; }));
  llvm::TypeSwitch<Operation *>(op).Case<SumOp, MeanOp, MaxOp, MinOp>([&](auto reduction) {
    using Op = decltype(reduction);
    auto first =
        isSame ? cast<Op>(other) : Op::create(builder, op->getLoc(), op->getOperand(0), part);
    auto second = Op::create(builder, op->getLoc(), first.getResult(), rest);
    if (!isSame)
      copyOrigins(first, op);
    copyOrigins(second, op);
    op->replaceAllUsesWith(second);
    op->erase();
  });
}

unsigned fuser::shareReductions(FusionOp fusion) {
  SmallVector<Operation *> reductions, wholes;
  for (Operation &op : fusion.getBody().front()) {
    if (!isReduction(&op))
      continue;
    reductions.push_back(&op);
    const ArrayRef<int64_t> shape = getShape(&op);
    const bool isSmall =
        !ShapedType::isDynamicShape(shape) && ShapedType::getNumElements(shape) < kLeastElements;
    if (!isSmall && hasTwoSteps(&op))
      wholes.push_back(&op);
  }
  SmallVector<std::pair<Operation *, Operation *>> found;
  for (Operation *whole : wholes) {
    Operation *best = nullptr;
    for (Operation *part : reductions)
      if (isPartOf(part, whole) && (!best || countReduced(part) > countReduced(best)))
        best = part;
    if (best)
      found.emplace_back(whole, best);
  }
  // Reductions of fewer dimensions are split after those of which they are parts.
  llvm::sort(found, [](const auto &a, const auto &b) {
    const size_t first = getReducedDims(a.first).size(), second = getReducedDims(b.first).size();
    return first != second ? first > second : a.first->isBeforeInBlock(b.first);
  });
  for (auto &[op, part] : found)
    split(op, part);
  // A first step may be a part of another one.
  return found.empty() ? 0 : found.size() + shareReductions(fusion);
}

namespace {
struct ShareReductionsPass : fuser::impl::FuserShareReductionsBase<ShareReductionsPass> {
  void runOnOperation() override { numShared += shareReductions(getOperation()); }
};
} // namespace
