//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-pad-operands.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERPADOPERANDS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// True for a pointwise function of tensors that can be padded and whose only user is a padding.
static bool isPaddable(Value value) {
  Operation *function = value.getDefiningOp();
  return function && function->hasOneUse() && isPointwise(function) &&
         llvm::none_of(function->getOperandTypes(),
                       [](Type type) { return isa<ComplexType>(getElementTypeOrSelf(type)); });
}

namespace {

/// A pad; or an insertion into a fill, which is equivalent, into another value that is computed
/// element by element, or into the result of such an insertion.
struct Padding {
  Operation *op;
  Value input;
  /// The scalar around the input; none: the elements of the destination.
  Value border;
  /// Elements before the input, by dimension; and after it, if the op states them.
  SmallVector<OpFoldResult> low, high;
  SmallVector<bool> isPadded;

  RankedTensorType getInputType() const { return cast<RankedTensorType>(input.getType()); }
  RankedTensorType getType() const { return cast<RankedTensorType>(op->getResult(0).getType()); }
};

} // namespace

static std::optional<Padding> getPadding(Operation *op) {
  Builder builder(op->getContext());
  if (auto pad = dyn_cast<PadOp>(op)) {
    if (isAfterOwnLoops(pad.getInput()))
      return std::nullopt;
    return Padding{op,
                   pad.getInput(),
                   pad.getValue(),
                   getMixedValues(pad.getStaticLow(), pad.getLow(), builder),
                   getMixedValues(pad.getStaticHigh(), pad.getHigh(), builder),
                   {}};
  }
  auto insert = dyn_cast<InsertSliceOp>(op);
  if (!insert || isAfterOwnLoops(insert.getSource()))
    return std::nullopt;
  Operation *destination = insert.getDestination().getDefiningOp();
  // Into an argument it is a write of a range.
  while (auto inner = dyn_cast_or_null<InsertSliceOp>(destination)) {
    if (isAfterOwnLoops(inner.getSource()))
      return std::nullopt;
    destination = inner.getDestination().getDefiningOp();
  }
  if (!destination || isAfterOwnLoops(destination->getResult(0)))
    return std::nullopt;
  auto fill = insert.getDestination().getDefiningOp<FullOp>();
  return Padding{op,
                 insert.getSource(),
                 fill ? fill.getValue() : Value(),
                 getMixedValues(insert.getStaticOffsets(), insert.getOffsets(), builder),
                 {},
                 {}};
}

/// The padding if its amounts are not constant and its input is computed.
static std::optional<Padding> getCandidate(Operation *op, const ExtentAnalysis &extents) {
  std::optional<Padding> padding = getPadding(op);
  if (!padding || fuser::detail::isScheduled(op) || !isPaddable(padding->input))
    return std::nullopt;
  bool isConstant = true;
  for (unsigned dim = 0, rank = padding->low.size(); dim < rank; ++dim) {
    AffineExpr from = extents.getExtent(padding->input, dim),
               to = extents.getExtent(op->getResult(0), dim);
    if (!from || !to)
      return std::nullopt;
    std::optional<int64_t> low = getConstantIntValue(padding->low[dim]);
    std::optional<int64_t> grown = extents.getConstant(to - from);
    isConstant &= low && grown;
    padding->isPadded.push_back(low != 0 || grown != 0);
  }
  if (isConstant)
    return std::nullopt;
  return padding;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Rewrites a padding of a computed value as a select between the value computed from padded
/// operands and the border.
class OperandPadder {
public:
  explicit OperandPadder(Padding given)
      : padding(std::move(given)), builder(padding.op), loc(padding.op->getLoc()) {}

  void rewrite();

private:
  Value toIndex(OpFoldResult size);
  OpFoldResult getSize(Value tensor, unsigned dim);
  OpFoldResult getResultSize(unsigned dim);
  Value insertOperand(Value value, ArrayRef<bool> isPadded, ArrayRef<int64_t> shape);
  Value pad(Value value, bool isWhole);
  Value padOperand(Value value);
  Value buildIsInside(unsigned dim);

  Padding padding;
  OpBuilder builder;
  Location loc;
  llvm::DenseMap<Value, Value> padded;
};

} // namespace

