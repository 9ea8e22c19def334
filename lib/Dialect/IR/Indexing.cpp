//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Indexing ops: verification and domain mappings.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/IndexingOps.cpp.inc"

Value fuser::detail::buildElementOrZero(OpBuilder &builder, Location loc, Value element,
                                        Value inRange) {
  if (!inRange)
    return element;
  ElementBuilder b(builder, loc, getElementTypeOrSelf(element.getType()));
  return b.select(inRange, element, b.constantLike(element, 0));
}

/// IX1
static LogicalResult verifyDim(Operation *op, int64_t dim, RankedTensorType type) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  return op->emitOpError("expected 'dim' between 0 and ")
         << type.getRank() - 1 << ", but got " << dim;
}

/// IX2: operand and index have one rank.
static LogicalResult verifyRank(Operation *op, RankedTensorType input, RankedTensorType index) {
  if (input.getRank() == index.getRank())
    return success();
  return op->emitOpError("expected an index of rank ")
         << input.getRank() << " like the operand, but got " << index;
}

/// IX2: no dimension of `index` other than `dim` is larger than the operand's.
static LogicalResult verifyNotLarger(Operation *op, RankedTensorType input, RankedTensorType index,
                                     int64_t dim) {
  for (auto [d, size, most] : llvm::enumerate(index.getShape(), input.getShape()))
    if (int64_t(d) != dim && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(most) &&
        size > most)
      return op->emitOpError("expected dimension ")
             << d << " of the index to be at most " << most << ", but got " << size;
  return success();
}

