//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Copies that complete a phase of a barrier, which the scheduler does when a thread waits for it.
//===----------------------------------------------------------------------===//
#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;
using namespace fuser::kernel_ir;

namespace {

/// The context of the thread, and the number of the site.
SmallVector<Value> startCall(OpBuilder &builder, Operation *op, KernelFacts &facts) {
  return {getThreadContext(op), constantI32(builder, op->getLoc(), facts.addSite(op))};
}

/// An index as i64.
Value widen(OpBuilder &builder, Location loc, Value index) {
  Type i64 = builder.getI64Type();
  return index.getType() == i64 ? index : LLVM::SExtOp::create(builder, loc, i64, index);
}

/// A pattern for an op on a barrier.
template <typename Op> struct OnBarrier : ConvertOpToLLVMPattern<Op> {
  OnBarrier(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern<Op>(converter), facts(facts) {}

protected:
  /// The address of the barrier, whose index is checked.
  Value getBarrier(Op op, Value memory, ValueRange indices,
                   ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getBarrier().getType());
    if (isCheckedAccess(op) && type.hasStaticShape())
      emitIndexChecks(rewriter, op, type, indices, /*lanes=*/1, facts);
    Value address = this->getStridedElementPtr(rewriter, loc, type, memory, indices);
    return LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), address);
  }

  KernelFacts &facts;
};

/// A request with a number: of arrivals, of bytes, of a phase.
template <typename Op> struct Request : OnBarrier<Op> {
  Request(const LLVMTypeConverter &converter, KernelFacts &facts, const char *function)
      : OnBarrier<Op>(converter, facts), function(function) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands = startCall(rewriter, op, this->facts);
    operands.push_back(this->getBarrier(op, adaptor.getBarrier(), adaptor.getIndices(), rewriter));
    if constexpr (std::is_same_v<Op, MBarrierInitOp>)
      operands.push_back(constantI32(rewriter, op.getLoc(), op.getCount()));
    else if constexpr (std::is_same_v<Op, MBarrierExpectOp>)
      operands.push_back(widen(rewriter, op.getLoc(), adaptor.getBytes()));
    else
      operands.push_back(widen(rewriter, op.getLoc(), adaptor.getPhase()));
    LLVM::CallOp::create(rewriter, op.getLoc(), TypeRange(), function, operands);
    rewriter.eraseOp(op);
    return success();
  }

  const char *function;
};

struct CopyBulk : OnBarrier<CopyBulkOp> {
  CopyBulk(const LLVMTypeConverter &converter, KernelFacts &facts, bool checkAlignment)
      : OnBarrier(converter, facts), checkAlignment(checkAlignment) {}

  LogicalResult matchAndRewrite(CopyBulkOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i64 = rewriter.getI64Type();
    auto targetType = cast<MemRefType>(op.getTarget().getType());
    Value count = widen(rewriter, loc, adaptor.getCount());
    if (isCheckedAccess(op) && targetType.hasStaticShape())
      emitIndexChecks(rewriter, op, targetType, adaptor.getTargetIndices(), count, facts);
    Value source = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getSource().getType()),
                                        adaptor.getSource(), adaptor.getSourceIndices());
    Value target = getStridedElementPtr(rewriter, loc, targetType, adaptor.getTarget(),
                                        adaptor.getTargetIndices());
    if (checkAlignment)
      for (Value address : {source, target})
        emitAlignmentCheck(rewriter, op, address, CopyBulkOp::kGranule, facts);
    Value elementBytes = LLVM::ConstantOp::create(rewriter, loc, i64,
                                                  rewriter.getI64IntegerAttr(op.getElementBytes()));
    SmallVector<Value> operands = startCall(rewriter, op, facts);
    operands.push_back(getMemoryNumber(rewriter, op, facts));
    for (Value address : {source, target})
      operands.push_back(LLVM::PtrToIntOp::create(rewriter, loc, i64, address));
    operands.push_back(LLVM::MulOp::create(rewriter, loc, count, elementBytes));
    operands.push_back(getBarrier(op, adaptor.getBarrier(), adaptor.getBarrierIndices(), rewriter));
    LLVM::CallOp::create(rewriter, loc, TypeRange(), kCopyBulkFn, operands);
    rewriter.eraseOp(op);
    return success();
  }

  bool checkAlignment;
};

