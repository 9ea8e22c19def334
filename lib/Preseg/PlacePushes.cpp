//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-place-pushes.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERPLACEPUSHES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The type in which an atomic access combines elements of a push; null: none does.
static Type getAtomicType(PushOp op) {
  Type element = op.getInput().getType().getElementType();
  const std::optional<ScatterReduce> reduce = op.getReduce();
  if (!reduce)
    return element;
  if (reduce == ScatterReduce::Mul || isa<ComplexType>(element))
    return {};
  if (isa<FloatType>(element))
    return ElementBuilder::getComputeType(element);
  // Sums wrap when they are narrowed.
  return element.getIntOrFloatBitWidth() >= 32 ? element
                                               : IntegerType::get(element.getContext(), 32);
}

namespace {

/// Gives the operand of one push a buffer of its own.
class PushPlacer {
public:
  explicit PushPlacer(PushOp op) : op(op), builder(op), loc(op.getLoc()) {}

  /// True if something was changed.
  bool run();

private:
  Value castTo(Value value, Type type) {
    if (getElementTypeOrSelf(value.getType()) == type)
      return value;
    return CastOp::create(builder, loc, type, value);
  }
  Value copy(Value value) {
    return SegmentSetOp::create(builder, loc, value.getType(), value, ArrayAttr(), MemoryAttr(),
                                IntegerAttr());
  }
  bool replaceByScatter();
  bool computeIn(Type type);
  bool copyFurtherReturns();

  PushOp op;
  OpBuilder builder;
  Location loc;
};

} // namespace

bool PushPlacer::replaceByScatter() {
  auto scatter = ScatterOp::create(builder, loc, op.getType(), op.getSource(), op.getIndex(),
                                   op.getInput(), op.getDimAttr(), op.getReduceAttr(), ArrayAttr(),
                                   MemoryAttr(), IntegerAttr());
  op.replaceAllUsesWith(scatter.getResult());
  op.erase();
  return true;
}

/// Half types are combined in f32 and rounded once, short integers in i32.
bool PushPlacer::computeIn(Type type) {
  Type element = op.getType().getElementType();
  if (type == element)
    return false;
  Value source = castTo(op.getSource(), type), input = castTo(op.getInput(), type);
  auto wide =
      PushOp::create(builder, loc, input.getType(), source, op.getIndex(), input, op.getDimAttr(),
                     op.getReduceAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
  op.replaceAllUsesWith(castTo(wide.getResult(), element));
  op.erase();
  op = wide;
  builder.setInsertionPoint(op);
  return true;
}

/// The buffer is that of one output.
bool PushPlacer::copyFurtherReturns() {
  bool isReturned = false, isChanged = false;
  builder.setInsertionPointAfter(op);
  for (OpOperand &use : op->getBlock()->getTerminator()->getOpOperands()) {
    if (use.get() != op.getResult())
      continue;
    if (isReturned)
      use.set(copy(op.getResult()));
    isChanged |= isReturned;
    isReturned = true;
  }
  return isChanged;
}

bool PushPlacer::run() {
  Type type = getAtomicType(op);
  if (!type)
    return replaceByScatter();
  bool isChanged = computeIn(type);
  Value input = op.getInput();
  const bool isOwn =
      isa_and_present<SegmentSetOp, PushOp>(input.getDefiningOp()) && input.hasOneUse();
  if (!isOwn)
    op.getInputMutable().assign(copy(input));
  return copyFurtherReturns() || isChanged || !isOwn;
}

namespace {
struct PlacePushes : fuser::impl::FuserPlacePushesBase<PlacePushes> {
  using FuserPlacePushesBase::FuserPlacePushesBase;

  void runOnOperation() override { numPushes += placePushes(getOperation()); }
};
} // namespace

unsigned fuser::placePushes(FusionOp fusion) {
  SmallVector<PushOp> pushes;
  for (auto op : fusion.getBody().front().getOps<PushOp>())
    if (!fuser::detail::isScheduled(op))
      pushes.push_back(op);
  return llvm::count_if(pushes, [](PushOp op) { return PushPlacer(op).run(); });
}
