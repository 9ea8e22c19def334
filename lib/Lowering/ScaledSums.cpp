//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScaledSums.h"
#include "EarlyLoads.h"
#include "fuser/Dialect/IR/ConstantFloats.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace fuser;

/// The depth of products in which a scale is looked for.
static constexpr unsigned kMostFactors = 4;
/// The range of scales of several factors: their product without it has a range that is narrower by
/// so much.
static constexpr double kLeastScale = 0.25, kMostScale = 4;

/// Slots of arithmetic for each byte that a thread accesses from which on instructions limit a
/// kernel: an H200 has 7.8 for each byte that moves, of which indices and guards take some. Those
/// of a function or a division.
static constexpr int64_t kLeastSlotsOfByte = 2, kSlotsOfFunction = 8;

static int64_t getLanes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// The bytes that the op accesses outside of the registers of the thread.
static int64_t getAccessedBytes(Operation *op) {
  Value memory;
  Type type;
  if (isa<memref::LoadOp, vector::LoadOp>(op)) {
    memory = op->getOperand(0);
    type = op->getResult(0).getType();
  } else if (isa<memref::StoreOp, vector::StoreOp>(op)) {
    memory = op->getOperand(1);
    type = op->getOperand(0).getType();
  }
  return !memory || memory.getDefiningOp<memref::AllocaOp>()
             ? 0
             : getLanes(type) * getElementBytes(getElementTypeOrSelf(type));
}

static int64_t getSlots(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())) ||
      !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  return getLanes(op->getResult(0).getType()) * (isFunctionOfFloats(*op) ? kSlotsOfFunction : 1);
}

/// True for a kernel that waits for instructions rather than for memory or other threads. In others
/// a product that is saved changes nothing but the registers that the assembler happens to choose.
static bool isLimitedByInstructions(gpu::GPUFuncOp function) {
  int64_t slots = 0, bytes = 0;
  const bool isAlone =
      !function
           .walk([&](Operation *op) {
             slots += getSlots(op);
             bytes += getAccessedBytes(op);
             return isPure(op) ||
                            isa<gpu::GPUFuncOp, scf::IfOp, scf::ForOp, memref::AllocaOp,
                                memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
                                kernel_ir::WaitDependenciesOp, kernel_ir::LaunchDependentsOp>(op)
                        ? WalkResult::advance()
                        : WalkResult::interrupt();
           })
           .wasInterrupted();
  return isAlone && slots >= kLeastSlotsOfByte * bytes;
}

/// The power of two that the value is in all lanes, other than 1 and -1.
static std::optional<double> getPowerOfTwo(Value value) {
  const std::optional<APFloat> constant = getConstantFloat(value);
  if (!constant || !constant->isFiniteNonZero() || constant->isDenormal())
    return std::nullopt;
  const double number = constant->convertToDouble();
  int exponent = 0;
  const double significand = std::frexp(std::fabs(number), &exponent);
  return significand == 0.5 && exponent != 1 ? std::optional(number) : std::nullopt;
}

namespace {
/// A product of `factors` and of a power of two.
struct ScaledProduct {
  SmallVector<Value> factors;
  double scale = 1;
};
} // namespace

/// The product without its scale; nullopt if it has none, or if one of its parts has other uses and
/// would be computed in any case.
static std::optional<ScaledProduct> getScaledProduct(Value value, unsigned depth = kMostFactors) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !product->hasOneUse() || depth == 0)
    return std::nullopt;
  for (unsigned number : {0, 1}) {
    Value other = product->getOperand(1 - number);
    if (std::optional<double> scale = getPowerOfTwo(product->getOperand(number)))
      return ScaledProduct{{other}, *scale};
    if (std::optional<ScaledProduct> inner =
            getScaledProduct(product->getOperand(number), depth - 1)) {
      inner->factors.push_back(other);
      return inner;
    }
  }
  return std::nullopt;
}

/// The multiply-add of a sum or difference; null if neither operand is scaled.
static Value fuseScaledSum(OpBuilder &builder, Operation *op) {
  const bool isDifference = isa<arith::SubFOp>(op);
  const Location loc = op->getLoc();
  for (unsigned number : {0, 1}) {
    const std::optional<ScaledProduct> product = getScaledProduct(op->getOperand(number));
    if (!product)
      continue;
    const double magnitude = std::fabs(product->scale);
    if (product->factors.size() > 1 && (magnitude < kLeastScale || magnitude > kMostScale))
      continue;
    Value factor = product->factors.front(), other = op->getOperand(1 - number);
    // The product may be before a loop that the sum is in.
    OpBuilder before(op->getOperand(number).getDefiningOp());
    for (Value next : ArrayRef(product->factors).drop_front())
      factor = arith::MulFOp::create(before, loc, factor, next);
    double scale = product->scale;
    if (isDifference && number == 0)
      other = arith::NegFOp::create(builder, loc, other);
    else if (isDifference)
      scale = -scale;
    return math::FmaOp::create(builder, loc, factor,
                               kernel_ir::createConstant(builder, loc, factor.getType(), scale),
                               other);
  }
  return Value();
}

/// Erases a product without uses, and those that only it used.
static void eraseUnused(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !product->use_empty())
    return;
  const SmallVector<Value> operands = llvm::to_vector(product->getOperands());
  product->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

void fuser::fuseScaledSums(gpu::GPUFuncOp function) {
  if (!isLimitedByInstructions(function))
    return;
  SmallVector<Operation *> sums;
  function.walk([&](Operation *op) {
    if (!isa<arith::AddFOp, arith::SubFOp>(op))
      return;
    const Type element = getElementTypeOrSelf(op->getResult(0).getType());
    if (element.isF32() || element.isF64())
      sums.push_back(op);
  });
  for (Operation *op : sums) {
    OpBuilder builder(op);
    Value sum = fuseScaledSum(builder, op);
    if (!sum)
      continue;
    const SmallVector<Value> operands = llvm::to_vector(op->getOperands());
    op->replaceAllUsesWith(ValueRange{sum});
    op->erase();
    for (Value operand : operands)
      eraseUnused(operand);
  }
}