/// Identity, except for sizes that may differ, which have an offset of 0 instead.
static SmallVector<DimMap> mapWithin(RankedTensorType type, RankedTensorType space) {
  auto zero = IntegerAttr::get(IndexType::get(type.getContext()), 0);
  SmallVector<DimMap> maps;
  for (auto [d, size, other] : llvm::enumerate(type.getShape(), space.getShape()))
    maps.push_back(size == other && !ShapedType::isDynamic(size) ? DimMap::mapped(d)
                                                                 : DimMap::resized(d, zero));
  return maps;
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

SmallVector<DimMap> GatherOp::getDimMaps(unsigned operandNumber) {
  if (operandNumber == 1)
    return fuser::detail::getIdentityDimMaps(*this, 1);
  SmallVector<DimMap> maps = mapWithin(getInput().getType(), getIndex().getType());
  maps[getDim()] = DimMap::indirect(1);
  return maps;
}

LogicalResult GatherOp::verify() {
  auto input = getInput().getType();
  auto index = cast<RankedTensorType>(getIndex().getType());
  if (failed(verifyDim(*this, getDim(), input)) || failed(verifyRank(*this, input, index)) ||
      failed(verifyNotLarger(*this, input, index, getDim())) ||
      failed(fuser::detail::verifyResult(*this, index.getShape(), input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// TakeAlongAxisOp
//===----------------------------------------------------------------------===//

SmallVector<DimMap> TakeAlongAxisOp::getDimMaps(unsigned operandNumber) {
  auto type = cast<RankedTensorType>(getOperand(operandNumber).getType());
  auto result = getResult().getType();
  SmallVector<DimMap> maps;
  for (auto [d, size, want] : llvm::enumerate(type.getShape(), result.getShape()))
    maps.push_back(size == 1 && want != 1 ? DimMap::broadcast(d) : DimMap::mapped(d));
  if (operandNumber == 0)
    maps[getDim()] = DimMap::indirect(1);
  return maps;
}

LogicalResult TakeAlongAxisOp::verify() {
  auto input = getInput().getType();
  auto index = cast<RankedTensorType>(getIndex().getType());
  if (failed(verifyDim(*this, getDim(), input)) || failed(verifyRank(*this, input, index)))
    return failure();
  // IX2
  SmallVector<int64_t> shape(index.getShape());
  for (auto [d, size, other] : llvm::enumerate(shape, input.getShape())) {
    if (int64_t(d) == int64_t(getDim()) || other == 1)
      continue;
    if (size != 1 && size != other && !ShapedType::isDynamic(size) && !ShapedType::isDynamic(other))
      return emitOpError("expected dimension ")
             << d << " of the index to be " << other << " or 1, but got " << size;
    if (size == 1 || ShapedType::isDynamic(size))
      size = other;
  }
  if (failed(fuser::detail::verifyResult(*this, shape, input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// IndexSelectOp
//===----------------------------------------------------------------------===//

SmallVector<DimMap> IndexSelectOp::getDimMaps(unsigned operandNumber) {
  const int64_t dim = getDim(), numIndexDims = getIndex().getType().getRank();
  SmallVector<DimMap> maps;
  if (operandNumber == 1) {
    for (int64_t d = 0; d < numIndexDims; ++d)
      maps.push_back(DimMap::mapped(dim + d));
    return maps;
  }
  for (int64_t d = 0, e = getInput().getType().getRank(); d < e; ++d)
    maps.push_back(d == dim  ? DimMap::indirect(1)
                   : d < dim ? DimMap::mapped(d)
                             : DimMap::mapped(d - 1 + numIndexDims));
  return maps;
}

LogicalResult IndexSelectOp::verify() {
  auto input = getInput().getType();
  auto index = cast<RankedTensorType>(getIndex().getType());
  if (failed(verifyDim(*this, getDim(), input)))
    return failure();
  // IX2
  SmallVector<int64_t> shape(input.getShape().take_front(getDim()));
  llvm::append_range(shape, index.getShape());
  llvm::append_range(shape, input.getShape().drop_front(getDim() + 1));
  if (failed(fuser::detail::verifyResult(*this, shape, input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// ScatterOp: over the result's elements, of which each may be any of the source's along `dim`
//===----------------------------------------------------------------------===//

SmallVector<IdKind> ScatterOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> ScatterOp::getDimMaps(unsigned operandNumber) {
  if (operandNumber == 2)
    return fuser::detail::getIdentityDimMaps(*this, 2);
  SmallVector<DimMap> maps =
      mapWithin(cast<RankedTensorType>(getOperand(operandNumber).getType()), getResult().getType());
  maps[getDim()] = DimMap::whole();
  return maps;
}

/// The combination of two elements of one compute type.
static Value combine(ElementBuilder &b, ScatterReduce kind, Value lhs, Value rhs) {
  if (auto complexType = dyn_cast<ComplexType>(b.resultElement)) {
    auto unpack = [&](Value element) -> SmallVector<Value> {
      ElementBuilder::Parts parts = b.unpack(element, complexType.getElementType());
      return {parts.real, parts.imaginary};
    };
    auto how = kind == ScatterReduce::Add ? fuser::detail::ComplexCombination::Sum
                                          : fuser::detail::ComplexCombination::Product;
    SmallVector<Value> combined = fuser::detail::combineComplex(b, unpack(lhs), unpack(rhs), how);
    return b.pack({combined[0], combined[1]});
  }
  switch (kind) {
  case ScatterReduce::Add:
    return b.apply<arith::AddFOp, arith::AddIOp>({lhs, rhs});
  case ScatterReduce::Mul:
    return b.apply<arith::MulFOp, arith::MulIOp>({lhs, rhs});
  case ScatterReduce::Min:
    return b.minimum(lhs, rhs);
  case ScatterReduce::Max:
    return b.maximum(lhs, rhs);
  }
  llvm_unreachable("unknown way to combine");
}

/// Iterates in order over the elements of the source that may have this destination: each replaces
/// the previous value, so that the last one wins, or is combined with it.
SmallVector<Value> ScatterOp::buildElements(OpBuilder &builder, Location loc,
                                            ElementReader &reader) {
  Type i64 = builder.getI64Type(), element = getInput().getType().getElementType();
  std::optional<ScatterReduce> reduce = getReduce();
  ElementBuilder b(builder, loc, element);
  Type compute = reduce ? ElementBuilder::getComputeType(element) : element;
  Value own = arith::IndexCastOp::create(builder, loc, i64, reader.getRootIndex(getDim()));
  Value input = reader.read(2, {}).value;
  const bool rounds = compute != element;
  if (rounds)
    input = b.convertTo(input, compute);
  SmallVector<Value> result = reader.loop(
      reader.getExtent(1, getDim()), input,
      [&](Value at, ValueRange carried) -> SmallVector<Value> {
        ElementReader::Element index = reader.read(1, at);
        Value to = index.value;
        if (to.getType() != i64)
          to = arith::ExtSIOp::create(builder, loc, i64, to);
        Value hit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, to, own);
        if (index.inside)
          hit = arith::AndIOp::create(builder, loc, hit, index.inside);
        ElementReader::Element source = reader.read(0, at, hit);
        Value value = source.value;
        if (reduce)
          value = combine(b, *reduce, carried[0], rounds ? b.convertTo(value, compute) : value);
        return {arith::SelectOp::create(builder, loc, source.inside, value, carried[0])};
      });
  return rounds ? SmallVector<Value>{b.convertTo(result[0], element)} : result;
}

/// Of a scatter or a push.
template <typename Op> static LogicalResult verifyWrites(Op op) {
  auto input = op.getInput().getType(), source = op.getSource().getType();
  auto index = cast<RankedTensorType>(op.getIndex().getType());
  if (failed(verifyDim(op, op.getDim(), input)) || failed(verifyRank(op, input, index)) ||
      failed(verifyNotLarger(op, input, index, op.getDim())))
    return failure();
  // IX2
  if (failed(verifyCompatibleShape(source, index)))
    return op.emitOpError("expected a source of shape [")
           << index.getShape() << "] like the index, but got " << source;
  // IX3
  if (source.getElementType() != input.getElementType())
    return op.emitOpError("expected a source with element type ")
           << input.getElementType() << ", but got " << source.getElementType();
  // IX4
  Type element = input.getElementType();
  const std::optional<ScatterReduce> reduce = op.getReduce();
  bool isSum = reduce == ScatterReduce::Add || reduce == ScatterReduce::Mul;
  if (reduce && !isa<FloatType>(element) && !(isSum && isa<ComplexType>(element)) &&
      !(isa<IntegerType>(element) && !element.isInteger(1)))
    return op.emitOpError(
               "expected floats or integers other than i1 (complex numbers for add and mul) "
               "to combine, but got ")
           << element;
  return fuser::detail::verifyTensorViewOp(op);
}

LogicalResult ScatterOp::verify() { return verifyWrites(*this); }

//===----------------------------------------------------------------------===//
// PushOp: over the source's elements, of which each goes to one of the result's along `dim`
//===----------------------------------------------------------------------===//

SmallVector<IdKind> PushOp::getRootKinds() {
  return llvm::map_to_vector(getSource().getType().getShape(), [](int64_t size) {
    return size == 1 ? IdKind::Broadcast : IdKind::Iteration;
  });
}

SmallVector<DimMap> PushOp::getDimMaps(unsigned operandNumber) {
  if (operandNumber != getUpdatedOperand())
    return fuser::detail::getIdentityDimMaps(*this, operandNumber);
  SmallVector<DimMap> maps = mapWithin(getInput().getType(), getSource().getType());
  maps[getDim()] = DimMap::indirect(1);
  return maps;
}

/// Those of the source: the result has other sizes.
SmallVector<AffineExpr> PushOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                                 function_ref<AffineExpr(Value)>) {
  SmallVector<AffineExpr> extents = operandExtents[0];
  for (auto [extent, ofIndex] : llvm::zip_equal(extents, operandExtents[1]))
    if (!extent || isa_and_present<AffineConstantExpr>(ofIndex))
      extent = ofIndex;
  return extents;
}

unsigned PushOp::getStoredOperand() { return 0; }
unsigned PushOp::getUpdatedOperand() { return 2; }
ScatterReduceAttr PushOp::getCombination() { return getReduceAttr(); }

LogicalResult PushOp::verify() { return verifyWrites(*this); }
