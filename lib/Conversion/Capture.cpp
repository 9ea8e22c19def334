//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Captured values and sizes.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Type fuser::conversion::convertElementType(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
}

bool fuser::conversion::isScalarComputation(Operation *op) {
  if (isa<tensor::DimOp>(op))
    return true;
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect, affine::AffineDialect>(
             op->getDialect()) &&
         isPure(op) && op->getNumRegions() == 0 && llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

Value Importer::lookup(Value old) {
  if (Value known = map.lookup(old))
    return known;
  return map[old] = capture(old);
}

Value Importer::capture(Value old) {
  Operation *op = old.getDefiningOp();
  if (op && isScalarComputation(op))
    return cloneScalar(old);
  if (op && isa<tensor::EmptyOp>(op))
    return refuse("it reads a tensor without values (tensor.empty)");
  auto type = dyn_cast<RankedTensorType>(old.getType());
  if (type)
    if (Value value = getFillValue(old)) {
      SmallVector<AffineExpr> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(getSizeExpr(old, dim));
      return makeFull(value, sizes, type.getElementType());
    }
  Type scalar = getElementTypeOrSelf(old.getType());
  bool fits = type ? scalar.isSignlessInteger() || isa<FloatType, ComplexType>(scalar)
                   : scalar.isInteger(1) || scalar.isInteger(64) || scalar.isF32() ||
                         scalar.isF64() || isa<ComplexType, IndexType>(scalar);
  if (!fits) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "expected operands that a fusion can take (ranked tensors of signless elements; "
           "scalars of i1, i64, f32, f64, complex, index), but got "
        << old.getType();
    return refuse(text);
  }
  captured.push_back(old);
  return fusion.getBody().front().addArgument(old.getType(), old.getLoc());
}

Value Importer::cloneScalar(Value old) {
  Operation *op = old.getDefiningOp();
  if (old.getType().isIndex())
    return materializeValue(getIndexExpr(old));
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return materializeValue(getIndexExpr(old));
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value value = lookup(operand);
    if (!value)
      return {};
    mapping.map(operand, value);
  }
  return builder.clone(*op, mapping)->getResult(cast<OpResult>(old).getResultNumber());
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

AffineExpr Importer::getSymbol(Value value, int64_t dim) {
  symbols.insert({value, dim});
  auto position = llvm::find(symbols, std::pair(value, dim)) - symbols.begin();
  return getAffineSymbolExpr(position, builder.getContext());
}

AffineExpr Importer::getIndexExpr(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return builder.getAffineConstantExpr(*constant);
  return getIndexExpr(cast<Value>(index));
}

AffineExpr Importer::getIndexExpr(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return builder.getAffineConstantExpr(constant.getSExtValue());
  Operation *op = index.getDefiningOp();
  if (!op)
    return getSymbol(index, -1);
  auto at = [&](unsigned operand) { return getIndexExpr(op->getOperand(operand)); };
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](tensor::DimOp dim) {
        std::optional<int64_t> position = dim.getConstantIndex();
        return position ? getSizeExpr(dim.getSource(), *position) : getSymbol(index, -1);
      })
      .Case([&](arith::AddIOp) { return at(0) + at(1); })
      .Case([&](arith::SubIOp) { return at(0) - at(1); })
      .Case([&](arith::MulIOp) { return at(0) * at(1); })
      .Case([&](arith::IndexCastOp) { return at(0); })
      .Case([&](affine::AffineApplyOp apply) {
        SmallVector<AffineExpr> operands;
        for (Value operand : apply.getMapOperands())
          operands.push_back(getIndexExpr(operand));
        unsigned dims = apply.getAffineMap().getNumDims();
        return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(
            ArrayRef(operands).take_front(dims), ArrayRef(operands).drop_front(dims));
      })
      .Default([&](Operation *) { return getSymbol(index, -1); });
}

