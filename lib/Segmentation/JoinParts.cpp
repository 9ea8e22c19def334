//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rewrites joins so that a kernel computes each of their parts.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/JoinParts.h"
#include "HostJoins.h"
#include "HostViews.h"
#include "SharedParts.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Scheduling/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// A repeat of more copies is a kernel that reads the value: each store of the kernel that computes
/// it needs code and, at an odd offset, narrow accesses.
static constexpr int64_t kMaxCopies = 4;

/// The only dimension that a repeat repeats, if the copies can be parts of a join.
static std::optional<int64_t> getRepeatedDim(RepeatOp repeat) {
  std::optional<int64_t> dim;
  for (auto [number, copies] : llvm::enumerate(repeat.getRepeats())) {
    if (copies == 1)
      continue;
    if (dim || copies < 2 || copies > kMaxCopies)
      return std::nullopt;
    dim = number;
  }
  return dim;
}

/// Removes hints of other orders from values that are parts of a join in row-major order: they are
/// stored in the order of the join.
static void dropHintsOfParts(Operation *join) {
  const LayoutInfo info(join->getParentOfType<FusionOp>());
  const Value result = join->getResult(0);
  ValueOrder stored = info.getOrder(result);
  for (OpOperand &use : result.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      stored = info.getOutputOrder(use.getOperandNumber());
  if (!stored.isRowMajor())
    return;
  for (Value operand : join->getOperands()) {
    auto part = dyn_cast<OpResult>(operand);
    if (!part || !isa<TensorViewOpInterface>(part.getOwner()))
      continue;
    if (LayoutHintAttr hint = getLayoutHint(part); hint && !llvm::is_sorted(hint.getOrder()))
      dropLayoutHint(part);
  }
}

unsigned fuser::separateJoinParts(FusionOp fusion) {
  if (isScheduled(fusion))
    return 0;
  unsigned numChanged = 0;
  auto separate = [&](OpOperand &operand) {
    OpBuilder builder(operand.getOwner());
    Value value = operand.get();
    operand.set(SetOp::create(builder, operand.getOwner()->getLoc(), value.getType(), value,
                              /*domains=*/nullptr, /*memory=*/nullptr, /*inline_at=*/nullptr));
    ++numChanged;
  };
  SmallVector<CatOp> cats;
  auto isJoin = [](Operation *op) {
    return isa<CatOp, InsertSliceOp, PadOp, RepeatOp>(op) && !hasSchedule(op);
  };
  for (Operation *op : findJoinEnds(fusion, isJoin)) {
    if (isa<CatOp, InsertSliceOp>(op))
      dropHintsOfParts(op);
    auto repeat = dyn_cast<RepeatOp>(op);
    std::optional<int64_t> dim = repeat ? getRepeatedDim(repeat) : std::nullopt;
    if (dim && isAfterOwnLoops(repeat.getInput())) {
      OpBuilder builder(repeat);
      SmallVector<Value> parts(repeat.getRepeats()[*dim], repeat.getInput());
      auto cat = CatOp::create(builder, repeat.getLoc(), repeat.getType(), parts, *dim,
                               /*domains=*/nullptr, /*memory=*/nullptr, /*inline_at=*/nullptr);
      cat->setDiscardableAttrs(repeat->getDiscardableAttrDictionary());
      repeat.replaceAllUsesWith(cat.getResult());
      repeat.erase();
      ++numChanged;
      continue;
    }
    // The kernel that reads the argument for other ops stores it in the box.
    if (auto pad = dyn_cast<PadOp>(op);
        pad && isa<BlockArgument>(pad.getInput()) && isReadByOwnLoops(pad.getInput()))
      separate(pad.getInputMutable());
    if (auto cat = dyn_cast<CatOp>(op))
      cats.push_back(cat);
  }
  if (cats.empty())
    return numChanged;
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return numChanged;
  auto isRead = [&](Value value) {
    return !value.getDefiningOp() || isArgumentView(fusion, value, *analysis);
  };
  for (CatOp cat : cats) {
    if (llvm::none_of(cat.getOperands(), isAfterOwnLoops) && !shareWork(cat.getOperands()) &&
        !shareReads(cat.getOperands(), isRead))
      continue;
    for (OpOperand &operand : cat->getOpOperands())
      if (isRead(operand.get()))
        separate(operand);
  }
  return numChanged;
}
