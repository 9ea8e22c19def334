//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts element ops of arith and math to pointwise ops on tensors.
//
//===----------------------------------------------------------------------===//

#include "Combiners.h"
#include "ElementImporter.h"
#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Value ElementImporter::convertFloat() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::AddFOp) { return binary<AddOp>(); })
      .Case([&](arith::SubFOp) { return binary<SubOp>(); })
      .Case([&](arith::MulFOp) { return binary<MulOp>(); })
      .Case([&](arith::DivFOp) { return binary<DivOp>(); })
      .Case([&](arith::RemFOp) { return binary<FmodOp>(); })
      .Case([&](arith::NegFOp) { return unary<NegOp>(); })
      .Case([&](arith::MaximumFOp) { return binary<MaximumOp>(); })
      .Case([&](arith::MinimumFOp) { return binary<MinimumOp>(); })
      .Case([&](arith::MaxNumFOp) { return binary<FmaxOp>(); })
      .Case([&](arith::MinNumFOp) { return binary<FminOp>(); })
      .Case([&](arith::CmpFOp compare) { return compareFloats(compare); })
      .Case([&](arith::SelectOp) { return make<WhereOp>(operands[0], operands[1], operands[2]); })
      .Case([&](math::PowFOp) { return binary<PowOp>(); })
      .Case([&](math::Atan2Op) { return binary<Atan2Op>(); })
      .Case([&](math::CopySignOp) { return binary<CopysignOp>(); })
      .Case([&](math::FmaOp) { return make<FmaOp>(operands[0], operands[1], operands[2]); })
      .Case([&](math::FPowIOp power) { return raise(power); })
      .Case([&](math::ClampFOp) { return make<ClampOp>(operands[0], operands[1], operands[2]); })
      .Default([](Operation *) { return Value(); });
}

Value ElementImporter::convertFunction() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return unary<ExpOp>(); })
      .Case([&](math::Exp2Op) { return unary<Exp2Op>(); })
      .Case([&](math::ExpM1Op) { return unary<Expm1Op>(); })
      .Case([&](math::LogOp) { return unary<LogOp>(); })
      .Case([&](math::Log2Op) { return unary<Log2Op>(); })
      .Case([&](math::Log1pOp) { return unary<Log1pOp>(); })
      .Case([&](math::SqrtOp) { return unary<SqrtOp>(); })
      .Case([&](math::RsqrtOp) { return unary<RsqrtOp>(); })
      .Case([&](math::SinOp) { return unary<SinOp>(); })
      .Case([&](math::CosOp) { return unary<CosOp>(); })
      .Case([&](math::TanOp) { return unary<TanOp>(); })
      .Case([&](math::AsinOp) { return unary<AsinOp>(); })
      .Case([&](math::AcosOp) { return unary<AcosOp>(); })
      .Case([&](math::AtanOp) { return unary<AtanOp>(); })
      .Case([&](math::SinhOp) { return unary<SinhOp>(); })
      .Case([&](math::CoshOp) { return unary<CoshOp>(); })
      .Case([&](math::TanhOp) { return unary<TanhOp>(); })
      .Case([&](math::AsinhOp) { return unary<AsinhOp>(); })
      .Case([&](math::AcoshOp) { return unary<AcoshOp>(); })
      .Case([&](math::AtanhOp) { return unary<AtanhOp>(); })
      .Case([&](math::Log10Op) { return unary<Log10Op>(); })
      .Case([&](math::ErfOp) { return unary<ErfOp>(); })
      .Case([&](math::ErfcOp) { return unary<ErfcOp>(); })
      .Case([&](math::CbrtOp) { return unary<CbrtOp>(); })
      .Case([&](math::FloorOp) { return unary<FloorOp>(); })
      .Case([&](math::CeilOp) { return unary<CeilOp>(); })
      .Case([&](math::TruncOp) { return unary<TruncOp>(); })
      .Case([&](math::RoundEvenOp) { return unary<RoundOp>(); })
      .Case([&](math::RoundOp) { return roundHalfAway(operands[0]); })
      .Case<math::AbsFOp, math::AbsIOp>([&](auto) { return unary<AbsOp>(); })
      .Case([&](math::IsNaNOp) { return unary<IsNanOp>(); })
      .Case([&](math::IsInfOp) { return unary<IsInfOp>(); })
      .Case([&](math::IsFiniteOp) { return unary<IsFiniteOp>(); })
      .Default([](Operation *) { return Value(); });
}

