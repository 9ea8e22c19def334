//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// f32 divisions of many numbers by one. The instruction sequence of a division on a GPU has a
// reciprocal and a check of its own for each element, and divides what the check refuses, zeros and
// small numbers included, by a call. Here, elements share the reciprocal, as a sum of two numbers.
//
//===----------------------------------------------------------------------===//

#include "ExpandDivisions.h"
#include "ConstantDivision.h"
#include "fuser/Dialect/IR/ConstantFloats.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// Numbers that are divided by one number before it gets a reciprocal, if that is not before a
/// loop.
static constexpr int64_t kLeastShared = 4;
/// The bits of the exponent of an f32, the sum of those of a divisor and its scale, and the bits of
/// the least scale, 2^-127.
static constexpr int32_t kExponent = 0x7f800000, kSumOfExponents = 253 << 23;
static constexpr int32_t kLeastScale = 1 << 22;
/// The least rest, so that the low part of a reciprocal has the sign of the high one and is not 0.
static constexpr float kLeastRest = 0x1p-60f;

namespace {
/// What is computed once of a divisor, of its type: x / divisor = x * scale * (high + low).
struct SharedDivisor {
  /// A power of two; the scaled divisor is below 1 and at least 1/2, if it is a normal number.
  Value scale;
  /// The reciprocal of the scaled divisor.
  Value high, low;
};

/// Builds ops on f32 and i32 of one shape.
class QuotientBuilder : public OpBuilder {
public:
  QuotientBuilder(const OpBuilder &builder, Location loc, Type type)
      : OpBuilder(builder), loc(loc), shape(dyn_cast<VectorType>(type)) {}

  Type getType(Type element) { return shape ? shape.clone(element) : element; }
  Value constant(float value) {
    return kernel_ir::createConstant(*this, loc, getType(getF32Type()), value);
  }
  Value constantBits(int32_t value) {
    return kernel_ir::createConstant(*this, loc, getType(getI32Type()),
                                     APInt(32, value, /*isSigned=*/true));
  }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(*this, loc, x, y); }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(*this, loc, x, y, z); }
  Value subtractBits(Value x, Value y) { return arith::SubIOp::create(*this, loc, x, y); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(*this, loc, condition, x, y);
  }
  Value toBits(Value x) { return arith::BitcastOp::create(*this, loc, getType(getI32Type()), x); }
  Value toFloat(Value x) { return arith::BitcastOp::create(*this, loc, getType(getF32Type()), x); }

  const Location loc;

private:
  VectorType shape;
};
} // namespace

/// The number that a division is by: of a vector of equal ones, the number itself.
static Value getDivisor(arith::DivFOp op) {
  auto splat = op.getRhs().getDefiningOp<vector::BroadcastOp>();
  return splat && splat.getSource().getType().isF32() ? splat.getSource() : op.getRhs();
}

/// True for a division of f32 of which the reciprocal may be shared. Constants and counts of
/// elements divide few numbers of a thread (a mean), and so do quotients of two numbers in all
/// lanes.
static bool mayShare(arith::DivFOp op) {
  if (!getElementTypeOrSelf(op.getType()).isF32())
    return false;
  Value divisor = getDivisor(op);
  return !matchPattern(divisor, m_Constant()) && !matchPattern(op.getLhs(), m_Constant()) &&
         !isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(divisor.getDefiningOp()) &&
         !op.getLhs().getDefiningOp<vector::BroadcastOp>();
}

static bool isBeforeLoop(Value divisor, arith::DivFOp op) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return loop && !loop->isAncestor(divisor.getParentRegion()->getParentOp());
}

static SharedDivisor buildDivisor(Value divisor, Location loc) {
  OpBuilder after(divisor.getContext());
  after.setInsertionPointAfterValue(divisor);
  QuotientBuilder builder(after, loc, divisor.getType());
  SharedDivisor result;
  Value exponent =
      arith::AndIOp::create(builder, loc, builder.toBits(divisor), builder.constantBits(kExponent));
  result.scale = builder.toFloat(arith::MaxSIOp::create(
      builder, loc, builder.subtractBits(builder.constantBits(kSumOfExponents), exponent),
      builder.constantBits(kLeastScale)));
  Value scaled = builder.multiply(divisor, result.scale);
  Value negated = arith::NegFOp::create(builder, loc, scaled);
  Value approximate = kernel_ir::ApproxOp::create(
      builder, loc, divisor.getType(), kernel_ir::ApproxFunction::Rcp, scaled, /*ftz=*/true);
  Value one = builder.constant(1.0f);
  // r + (1 - s r) r is off by a unit in the last place at most: one less is not above 1 / s.
  Value nearest = builder.fma(builder.fma(negated, approximate, one), approximate, approximate);
  Value high =
      builder.toFloat(builder.subtractBits(builder.toBits(nearest), builder.constantBits(1)));
  Value rest = arith::MaxNumFOp::create(builder, loc, builder.fma(negated, high, one),
                                        builder.constant(kLeastRest));
  Value low = builder.multiply(rest, high);
  // The reciprocal of a zero or an infinity is both parts.
  Value magnitude = math::AbsFOp::create(builder, loc, approximate);
  auto compare = [&](arith::CmpFPredicate predicate, float bound) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, magnitude, builder.constant(bound));
  };
  Value isNumber = arith::AndIOp::create(
      builder, loc, compare(arith::CmpFPredicate::OGT, 0),
      compare(arith::CmpFPredicate::OLT, std::numeric_limits<float>::infinity()));
  result.high = builder.select(isNumber, high, approximate);
  result.low = builder.select(isNumber, low, approximate);
  return result;
}

