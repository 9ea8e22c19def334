//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Calls of a lowered kernel into the scheduler.
//===----------------------------------------------------------------------===//
#ifndef FUSER_LIB_TARGET_HOST_HOSTCALLS_H
#define FUSER_LIB_TARGET_HOST_HOSTCALLS_H

#include "Stages.h"
#include "fuser/Artifact/HostABI.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace fuser::host {

mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc, uint32_t value);

/// The context of the thread in the function around `op`.
mlir::Value getThreadContext(mlir::Operation *op);

/// Calls `function`(context, site), the wait that `op` lowers to.
void callWait(mlir::OpBuilder &builder, mlir::Operation *op, llvm::StringRef function,
              KernelFacts &facts);

/// An op without results that is a call of `function`(context, site).
template <typename Op> struct WaitCall : mlir::ConvertOpToLLVMPattern<Op> {
  WaitCall(const mlir::LLVMTypeConverter &converter, KernelFacts &facts, llvm::StringRef function)
      : mlir::ConvertOpToLLVMPattern<Op>(converter), facts(facts), function(function) {}

  llvm::LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    callWait(rewriter, op, function, facts);
    rewriter.eraseOp(op);
    return mlir::success();
  }

private:
  KernelFacts &facts;
  llvm::StringRef function;
};

/// An op without results that is a call of `function`(context).
template <typename Op> struct ContextCall : mlir::ConvertOpToLLVMPattern<Op> {
  ContextCall(const mlir::LLVMTypeConverter &converter, llvm::StringRef function)
      : mlir::ConvertOpToLLVMPattern<Op>(converter), function(function) {}

  llvm::LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::LLVM::CallOp::create(rewriter, op.getLoc(), mlir::TypeRange(), function,
                               getThreadContext(op));
    rewriter.eraseOp(op);
    return mlir::success();
  }

private:
  llvm::StringRef function;
};

/// A wait for all but the last groups of what a thread has begun, as a call of
/// `function`(context, groups).
template <typename Op> struct PendingCall : mlir::ConvertOpToLLVMPattern<Op> {
  PendingCall(const mlir::LLVMTypeConverter &converter, llvm::StringRef function)
      : mlir::ConvertOpToLLVMPattern<Op>(converter), function(function) {}

  llvm::LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::LLVM::CallOp::create(
        rewriter, op.getLoc(), mlir::TypeRange(), function,
        mlir::ValueRange{getThreadContext(op),
                         constantI32(rewriter, op.getLoc(), op.getPending())});
    rewriter.eraseOp(op);
    return mlir::success();
  }

private:
  llvm::StringRef function;
};

/// The bits of a value, of any integer, float or one-dimensional vector type, in words of 64.
llvm::SmallVector<mlir::Value> splitPayload(mlir::OpBuilder &builder, mlir::Location loc,
                                            mlir::Value value);
/// The value of a type from its words.
mlir::Value joinPayload(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        llvm::ArrayRef<mlir::Value> chunks);

struct ShuffleResult {
  mlir::Value value; ///< of the type of the value that was sent
  mlir::Value valid; ///< i1: the source lane is in the segment
};

/// Sends `value`, of any integer, float or one-dimensional vector type of the llvm dialect, between
/// lanes. `mode` is one of FUSER_HOST_SHUFFLE_*; `offset` and `width` are i32.
ShuffleResult callShuffle(mlir::OpBuilder &builder, mlir::Operation *op, uint32_t mode,
                          mlir::Value value, mlir::Value offset, mlir::Value width,
                          KernelFacts &facts);

} // namespace fuser::host

#endif // FUSER_LIB_TARGET_HOST_HOSTCALLS_H
