//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// On the GPU, an access that states an alignment faults if the address violates it. In LLVM IR the
// alignment would become an aligned move, which kills the process. The lowering therefore checks
// the address, with an error that names the op, and then accesses memory with the alignment of one
// element. A checked access calls the device first (CheckedAccess.cpp).
//===----------------------------------------------------------------------===//
#include "ContextFields.h"
#include "Stages.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;

void fuser::host::emitAlignmentCheck(OpBuilder &builder, Operation *op, Value address,
                                     uint64_t alignment, KernelFacts &facts) {
  Location loc = op->getLoc();
  auto entry = op->getParentOfType<LLVM::LLVMFuncOp>();
  Value mask = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                        builder.getI64IntegerAttr(alignment - 1));
  Value site = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                        builder.getI32IntegerAttr(facts.addSite(op)));
  LLVM::CallOp::create(builder, loc, TypeRange(), kCheckAlignmentFn,
                       ValueRange{entry.getArgument(0), address, mask, site});
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

uint64_t fuser::host::elementAlignment(Operation *op, Type llvmElement) {
  return DataLayout::closest(op).getTypeABIAlignment(llvmElement);
}

static MemRefType bufferOf(vector::LoadOp op) { return op.getMemRefType(); }
static MemRefType bufferOf(vector::StoreOp op) { return op.getMemRefType(); }
static MemRefType bufferOf(memref::LoadOp op) { return op.getMemRefType(); }
static MemRefType bufferOf(memref::StoreOp op) { return op.getMemRefType(); }
static Value baseOf(vector::LoadOp::Adaptor op) { return op.getBase(); }
static Value baseOf(vector::StoreOp::Adaptor op) { return op.getBase(); }
static Value baseOf(memref::LoadOp::Adaptor op) { return op.getMemref(); }
static Value baseOf(memref::StoreOp::Adaptor op) { return op.getMemref(); }
static Value storedBy(vector::StoreOp::Adaptor op) { return op.getValueToStore(); }
static Value storedBy(memref::StoreOp::Adaptor op) { return op.getValue(); }
static int64_t lanesOf(vector::LoadOp op) { return op.getVectorType().getNumElements(); }
static int64_t lanesOf(vector::StoreOp op) { return op.getVectorType().getNumElements(); }
static int64_t lanesOf(memref::LoadOp) { return 1; }
static int64_t lanesOf(memref::StoreOp) { return 1; }

namespace {

template <typename Op> struct AlignedAccess : ConvertOpToLLVMPattern<Op> {
  AlignedAccess(const LLVMTypeConverter &converter, KernelFacts &facts, bool check)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2), facts(facts), check(check) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    uint64_t stated = op.getAlignment().value_or(0);
    if (stated == 0 && !isCheckedAccess(op))
      return rewriter.notifyMatchFailure(op, "the access states no alignment and is not checked");
    MemRefType buffer = bufferOf(op);
    Location loc = op.getLoc();
    Type element = this->getTypeConverter()->convertType(buffer.getElementType());
    Value address =
        this->getStridedElementPtr(rewriter, loc, buffer, baseOf(adaptor), adaptor.getIndices());
    uint64_t natural = elementAlignment(op, element);
    emitBoundsCheck(rewriter, op, buffer, adaptor.getIndices(), lanesOf(op), facts);
    if (check && stated > natural)
      emitAlignmentCheck(rewriter, op, address, stated, facts);
    checkAccess(op, adaptor, address, rewriter);
    access(op, adaptor, address, natural, rewriter);
    return success();
  }

private:
  void checkAccess(Op op, typename Op::Adaptor adaptor, Value address,
                   ConversionPatternRewriter &rewriter) const {
    if constexpr (std::is_same_v<Op, vector::LoadOp> || std::is_same_v<Op, memref::LoadOp>)
      emitAccessCheck(rewriter, op, address,
                      this->getTypeConverter()->convertType(op.getResult().getType()),
                      FUSER_HOST_READ, facts);
    else
      emitAccessCheck(rewriter, op, address, storedBy(adaptor).getType(), FUSER_HOST_WRITE, facts);
  }

  void access(Op op, typename Op::Adaptor adaptor, Value address, unsigned alignment,
              ConversionPatternRewriter &rewriter) const {
    if constexpr (std::is_same_v<Op, vector::LoadOp> || std::is_same_v<Op, memref::LoadOp>) {
      Type type = this->getTypeConverter()->convertType(op.getResult().getType());
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, address, alignment);
    } else {
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, storedBy(adaptor), address, alignment);
    }
  }

  KernelFacts &facts;
  bool check;
};

} // namespace

void fuser::host::populateAlignedAccessPatterns(const LLVMTypeConverter &converter,
                                                RewritePatternSet &patterns, KernelFacts &facts,
                                                bool check) {
  patterns.add<AlignedAccess<vector::LoadOp>, AlignedAccess<vector::StoreOp>,
               AlignedAccess<memref::LoadOp>, AlignedAccess<memref::StoreOp>>(converter, facts,
                                                                              check);
}
