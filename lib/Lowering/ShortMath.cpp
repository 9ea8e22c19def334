//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShortMath.h"
#include "BoundedMath.h"
#include "ConstantDivision.h"
#include "fuser/Dialect/IR/ConstantFloats.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

static Value exp2(OpBuilder &builder, Location loc, Value x, bool flush) {
  return kernel_ir::ApproxOp::create(builder, loc, x.getType(), kernel_ir::ApproxFunction::Exp2, x,
                                     flush);
}

static Value multiply(OpBuilder &builder, Location loc, Value x, float factor) {
  return arith::MulFOp::create(builder, loc, x,
                               kernel_ir::createConstant(builder, loc, x.getType(), factor));
}

constexpr float kLog2E = 1.44269504088896340736f;

/// exp(x) = exp2(x * log2(e)). The product's rounding shows as |x| * 2^-24 relative: at most 2^-17,
/// where exp still is a normal number.
static Value shortenExp(OpBuilder &builder, math::ExpOp op, bool flush) {
  Location loc = op.getLoc();
  return exp2(builder, loc, multiply(builder, loc, op.getOperand(), kLog2E), flush);
}

/// True for an exponential that is marked: its subnormal results may be 0.
static bool isApproximate(math::ExpOp op) {
  return bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
}

/// Magnitudes from which on a divisor's reciprocal is finite, with a margin.
constexpr float kLeastDivisor = 0x1p-100f;

/// True if the value is known to be kLeastDivisor or more, or NaN: of the maximum with a constant
/// (a norm that is a divisor), through `depth` ops.
static bool isNotTiny(Value value, unsigned depth = 8) {
  if (getExponentialAddedToOne(value))
    return true;
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant))) {
    bool losesInfo = false;
    (void)constant.convert(APFloat::IEEEsingle(), APFloat::rmTowardZero, &losesInfo);
    return constant >= APFloat(kLeastDivisor);
  }
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto isOperandNotTiny = [&](Value operand) { return isNotTiny(operand, depth - 1); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<arith::ExtFOp, vector::BroadcastOp, math::SqrtOp>(
          [&](auto each) { return isOperandNotTiny(each->getOperand(0)); })
      // Rounding is monotonic, but f16 and floats of 8 bits have no such number.
      .Case([&](arith::TruncFOp each) {
        const Type type = getElementTypeOrSelf(each.getType());
        return (type.isBF16() || type.isF32()) && isOperandNotTiny(each.getIn());
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto each) { return llvm::any_of(each->getOperands(), isOperandNotTiny); })
      .Default([](Operation *) { return false; });
}

/// True if a value is only added to, or subtracted from, constants of at least 1, as it is or
/// squared. Where it is small, its absolute error counts.
static bool isAddedToConstants(Value value, bool orSquared = true) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<arith::MulFOp>(user) && orSquared)
      return user->getOperand(0) == user->getOperand(1) &&
             isAddedToConstants(user->getResult(0), /*orSquared=*/false);
    if (!isa<arith::AddFOp, arith::SubFOp>(user))
      return false;
    const std::optional<APFloat> other =
        getConstantFloat(user->getOperand(user->getOperand(0) == value ? 1 : 0));
    return other && !other->isNaN() && std::fabs(other->convertToDouble()) >= 1.0;
  });
}

/// tanh(x) = 1 - 2 / (exp(2x) + 1), whose absolute error is 2^-23; near 0, where its relative error
/// counts, x - x^3/3 + 2x^5/15. The relative error is below 2^-18.
static Value shortenTanh(OpBuilder &builder, math::TanhOp op) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  auto constant = [&](float number) {
    return kernel_ir::createConstant(builder, loc, x.getType(), number);
  };
  Value power = exp2(builder, loc, multiply(builder, loc, x, 2 * kLog2E), /*flush=*/true);
  Value reciprocal = kernel_ir::ApproxOp::create(
      builder, loc, x.getType(), kernel_ir::ApproxFunction::Rcp,
      arith::AddFOp::create(builder, loc, power, constant(1.0f)), /*ftz=*/true);
  Value outer = math::FmaOp::create(builder, loc, reciprocal, constant(-2.0f), constant(1.0f));
  if (isAddedToConstants(op.getResult()))
    return outer;
  Value square = arith::MulFOp::create(builder, loc, x, x);
  Value slope = math::FmaOp::create(builder, loc, square, constant(2.0f / 15), constant(-1.0f / 3));
  // + 0 in place of a product -0, with which -0 would become 0.
  Value product = math::FmaOp::create(builder, loc, slope, square, constant(0.0f));
  Value inner = math::FmaOp::create(builder, loc, product, x, x);
  Value isInner = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(builder, loc, x), constant(0.1875f));
  return arith::SelectOp::create(builder, loc, isInner, inner, outer);
}

