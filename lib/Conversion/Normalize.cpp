//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replaces ops without a counterpart by ops that have one, on scalars, tensors and in bodies: those
// of the index dialect, ops with two results, integer powers.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace {

/// Builds the ops that replace one op.
struct Normalizer {
  explicit Normalizer(Operation *op) : op(op), builder(op), loc(op->getLoc()) {}

  /// The values that replace the op's results; none if the op stays.
  SmallVector<Value> run();

private:
  template <typename OpT, typename... Args> Value make(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }
  template <typename OpT> Value binary() { return make<OpT>(op->getOperand(0), op->getOperand(1)); }
  template <typename OpT> Value cast() {
    return make<OpT>(op->getResult(0).getType(), op->getOperand(0));
  }
  /// The constant of the type of `like`.
  Value constant(Value like, const APInt &value);
  Value constant(Value like, int64_t value) {
    unsigned width = getElementTypeOrSelf(like).getIntOrFloatBitWidth();
    return constant(like, APInt(64, value, /*isSigned=*/true).sextOrTrunc(width));
  }
  /// The type of `like` with integers of `width` bits.
  static Type withWidth(Value like, unsigned width);

  Value convertIndexOp();
  Value compareIndices(index::CmpOp compare);
  SmallVector<Value> addExtended();
  SmallVector<Value> multiplyExtended(bool isSigned);
  /// The upper half of the product of unsigned integers of 64 bits.
  Value multiplyHigh(Value lhs, Value rhs);
  Value raise(math::IPowIOp power);
  Value isNormal();

  Operation *op;
  OpBuilder builder;
  Location loc;
};

} // namespace

Value Normalizer::constant(Value like, const APInt &value) {
  Type element = getElementTypeOrSelf(like);
  TypedAttr attr = builder.getIntegerAttr(element, value);
  auto type = dyn_cast<RankedTensorType>(like.getType());
  if (type && type.hasStaticShape())
    attr = DenseElementsAttr::get(type, value);
  Value scalar = make<arith::ConstantOp>(attr);
  if (!type || type.hasStaticShape())
    return scalar;
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(make<tensor::DimOp>(like, dim));
  return make<tensor::SplatOp>(scalar, type, sizes);
}

Type Normalizer::withWidth(Value like, unsigned width) {
  Type element = IntegerType::get(like.getContext(), width);
  auto type = dyn_cast<RankedTensorType>(like.getType());
  return type ? Type(type.clone(element)) : element;
}

Value Normalizer::compareIndices(index::CmpOp compare) {
  StringRef name = index::stringifyIndexCmpPredicate(compare.getPred());
  return make<arith::CmpIOp>(*arith::symbolizeCmpIPredicate(name), compare.getLhs(),
                             compare.getRhs());
}