Value OperandPadder::toIndex(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

OpFoldResult OperandPadder::getSize(Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  Value number = arith::ConstantIndexOp::create(builder, loc, dim);
  return tensor::DimOp::create(builder, loc, tensor, number).getResult();
}

/// The number of elements of the result.
OpFoldResult OperandPadder::getResultSize(unsigned dim) {
  RankedTensorType type = padding.getType();
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  if (auto insert = dyn_cast<InsertSliceOp>(padding.op)) {
    // An insertion into which it inserts may have been rewritten.
    auto fill = insert.getDestination().getDefiningOp<FullOp>();
    return fill ? fill.getSizes()[type.getDynamicDimIndex(dim)]
                : getSize(insert.getDestination(), dim);
  }
  Value size = arith::AddIOp::create(builder, loc, toIndex(padding.low[dim]),
                                     toIndex(getSize(padding.input, dim)));
  return arith::AddIOp::create(builder, loc, size, toIndex(padding.high[dim])).getResult();
}

/// The operand, inserted into 0 in the dimensions that are padded: the insertion keeps the
/// condition that its box is inside of the destination.
Value OperandPadder::insertOperand(Value value, ArrayRef<bool> isPadded, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  SmallVector<Value> sizes, offsets;
  SmallVector<int64_t> staticOffsets;
  for (auto [dim, here] : llvm::enumerate(isPadded)) {
    dispatchIndexOpFoldResult(here ? padding.low[dim] : builder.getIndexAttr(0), offsets,
                              staticOffsets);
    if (ShapedType::isDynamic(shape[dim]))
      sizes.push_back(toIndex(here ? getResultSize(dim) : getSize(value, dim)));
  }
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  Value fill =
      FullOp::create(builder, loc, type, zero, sizes, ArrayAttr(), MemoryAttr(), IntegerAttr());
  return InsertSliceOp::create(builder, loc, type, value, fill, offsets, staticOffsets, ArrayAttr(),
                               MemoryAttr(), IntegerAttr());
}

/// Pads an operand with 0 in the dimensions in which it is not broadcast.
Value OperandPadder::padOperand(Value value) {
  auto from = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(from.getShape()), staticLow, staticHigh;
  SmallVector<Value> low, high;
  SmallVector<bool> isPadded;
  for (unsigned dim = 0, rank = from.getRank(); dim < rank; ++dim) {
    bool isRead = from.getDimSize(dim) != 1 || padding.getInputType().getDimSize(dim) == 1;
    isPadded.push_back(padding.isPadded[dim] && isRead);
    if (isPadded.back())
      shape[dim] = padding.getType().getDimSize(dim);
  }
  if (!llvm::is_contained(isPadded, true))
    return value;
  if (isa<InsertSliceOp>(padding.op))
    return insertOperand(value, isPadded, shape);
  for (auto [dim, here] : llvm::enumerate(isPadded)) {
    OpFoldResult none = builder.getIndexAttr(0);
    dispatchIndexOpFoldResult(here ? padding.low[dim] : none, low, staticLow);
    dispatchIndexOpFoldResult(here ? padding.high[dim] : none, high, staticHigh);
  }
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(from.getElementType()));
  return PadOp::create(builder, loc, from.clone(shape), value, low, high, zero, staticLow,
                       staticHigh, ArrayAttr(), MemoryAttr(), IntegerAttr());
}

Value OperandPadder::pad(Value value, bool isWhole) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  if (Value known = padded.lookup(value))
    return known;
  Value result;
  if (isPaddable(value)) {
    Operation *function = value.getDefiningOp();
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<Value> operands = llvm::map_to_vector(
        function->getOperands(), [&](Value operand) { return pad(operand, false); });
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      bool isRead = size != 1 || padding.getInputType().getDimSize(dim) == 1;
      if (padding.isPadded[dim] && isRead)
        size = padding.getType().getDimSize(dim);
    }
    IRRewriter rewriter(builder);
    result = clonePointwise(rewriter, function, operands,
                            isWhole ? padding.getType().getShape() : ArrayRef<int64_t>(shape));
  } else {
    result = padOperand(value);
  }
  padded.try_emplace(value, result);
  return result;
}

/// True for the indices of the result along `dim` that lie inside the input, as a tensor of size 1
/// in the other dimensions.
Value OperandPadder::buildIsInside(unsigned dim) {
  Type i64 = builder.getI64Type();
  RankedTensorType type = padding.getType();
  auto toInteger = [&](Value index) -> Value {
    return arith::IndexCastOp::create(builder, loc, i64, index);
  };
  Value low = toIndex(padding.low[dim]);
  Value end = arith::AddIOp::create(builder, loc, low, toIndex(getSize(padding.input, dim)));
  Value length;
  if (type.isDynamicDim(dim))
    length = toIndex(getResultSize(dim));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  Value index = buildIndices(builder, loc, RankedTensorType::get(type.getDimSize(dim), i64), zero,
                             length, dim, type.getRank());
  return LogicalAndOp::create(builder, loc, GeOp::create(builder, loc, index, toInteger(low)),
                              LtOp::create(builder, loc, index, toInteger(end)));
}

void OperandPadder::rewrite() {
  RankedTensorType type = padding.getType();
  Value computed = pad(padding.input, true), inside;
  for (auto [dim, isPadded] : llvm::enumerate(padding.isPadded)) {
    if (!isPadded)
      continue;
    Value here = buildIsInside(dim);
    inside = inside ? Value(LogicalAndOp::create(builder, loc, inside, here)) : here;
  }
  Value border;
  if (padding.border) {
    // The border is converted to the element type like the value of a fill.
    SmallVector<int64_t> ones(type.getRank(), 1);
    border = FullOp::create(builder, loc, type.clone(ones), padding.border, ValueRange(),
                            ArrayAttr(), MemoryAttr(), IntegerAttr());
  } else {
    border = cast<InsertSliceOp>(padding.op).getDestination();
  }
  Value chosen = WhereOp::create(builder, loc, inside, computed, border);
  chosen.setType(type);
  padding.op->getResult(0).replaceAllUsesWith(chosen);
  padding.op->erase();
}

namespace {

struct PadOperandsPass : fuser::impl::FuserPadOperandsBase<PadOperandsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = padOperands(getOperation());
    if (failed(count))
      return signalPassFailure();
    numPaddings += *count;
  }
};

} // namespace

FailureOr<unsigned> fuser::padOperands(FusionOp fusion) {
  auto mayBePadding = [](Operation &op) {
    std::optional<Padding> padding = getPadding(&op);
    return padding && isPaddable(padding->input);
  };
  if (llvm::none_of(fusion.getBody().front(), mayBePadding))
    return 0u;
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  // The analysis does not know the ops that the rewrite creates.
  SmallVector<Padding> paddings;
  for (Operation &op : fusion.getBody().front())
    if (std::optional<Padding> padding = getCandidate(&op, *extents))
      paddings.push_back(std::move(*padding));
  unsigned count = paddings.size();
  for (Padding &padding : paddings)
    OperandPadder(std::move(padding)).rewrite();
  // The original producers may be dead now.
  eraseDeadOps(fusion);
  return count;
}