/// exp(x) - 1; near 0, the first terms of its series. The relative error is below 2^-19 near 0, and
/// that of exp(x) for great arguments.
static Value shortenExpM1(OpBuilder &builder, math::ExpM1Op op) {
  Location loc = op.getLoc();
  Value x = op.getOperand();
  auto constant = [&](float number) {
    return kernel_ir::createConstant(builder, loc, x.getType(), number);
  };
  Value power = exp2(builder, loc, multiply(builder, loc, x, kLog2E), /*flush=*/true);
  Value outer = arith::AddFOp::create(builder, loc, power, constant(-1.0f));
  // x * (1 + x/2 + x^2/6 + x^3/24 + x^4/120)
  Value factor = math::FmaOp::create(builder, loc, x, constant(1.0f / 120), constant(1.0f / 24));
  for (float coefficient : {1.0f / 6, 1.0f / 2, 1.0f})
    factor = math::FmaOp::create(builder, loc, x, factor, constant(coefficient));
  Value inner = arith::MulFOp::create(builder, loc, x, factor);
  Value isInner = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(builder, loc, x), constant(0.25f));
  return arith::SelectOp::create(builder, loc, isInner, inner, outer);
}

/// The scalar that is in all lanes of a vector, which may have been extended; null if none is
/// known.
static Value getSplatScalar(Value vector) {
  auto extension = vector.getDefiningOp<arith::ExtFOp>();
  auto splat = (extension ? extension.getIn() : vector).getDefiningOp<vector::BroadcastOp>();
  return splat && isa<FloatType>(splat.getSource().getType()) ? splat.getSource() : Value();
}

/// True for reciprocals of counts, which useHardwareReciprocals rewrites.
static bool usesHardwareReciprocal(arith::DivFOp op) {
  return isF32Math(op) && bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) &&
         matchPattern(op.getLhs(), m_OneFloat());
}

/// What a division divides by, before it is extended.
static Value getUnextendedDivisor(arith::DivFOp op) {
  auto extension = op.getRhs().getDefiningOp<arith::ExtFOp>();
  return extension ? extension.getIn() : op.getRhs();
}

/// What several divisions divide by, each of which may extend it anew.
static llvm::DenseSet<Value> getSharedDivisors(ArrayRef<Operation *> ops) {
  llvm::DenseSet<Value> once, shared;
  for (Operation *op : ops)
    if (auto division = dyn_cast<arith::DivFOp>(op))
      if (Value divisor = getUnextendedDivisor(division); !once.insert(divisor).second)
        shared.insert(divisor);
  return shared;
}

/// True for a division that is worth a reciprocal of its own: by what many elements are divided by,
/// or in a loop. In long code without loops, it would be scheduled with those of all elements.
static bool isWorthReciprocal(arith::DivFOp op, const llvm::DenseSet<Value> &shared) {
  if (usesHardwareReciprocal(op))
    return false;
  Value divisor = op.getRhs();
  if (divisor.getParentBlock() != op->getBlock() || shared.contains(getUnextendedDivisor(op)))
    return true;
  return isa<VectorType>(op.getType()) &&
         (getSplatScalar(divisor) || !divisor.hasOneUse() || op->getParentOfType<scf::ForOp>());
}

/// True for elements of an argument of the kernel.
static bool isReadFromArgument(Value value) {
  Value memory;
  if (auto load = value.getDefiningOp<vector::LoadOp>())
    memory = load.getBase();
  else if (auto load = value.getDefiningOp<memref::LoadOp>())
    memory = load.getMemref();
  while (memory && memory.getDefiningOp() && isa<ViewLikeOpInterface>(memory.getDefiningOp()))
    memory = memory.getDefiningOp()->getOperand(0);
  return memory && isa<BlockArgument>(memory);
}