Value Normalizer::convertIndexOp() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](index::AddOp) { return binary<arith::AddIOp>(); })
      .Case([&](index::SubOp) { return binary<arith::SubIOp>(); })
      .Case([&](index::MulOp) { return binary<arith::MulIOp>(); })
      .Case([&](index::DivSOp) { return binary<arith::DivSIOp>(); })
      .Case([&](index::DivUOp) { return binary<arith::DivUIOp>(); })
      .Case([&](index::CeilDivSOp) { return binary<arith::CeilDivSIOp>(); })
      .Case([&](index::CeilDivUOp) { return binary<arith::CeilDivUIOp>(); })
      .Case([&](index::FloorDivSOp) { return binary<arith::FloorDivSIOp>(); })
      .Case([&](index::RemSOp) { return binary<arith::RemSIOp>(); })
      .Case([&](index::RemUOp) { return binary<arith::RemUIOp>(); })
      .Case([&](index::MaxSOp) { return binary<arith::MaxSIOp>(); })
      .Case([&](index::MaxUOp) { return binary<arith::MaxUIOp>(); })
      .Case([&](index::MinSOp) { return binary<arith::MinSIOp>(); })
      .Case([&](index::MinUOp) { return binary<arith::MinUIOp>(); })
      .Case([&](index::ShlOp) { return binary<arith::ShLIOp>(); })
      .Case([&](index::ShrSOp) { return binary<arith::ShRSIOp>(); })
      .Case([&](index::ShrUOp) { return binary<arith::ShRUIOp>(); })
      .Case([&](index::AndOp) { return binary<arith::AndIOp>(); })
      .Case([&](index::OrOp) { return binary<arith::OrIOp>(); })
      .Case([&](index::XOrOp) { return binary<arith::XOrIOp>(); })
      .Case([&](index::CastSOp) { return cast<arith::IndexCastOp>(); })
      .Case([&](index::CastUOp) { return cast<arith::IndexCastUIOp>(); })
      .Case([&](index::CmpOp compare) { return compareIndices(compare); })
      .Case([&](index::ConstantOp index) {
        return make<arith::ConstantIndexOp>(index.getValue().getSExtValue());
      })
      .Case([&](index::BoolConstantOp value) {
        return make<arith::ConstantOp>(builder.getBoolAttr(value.getValue()));
      })
      .Default([](Operation *) { return Value(); });
}

SmallVector<Value> Normalizer::addExtended() {
  Value sum = binary<arith::AddIOp>();
  // It is less than a summand if it has overflowed.
  return {sum, make<arith::CmpIOp>(arith::CmpIPredicate::ult, sum, op->getOperand(0))};
}

Value Normalizer::multiplyHigh(Value lhs, Value rhs) {
  Value half = constant(lhs, 32), mask = constant(lhs, APInt::getLowBitsSet(64, 32));
  auto low = [&](Value value) { return make<arith::AndIOp>(value, mask); };
  auto high = [&](Value value) { return make<arith::ShRUIOp>(value, half); };
  auto multiply = [&](Value a, Value b) { return make<arith::MulIOp>(a, b); };
  auto add = [&](Value a, Value b) { return make<arith::AddIOp>(a, b); };
  Value middle = add(multiply(high(lhs), low(rhs)), high(multiply(low(lhs), low(rhs))));
  Value other = add(multiply(low(lhs), high(rhs)), low(middle));
  return add(multiply(high(lhs), high(rhs)), add(high(middle), high(other)));
}

SmallVector<Value> Normalizer::multiplyExtended(bool isSigned) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1), low = binary<arith::MulIOp>();
  unsigned width = getElementTypeOrSelf(lhs).getIntOrFloatBitWidth();
  if (width > 64)
    return {};
  if (width <= 32) {
    Type wide = withWidth(lhs, 2 * width);
    auto extend = [&](Value value) {
      return isSigned ? make<arith::ExtSIOp>(wide, value) : make<arith::ExtUIOp>(wide, value);
    };
    Value product = make<arith::MulIOp>(extend(lhs), extend(rhs));
    Value high = make<arith::ShRUIOp>(product, constant(product, width));
    return {low, make<arith::TruncIOp>(lhs.getType(), high)};
  }
  if (width != 64)
    return {};
  Value high = multiplyHigh(lhs, rhs);
  // As unsigned numbers, negative ones are 2^64 too large.
  if (isSigned)
    for (auto [number, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      Value sign = make<arith::ShRSIOp>(number, constant(number, 63));
      high = make<arith::SubIOp>(high, make<arith::AndIOp>(sign, other));
    }
  return {low, high};
}