Value ElementImporter::convertInteger() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::AddIOp) { return binary<AddOp>(); })
      .Case([&](arith::SubIOp) { return binary<SubOp>(); })
      .Case([&](arith::MulIOp) { return binary<MulOp>(); })
      // Cases that are undefined upstream (division by 0, overflow of the quotient) are defined in
      // fuser.
      .Case([&](arith::DivSIOp) { return binary<TruncDivOp>(); })
      .Case([&](arith::FloorDivSIOp) { return binary<FloorDivOp>(); })
      .Case([&](arith::CeilDivSIOp) { return binary<CeilDivOp>(); })
      .Case([&](arith::RemSIOp) { return binary<FmodOp>(); })
      .Case([&](arith::MaxSIOp) { return binary<MaximumOp>(); })
      .Case([&](arith::MinSIOp) { return binary<MinimumOp>(); })
      .Case([&](arith::MaxUIOp) {
        return flipSign(make<MaximumOp>(flipSign(operands[0]), flipSign(operands[1])));
      })
      .Case([&](arith::MinUIOp) {
        return flipSign(make<MinimumOp>(flipSign(operands[0]), flipSign(operands[1])));
      })
      .Case([&](arith::AndIOp) { return binary<BitwiseAndOp>(); })
      .Case([&](arith::OrIOp) { return binary<BitwiseOrOp>(); })
      .Case([&](arith::XOrIOp) { return binary<BitwiseXorOp>(); })
      .Case([&](arith::ShLIOp) { return binary<ShiftLeftOp>(); })
      .Case([&](arith::ShRSIOp) { return binary<ShiftRightOp>(); })
      .Case([&](arith::ShRUIOp) { return binary<LogicalShiftRightOp>(); })
      .Case([&](arith::CmpIOp compare) { return compareIntegers(compare); })
      .Case([&](math::IPowIOp power) { return raiseInteger(power); })
      .Default([&](Operation *) {
        Value bits = convertBits();
        return bits || !reason.empty() ? bits : convertUnsigned();
      });
}

/// Ops of the complex dialect that take or produce complex numbers.
Value ElementImporter::convertComplex() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](complex::AddOp) { return binary<AddOp>(); })
      .Case([&](complex::SubOp) { return binary<SubOp>(); })
      .Case([&](complex::MulOp) { return binary<MulOp>(); })
      .Case([&](complex::DivOp) { return binary<DivOp>(); })
      .Case([&](complex::PowOp) { return binary<PowOp>(); })
      .Case([&](complex::EqualOp) { return binary<EqOp>(); })
      .Case([&](complex::NotEqualOp) { return binary<NeOp>(); })
      .Case([&](complex::CreateOp) { return binary<ComplexOp>(); })
      .Case([&](complex::ReOp) { return unary<RealOp>(); })
      .Case([&](complex::ImOp) { return unary<ImagOp>(); })
      .Case([&](complex::AbsOp) { return unary<AbsOp>(); })
      .Case([&](complex::AngleOp) { return unary<AngleOp>(); })
      .Case([&](complex::ConjOp) { return unary<ConjOp>(); })
      .Case([&](complex::NegOp) { return unary<NegOp>(); })
      .Case([&](complex::ExpOp) { return unary<ExpOp>(); })
      .Case([&](complex::Expm1Op) { return unary<Expm1Op>(); })
      .Case([&](complex::Log1pOp) { return unary<Log1pOp>(); })
      .Case([&](complex::LogOp) { return unary<LogOp>(); })
      .Case([&](complex::SqrtOp) { return unary<SqrtOp>(); })
      .Case([&](complex::RsqrtOp) { return unary<RsqrtOp>(); })
      .Case([&](complex::SinOp) { return unary<SinOp>(); })
      .Case([&](complex::CosOp) { return unary<CosOp>(); })
      .Case([&](complex::TanOp) { return unary<TanOp>(); })
      .Case([&](complex::TanhOp) { return unary<TanhOp>(); })
      .Default([](Operation *) { return Value(); });
}