/// True if quotients may lie halfway between two numbers of the type that they are rounded to:
/// those of numbers of few bits, or of those that are read where they are divided, not those of
/// computed ones, which rows may hold as well. With 8 bits of mantissa on both sides, none lies
/// halfway between, or close to halfway between, two numbers of bf16.
static bool mayTie(arith::DivFOp op) {
  if (!op.getLhs().getDefiningOp<arith::ExtFOp>() && !isReadFromArgument(op.getLhs()))
    return false;
  auto isBF16 = [](Value value) {
    auto extension = value.getDefiningOp<arith::ExtFOp>();
    return extension && getElementTypeOrSelf(extension.getIn().getType()).isBF16();
  };
  return !isBF16(op.getLhs()) || !isBF16(op.getRhs()) ||
         !llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<arith::TruncFOp>(user) &&
                  getElementTypeOrSelf(user->getResult(0).getType()).isBF16();
         });
}

/// x / y = (x * s) * (1 / (y * s)). The scale s is 1, or 2^64 for a y so small that its reciprocal
/// is infinite; a product x * s overflows only where the quotient does. There is none for a y that
/// is known not to be tiny; a y of at least 1 is worth a reciprocal anywhere. Quotients that may be
/// ties are refined. The reciprocal of a constant is a constant. Null for other divisions.
static Value shortenDivision(OpBuilder &builder, arith::DivFOp op,
                             const llvm::DenseSet<Value> &sharedDivisors) {
  if (getExponentialAddedToOne(op.getRhs()))
    return approximateByAtLeastOne(builder, op).value;
  Location loc = op.getLoc();
  if (splitReciprocal(op)) {
    // The exact quotient costs one instruction more.
    if (mayTie(op))
      return Value();
    const float number = getConstantFloat(op.getRhs())->convertToFloat();
    return arith::MulFOp::create(
        builder, loc, op.getLhs(),
        kernel_ir::createConstant(builder, loc, op.getType(), 1.0f / number));
  }
  if (!isWorthReciprocal(op, sharedDivisors))
    return Value();
  Value divisor = getSplatScalar(op.getRhs());
  if (!divisor)
    divisor = op.getRhs();
  else if (!divisor.getType().isF32())
    divisor = arith::ExtFOp::create(builder, loc, builder.getF32Type(), divisor);
  auto spread = [&](Value scalar) -> Value {
    if (scalar.getType() == op.getType())
      return scalar;
    return vector::BroadcastOp::create(builder, loc, op.getType(), scalar);
  };
  // A sum of at most 2^31 exponentials has no subnormal reciprocal.
  const bool isSum = arith::bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::arcp);
  auto invert = [&](Value value) {
    return spread(kernel_ir::ApproxOp::create(builder, loc, value.getType(),
                                              kernel_ir::ApproxFunction::Rcp, value,
                                              /*ftz=*/isSum));
  };
  if (getExponentialAddedToOne(divisor))
    return arith::MulFOp::create(builder, loc, op.getLhs(), invert(divisor));
  Value scaled = op.getLhs(), scaledDivisor = divisor;
  if (!isSum && !isNotTiny(divisor)) {
    Value one = kernel_ir::createConstant(builder, loc, divisor.getType(), 1.0f);
    Value magnitude = math::AbsFOp::create(builder, loc, divisor);
    Value tiny = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT, magnitude,
        kernel_ir::createConstant(builder, loc, divisor.getType(), kLeastDivisor));
    Value scale = arith::SelectOp::create(
        builder, loc, tiny, kernel_ir::createConstant(builder, loc, divisor.getType(), 0x1p64f),
        one);
    scaledDivisor = arith::MulFOp::create(builder, loc, divisor, scale);
    scaled = arith::MulFOp::create(builder, loc, op.getLhs(), spread(scale));
  }
  Quotient quotient{scaled, spread(scaledDivisor), invert(scaledDivisor), Value()};
  quotient.value = arith::MulFOp::create(builder, loc, scaled, quotient.reciprocal);
  return mayTie(op) ? refineQuotient(builder, loc, quotient) : quotient.value;
}

/// x * y + z, z - x * y and x * y - z with one rounding, if the product is used here only: two uses
/// of one product stay equal.
static Value fuseProduct(OpBuilder &builder, Operation *op) {
  const bool isDifference = isa<arith::SubFOp>(op);
  for (unsigned number = 0; number < 2; ++number) {
    auto product = op->getOperand(number).getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      continue;
    Location loc = op->getLoc();
    Value x = product.getLhs(), other = op->getOperand(1 - number);
    auto negate = [&](Value value) { return arith::NegFOp::create(builder, loc, value); };
    if (isDifference)
      (number == 0 ? other : x) = negate(number == 0 ? other : x);
    return math::FmaOp::create(builder, loc, x, product.getRhs(), other);
  }
  return Value();
}

