//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shape ops: broadcast, expand, squeeze, permute, repeat, full, iota. Boxes (slice, pad, cat,
// insert_slice) are in ShapeBoxes.cpp, reshape is in Reshape.cpp.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ShapeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What shape ops share
//===----------------------------------------------------------------------===//

LogicalResult fuser::detail::verifyAscendingDims(Operation *op, ArrayRef<int64_t> dims,
                                                 int64_t rank) {
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("expected 'dims' between 0 and ") << rank - 1 << ", but got " << dim;
    if (index && dim <= dims[index - 1])
      return op->emitOpError("expected 'dims' in ascending order, but got [") << dims << "]";
  }
  return success();
}

LogicalResult fuser::detail::verifyResult(Operation *op, ArrayRef<int64_t> shape, Type element) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (succeeded(verifyCompatibleShape(shape, result.getShape())) &&
      result.getElementType() == element)
    return success();
  return op->emitOpError("expected a result of type ")
         << RankedTensorType::get(shape, element) << ", but got " << result;
}

LogicalResult fuser::detail::verifyScalar(Operation *op, Value scalar, StringRef name,
                                          Type element) {
  Type type = scalar.getType();
  bool converts = isa<FloatType>(element)     ? isa<FloatType, IntegerType, IndexType>(type)
                  : isa<IntegerType>(element) ? isa<IntegerType, IndexType>(type)
                                              : isa<ComplexType>(element);
  if (converts)
    return success();
  return op->emitOpError("expected '")
         << name << "' to convert to " << element << ", but got " << type;
}

LogicalResult fuser::detail::verifyAmounts(Operation *op, ArrayRef<int64_t> entries,
                                           StringRef name) {
  for (int64_t entry : entries)
    if (!ShapedType::isDynamic(entry) && (entry > kMaxDomainAmount || entry < -kMaxDomainAmount))
      return op->emitOpError("expected '") << name << "' of at most 2^40, but got " << entry;
  return success();
}

LogicalResult fuser::detail::verifyDynamicSizes(Operation *op, ValueRange sizes,
                                                ArrayRef<int64_t> shape, StringRef name) {
  size_t dynamic = llvm::count_if(shape, ShapedType::isDynamic);
  if (sizes.size() == dynamic)
    return success();
  return op->emitOpError("expected ") << dynamic << " values for the dynamic entries of '" << name
                                      << "', but got " << sizes.size();
}

SmallVector<AffineExpr> fuser::detail::getExtentsFromSizes(ArrayRef<int64_t> shape,
                                                           ValueRange sizes,
                                                           function_ref<AffineExpr(Value)> symbolOf,
                                                           MLIRContext *context) {
  unsigned next = 0;
  return llvm::map_to_vector(shape, [&](int64_t size) {
    return ShapedType::isDynamic(size) ? symbolOf(sizes[next++])
                                       : getAffineConstantExpr(size, context);
  });
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

/// The shape with dimensions of size 1 at `dims` (ascending positions in the result).
static SmallVector<int64_t> insertOnes(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> result(shape);
  for (int64_t dim : dims)
    result.insert(result.begin() + std::min<size_t>(dim, result.size()), 1);
  return result;
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Value input,
                        ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(input.getType());
  state.addOperands(input);
  state.addAttribute("dims", builder.getDenseI64ArrayAttr(dims));
  state.addTypes(RankedTensorType::get(insertOnes(type.getShape(), dims), type.getElementType()));
}

SmallVector<IdKind> BroadcastOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> BroadcastOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = getResult().getType().getRank(); dim < rank; ++dim)
    if (!llvm::is_contained(getDims(), dim))
      maps.push_back(DimMap::mapped(dim));
  return maps;
}

LogicalResult BroadcastOp::verify() {
  auto input = getInput().getType(), result = getResult().getType();
  // SH1
  if (failed(fuser::detail::verifyAscendingDims(*this, getDims(), result.getRank())))
    return failure();
  // SH2, SH3
  if (failed(fuser::detail::verifyResult(*this, insertOnes(input.getShape(), getDims()),
                                         input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// ExpandOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> ExpandOp::getRootKinds() {
  SmallVector<IdKind> kinds = fuser::detail::getKindsOfResult(*this);
  for (auto [dim, kind] : llvm::enumerate(kinds))
    if (isExpanded(dim))
      kind = IdKind::Expanded;
  return kinds;
}

SmallVector<DimMap> ExpandOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = operandNumber ? 0 : getInput().getType().getRank(); dim < rank;
       ++dim)
    maps.push_back(isExpanded(dim) ? DimMap::broadcast(dim) : DimMap::mapped(dim));
  return maps;
}

SmallVector<AffineExpr> ExpandOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                                   function_ref<AffineExpr(Value)> symbolOf) {
  SmallVector<AffineExpr> extents;
  unsigned next = 0;
  for (auto [dim, size] : llvm::enumerate(getResult().getType().getShape())) {
    if (!ShapedType::isDynamic(size))
      extents.push_back(getAffineConstantExpr(size, getContext()));
    else
      extents.push_back(isExpanded(dim) ? symbolOf(getSizes()[next++]) : operandExtents[0][dim]);
  }
  return extents;
}

