//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Captured values and sizes.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "ScalarArguments.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
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
         isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

Value Importer::lookup(Value old) {
  if (Value known = map.lookup(old))
    return known;
  return map[old] = capture(old);
}

Value Importer::capture(Value old) {
  Operation *op = old.getDefiningOp();
  if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(op))
    return readScalar(extract);
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
  Type element = getElementTypeOrSelf(old.getType());
  bool fits = type ? element.isSignlessInteger() || isa<FloatType, ComplexType>(element)
                   : bool(getScalarArgumentType(old.getType()));
  if (!fits) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "expected operands that a fusion can take (ranked tensors of signless elements; "
           "scalars of integers up to i64, floats up to f64, complex, index), but got "
        << old.getType();
    return refuse(text);
  }
  Value argument = addArgument(old);
  return type ? argument : narrowScalar(builder, loc, argument, old.getType());
}

BlockArgument Importer::addArgument(Value old) {
  captured.push_back(old);
  bool isTensor = isa<RankedTensorType>(old.getType());
  return fusion.getBody().front().addArgument(
      isTensor ? old.getType() : getScalarArgumentType(old.getType()), old.getLoc());
}

bool Importer::readsTensor(Value old) {
  Operation *op = old.getDefiningOp();
  if (!op || isa<tensor::ExtractOp>(op))
    return op;
  return isScalarComputation(op) && !isa<tensor::DimOp>(op) &&
         llvm::any_of(op->getOperands(), readsTensor);
}

bool Importer::readsFusion(Value old) {
  Operation *op = old.getDefiningOp();
  if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(op)) {
    Value source = map.lookup(extract.getTensor());
    return (source && !isa<BlockArgument>(source)) ||
           llvm::any_of(extract.getIndices(), [&](Value index) { return readsFusion(index); });
  }
  return op && isScalarComputation(op) && !isa<tensor::DimOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return readsFusion(operand); });
}

Value Importer::readScalar(Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  Value table = lookup(extract.getTensor());
  if (!table)
    return {};
  auto type = cast<RankedTensorType>(table.getType());
  if (type.getRank() == 0)
    return table;
  SmallVector<OpFoldResult> offsets;
  for (Value index : extract.getIndices()) {
    if (readsTensor(index))
      return refuse("expected a read at indices that do not depend on data, but got another");
    offsets.push_back(materialize(getIndexExpr(index)));
    if (!offsets.back())
      return {};
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> fixed, ones(type.getRank(), 1);
  dispatchIndexOpFoldResults(offsets, dynamic, fixed);
  Value box = SliceOp::create(builder, loc, RankedTensorType::get(ones, type.getElementType()),
                              table, dynamic, ValueRange(), builder.getDenseI64ArrayAttr(fixed),
                              builder.getDenseI64ArrayAttr(ones), DenseI64ArrayAttr(), {}, {}, {});
  return SqueezeOp::create(builder, loc, box,
                           llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
}

Value Importer::cloneScalar(Value old) {
  Operation *op = old.getDefiningOp();
  if (readsTensor(old)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      Value value = lookup(operand);
      if (!value)
        return {};
      if (value.getType().isIndex())
        value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
      operands.push_back(value);
    }
    std::string why;
    Value value = convertElement(builder, loc, op, operands, why);
    return value ? value : Value(refuse(why));
  }
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
        auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
        std::optional<int64_t> position = dim.getConstantIndex();
        const bool isKnown = type && position && *position >= 0 && *position < type.getRank();
        return isKnown ? getSizeExpr(dim.getSource(), *position) : getSymbol(index, -1);
      })
      .Case([&](arith::AddIOp) { return at(0) + at(1); })
      .Case([&](arith::SubIOp) { return at(0) - at(1); })
      .Case([&](arith::MulIOp) { return at(0) * at(1); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](auto) { return at(0); })
      .Case<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp>([&](auto) {
        APInt divisor;
        if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
            !divisor.isStrictlyPositive())
          return getSymbol(index, -1);
        AffineExpr lhs = at(0);
        uint64_t by = divisor.getZExtValue();
        return isa<arith::RemUIOp>(op)                           ? lhs % by
               : isa<arith::CeilDivUIOp, arith::CeilDivSIOp>(op) ? lhs.ceilDiv(by)
                                                                 : lhs.floorDiv(by);
      })
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
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    AffineExpr product = builder.getAffineConstantExpr(1);
    const SmallVector<ReassociationIndices, 4> groups = collapse.getReassociationIndices();
    for (int64_t merged : groups[dim])
      product = product * getSizeExpr(collapse.getSrc(), merged);
    return product;
  }
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = extract.getDroppedDims();
    for (int64_t of = 0, kept = -1; of < int64_t(dropped.size()); ++of)
      if (!dropped[of] && ++kept == dim)
        return getIndexExpr(extract.getMixedSizes()[of]);
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op);
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    return getSizeExpr(cast.getSource(), dim);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    auto sizes = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    DenseIntElementsAttr constant;
    if (sizes)
      return getIndexExpr(sizes.getElements()[dim]);
    if (matchPattern(reshape.getShape(), m_Constant(&constant)))
      return builder.getAffineConstantExpr(constant.getValues<APInt>()[dim].getSExtValue());
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    if (dim != int64_t(concat.getDim()))
      return getSizeExpr(concat.getInputs().front(), dim);
    AffineExpr sum = builder.getAffineConstantExpr(0);
    for (Value input : concat.getInputs())
      sum = sum + getSizeExpr(input, dim);
    return sum;
  }
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return getIndexExpr(generate.getDynamicExtents()[type.getDynamicDimIndex(dim)]);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return getIndexExpr(splat.getDynamicSizes()[type.getDynamicDimIndex(dim)]);
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return getSizeExpr(operand, dim);
  return getSymbol(tensor, dim);
}