// Upstream an i1 is a number of one bit, and true is -1 if it is signed; in fuser it is a bool.
Value ElementImporter::convertBool() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp, arith::SubIOp, arith::XOrIOp>(
          [&](auto) { return binary<BitwiseXorOp>(); })
      .Case<arith::MulIOp, arith::AndIOp, arith::MaxSIOp, arith::MinUIOp>(
          [&](auto) { return binary<BitwiseAndOp>(); })
      .Case<arith::OrIOp, arith::MinSIOp, arith::MaxUIOp>(
          [&](auto) { return binary<BitwiseOrOp>(); })
      .Case([&](arith::CmpIOp compare) { return compareIntegers(compare); })
      .Default([](Operation *) { return Value(); });
}

Value ElementImporter::convertCast() {
  Type to = convertElementType(getElementTypeOrSelf(op->getResult(0).getType()));
  Value input = operands[0];
  auto cast = [&](Value value) { return make<CastOp>(to, value); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::TruncFOp narrow) {
        auto mode = narrow.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
        if (mode == arith::RoundingMode::to_nearest_even)
          return cast(input);
        return refuse("expected rounding to_nearest_even, but got " +
                      arith::stringifyRoundingMode(mode));
      })
      .Case<arith::ExtFOp, arith::FPToSIOp>([&](auto) { return cast(input); })
      .Case<arith::ExtSIOp, arith::SIToFPOp>(
          [&](auto) { return isBool() ? make<NegOp>(cast(input)) : cast(input); })
      .Case([&](arith::ExtUIOp) { return isBool() ? cast(input) : extend(input, to); })
      .Case([&](arith::TruncIOp) {
        // A truncation to i1 takes the lowest bit, whereas a cast tests whether any bit is set.
        return to.isInteger(1) ? cast(make<BitwiseAndOp>(input, constant(operandType(), 1)))
                               : cast(input);
      })
      .Case([&](arith::UIToFPOp) { return unsignedToFloat(input, to); })
      .Case([&](arith::FPToUIOp) { return floatToUnsigned(input, cast_or_null<IntegerType>(to)); })
      .Case([&](arith::IndexCastOp) {
        return getElementTypeOrSelf(input.getType()) == to ? input : cast(input);
      })
      .Case([&](arith::IndexCastUIOp) {
        if (isBool() || getElementTypeOrSelf(input.getType()) == to)
          return isBool() ? cast(input) : input;
        return convertElementType(operandType()).getIntOrFloatBitWidth() <
                       to.getIntOrFloatBitWidth()
                   ? extend(input, to)
                   : cast(input);
      })
      .Case([&](arith::BitcastOp) { return make<BitcastOp>(to, input); })
      .Default([](Operation *) { return Value(); });
}

Value ElementImporter::isUnordered() {
  Value result;
  for (Value operand : operands) {
    // x != x
    Value test = isa<RankedTensorType>(operand.getType()) ? make<NeOp>(operand, operand) : Value();
    if (!test) {
      Value scalar =
          arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, operand, operand);
      result = result ? make<LogicalOrOp>(result, scalar) : scalar;
      continue;
    }
    result = result ? make<LogicalOrOp>(result, test) : test;
  }
  return result;
}

Value ElementImporter::compareFloats(arith::CmpFOp compare) {
  using P = arith::CmpFPredicate;
  switch (compare.getPredicate()) {
  case P::OEQ:
    return binary<EqOp>();
  case P::OGT:
    return binary<GtOp>();
  case P::OGE:
    return binary<GeOp>();
  case P::OLT:
    return binary<LtOp>();
  case P::OLE:
    return binary<LeOp>();
  case P::UNE:
    return binary<NeOp>();
  case P::ONE:
    return make<LogicalOrOp>(binary<LtOp>(), binary<GtOp>());
  // An unordered test is the negation of the opposite ordered test.
  case P::UEQ:
    return isNot(make<LogicalOrOp>(binary<LtOp>(), binary<GtOp>()));
  case P::UGT:
    return isNot(binary<LeOp>());
  case P::UGE:
    return isNot(binary<LtOp>());
  case P::ULT:
    return isNot(binary<GeOp>());
  case P::ULE:
    return isNot(binary<GtOp>());
  case P::UNO:
    return isUnordered();
  case P::ORD:
    return isNot(isUnordered());
  // No number is less than itself, and no NaN.
  case P::AlwaysFalse:
    return make<LtOp>(getTensor(), getTensor());
  case P::AlwaysTrue:
    return isNot(make<LtOp>(getTensor(), getTensor()));
  }
  llvm_unreachable("unknown predicate");
}