/// What copies of boxes have in common.
template <typename Op> struct OfBox : OnBarrier<Op> {
  OfBox(const LLVMTypeConverter &converter, KernelFacts &facts, bool checkAlignment)
      : OnBarrier<Op>(converter, facts), checkAlignment(checkAlignment) {}

protected:
  Value constant(Op op, int64_t value, ConversionPatternRewriter &rewriter) const {
    return LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI64Type(),
                                    rewriter.getI64IntegerAttr(value));
  }

  /// The address of the box in shared memory, which is inside of its buffer, as a number of
  /// adjacent elements.
  Value getBox(Op op, MemRefType type, Value memory, ValueRange indices,
               ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    if (isCheckedAccess(op) && type.hasStaticShape() && type.getLayout().isIdentity()) {
      emitIndexChecks(rewriter, op, type, indices, /*lanes=*/1, facts);
      Value offset = constant(op, 0, rewriter);
      for (auto [index, extent] : llvm::zip_equal(indices, type.getShape())) {
        offset = LLVM::MulOp::create(rewriter, loc, offset, constant(op, extent, rewriter));
        offset = LLVM::AddOp::create(rewriter, loc, offset, widen(rewriter, loc, index));
      }
      emitIndexChecks(
          rewriter, op, MemRefType::get({type.getNumElements()}, type.getElementType()), offset,
          constant(op, llvm::product_of(op.getMap().getType().getBox()), rewriter), facts);
    }
    Value address = this->getStridedElementPtr(rewriter, loc, type, memory, indices);
    if (checkAlignment)
      emitAlignmentCheck(rewriter, op, address, op.getMap().getType().getBoxAlignment(), facts);
    return LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), address);
  }

  /// The rank, the bytes and the coordinates.
  void addShape(Op op, ValueRange coordinates, SmallVectorImpl<Value> &operands,
                ConversionPatternRewriter &rewriter) const {
    TensorMapType map = op.getMap().getType();
    operands.push_back(constantI32(rewriter, op.getLoc(), map.getBox().size()));
    operands.push_back(constant(op, map.getBoxBytes(), rewriter));
    for (unsigned dim = 0; dim < TensorMapType::kMaxRank; ++dim)
      operands.push_back(dim < coordinates.size() ? widen(rewriter, op.getLoc(), coordinates[dim])
                                                  : constant(op, 0, rewriter));
  }

  /// The call, its memory and the map.
  SmallVector<Value> start(Op op, Value map, ConversionPatternRewriter &rewriter) const {
    SmallVector<Value> operands = startCall(rewriter, op, facts);
    operands.push_back(getMemoryNumber(rewriter, op, facts));
    operands.push_back(LLVM::PtrToIntOp::create(rewriter, op.getLoc(), rewriter.getI64Type(), map));
    return operands;
  }

  using OnBarrier<Op>::facts;
  bool checkAlignment;
};

struct CopyTensor : OfBox<CopyTensorOp> {
  using OfBox::OfBox;

  LogicalResult matchAndRewrite(CopyTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value target = getBox(op, cast<MemRefType>(op.getTarget().getType()), adaptor.getTarget(),
                          adaptor.getTargetIndices(), rewriter);
    SmallVector<Value> operands = start(op, adaptor.getMap(), rewriter);
    operands.push_back(target);
    operands.push_back(getBarrier(op, adaptor.getBarrier(), adaptor.getBarrierIndices(), rewriter));
    addShape(op, adaptor.getCoordinates(), operands, rewriter);
    LLVM::CallOp::create(rewriter, op.getLoc(), TypeRange(), kCopyTensorFn, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreTensor : OfBox<StoreTensorOp> {
  using OfBox::OfBox;

  LogicalResult matchAndRewrite(StoreTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = getBox(op, cast<MemRefType>(op.getSource().getType()), adaptor.getSource(),
                          adaptor.getSourceIndices(), rewriter);
    SmallVector<Value> operands = start(op, adaptor.getMap(), rewriter);
    operands.push_back(source);
    addShape(op, adaptor.getCoordinates(), operands, rewriter);
    LLVM::CallOp::create(rewriter, op.getLoc(), TypeRange(), kStoreTensorFn, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct Arrive : OnBarrier<MBarrierArriveOp> {
  using OnBarrier::OnBarrier;

  LogicalResult matchAndRewrite(MBarrierArriveOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands = startCall(rewriter, op, facts);
    operands.push_back(getBarrier(op, adaptor.getBarrier(), adaptor.getIndices(), rewriter));
    LLVM::CallOp::create(rewriter, op.getLoc(), TypeRange(), kMBarrierArriveFn, operands);
    rewriter.eraseOp(op);
    return success();
  }
};

struct RoleBarrier : ConvertOpToLLVMPattern<RoleBarrierOp> {
  RoleBarrier(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter), facts(facts) {}

  LogicalResult matchAndRewrite(RoleBarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands = startCall(rewriter, op, facts);
    for (uint64_t number : {op.getId(), op.getThreads()})
      operands.push_back(constantI32(rewriter, op.getLoc(), number));
    LLVM::CallOp::create(rewriter, op.getLoc(), TypeRange(), kRoleBarrierFn, operands);
    rewriter.eraseOp(op);
    return success();
  }

  KernelFacts &facts;
};

} // namespace

void fuser::host::populateBulkCopyPatterns(const LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns, KernelFacts &facts,
                                           bool checkAlignment) {
  patterns.add<Request<MBarrierInitOp>>(converter, facts, kMBarrierInitFn);
  patterns.add<Request<MBarrierExpectOp>>(converter, facts, kMBarrierExpectFn);
  patterns.add<Request<MBarrierWaitOp>>(converter, facts, kMBarrierWaitFn);
  patterns.add<ContextCall<MBarrierFenceOp>>(converter, kMBarrierFenceFn);
  patterns.add<CopyBulk, CopyTensor, StoreTensor>(converter, facts, checkAlignment);
  patterns.add<ContextCall<StoreCommitOp>>(converter, kStoreCommitFn);
  patterns.add<PendingCall<StoreWaitOp>>(converter, kStoreWaitFn);
  patterns.add<Arrive, RoleBarrier>(converter, facts);
}
