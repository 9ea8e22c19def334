//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-push-updates.
//
//===----------------------------------------------------------------------===//

#include "InPlaceUpdates.h"
#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceSizes.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERPUSHUPDATES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// An argument of so many elements is read and written in less time than a launch takes.
static constexpr int64_t kSmallArgument = 1 << 14;

//===----------------------------------------------------------------------===//
// Updates in place
//===----------------------------------------------------------------------===//

/// The operand of which the op replaces a part; null: none.
static Value getDestination(Operation *op) {
  if (!op || fuser::detail::isScheduled(op))
    return {};
  if (auto insert = dyn_cast<InsertSliceOp>(op))
    return insert.getDestination();
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.getInput();
  auto push = dyn_cast<PushOp>(op);
  return push ? push.getInput() : Value();
}

SmallVector<InPlaceUpdates> fuser::findInPlaceUpdates(FusionOp fusion) {
  SmallVector<InPlaceUpdates> found;
  auto aliases = fusion.getAliases();
  if (!aliases)
    return found;
  Block &body = fusion.getBody().front();
  for (AliasAttr alias : aliases->getAsRange<AliasAttr>()) {
    Value value = body.getTerminator()->getOperand(alias.getOutput());
    while (auto copy = value.getDefiningOp<SetOp>()) {
      if (fuser::detail::isScheduled(copy))
        break;
      value = copy.getInput();
    }
    InPlaceUpdates updates{body.getArgument(alias.getInput()), unsigned(alias.getOutput()), {}};
    while (Value destination = getDestination(value.getDefiningOp())) {
      if (!updates.ops.empty() && !value.hasOneUse())
        break;
      updates.ops.push_back(value.getDefiningOp());
      value = destination;
    }
    auto type = cast<RankedTensorType>(updates.argument.getType());
    const bool isSmall = type.hasStaticShape() && type.getNumElements() <= kSmallArgument;
    if (isSmall || value != updates.argument || updates.ops.empty())
      continue;
    std::reverse(updates.ops.begin(), updates.ops.end());
    found.push_back(std::move(updates));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

/// Elements of runs along the last dimension are pushed one by one, so that copies of the whole
/// argument take less time if the box has more than one in so many of its elements.
static constexpr int64_t kShortRuns = 8;

/// The dimension along which elements of the box have other indices, or 0: elements keep their
/// indices in all others, where the box begins at 0. None if there are several.
static std::optional<unsigned> getInsertedDim(InsertSliceOp insert) {
  std::optional<unsigned> moved;
  for (auto [dim, offset] : llvm::enumerate(insert.getStaticOffsets())) {
    if (offset != 0 && moved)
      return std::nullopt;
    if (offset != 0)
      moved = dim;
  }
  RankedTensorType type = insert.getType(), source = insert.getSource().getType();
  const int64_t last = type.getRank() - 1;
  if (moved != last || last < 0)
    return last < 0 ? std::nullopt : std::optional(moved.value_or(0));
  const bool isShort = !type.isDynamicDim(last) && !source.isDynamicDim(last) &&
                       source.getDimSize(last) * kShortRuns <= type.getDimSize(last);
  return isShort ? moved : std::nullopt;
}

/// True if the op replaces elements as a push can.
static bool isPushable(Operation *op) {
  if (auto insert = dyn_cast<InsertSliceOp>(op))
    return getInsertedDim(insert).has_value();
  auto scatter = dyn_cast<ScatterOp>(op);
  // The order of combined elements is that of the source.
  return !scatter || !scatter.getReduce();
}

namespace {

/// Turns the updates of one argument into pushes.
class UpdatePusher {
public:
  UpdatePusher(FusionOp fusion, InPlaceUpdates updates, const ExtentAnalysis &extents)
      : fusion(fusion), updates(std::move(updates)), extents(extents) {}

  /// True if something was changed.
  bool run();

private:
  bool shouldPush() const;
  bool dependsOnArgument(Value value) const;
  Value stage(OpBuilder &builder, Value value) const;
  Value buildIndex(OpBuilder &builder, InsertSliceOp insert, unsigned dim) const;
  Operation *push(Operation *op);

  FusionOp fusion;
  InPlaceUpdates updates;
  const ExtentAnalysis &extents;
};

} // namespace

bool UpdatePusher::shouldPush() const {
  if (!llvm::all_of(updates.ops, isPushable))
    return false;
  // Segmentation stores what is inserted in its box, where nothing else reads the argument.
  const bool areBoxes = llvm::all_of(updates.ops, llvm::IsaPred<InsertSliceOp>);
  return !areBoxes || !updates.argument.hasOneUse() ||
         !updates.ops.back()->getResult(0).hasOneUse();
}

/// True if the previous contents of the argument determine the value.
bool UpdatePusher::dependsOnArgument(Value value) const {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next == updates.argument)
      return true;
    Operation *op = next.getDefiningOp();
    if (op && isa<RankedTensorType>(next.getType()) && seen.insert(next).second)
      llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// The value, computed before the argument is updated.
Value UpdatePusher::stage(OpBuilder &builder, Value value) const {
  if (!dependsOnArgument(value))
    return value;
  return SegmentSetOp::create(builder, value.getLoc(), value.getType(), value, ArrayAttr(),
                              MemoryAttr(), IntegerAttr());
}

/// Where each element of a box goes along a dimension.
Value UpdatePusher::buildIndex(OpBuilder &builder, InsertSliceOp insert, unsigned dim) const {
  const Location loc = insert.getLoc();
  Type i64 = builder.getI64Type();
  RankedTensorType type = insert.getSource().getType();
  OpFoldResult offset =
      getMixedValues(insert.getStaticOffsets(), insert.getOffsets(), builder)[dim];
  std::optional<int64_t> fixed = getConstantIntValue(offset);
  Value begin =
      fixed ? arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(*fixed)).getResult()
            : arith::IndexCastOp::create(builder, loc, i64, cast<Value>(offset));
  SmallVector<Value> sizes;
  for (unsigned other = 0; other < type.getRank(); ++other)
    if (other != dim && type.isDynamicDim(other))
      sizes.push_back(buildSize(builder, loc, insert.getSource(), other));
  Value length;
  if (type.isDynamicDim(dim))
    length = buildSize(builder, loc, insert.getSource(), dim);
  Value index = buildIndices(builder, loc, RankedTensorType::get(type.getDimSize(dim), i64), begin,
                             length, dim, type.getRank());
  if (type.getRank() == 1)
    return index;
  return ExpandOp::create(builder, loc, type.clone(i64), index, sizes, ArrayAttr(), MemoryAttr(),
                          IntegerAttr());
}

/// The op as a push.
Operation *UpdatePusher::push(Operation *op) {
  OpBuilder builder(op);
  Value source, index;
  int64_t dim = 0;
  ScatterReduceAttr reduce;
  if (auto insert = dyn_cast<InsertSliceOp>(op)) {
    keepBounds(op, extents, builder);
    dim = *getInsertedDim(insert);
    source = insert.getSource();
    index = buildIndex(builder, insert, dim);
  } else if (auto scatter = dyn_cast<ScatterOp>(op)) {
    std::tie(source, index, dim) =
        std::tuple(scatter.getSource(), scatter.getIndex(), int64_t(scatter.getDim()));
  } else {
    auto old = cast<PushOp>(op);
    std::tie(source, index, dim) =
        std::tuple(old.getSource(), old.getIndex(), int64_t(old.getDim()));
    reduce = old.getReduceAttr();
  }
  return PushOp::create(builder, op->getLoc(), op->getResult(0).getType(), stage(builder, source),
                        stage(builder, index), getDestination(op), builder.getI64IntegerAttr(dim),
                        reduce, ArrayAttr(), MemoryAttr(), IntegerAttr());
}

bool UpdatePusher::run() {
  if (!shouldPush())
    return false;
  Value last = updates.ops.back()->getResult(0);
  OpOperand &output = fusion.getBody().front().getTerminator()->getOpOperand(updates.output);
  bool isChanged = output.get() != last;
  output.set(last);
  for (Operation *op : updates.ops) {
    if (isa<PushOp>(op))
      continue;
    isChanged = true;
    Operation *replacement = push(op);
    op->replaceAllUsesWith(replacement);
    op->erase();
  }
  return isChanged;
}

namespace {
struct PushUpdatesPass : fuser::impl::FuserPushUpdatesBase<PushUpdatesPass> {
  using FuserPushUpdatesBase::FuserPushUpdatesBase;

  void runOnOperation() override {
    FailureOr<unsigned> count = pushUpdates(getOperation());
    if (failed(count))
      return signalPassFailure();
    numArguments += *count;
  }
};
} // namespace

FailureOr<unsigned> fuser::pushUpdates(FusionOp fusion) {
  SmallVector<InPlaceUpdates> found = findInPlaceUpdates(fusion);
  if (found.empty())
    return 0u;
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  unsigned count = llvm::count_if(found, [&](InPlaceUpdates &updates) {
    return UpdatePusher(fusion, std::move(updates), *extents).run();
  });
  if (count != 0)
    eraseDeadOps(fusion);
  return count;
}