Value ElementImporter::flipSign(Value value) {
  return fuser::conversion::flipSign(builder, loc, value);
}

Value ElementImporter::compareIntegers(arith::CmpIOp compare) {
  using P = arith::CmpIPredicate;
  Value lhs = operands[0], rhs = operands[1];
  P predicate = compare.getPredicate();
  bool isUnsigned =
      predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
  if (predicate == P::eq)
    return binary<EqOp>();
  if (predicate == P::ne)
    return binary<NeOp>();
  if (isBool()) {
    // In fuser false is less than true; a signed bit has the opposite order.
    if (!isUnsigned)
      std::swap(lhs, rhs);
  } else if (isUnsigned) {
    lhs = flipSign(lhs);
    rhs = flipSign(rhs);
  }
  switch (predicate) {
  case P::slt:
  case P::ult:
    return make<LtOp>(lhs, rhs);
  case P::sle:
  case P::ule:
    return make<LeOp>(lhs, rhs);
  case P::sgt:
  case P::ugt:
    return make<GtOp>(lhs, rhs);
  default:
    return make<GeOp>(lhs, rhs);
  }
}

Value ElementImporter::roundHalfAway(Value x) {
  // x - trunc(x) is exact.
  Type type = operandType();
  Value half = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 0.5));
  Value whole = make<TruncOp>(x), fraction = make<AbsOp>(Value(make<SubOp>(x, whole)));
  Value away = make<AddOp>(whole, Value(make<SignOp>(x)));
  return make<WhereOp>(Value(make<GeOp>(fraction, half)), away, whole);
}

Value ElementImporter::raise(math::FPowIOp power) {
  APInt exponent;
  Type type = operandType(), compute = type.isF64() ? type : builder.getF32Type();
  if (matchPattern(power.getRhs(), m_ConstantInt(&exponent))) {
    int64_t n = exponent.getSExtValue();
    if (n == 2)
      return make<MulOp>(operands[0], operands[0]);
    if (n == 1)
      return operands[0];
    if (std::abs(n) <= (1 << 11)) { // what f16 holds exactly
      Value value = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, n));
      return make<PowOp>(operands[0], value);
    }
  }
  // Half types hold too few exponents.
  Value base = toFloat(operands[0], compute), value = toFloat(operands[1], compute);
  Value result = make<PowOp>(base, value);
  return type == compute ? result : make<CastOp>(type, result);
}

Value fuser::conversion::convertElement(OpBuilder &builder, Location loc, Operation *op,
                                        ValueRange operands, std::string &reason) {
  reason.clear();
  if (op->getNumResults() != 1 || operands.empty() ||
      llvm::none_of(operands, [](Value value) { return isa<RankedTensorType>(value.getType()); })) {
    reason = "it has no conversion";
    return {};
  }
  ElementImporter importer{builder, loc, op, operands, reason};
  if (isa_and_nonnull<complex::ComplexDialect>(op->getDialect())) {
    Value result = importer.convertComplex();
    if (!result)
      reason = ("'" + op->getName().getStringRef() + "' has no counterpart").str();
    return result;
  }
  Value result = importer.convertCast();
  if (!result && reason.empty())
    result = importer.convertFunction();
  if (!result && reason.empty() && isa<arith::SelectOp>(op))
    result = importer.convertFloat();
  else if (!result && reason.empty() && importer.isBool())
    result = importer.convertBool();
  else if (!result && reason.empty() && importer.operandType().isIntOrIndex())
    result = importer.convertInteger();
  else if (!result && reason.empty())
    result = importer.convertFloat();
  if (!result && reason.empty())
    reason = ("'" + op->getName().getStringRef() + "' has no counterpart").str();
  return result;
}