Value fuser::conversion::buildIndexExpr(OpBuilder &builder, Location loc, AffineExpr expr,
                                        ArrayRef<Value> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = buildIndexExpr(builder, loc, binary.getLHS(), symbols),
        rhs = buildIndexExpr(builder, loc, binary.getRHS(), symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mod:
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  default:
    llvm_unreachable("sizes have no dimensions, and leaves are done");
  }
}

/// Clones an op on indices; sizes are not negative, so that it need not be unsigned.
static Value cloneIndexOp(OpBuilder &builder, Operation *op, ArrayRef<Value> operands) {
  auto make = [&](auto type) -> Value {
    return decltype(type)::create(builder, op->getLoc(), operands[0], operands[1]);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::DivUIOp) { return make(arith::DivSIOp()); })
      .Case([&](arith::CeilDivUIOp) { return make(arith::CeilDivSIOp()); })
      .Case([&](arith::RemUIOp) { return make(arith::RemSIOp()); })
      .Case([&](arith::MinUIOp) { return make(arith::MinSIOp()); })
      .Case([&](arith::MaxUIOp) { return make(arith::MaxSIOp()); })
      .Default([](Operation *) { return Value(); });
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
    } else if (Operation *op = old.getDefiningOp();
               op && isScalarComputation(op) && !readsTensor(old)) {
      IRMapping mapping;
      for (Value operand : op->getOperands()) {
        Value inside = lookup(operand);
        if (!inside)
          return {};
        mapping.map(operand, inside);
      }
      value = cloneIndexOp(builder, op, llvm::map_to_vector(op->getOperands(), [&](Value operand) {
                             return mapping.lookup(operand);
                           }));
      if (!value)
        value = builder.clone(*op, mapping)->getResult(cast<OpResult>(old).getResultNumber());
    } else if (readsTensor(old)) {
      // The host reads sizes.
      if (readsFusion(old)) {
        refuse("expected sizes that do not depend on results of the fusion, but got others");
        return {};
      }
      value = addArgument(old);
    } else {
      value = map.lookup(old);
      if (!value)
        value = map[old] = capture(old);
      if (!value)
        return {};
    }
    // The argument itself has the value of what it is narrowed to.
    if (auto narrow = value.getDefiningOp<arith::TruncIOp>();
        narrow && isa<BlockArgument>(narrow.getIn()))
      value = narrow.getIn();
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    values[position] = anyIndex = value;
  }
  for (Value &value : values)
    value = value ? value : anyIndex;
  return buildIndexExpr(builder, loc, expr, values);
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
  // A scalar that is read from a tensor is a tensor of rank 0.
  bool isRead = isa<RankedTensorType>(scalar.getType());
  if (isRead && sizes.empty())
    return scalar;
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
  auto type = RankedTensorType::get(shape, element);
  if (!isRead)
    return FullOp::create(builder, loc, type, scalar, dynamic, {}, {}, {});
  Value one = BroadcastOp::create(builder, loc, scalar,
                                  llvm::to_vector(llvm::seq<int64_t>(0, sizes.size())));
  return one.getType() == type
             ? one
             : Value(ExpandOp::create(builder, loc, type, one, dynamic, {}, {}, {}));
}

bool fuser::conversion::isAssert(Operation *op) {
  return op->getName().getStringRef() == "cf.assert";
}
