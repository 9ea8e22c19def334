//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Expands ops of fuser_gpu that can be expressed by other kernel IR.
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Approximate math: the exact function
//===----------------------------------------------------------------------===//

static Value floatLike(OpBuilder &builder, Location loc, Type type, float value) {
  TypedAttr attr = builder.getF32FloatAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(builder, loc, attr);
}

/// Replaces denormals in `value` by zeros of their sign.
static Value flushDenormals(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  Value least = floatLike(builder, loc, type, std::numeric_limits<float>::min());
  Value zero = math::CopySignOp::create(builder, loc, floatLike(builder, loc, type, 0), value);
  Value small = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                      math::AbsFOp::create(builder, loc, value), least);
  return arith::SelectOp::create(builder, loc, small, zero, value);
}

static Value exactFunction(OpBuilder &builder, Location loc, kernel_ir::ApproxFunction function,
                           Value x) {
  switch (function) {
  case kernel_ir::ApproxFunction::Exp2:
    return math::Exp2Op::create(builder, loc, x);
  case kernel_ir::ApproxFunction::Log2:
    return math::Log2Op::create(builder, loc, x);
  case kernel_ir::ApproxFunction::Rcp:
    return arith::DivFOp::create(builder, loc, floatLike(builder, loc, x.getType(), 1), x);
  case kernel_ir::ApproxFunction::Rsqrt:
    return math::RsqrtOp::create(builder, loc, x);
  case kernel_ir::ApproxFunction::Sqrt:
    return math::SqrtOp::create(builder, loc, x);
  case kernel_ir::ApproxFunction::Tanh:
    return math::TanhOp::create(builder, loc, x);
  case kernel_ir::ApproxFunction::Sin:
    return math::SinOp::create(builder, loc, x);
  case kernel_ir::ApproxFunction::Cos:
    return math::CosOp::create(builder, loc, x);
  }
  llvm_unreachable("an approximate function without a host lowering");
}

static void expandApprox(kernel_ir::ApproxOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  // tanh keeps denormals even with ftz.
  const bool flush = op.getFtz() && op.getFunction() != kernel_ir::ApproxFunction::Tanh;
  Value x = flush ? flushDenormals(builder, loc, op.getOperand()) : op.getOperand();
  Value y = exactFunction(builder, loc, op.getFunction(), x);
  op.replaceAllUsesWith(flush ? flushDenormals(builder, loc, y) : y);
  op.erase();
}

//===----------------------------------------------------------------------===//
// last_block: a ticket drawn by one thread for its block
//===----------------------------------------------------------------------===//

/// True in the thread with all ids zero.
static Value isFirstThread(OpBuilder &builder, Location loc) {
  Value ids;
  for (gpu::Dimension axis : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
    Value id = gpu::ThreadIdOp::create(builder, loc, axis);
    ids = ids ? Value(arith::OrIOp::create(builder, loc, ids, id)) : id;
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, ids, zero);
}

static void expandLastBlock(kernel_ir::LastBlockOp op, Value slot) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  // The first barrier also orders a second use of the slot after the reads of the first one.
  gpu::BarrierOp::create(builder, loc);
  auto branch = scf::IfOp::create(builder, loc, isFirstThread(builder, loc));
  builder.setInsertionPoint(branch.thenYield());
  Value ticket = kernel_ir::TicketOp::create(builder, loc, builder.getI32Type(), op.getCounter(),
                                             op.getIndices(), op.getParticipants());
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  Value highest = arith::SubIOp::create(builder, loc, op.getParticipants(), one);
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, ticket, highest);
  Value wide = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isLast);
  memref::StoreOp::create(builder, loc, wide, slot);

  builder.setInsertionPoint(op);
  gpu::BarrierOp::create(builder, loc);
  Value answer = memref::LoadOp::create(builder, loc, slot);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  op.replaceAllUsesWith(
      Value(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, answer, zero)));
  op.erase();
}

void fuser::host::expandKernelOps(gpu::GPUFuncOp func) {
  SmallVector<kernel_ir::ApproxOp> approximations;
  SmallVector<kernel_ir::LastBlockOp> lastBlocks;
  func.walk([&](kernel_ir::ApproxOp op) { approximations.push_back(op); });
  func.walk([&](kernel_ir::LastBlockOp op) { lastBlocks.push_back(op); });
  // The code generator allocates registers on the host.
  func.walk([](kernel_ir::KeepOp op) {
    op.replaceAllUsesWith(op.getValue());
    op.erase();
  });
  for (kernel_ir::ApproxOp op : approximations)
    expandApprox(op);
  if (lastBlocks.empty())
    return;
  // All of them share one slot.
  auto space = gpu::AddressSpaceAttr::get(func.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({}, IntegerType::get(func.getContext(), 32), AffineMap(), space);
  Value slot = func.addWorkgroupAttribution(type, func.getLoc());
  for (kernel_ir::LastBlockOp op : lastBlocks)
    expandLastBlock(op, slot);
}