/// By squares, for each bit of the exponent. Negative exponents give the quotient of 1 and the
/// power, rounded to 0.
Value Normalizer::raise(math::IPowIOp power) {
  Value base = power.getLhs(), exponent = power.getRhs();
  APInt known;
  unsigned width = getElementTypeOrSelf(base).getIntOrFloatBitWidth();
  if (width < 8 || width > 64 ||
      (matchPattern(exponent, m_ConstantInt(&known)) && !known.isNegative())) // converted as it is
    return {};
  using P = arith::CmpIPredicate;
  Value zero = constant(base, 0), one = constant(base, 1), result = one, square = base, isOdd;
  for (unsigned bit = 0; bit + 1 < width; ++bit) {
    Value digit = make<arith::AndIOp>(exponent, constant(base, APInt::getOneBitSet(width, bit)));
    Value isSet = make<arith::CmpIOp>(P::ne, digit, zero);
    isOdd = isOdd ? isOdd : isSet;
    result = make<arith::SelectOp>(isSet, make<arith::MulIOp>(result, square), result);
    if (bit + 2 < width)
      square = make<arith::MulIOp>(square, square);
  }
  Value minusOne = constant(base, -1);
  Value isUnit = make<arith::CmpIOp>(P::eq, base, one),
        isMinusOne = make<arith::CmpIOp>(P::eq, base, minusOne);
  Value sign = make<arith::SelectOp>(isOdd, minusOne, one);
  Value inverse = make<arith::SelectOp>(isMinusOne, sign, make<arith::SelectOp>(isUnit, one, zero));
  return make<arith::SelectOp>(make<arith::CmpIOp>(P::slt, exponent, zero), inverse, result);
}

/// Neither 0 nor subnormal, infinite or NaN: the bits of the exponent are neither all 0 nor all 1.
Value Normalizer::isNormal() {
  Value number = op->getOperand(0);
  auto type = llvm::cast<FloatType>(getElementTypeOrSelf(number));
  unsigned width = type.getWidth(), fraction = type.getFPMantissaWidth() - 1;
  if (!type.isF16() && !type.isBF16() && !type.isF32() && !type.isF64())
    return {};
  Value bits = make<arith::BitcastOp>(withWidth(number, width), number);
  Value exponent =
      make<arith::AndIOp>(bits, constant(bits, APInt::getBitsSet(width, fraction, width - 1)));
  Value isSome = make<arith::CmpIOp>(arith::CmpIPredicate::ne, exponent, constant(bits, 0));
  Value isFinite =
      make<arith::CmpIOp>(arith::CmpIPredicate::ne, exponent,
                          constant(bits, APInt::getBitsSet(width, fraction, width - 1)));
  return make<arith::AndIOp>(isSome, isFinite);
}

SmallVector<Value> Normalizer::run() {
  auto one = [](Value value) { return value ? SmallVector<Value>{value} : SmallVector<Value>(); };
  if (isa_and_nonnull<index::IndexDialect>(op->getDialect()))
    return one(convertIndexOp());
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case([&](arith::AddUIExtendedOp) { return addExtended(); })
      .Case([&](arith::MulSIExtendedOp) { return multiplyExtended(/*isSigned=*/true); })
      .Case([&](arith::MulUIExtendedOp) { return multiplyExtended(/*isSigned=*/false); })
      .Case([&](math::SincosOp) {
        return SmallVector<Value>{make<math::SinOp>(op->getOperand(0)),
                                  make<math::CosOp>(op->getOperand(0))};
      })
      .Case([&](math::IPowIOp power) { return one(raise(power)); })
      .Case([&](math::IsNormalOp) { return one(isNormal()); })
      .Case([&](tensor::RankOp rank) {
        auto type = dyn_cast<RankedTensorType>(rank.getTensor().getType());
        return one(type ? make<arith::ConstantIndexOp>(type.getRank()) : Value());
      })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

void fuser::conversion::normalizeOps(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (!isa_and_nonnull<index::IndexDialect, arith::ArithDialect, math::MathDialect,
                         tensor::TensorDialect>(op->getDialect()))
      continue;
    SmallVector<Value> values = Normalizer(op).run();
    if (values.empty())
      continue;
    op->replaceAllUsesWith(values);
    op->erase();
  }
}
