//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-place-pushes.
//
//===----------------------------------------------------------------------===//

#include "PointwiseOps.h"
#include "Scatters.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

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
  Value castTo(Value value, Type type) { return castElements(builder, loc, value, type); }
  Value copy(Value value) {
    return SegmentSetOp::create(builder, loc, value.getType(), value, ArrayAttr(), MemoryAttr(),
                                IntegerAttr());
  }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  PushOp replace(Value source, Value input, function_ref<Value(Value)> convert);
  bool computeIn(Type type);
  Value mirror(Value bits);
  Value buildKeys(Value floats);
  bool compareIntegers();
  bool copyFurtherReturns();

  PushOp op;
  OpBuilder builder;
  Location loc;
};

} // namespace

/// Pushes values of another type, whose result `convert` converts back.
PushOp PushPlacer::replace(Value source, Value input, function_ref<Value(Value)> convert) {
  auto push =
      PushOp::create(builder, loc, input.getType(), source, op.getIndex(), input, op.getDimAttr(),
                     op.getReduceAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
  op.replaceAllUsesWith(convert(push.getResult()));
  op.erase();
  builder.setInsertionPoint(push);
  return push;
}

/// Half types are combined in f32 and rounded once, short integers in i32.
bool PushPlacer::computeIn(Type type) {
  Type element = op.getType().getElementType();
  if (type == element)
    return false;
  op = replace(castTo(op.getSource(), type), castTo(op.getInput(), type),
               [&](Value result) { return castTo(result, element); });
  return true;
}

/// Integers in the order of floats of these bits, and the other way around: the greater the
/// magnitude of a negative float, the less it is.
Value PushPlacer::mirror(Value bits) {
  Value isNegative = LtOp::create(builder, loc, bits, constant(0));
  const int64_t greatest = llvm::maxIntN(getElementTypeOrSelf(bits).getIntOrFloatBitWidth());
  Value mirrored = BitwiseXorOp::create(builder, loc, bits, constant(greatest));
  return WhereOp::create(builder, loc, isNegative, mirrored, bits);
}

/// Integers in the order of floats; NaN, which wins, is beyond all others.
Value PushPlacer::buildKeys(Value floats) {
  const unsigned width = getElementTypeOrSelf(floats).getIntOrFloatBitWidth();
  Value keys = mirror(BitcastOp::create(builder, loc, builder.getIntegerType(width), floats));
  Value isNan = IsNanOp::create(builder, loc, floats);
  Value beyond =
      constant(op.getReduce() == ScatterReduce::Max ? llvm::maxIntN(width) : llvm::minIntN(width));
  return WhereOp::create(builder, loc, isNan, beyond, keys);
}

/// Minima and maxima of floats are those of integers, each of which is one access of the GPU: those
/// of floats would be loops of comparisons.
bool PushPlacer::compareIntegers() {
  Type element = op.getType().getElementType();
  if (!isa<FloatType>(element) ||
      (op.getReduce() != ScatterReduce::Min && op.getReduce() != ScatterReduce::Max))
    return false;
  Value source = buildKeys(op.getSource()), input = buildKeys(op.getInput());
  op = replace(source, input, [&](Value result) -> Value {
    return BitcastOp::create(builder, loc, element, mirror(result));
  });
  return true;
}

/// The buffer is that of one output: of the one that is stored in an argument, if there is one.
bool PushPlacer::copyFurtherReturns() {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getBlock()->getTerminator()->getOpOperands())
    if (use.get() == op.getResult())
      uses.push_back(&use);
  if (uses.size() < 2)
    return false;
  OpOperand *own = uses.front();
  if (auto aliases = cast<FusionOp>(op->getParentOp()).getAliases())
    for (AliasAttr alias : aliases->getAsRange<AliasAttr>())
      for (OpOperand *use : uses)
        if (use->getOperandNumber() == alias.getOutput())
          own = use;
  builder.setInsertionPointAfter(op);
  for (OpOperand *use : uses)
    if (use != own)
      use->set(copy(op.getResult()));
  return true;
}

bool PushPlacer::run() {
  Type type = getAtomicType(op);
  if (!type) {
    replaceByScatter(op);
    return true;
  }
  bool isChanged = computeIn(type);
  isChanged |= compareIntegers();
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