AffineExpr Importer::getSizeExpr(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return builder.getAffineConstantExpr(type.getDimSize(dim));
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return getSymbol(tensor, dim);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return getIndexExpr(empty.getDynamicSize(dim));
  if (auto structured = dyn_cast<DestinationStyleOpInterface>(op))
    return getSizeExpr(structured.getTiedOpOperand(cast<OpResult>(tensor))->get(), dim);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return getSizeExpr(pad.getSource(), dim) + getIndexExpr(pad.getMixedLowPad()[dim]) +
           getIndexExpr(pad.getMixedHighPad()[dim]);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return getSizeExpr(insert.getDest(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return getIndexExpr(expand.getMixedOutputShape()[dim]);
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return getSizeExpr(operand, dim);
  return getSymbol(tensor, dim);
}

OpFoldResult Importer::materialize(AffineExpr expr) {
  expr = simplifyAffineExpr(expr, 0, symbols.size());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return builder.getIndexAttr(constant.getValue());
  // Only capture the symbols that the expression uses.
  SmallVector<Value> values(symbols.size());
  Value anyIndex;
  for (auto [position, symbol] :
       llvm::enumerate(SmallVector<std::pair<Value, int64_t>>(symbols.begin(), symbols.end()))) {
    if (!expr.isFunctionOfSymbol(position))
      continue;
    auto [old, dim] = symbol;
    Value value;
    if (dim >= 0) {
      Value tensor = lookup(old);
      if (!tensor)
        return {};
      value = tensor::DimOp::create(builder, loc, tensor, dim);
    } else if (Operation *op = old.getDefiningOp(); op && isScalarComputation(op)) {
      IRMapping mapping;
      for (Value operand : op->getOperands()) {
        Value inside = lookup(operand);
        if (!inside)
          return {};
        mapping.map(operand, inside);
      }
      value = builder.clone(*op, mapping)->getResult(cast<OpResult>(old).getResultNumber());
    } else {
      value = map.lookup(old);
      if (!value)
        value = map[old] = capture(old);
      if (!value)
        return {};
    }
    values[position] = anyIndex = value;
  }
  for (Value &value : values)
    value = value ? value : anyIndex;
  return affine::expandAffineExpr(builder, loc, expr, {}, values);
}

Value Importer::materializeValue(AffineExpr expr) {
  OpFoldResult size = materialize(expr);
  if (!size)
    return {};
  if (auto constant = dyn_cast<Attribute>(size))
    return arith::ConstantIndexOp::create(builder, loc, cast<IntegerAttr>(constant).getInt());
  return cast<Value>(size);
}

//===----------------------------------------------------------------------===//
// Uniform tensors
//===----------------------------------------------------------------------===//

/// The element of a uniform constant; else null.
static TypedAttr getUniformElement(ElementsAttr elements) {
  Type type = elements.getElementType();
  if (auto splat = dyn_cast<SplatElementsAttr>(elements))
    return dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return {};
  ArrayRef<char> bytes = blob->getData();
  size_t width = type.getIntOrFloatBitWidth() / 8;
  if (bytes.size() < width || bytes.size() != width * elements.getNumElements() ||
      bytes.drop_front(width) != bytes.drop_back(width))
    return {};
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), width);
  APInt value(width * 8, bits);
  if (auto floats = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat(floats.getFloatSemantics(), value));
  return IntegerAttr::get(type, value);
}

TypedAttr Importer::getUniformConstant(Value old) {
  TypedAttr constant;
  if (auto fill = old.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  else if (auto splat = old.getDefiningOp<tensor::SplatOp>())
    matchPattern(splat.getInput(), m_Constant(&constant));
  else if (ElementsAttr elements; matchPattern(old, m_Constant(&elements)))
    constant = getUniformElement(elements);
  return constant;
}

Value Importer::getFillValue(Value old) {
  if (TypedAttr constant = getUniformConstant(old))
    return makeScalar(constant);
  if (auto fill = old.getDefiningOp<linalg::FillOp>();
      fill && fill.getInputs()[0].getType() == getElementTypeOrSelf(old.getType()))
    return lookup(fill.getInputs()[0]);
  if (auto splat = old.getDefiningOp<tensor::SplatOp>())
    return lookup(splat.getInput());
  return {};
}

Value Importer::makeScalar(TypedAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

Value Importer::makeFull(Value scalar, ArrayRef<AffineExpr> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (AffineExpr size : sizes) {
    OpFoldResult value = materialize(size);
    if (!value)
      return {};
    std::optional<int64_t> constant = getConstantIntValue(value);
    shape.push_back(constant.value_or(ShapedType::kDynamic));
    if (!constant)
      dynamic.push_back(cast<Value>(value));
  }
  return FullOp::create(builder, loc, RankedTensorType::get(shape, element), scalar, dynamic, {},
                        {}, {});
}