LogicalResult ExpandOp::verify() {
  auto input = getInput().getType(), result = getResult().getType();
  if (input.getRank() != result.getRank())
    return emitOpError("expected a result of rank ")
           << input.getRank() << ", but got " << result.getRank();
  // SH2, SH3
  SmallVector<int64_t> shape(input.getShape()), expanded;
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    if (isExpanded(dim)) {
      shape[dim] = result.getDimSize(dim);
      expanded.push_back(shape[dim]);
    }
  if (failed(fuser::detail::verifyResult(*this, shape, input.getElementType())))
    return failure();
  // SH4
  if (failed(fuser::detail::verifyDynamicSizes(*this, getSizes(), expanded, "sizes")))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// SqueezeOp
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> eraseDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> result;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(dim)))
      result.push_back(size);
  return result;
}

void SqueezeOp::build(OpBuilder &builder, OperationState &state, Value input,
                      ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(input.getType());
  state.addOperands(input);
  state.addAttribute("dims", builder.getDenseI64ArrayAttr(dims));
  state.addTypes(RankedTensorType::get(eraseDims(type.getShape(), dims), type.getElementType()));
}

SmallVector<IdKind> SqueezeOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> SqueezeOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  unsigned next = 0;
  for (int64_t dim = 0, rank = getInput().getType().getRank(); dim < rank; ++dim)
    maps.push_back(llvm::is_contained(getDims(), dim) ? DimMap::broadcast()
                                                      : DimMap::mapped(next++));
  return maps;
}

LogicalResult SqueezeOp::verify() {
  auto input = getInput().getType();
  // SH1
  if (failed(fuser::detail::verifyAscendingDims(*this, getDims(), input.getRank())))
    return failure();
  // SH2
  for (int64_t dim : getDims())
    if (input.getDimSize(dim) != 1)
      return emitOpError("expected dimension ")
             << dim << " of the operand to be of size 1, but got " << input;
  // SH2, SH3
  if (failed(fuser::detail::verifyResult(*this, eraseDims(input.getShape(), getDims()),
                                         input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// PermuteOp
//===----------------------------------------------------------------------===//

void PermuteOp::build(OpBuilder &builder, OperationState &state, Value input,
                      ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(input.getType());
  state.addOperands(input);
  state.addAttribute("permutation", builder.getDenseI64ArrayAttr(permutation));
  SmallVector<int64_t> shape =
      llvm::map_to_vector(permutation, [&](int64_t dim) { return type.getDimSize(dim); });
  state.addTypes(RankedTensorType::get(shape, type.getElementType()));
}

SmallVector<IdKind> PermuteOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }

SmallVector<DimMap> PermuteOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps(getPermutation().size());
  for (auto [resultDim, dim] : llvm::enumerate(getPermutation()))
    maps[dim] = DimMap::mapped(resultDim);
  return maps;
}

LogicalResult PermuteOp::verify() {
  auto input = getInput().getType();
  // SH1
  SmallVector<int64_t> sorted(getPermutation());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, input.getRank())))
    return emitOpError("expected a permutation of the operand's ")
           << input.getRank() << " dimensions, but got [" << getPermutation() << "]";
  // SH2, SH3
  SmallVector<int64_t> shape =
      llvm::map_to_vector(getPermutation(), [&](int64_t dim) { return input.getDimSize(dim); });
  if (failed(fuser::detail::verifyResult(*this, shape, input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// RepeatOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> RepeatOp::getRootKinds() {
  SmallVector<IdKind> kinds;
  for (auto [repeats, size] : llvm::zip(getRepeats(), getInput().getType().getShape())) {
    if (repeats != 1)
      kinds.push_back(IdKind::Expanded);
    kinds.push_back(size == 1 ? IdKind::Broadcast : IdKind::Iteration);
  }
  return kinds;
}

SmallVector<DimMap> RepeatOp::getDimMaps(unsigned operandNumber) {
  SmallVector<DimMap> maps;
  unsigned root = 0;
  for (int64_t repeats : getRepeats()) {
    root += repeats != 1;
    maps.push_back(DimMap::mapped(root++));
  }
  return maps;
}

DomainAttr RepeatOp::getTrivialDomain(unsigned) {
  DomainBuilder builder(getContext(), getRootKinds());
  SmallVector<unsigned> logical;
  unsigned root = 0;
  for (int64_t repeats : getRepeats()) {
    logical.push_back(repeats == 1 ? root : builder.merge(root, root + 1));
    root += repeats == 1 ? 1 : 2;
  }
  if (logical != builder.getLogical())
    builder.setLogical(logical);
  return builder.build();
}

SmallVector<AffineExpr> RepeatOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                                                   function_ref<AffineExpr(Value)>) {
  SmallVector<AffineExpr> extents;
  for (auto [repeats, extent] : llvm::zip(getRepeats(), operandExtents[0])) {
    if (repeats != 1)
      extents.push_back(getAffineConstantExpr(repeats, getContext()));
    extents.push_back(extent);
  }
  return extents;
}

LogicalResult RepeatOp::verify() {
  auto input = getInput().getType();
  // SH2
  if (int64_t(getRepeats().size()) != input.getRank())
    return emitOpError("expected one number of repeats for each of ")
           << input.getRank() << " dimensions, but got " << getRepeats().size();
  if (failed(fuser::detail::verifyAmounts(*this, getRepeats(), "repeats")))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  for (auto [size, repeats] : llvm::zip(shape, getRepeats())) {
    if (repeats < 1)
      return emitOpError("expected at least 1 repeat, but got ") << repeats;
    if (!ShapedType::isDynamic(size) && llvm::MulOverflow(size, repeats, size))
      return emitOpError("expected fewer than 2^63 elements, but got ") << repeats << " repeats";
  }
  // SH2, SH3
  if (failed(fuser::detail::verifyResult(*this, shape, input.getElementType())))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// FullOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> FullOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }
SmallVector<DimMap> FullOp::getDimMaps(unsigned operandNumber) { return {}; }

SmallVector<AffineExpr> FullOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>>,
                                                 function_ref<AffineExpr(Value)> symbolOf) {
  return fuser::detail::getExtentsFromSizes(getResult().getType().getShape(), getSizes(), symbolOf,
                                            getContext());
}

Value FullOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  return b.convert(operands[0], getValue().getType(), b.resultElement);
}

