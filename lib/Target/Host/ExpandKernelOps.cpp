//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Expands ops of fuser_gpu that can be expressed by other kernel IR.
//===----------------------------------------------------------------------===//
#include "Stages.h"

#include "fuser/Dialect/Kernel/Constants.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Approximate math: the exact function
//===----------------------------------------------------------------------===//

/// Replaces denormals in `value` by zeros of their sign.
static Value flushDenormals(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  Value least = kernel_ir::createConstant(builder, loc, type, std::numeric_limits<float>::min());
  Value zero = math::CopySignOp::create(builder, loc,
                                        kernel_ir::createConstant(builder, loc, type, 0), value);
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
    return arith::DivFOp::create(builder, loc,
                                 kernel_ir::createConstant(builder, loc, x.getType(), 1), x);
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
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  // tanh keeps denormals even with ftz.
  const bool flush = op.getFtz() && op.getFunction() != kernel_ir::ApproxFunction::Tanh;
  Value x = flush ? flushDenormals(rewriter, loc, op.getOperand()) : op.getOperand();
  Value y = exactFunction(rewriter, loc, op.getFunction(), x);
  rewriter.replaceOp(op, flush ? flushDenormals(rewriter, loc, y) : y);
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
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  // The first barrier also orders a second use of the slot after the reads of the first one.
  gpu::BarrierOp::create(rewriter, loc);
  auto branch = scf::IfOp::create(rewriter, loc, isFirstThread(rewriter, loc));
  rewriter.setInsertionPoint(branch.thenYield());
  Value ticket = kernel_ir::TicketOp::create(rewriter, loc, rewriter.getI32Type(), op.getCounter(),
                                             op.getIndices(), op.getParticipants());
  Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
  Value highest = arith::SubIOp::create(rewriter, loc, op.getParticipants(), one);
  Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, ticket, highest);
  Value wide = arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), isLast);
  memref::StoreOp::create(rewriter, loc, wide, slot);

  rewriter.setInsertionPoint(op);
  gpu::BarrierOp::create(rewriter, loc);
  Value answer = memref::LoadOp::create(rewriter, loc, slot);
  Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::ne, answer, zero);
}

void fuser::host::expandKernelOps(gpu::GPUFuncOp func) {
  SmallVector<kernel_ir::ApproxOp> approximations;
  SmallVector<kernel_ir::LastBlockOp> lastBlocks;
  func.walk([&](kernel_ir::ApproxOp op) { approximations.push_back(op); });
  func.walk([&](kernel_ir::LastBlockOp op) { lastBlocks.push_back(op); });
  // The code generator allocates registers on the host.
  IRRewriter rewriter(func.getContext());
  func.walk([&](kernel_ir::KeepOp op) { rewriter.replaceOp(op, op.getValue()); });
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
