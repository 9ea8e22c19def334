//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exact f32 divisions of many numbers by one. The instruction sequence of a division on a GPU has a
// reciprocal and a check of its own for each element, and divides what the check refuses, zeros
// included, by a call. Here, elements of a vector share the check, and all share the reciprocal.
//
//===----------------------------------------------------------------------===//

#include "ExpandDivisions.h"
#include "fuser/Dialect/IR/RareOps.h"
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
/// Vectors that one number divides outside of loops, both versions of an unswitched loop counted:
/// the branches of more, most of which are not taken, would make code long that is executed once.
static constexpr size_t kMostInLongCode = 12;

/// Magnitudes between which a quotient is exact if it is finite. The least is the same for both
/// sides: no reciprocal is infinite, the rests of a division (2^-47 of a dividend) are exact, and
/// quotients are normal numbers.
static constexpr float kLeast = 0x1p-100f, kGreatestDivisor = 0x1p20f;
/// Twice the bits of kLeast, less 1. Of 0 this is the greatest unsigned number, and of a number in
/// range at least as much as of kLeast, whatever its sign.
static constexpr int64_t kKeyOfLeast = 2 * (int64_t(127 - 100) << 23) - 1;

namespace {
/// What is computed once of a divisor, of its type.
struct SharedDivisor {
  /// Its magnitude, and the negated reciprocal of that.
  Value magnitude, reciprocal;
  /// The bit of its sign, as integers.
  Value sign;
  /// Whether all of its elements are in range: i1.
  Value isInRange;
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
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(*this, loc, x, y, z); }
  Value toBits(Value x) { return arith::BitcastOp::create(*this, loc, getType(getI32Type()), x); }
  Value toFloat(Value x) { return arith::BitcastOp::create(*this, loc, getType(getF32Type()), x); }
  /// Combines all elements.
  template <typename Op> Value reduce(Value value) {
    if (!shape)
      return value;
    Value result;
    for (int64_t lane = 0; lane < shape.getNumElements(); ++lane) {
      Value element = vector::ExtractOp::create(*this, loc, value, lane);
      result = result ? Op::create(*this, loc, result, element).getResult() : element;
    }
    return result;
  }

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

/// True for a division of a vector of f32 of which the reciprocal may be worth its check. Constants
/// and counts of elements divide few numbers of a thread (a mean), and so do quotients of two
/// numbers in all lanes.
static bool mayShare(arith::DivFOp op) {
  auto vector = dyn_cast<VectorType>(op.getType());
  if (!vector || vector.getRank() != 1 || vector.getNumElements() < 2 ||
      !vector.getElementType().isF32())
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
  result.magnitude = math::AbsFOp::create(builder, loc, divisor);
  Value approximate = kernel_ir::ApproxOp::create(builder, loc, divisor.getType(),
                                                  kernel_ir::ApproxFunction::Rcp, result.magnitude,
                                                  /*ftz=*/true);
  Value negated = arith::NegFOp::create(builder, loc, approximate);
  // r + (1 - |s| r) r, negated.
  Value rest = builder.fma(result.magnitude, negated, builder.constant(1.0f));
  result.reciprocal = builder.fma(rest, negated, negated);
  result.sign =
      arith::AndIOp::create(builder, loc, builder.toBits(divisor), builder.constantBits(INT32_MIN));
  auto compare = [&](arith::CmpFPredicate predicate, float bound) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, result.magnitude,
                                 builder.constant(bound));
  };
  Value areInRange = arith::AndIOp::create(builder, loc, compare(arith::CmpFPredicate::OGE, kLeast),
                                           compare(arith::CmpFPredicate::OLE, kGreatestDivisor));
  result.isInRange = builder.reduce<arith::AndIOp>(areInRange);
  return result;
}

/// With the sign of the divisor moved to the dividend, so that each step keeps that of a zero: a
/// step adds a negative zero to it where the dividend is one.
static void divideBy(const SharedDivisor &divisor, arith::DivFOp op) {
  Location loc = op.getLoc();
  Type type = op.getType();
  QuotientBuilder builder(OpBuilder(op), loc, type);
  auto spread = [&](Value value) -> Value {
    Type wanted = builder.getType(getElementTypeOrSelf(value.getType()));
    return value.getType() == wanted
               ? value
               : vector::BroadcastOp::create(builder, loc, wanted, value).getResult();
  };
  Value bits = builder.toBits(op.getLhs());
  Value dividend = builder.toFloat(arith::XOrIOp::create(builder, loc, bits, spread(divisor.sign)));
  Value negated = arith::NegFOp::create(builder, loc, dividend);
  Value magnitude = spread(divisor.magnitude), reciprocal = spread(divisor.reciprocal);
  Value quotient = arith::MulFOp::create(builder, loc, negated, reciprocal);
  for (int step = 0; step < 2; ++step)
    quotient = builder.fma(builder.fma(magnitude, quotient, negated), reciprocal, quotient);
  // Where a quotient or a rest overflows, the result is no number.
  Value areNone =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, quotient, quotient);
  Value keys = arith::AddIOp::create(builder, loc, arith::AddIOp::create(builder, loc, bits, bits),
                                     builder.constantBits(-1));
  Value least = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(kKeyOfLeast));
  Value areLarge = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                         builder.reduce<arith::MinUIOp>(keys), least);
  Value isNone = builder.reduce<arith::OrIOp>(areNone);
  Value isExact = arith::AndIOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, divisor.isInRange, areLarge),
      arith::XOrIOp::create(builder, loc, isNone,
                            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true))));
  auto branch = scf::IfOp::create(builder, loc, type, isExact, /*withElseRegion=*/true);
  op.replaceAllUsesWith(branch.getResult(0));
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, quotient);
  builder.setInsertionPointToStart(branch.elseBlock());
  Operation *moved = builder.clone(*op);
  moved->setAttr(kRareAttrName, builder.getUnitAttr());
  scf::YieldOp::create(builder, loc, moved->getResults());
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
    for (arith::DivFOp op : ops)
      elements += isInLoop(op)             ? kLeastShared
                  : divisor == op.getRhs() ? 1
                                           : cast<VectorType>(op.getType()).getNumElements();
    if (elements < kLeastShared || (ops.size() > kMostInLongCode && llvm::none_of(ops, isInLoop)))
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

/// 1 / count to 2^-52. Three steps of Newton's method at once: the approximation is off by 2^-23,
/// and what is left by its third power.
static Value buildReciprocal(Value count, Location loc) {
  OpBuilder builder(count.getContext());
  builder.setInsertionPointAfterValue(count);
  const Type f64 = builder.getF64Type();
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
/// to itself, and the product is off by 2^-51: both are rounded to the same number.
void fuser::divideByCounts(gpu::GPUFuncOp function) {
  SmallVector<arith::DivFOp> divisions;
  function.walk([&](arith::DivFOp op) {
    auto count = op.getRhs().getDefiningOp<arith::SIToFPOp>();
    if (op.getType().isF32() && count && isOfSizes(count.getIn()) &&
        !matchPattern(count.getIn(), m_Constant()) && !matchPattern(op.getLhs(), m_Constant()))
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