LogicalResult FullOp::verify() {
  auto result = getResult().getType();
  // SH3
  if (failed(fuser::detail::verifyScalar(*this, getValue(), "value", result.getElementType())))
    return failure();
  // SH4
  if (failed(fuser::detail::verifyDynamicSizes(*this, getSizes(), result.getShape(), "sizes")))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

SmallVector<IdKind> IotaOp::getRootKinds() { return fuser::detail::getKindsOfResult(*this); }
SmallVector<DimMap> IotaOp::getDimMaps(unsigned operandNumber) { return {}; }

SmallVector<AffineExpr> IotaOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>>,
                                                 function_ref<AffineExpr(Value)> symbolOf) {
  ValueRange sizes = getOperands().drop_front(2);
  return fuser::detail::getExtentsFromSizes(getResult().getType().getShape(), sizes, symbolOf,
                                            getContext());
}

Value IotaOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  ElementBuilder b(builder, loc, getResult().getType());
  return b.convertTo(operands[0], b.resultElement);
}

Value IotaOp::buildElementAt(OpBuilder &builder, Location loc, ValueRange operands, ArrayRef<Value>,
                             function_ref<Value(unsigned)> rootIndex) {
  ElementBuilder b(builder, loc, getResult().getType());
  SmallVector<Value> x = b.toCompute({operands[0], operands[1], rootIndex(0)});
  Value offset = b.apply<arith::MulFOp, arith::MulIOp>({x[2], b.splatLike(x[2], x[1])});
  Value element = b.apply<arith::AddFOp, arith::AddIOp>({b.splatLike(x[2], x[0]), offset});
  return b.convertTo(element, b.resultElement);
}

LogicalResult IotaOp::verify() {
  auto result = getResult().getType();
  // SH2
  if (result.getRank() != 1)
    return emitOpError("expected a result of rank 1, but got ") << result;
  // SH3
  Type element = result.getElementType();
  if (!isa<FloatType, IntegerType>(element) || element.isInteger(1))
    return emitOpError("expected a float or integer (no i1) element type, but got ") << element;
  if (failed(fuser::detail::verifyScalar(*this, getStart(), "start", element)) ||
      failed(fuser::detail::verifyScalar(*this, getStep(), "step", element)))
    return failure();
  // SH4
  ValueRange sizes = getOperands().drop_front(2);
  if (failed(fuser::detail::verifyDynamicSizes(*this, sizes, result.getShape(), "length")))
    return failure();
  return fuser::detail::verifyTensorViewOp(*this);
}
