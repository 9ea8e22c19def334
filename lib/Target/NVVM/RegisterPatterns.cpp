//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers fuser_gpu.keep to an empty inline assembly statement with each register as input and
// output.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::kernel_ir::KeepOp;

namespace {
struct KeepLowering : ConvertOpToLLVMPattern<KeepOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(KeepOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value value = adaptor.getValue();
    Type type = value.getType();
    auto vector = dyn_cast<VectorType>(type);
    if (vector && vector.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "expected a vector of one dimension");
    int64_t bits =
        getElementTypeOrSelf(type).getIntOrFloatBitWidth() * (vector ? vector.getNumElements() : 1);
    // Registers have 16 or 32 bits; narrower values are not changed.
    int64_t wordBits = bits % 32 == 0 ? 32 : 16;
    if (bits % wordBits != 0) {
      rewriter.replaceOp(op, value);
      return success();
    }
    Location loc = op.getLoc();
    Type word = rewriter.getIntegerType(wordBits);
    int64_t count = bits / wordBits;
    Type words = count == 1 ? word : Type(VectorType::get({count}, word));
    Value packed = type == words ? value : LLVM::BitcastOp::create(rewriter, loc, words, value);
    if (count == 1) {
      packed = keepWord(packed, rewriter, loc);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        Value position = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32Type(), i);
        Value element = LLVM::ExtractElementOp::create(rewriter, loc, packed, position);
        packed = LLVM::InsertElementOp::create(rewriter, loc, packed,
                                               keepWord(element, rewriter, loc), position);
      }
    }
    rewriter.replaceOp(op, type == words ? packed
                                         : LLVM::BitcastOp::create(rewriter, loc, type, packed));
    return success();
  }

private:
  static Value keepWord(Value word, OpBuilder &builder, Location loc) {
    const char *constraints = word.getType().isInteger(32) ? "=r,0" : "=h,0";
    return emitPTX(builder, loc, word.getType(), word, "", constraints).getRes();
  }
};
} // namespace

void fuser::nvvm::populateRegisterPatterns(const LLVMTypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<KeepLowering>(converter, kOurBenefit);
}
