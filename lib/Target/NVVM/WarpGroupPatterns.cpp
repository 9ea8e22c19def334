//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers products of matrices by warp groups.
//
// Products and waits are inline PTX, whose outputs are tied to its inputs: the accumulators stay in
// their registers, and no use of an element is before the wait that returns it.
//
//===----------------------------------------------------------------------===//

#include "EmitOps.h"
#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuser::nvvm;
using namespace fuser::kernel_ir;

/// The only chip with wgmma, and the first one with the fence.
static constexpr StringLiteral kChip = "sm_90a";
static constexpr unsigned kFirstChipWithFence = 90;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The elements of vectors.
static SmallVector<Value> getElements(OpBuilder &builder, Location loc, ValueRange vectors) {
  SmallVector<Value> elements;
  for (Value vector : vectors)
    for (int64_t each = 0, e = cast<VectorType>(vector.getType()).getNumElements(); each < e;
         ++each) {
      Value position = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), each);
      elements.push_back(LLVM::ExtractElementOp::create(builder, loc, vector, position));
    }
  return elements;
}

/// The inverse, from the fields of a struct.
static SmallVector<Value> getVectors(OpBuilder &builder, Location loc, Value fields,
                                     TypeRange types) {
  SmallVector<Value> vectors;
  int64_t field = 0;
  for (Type type : types) {
    Value vector = LLVM::PoisonOp::create(builder, loc, type);
    for (int64_t each = 0, e = cast<VectorType>(type).getNumElements(); each < e; ++each) {
      Value position = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), each);
      Value element = LLVM::ExtractValueOp::create(builder, loc, fields, field++);
      vector = LLVM::InsertElementOp::create(builder, loc, vector, element, position);
    }
    vectors.push_back(vector);
  }
  return vectors;
}

/// PTX that reads and writes `registers`, and reads `others`; the registers it writes, as a struct.
static Value createTied(OpBuilder &builder, Location loc, const std::string &text,
                        ArrayRef<Value> registers, ArrayRef<Value> others) {
  std::string constraints;
  for (size_t each = 0; each < registers.size(); ++each)
    constraints += "=f,";
  for (size_t each = 0; each < registers.size(); ++each)
    constraints += std::to_string(each) + ",";
  for (size_t each = 0; each < others.size(); ++each)
    constraints += "l,";
  constraints += "~{memory}";
  SmallVector<Value> operands(registers);
  llvm::append_range(operands, others);
  Type result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(registers.size(), builder.getF32Type()));
  return emitPTX(builder, loc, result, operands, text, constraints).getRes();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The fields of a descriptor that do not depend on the address: distances in units of 16 bytes,
/// and the number of the swizzle.
static uint64_t getDescriptor(RowsAttr rows) {
  const uint64_t group = rows.getBytes() * 8 / 16, pitch = rows.getPitch() * 2 / 16;
  const uint64_t swizzle = rows.getBytes() == 128 ? 1 : rows.getBytes() == 64 ? 2 : 3;
  return std::max<uint64_t>(pitch, 1) << 16 | group << 32 | swizzle << 62;
}

namespace {
struct WgmmaLowering : ConvertOpToLLVMPattern<WgmmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(WgmmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = describe(op, op.getLhs(), adaptor.getLhs(), adaptor.getLhsIndices(),
                         op.getLhsRows(), rewriter);
    Value rhs = describe(op, op.getRhs(), adaptor.getRhs(), adaptor.getRhsIndices(),
                         op.getRhsRows(), rewriter);
    SmallVector<Value> registers = getElements(rewriter, loc, adaptor.getAccumulator());
    Value sums = createTied(rewriter, loc, getText(op), registers, {lhs, rhs});
    rewriter.replaceOp(op, getVectors(rewriter, loc, sums, adaptor.getAccumulator().getType()));
    return success();
  }

private:
  Value describe(WgmmaOp op, Value memory, Value converted, ValueRange indices, RowsAttr rows,
                 ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type(), i64 = rewriter.getI64Type();
    Value pointer =
        getStridedElementPtr(rewriter, loc, cast<MemRefType>(memory.getType()), converted, indices);
    Value address = LLVM::PtrToIntOp::create(rewriter, loc, i32, pointer);
    // Shared memory has 18 bits of addresses, of which a descriptor has those above 4.
    auto constant = [&](int64_t value) {
      return LLVM::ConstantOp::create(rewriter, loc, i32, rewriter.getI32IntegerAttr(value));
    };
    address = LLVM::LShrOp::create(rewriter, loc, address, constant(4));
    address = LLVM::AndOp::create(rewriter, loc, address, constant(0x3FFF));
    Value fixed = LLVM::ConstantOp::create(
        rewriter, loc, i64, rewriter.getI64IntegerAttr(int64_t(getDescriptor(rows))));
    return LLVM::OrOp::create(rewriter, loc, LLVM::ZExtOp::create(rewriter, loc, i64, address),
                              fixed);
  }