/// Both parts have one sign, so that the products keep those of zeros and infinities.
static void divideBy(const SharedDivisor &divisor, arith::DivFOp op) {
  QuotientBuilder builder(OpBuilder(op), op.getLoc(), op.getType());
  auto spread = [&](Value value) -> Value {
    return value.getType() == op.getType()
               ? value
               : vector::BroadcastOp::create(builder, op.getLoc(), op.getType(), value).getResult();
  };
  Value dividend = builder.multiply(op.getLhs(), spread(divisor.scale));
  Value rounded = builder.multiply(dividend, spread(divisor.low));
  op.replaceAllUsesWith(builder.fma(dividend, spread(divisor.high), rounded));
  op.erase();
}

void fuser::shareDivisors(gpu::GPUFuncOp function) {
  llvm::MapVector<Value, SmallVector<arith::DivFOp>> divisions;
  function.walk([&](arith::DivFOp op) {
    if (mayShare(op))
      divisions[getDivisor(op)].push_back(op);
  });
  for (auto &[original, ops] : divisions) {
    // What divides may have been a quotient that was rewritten.
    const Value divisor = getDivisor(ops.front());
    auto isInLoop = [&, divisor](arith::DivFOp op) { return isBeforeLoop(divisor, op); };
    int64_t elements = 0;
    for (arith::DivFOp op : ops) {
      auto vector = dyn_cast<VectorType>(op.getType());
      elements += isInLoop(op)                        ? kLeastShared
                  : !vector || divisor == op.getRhs() ? 1
                                                      : vector.getNumElements();
    }
    if (elements < kLeastShared)
      continue;
    const SharedDivisor shared = buildDivisor(divisor, ops.front().getLoc());
    for (arith::DivFOp op : ops)
      divideBy(shared, op);
  }
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// True for integers that follow from sizes of the launch alone.
static bool isOfSizes(Value value) {
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) {
    if (auto argument = dyn_cast<BlockArgument>(values[next])) {
      if (!argument.getType().isIndex() || !isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()))
        return false;
      continue;
    }
    Operation *op = values[next].getDefiningOp();
    if (op->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::TruncIOp,
             arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      return false;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// 1 / count to 2^-52, or a constant. Three steps of Newton's method at once: the approximation is
/// off by 2^-23, and what is left by its third power.
static Value buildReciprocal(Value count, Location loc) {
  OpBuilder builder(count.getContext());
  builder.setInsertionPointAfterValue(count);
  const Type f64 = builder.getF64Type();
  if (std::optional<APFloat> number = getConstantFloat(count))
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(1.0 / number->convertToFloat()));
  auto extend = [&](Value x) -> Value { return arith::ExtFOp::create(builder, loc, f64, x); };
  Value first = extend(kernel_ir::ApproxOp::create(
      builder, loc, count.getType(), kernel_ir::ApproxFunction::Rcp, count, /*ftz=*/true));
  Value wide = extend(count);
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  };
  auto fma = [&](Value x, Value y, Value z) -> Value {
    return math::FmaOp::create(builder, loc, x, y, z);
  };
  Value rest = fma(arith::NegFOp::create(builder, loc, wide), first, constant(1));
  Value reciprocal = fma(first, fma(rest, rest, rest), first);
  // Of no elements, it is infinite.
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, wide, constant(0));
  return arith::SelectOp::create(builder, loc, isZero, first, reciprocal);
}

/// A quotient of two f32 numbers is no closer than 2^-49 to the middle between two others, relative
/// to itself, and the product is off by 2^-51: both are rounded to the same number. Counts that
/// `divideByConstants` divides by, in f32, are left to it.
void fuser::divideByCounts(gpu::GPUFuncOp function) {
  SmallVector<arith::DivFOp> divisions;
  function.walk([&](arith::DivFOp op) {
    auto count = op.getRhs().getDefiningOp<arith::SIToFPOp>();
    if (op.getType().isF32() && count && isOfSizes(count.getIn()) && !splitReciprocal(op) &&
        !matchPattern(op.getLhs(), m_Constant()))
      divisions.push_back(op);
  });
  llvm::DenseMap<Value, Value> reciprocals;
  for (arith::DivFOp op : divisions) {
    const Location loc = op.getLoc();
    Value &reciprocal = reciprocals[op.getRhs()];
    if (!reciprocal)
      reciprocal = buildReciprocal(op.getRhs(), loc);
    OpBuilder builder(op);
    Value wide = arith::ExtFOp::create(builder, loc, reciprocal.getType(), op.getLhs());
    op.replaceAllUsesWith(
        arith::TruncFOp::create(builder, loc, op.getType(),
                                arith::MulFOp::create(builder, loc, wide, reciprocal))
            .getResult());
    op.erase();
  }
}
