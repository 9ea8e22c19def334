//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the planted mistakes share: the places of ops in kernels, and small edits. Edits of an op
// that is null do nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_PLANTEDEDITS_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_PLANTEDEDITS_H

#include "PlantedBugs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace fuser::fuzz {

/// The mistakes by what they are in.
llvm::ArrayRef<PlantedBug> getBarrierBugs();
llvm::ArrayRef<PlantedBug> getCopyBugs();
llvm::ArrayRef<PlantedBug> getIndexBugs();
llvm::ArrayRef<PlantedBug> getValueBugs();
llvm::ArrayRef<PlantedBug> getStoreBugs();
llvm::ArrayRef<PlantedBug> getLaunchBugs();
llvm::ArrayRef<PlantedBug> getProductBugs();

enum class Space { Register, Shared, Global };

inline Space spaceOf(mlir::Value buffer) {
  if (llvm::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace())
    return Space::Shared;
  return buffer.getDefiningOp<mlir::memref::AllocaOp>() ? Space::Register : Space::Global;
}

/// The first op of a type for which `matches` holds; null: there is none.
template <typename Op>
Op findFirst(mlir::gpu::GPUFuncOp kernel, llvm::function_ref<bool(Op)> matches) {
  Op found;
  kernel.walk([&](Op op) {
    if (!matches(op))
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}
template <typename Op> Op findFirst(mlir::gpu::GPUFuncOp kernel) {
  return findFirst<Op>(kernel, [](Op) { return true; });
}
template <typename Op> Op findLast(mlir::gpu::GPUFuncOp kernel) {
  Op found;
  kernel.walk([&](Op op) { found = op; });
  return found;
}

/// The nearest op of a type before `op` in its block; null: there is none.
template <typename Op> Op findBefore(mlir::Operation *op) {
  while ((op = op->getPrevNode()))
    if (auto found = llvm::dyn_cast<Op>(op))
      return found;
  return Op();
}
/// True if the block of both has an operand of `op` after `earlier`: `op` cannot be moved there.
inline bool needsOpsAfter(mlir::Operation *op, mlir::Operation *earlier) {
  return llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
    mlir::Operation *defining = operand.getDefiningOp();
    return defining && defining->getBlock() == earlier->getBlock() &&
           earlier->isBeforeInBlock(defining);
  });
}

inline std::optional<int64_t> constantOf(mlir::Value value) {
  llvm::APInt number;
  if (value && mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}
inline mlir::Value constantIndex(mlir::OpBuilder &builder, mlir::Location loc, int64_t value) {
  return mlir::arith::ConstantIndexOp::create(builder, loc, value);
}
inline mlir::Value constantTrue(mlir::OpBuilder &builder, mlir::Location loc) {
  return mlir::arith::ConstantIntOp::create(builder, loc, 1, 1);
}

template <typename Op> void eraseOne(Op op) {
  if (op)
    op.erase();
}
template <typename Op> void takeOperand(Op op, unsigned operand) {
  if (!op)
    return;
  op->getResult(0).replaceAllUsesWith(op->getOperand(operand));
  op.erase();
}
inline void addToOperand(mlir::Operation *op, unsigned operand, int64_t value) {
  mlir::OpBuilder builder(op);
  mlir::Value number = constantIndex(builder, op->getLoc(), value);
  op->setOperand(
      operand, mlir::arith::AddIOp::create(builder, op->getLoc(), op->getOperand(operand), number));
}
/// Replaces the first op of a type by one of another that has the same operands.
template <typename From, typename To> void exchange(mlir::gpu::GPUFuncOp kernel) {
  if (From op = findFirst<From>(kernel)) {
    mlir::OpBuilder builder(op);
    mlir::Value other = To::create(builder, op.getLoc(), op->getOperand(0), op->getOperand(1));
    op.getResult().replaceAllUsesWith(other);
    op.erase();
  }
}

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_PLANTEDEDITS_H