bool fuser::isF32Math(Operation *op) {
  return op->getNumResults() == 1 && getElementTypeOrSelf(op->getResult(0).getType()).isF32() &&
         isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
}

/// Math that takes so many slots per element waits for instructions rather than for memory. In
/// other kernels, the operands of an fma only live longer: layer norm of 16384 bf16 columns took 80
/// instead of 64 registers, and 56 % longer.
static constexpr int64_t kLeastSlots = 14;

void ShortMathOps::count(ArrayRef<Operation *> counted, int64_t newWidth) {
  // What only moves elements may have wider vectors.
  if (counted.empty())
    return;
  if (newWidth > width)
    slotsPerElement = 0;
  width = std::max(width, newWidth);
  if (newWidth < width)
    return;
  for (Operation *op : counted) {
    auto division = dyn_cast<arith::DivFOp>(op);
    const bool isCostly =
        division ? !splitReciprocal(division)
                 : isa<math::ExpOp, math::ExpM1Op, math::TanhOp, math::LogOp, math::SqrtOp,
                       math::RsqrtOp, math::PowFOp, math::SinOp, math::CosOp>(op);
    slotsPerElement += isCostly ? 8 : 1;
  }
}

namespace {
/// The ops that are to be rewritten, with those that take their place.
class ShortMath : OpBuilder::Listener {
public:
  explicit ShortMath(ArrayRef<Operation *> ops) : ops(ops) {}

  /// Replaces each op by what `rewrite` builds in front of it, if it builds anything.
  void rewriteAll(llvm::function_ref<Value(OpBuilder &, Operation *)> rewrite) {
    for (Operation *op : std::exchange(ops, {})) {
      OpBuilder builder(op);
      builder.setListener(this);
      Value value = rewrite(builder, op);
      if (!value) {
        ops.push_back(op);
        continue;
      }
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }

private:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ops.push_back(op);
  }

  SmallVector<Operation *> ops;
};
} // namespace

void fuser::useShortMath(const ShortMathOps &ops) {
  const llvm::DenseSet<Value> sharedDivisors = getSharedDivisors(ops.ops);
  ShortMath math(ops.ops);
  math.rewriteAll([&](OpBuilder &builder, Operation *op) {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](math::ExpOp exp) {
          // Next to 1, subnormal results make no difference.
          return shortenExp(builder, exp,
                            isApproximate(exp) || llvm::all_of(exp->getUsers(), getAddedToOne));
        })
        .Case([&](math::TanhOp tanh) { return shortenTanh(builder, tanh); })
        .Case([&](math::ExpM1Op exp) { return shortenExpM1(builder, exp); })
        .Case([&](arith::DivFOp division) {
          return shortenDivision(builder, division, sharedDivisors);
        })
        .Default([](Operation *) { return Value(); });
  });
  if (ops.slotsPerElement < kLeastSlots)
    return;
  math.rewriteAll([](OpBuilder &builder, Operation *op) {
    return isa<arith::AddFOp, arith::SubFOp>(op) ? fuseProduct(builder, op) : Value();
  });
}

void fuser::useHardwareReciprocals(gpu::GPUFuncOp function) {
  function.walk([&](arith::DivFOp op) {
    if (!usesHardwareReciprocal(op))
      return;
    OpBuilder builder(op);
    const Location loc = op.getLoc();
    Value approximate = kernel_ir::ApproxOp::create(
        builder, loc, op.getType(), kernel_ir::ApproxFunction::Rcp, op.getRhs(), /*ftz=*/true);
    Value negated = arith::NegFOp::create(builder, loc, op.getRhs());
    Value rest = math::FmaOp::create(builder, loc, negated, approximate, op.getLhs());
    Value refined = math::FmaOp::create(builder, loc, rest, approximate, approximate);
    op.replaceAllUsesWith(refined);
    op.erase();
  });
}

void fuser::useHardwareExponentials(gpu::GPUFuncOp function) {
  SmallVector<math::ExpOp> exponentials;
  function.walk([&](math::ExpOp op) {
    if (isF32Math(op) && isApproximate(op))
      exponentials.push_back(op);
  });
  for (math::ExpOp op : exponentials) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(shortenExp(builder, op, /*flush=*/true));
    op.erase();
  }
}
