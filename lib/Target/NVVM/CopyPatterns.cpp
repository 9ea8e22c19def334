//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers asynchronous copies from global to shared memory.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser::nvvm;
using namespace fuser::kernel_ir;

namespace {
struct CopyLowering : ConvertOpToLLVMPattern<CopyAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(CopyAsyncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getSource().getType()),
                                        adaptor.getSource(), adaptor.getSourceIndices());
    Value target = getStridedElementPtr(rewriter, loc, cast<MemRefType>(op.getTarget().getType()),
                                        adaptor.getTarget(), adaptor.getTargetIndices());
    source = castPointer(rewriter, loc, source, NVVM::NVVMMemorySpace::Global);
    const int64_t bytes = op.getBytes();
    Value existing = adaptor.getExisting();
    if (existing) {
      existing = truncateToI32(rewriter, loc, existing);
      Value element = constantI32(rewriter, loc, bytes / op.getCount());
      existing = LLVM::MulOp::create(rewriter, loc, existing, element);
    }
    // The first level of the cache holds what is read again: nothing is here. It can be passed by
    // for 16 bytes alone.
    const auto modifier =
        bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(rewriter, loc, target, source, rewriter.getI32IntegerAttr(bytes),
                            NVVM::LoadCacheModifierKindAttr::get(rewriter.getContext(), modifier),
                            existing);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitLowering : ConvertOpToLLVMPattern<CopyCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(CopyCommitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

struct CopyWaitLowering : ConvertOpToLLVMPattern<CopyWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(CopyWaitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, op.getPending());
    return success();
  }
};
} // namespace

void fuser::nvvm::populateCopyPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<CopyLowering, CommitLowering, CopyWaitLowering>(converter, kOurBenefit);
}

//===----------------------------------------------------------------------===//
// Chips without asynchronous copies
//===----------------------------------------------------------------------===//

/// All elements exist.
static void copyVector(CopyAsyncOp op, OpBuilder &builder) {
  auto type = VectorType::get({int64_t(op.getCount())},
                              cast<MemRefType>(op.getSource().getType()).getElementType());
  const llvm::MaybeAlign alignment(op.getBytes());
  Value vector =
      vector::LoadOp::create(builder, op.getLoc(), type, op.getSource(), op.getSourceIndices(),
                             /*nontemporal=*/false, alignment);
  vector::StoreOp::create(builder, op.getLoc(), vector, op.getTarget(), op.getTargetIndices(),
                          /*nontemporal=*/false, alignment);
}

/// Element by element, as they exist.
static void copyElements(CopyAsyncOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  Type element = cast<MemRefType>(op.getSource().getType()).getElementType();
  auto getIndices = [&](OpBuilder &inner, ValueRange indices, Value number) {
    SmallVector<Value> at(indices);
    if (!at.empty())
      at.back() = arith::AddIOp::create(inner, loc, at.back(), number);
    return at;
  };
  for (int64_t each = 0, e = op.getCount(); each < e; ++each) {
    Value number = arith::ConstantIndexOp::create(builder, loc, each);
    Value exists =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, op.getExisting());
    auto branch = scf::IfOp::create(
        builder, loc, exists,
        [&](OpBuilder &inner, Location) {
          Value value = memref::LoadOp::create(inner, loc, op.getSource(),
                                               getIndices(inner, op.getSourceIndices(), number));
          scf::YieldOp::create(inner, loc, value);
        },
        [&](OpBuilder &inner, Location) {
          Value zero = arith::ConstantOp::create(inner, loc, inner.getZeroAttr(element));
          scf::YieldOp::create(inner, loc, zero);
        });
    memref::StoreOp::create(builder, loc, branch.getResult(0), op.getTarget(),
                            getIndices(builder, op.getTargetIndices(), number));
  }
}

void fuser::nvvm::makeCopiesSynchronous(gpu::GPUModuleOp module, StringRef chip) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<CopyAsyncOp, CopyCommitOp, CopyWaitOp>(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  module.emitRemark() << "expected a chip with asynchronous copies (sm_" << kFirstChipWithCopies
                      << " or later), but got '" << chip << "': each copy is a load and a store";
  for (Operation *op : ops) {
    OpBuilder builder(op);
    if (auto copy = dyn_cast<CopyAsyncOp>(op))
      copy.getExisting() ? copyElements(copy, builder) : copyVector(copy, builder);
    op->erase();
  }
}