  static std::string getText(WgmmaOp op) {
    const std::string type = op.getElement().isF16() ? "f16" : "bf16";
    const int64_t count = op.getN() / 2;
    std::string registers;
    for (int64_t each = 0; each < count; ++each)
      registers += (each == 0 ? "$" : ", $") + std::to_string(each);
    // The descriptors come after the tied inputs.
    auto operand = [&](int64_t number) { return "$" + std::to_string(2 * count + number); };
    auto flag = [](bool isSet) { return std::string(isSet ? ", 1" : ", 0"); };
    return "{\n\t.reg .pred adds;\n\tsetp.eq.u32 adds, 0, 0;\n"
           "\twgmma.mma_async.sync.aligned.m64n" +
           std::to_string(op.getN()) + "k16.f32." + type + "." + type + " {" + registers + "}, " +
           operand(0) + ", " + operand(1) + ", adds, 1, 1" + flag(op.getLhsRows().getTransposed()) +
           flag(op.getRhsRows().getTransposed()) + ";\n}";
  }
};

struct WgmmaWaitLowering : ConvertOpToLLVMPattern<WgmmaWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(WgmmaWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (op.getProducts().empty()) {
      NVVM::WgmmaWaitGroupSyncOp::create(rewriter, loc, op.getPending());
      rewriter.eraseOp(op);
      return success();
    }
    SmallVector<Value> registers = getElements(rewriter, loc, adaptor.getProducts());
    const std::string text =
        "wgmma.wait_group.sync.aligned " + std::to_string(op.getPending()) + ";";
    Value elements = createTied(rewriter, loc, text, registers, {});
    rewriter.replaceOp(
        op, getVectors(rewriter, loc, elements, ValueRange(adaptor.getProducts()).getTypes()));
    return success();
  }
};

template <typename From, typename To> struct SimpleLowering : ConvertOpToLLVMPattern<From> {
  using ConvertOpToLLVMPattern<From>::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    To::create(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct FenceAsyncLowering : ConvertOpToLLVMPattern<FenceAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(FenceAsyncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    emitFenceAsync(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct SetMaxRegistersLowering : ConvertOpToLLVMPattern<SetMaxRegistersOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(SetMaxRegistersOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::SetMaxRegisterOp::create(rewriter, op.getLoc(), op.getRegisters(),
                                   op.getIncreases() ? NVVM::SetMaxRegisterAction::increase
                                                     : NVVM::SetMaxRegisterAction::decrease);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fuser::nvvm::populateWarpGroupPatterns(const LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<WgmmaLowering, WgmmaWaitLowering, FenceAsyncLowering, SetMaxRegistersLowering,
               SimpleLowering<WgmmaFenceOp, NVVM::WgmmaFenceAlignedOp>,
               SimpleLowering<WgmmaCommitOp, NVVM::WgmmaGroupSyncAlignedOp>>(converter,
                                                                             kOurBenefit);
}

/// The assembler derives the registers of the launch from the threads of a block and the blocks of
/// a multiprocessor; without them it ignores the instruction.
static LogicalResult verifyLaunch(SetMaxRegistersOp op) {
  auto function = op->getParentOfType<gpu::GPUFuncOp>();
  if (!function)
    return success();
  auto launch = function->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch);
  if (launch && launch.getMinBlocksPerSM() == 1)
    return success();
  return op.emitOpError() << "expected a launch with min_blocks_per_sm = 1, from which the "
                             "registers at its begin follow";
}

LogicalResult fuser::nvvm::verifyWarpGroups(gpu::GPUModuleOp module, StringRef chip) {
  const unsigned number = getChipNumber(chip);
  WalkResult launches = module.walk([&](SetMaxRegistersOp op) {
    return succeeded(verifyLaunch(op)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (launches.wasInterrupted())
    return failure();
  if (chip == kChip)
    return success();
  WalkResult walked = module.walk([&](Operation *op) {
    const bool isFence = isa<FenceAsyncOp>(op);
    if (!isa<WgmmaOp, WgmmaFenceOp, WgmmaCommitOp, WgmmaWaitOp, SetMaxRegistersOp>(op) &&
        !(isFence && number < kFirstChipWithFence))
      return WalkResult::advance();
    op->emitOpError() << "expected a chip with this instruction ("
                      << (isFence ? "sm_90 or later" : "sm_90a") << "), but got '" << chip << "'";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}
