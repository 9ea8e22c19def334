//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lowers operations between threads of a warp and blocks of a grid, and fences.
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

// LLVM's names of the scopes of threads on NVPTX.
static constexpr StringLiteral kBlockScope = "block";
static constexpr StringLiteral kDeviceScope = "device";

static void createFence(OpBuilder &builder, Location loc, StringRef scope) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, scope);
}

/// True if all three of the special registers are zero.
template <typename X, typename Y, typename Z>
static Value createIsZero(OpBuilder &builder, Location loc) {
  Type i32 = builder.getI32Type();
  Value any = LLVM::OrOp::create(
      builder, loc, X::create(builder, loc, i32),
      LLVM::OrOp::create(builder, loc, Y::create(builder, loc, i32), Z::create(builder, loc, i32)));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, any,
                              constantI32(builder, loc, 0));
}

static Value createIsFirstThread(OpBuilder &builder, Location loc) {
  return createIsZero<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp, NVVM::ThreadIdZOp>(builder, loc);
}

/// Draws a ticket from a counter: fence, increment modulo `participants`, fence.
static Value createTicket(OpBuilder &builder, Location loc, Value counter, Value participants) {
  createFence(builder, loc, kDeviceScope);
  Value last = LLVM::SubOp::create(builder, loc, participants, constantI32(builder, loc, 1));
  Value ticket = LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::uinc_wrap, counter,
                                           last, LLVM::AtomicOrdering::monotonic, kDeviceScope);
  createFence(builder, loc, kDeviceScope);
  return ticket;
}

namespace {

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

struct ShuffleLowering : ConvertOpToLLVMPattern<ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(ShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value allLanes = constantI32(rewriter, loc, -1);
    // Bits 8 to 12 split the warp into segments, bits 0 to 4 bound the lane that is read.
    int32_t lastLane = op.getMode() == ShuffleMode::Up ? 0 : 31;
    Value clamp = constantI32(rewriter, loc, ((32 - op.getWidth()) << 8) | lastLane);
    Value padded = pad(rewriter, loc, adaptor.getValue());
    SmallVector<Value> pieces = LLVM::decomposeValue(rewriter, loc, padded, i32);
    for (Value &piece : pieces)
      piece = NVVM::ShflOp::create(rewriter, loc, i32, allLanes, piece, adaptor.getOffset(), clamp,
                                   kind(op.getMode()), UnitAttr());
    Value received = LLVM::composeValue(rewriter, loc, pieces, padded.getType());
    rewriter.replaceOp(op, cut(rewriter, loc, received, adaptor.getValue().getType()));
    return success();
  }

private:
  /// Pads a vector to a multiple of the piece size.
  static Value pad(OpBuilder &builder, Location loc, Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector)
      return value;
    int64_t bits = vector.getNumElements() * vector.getElementTypeBitWidth();
    int64_t count = llvm::alignTo(bits, 32) / vector.getElementTypeBitWidth();
    if (bits <= 32 || count == vector.getNumElements())
      return value;
    return select(builder, loc, value, count);
  }

  static Value cut(OpBuilder &builder, Location loc, Value value, Type type) {
    if (value.getType() == type)
      return value;
    return select(builder, loc, value, cast<VectorType>(type).getNumElements());
  }

  /// The first `count` elements; elements after the last one are poison.
  static Value select(OpBuilder &builder, Location loc, Value value, int64_t count) {
    int64_t given = cast<VectorType>(value.getType()).getNumElements();
    SmallVector<int32_t> mask;
    for (int64_t i = 0; i < count; ++i)
      mask.push_back(i < given ? i : -1);
    Value poison = LLVM::PoisonOp::create(builder, loc, value.getType());
    return LLVM::ShuffleVectorOp::create(builder, loc, value, poison, mask);
  }

  static NVVM::ShflKind kind(ShuffleMode mode) {
    switch (mode) {
    case ShuffleMode::Xor:
      return NVVM::ShflKind::bfly;
    case ShuffleMode::Up:
      return NVVM::ShflKind::up;
    case ShuffleMode::Down:
      return NVVM::ShflKind::down;
    case ShuffleMode::Idx:
      return NVVM::ShflKind::idx;
    }
    return NVVM::ShflKind::idx;
  }
};

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

struct FenceLowering : ConvertOpToLLVMPattern<FenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(FenceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringRef scope;
    if (op.getScope() == FenceScope::Block)
      scope = kBlockScope;
    else if (op.getScope() == FenceScope::Device)
      scope = kDeviceScope;
    createFence(rewriter, op.getLoc(), scope);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Address of a counter op's counter.
template <typename Op> struct CounterLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  using Adaptor = typename Op::Adaptor;

protected:
  Value counterAddress(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const {
    return this->getStridedElementPtr(rewriter, op.getLoc(),
                                      cast<MemRefType>(op.getCounter().getType()),
                                      adaptor.getCounter(), adaptor.getIndices());
  }
};

struct TicketLowering : CounterLowering<TicketOp> {
  using CounterLowering::CounterLowering;

  LogicalResult matchAndRewrite(TicketOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value counter = counterAddress(op, adaptor, rewriter);
    rewriter.replaceOp(op, createTicket(rewriter, op.getLoc(), counter, adaptor.getParticipants()));
    return success();
  }
};

/// Each read acquires: a fence after the last one would cost every waiting thread more.
struct AwaitLowering : CounterLowering<AwaitOp> {
  using CounterLowering::CounterLowering;

  LogicalResult matchAndRewrite(AwaitOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Block *wait = rewriter.createBlock(after);

    rewriter.setInsertionPointToEnd(before);
    Value counter = counterAddress(op, adaptor, rewriter);
    LLVM::BrOp::create(rewriter, loc, ValueRange(), wait);

    rewriter.setInsertionPointToEnd(wait);
    Value drawn = LLVM::LoadOp::create(rewriter, loc, i32, counter, /*alignment=*/4,
                                       /*isVolatile=*/false, /*isNonTemporal=*/false,
                                       /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                       LLVM::AtomicOrdering::acquire, kDeviceScope);
    Value isZero = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, drawn,
                                        constantI32(rewriter, loc, 0));
    LLVM::CondBrOp::create(rewriter, loc, isZero, wait, after);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The first thread draws the ticket of its block between two barriers; the second barrier
/// broadcasts the result without shared memory.
struct LastBlockLowering : CounterLowering<LastBlockOp> {
  using CounterLowering::CounterLowering;

  LogicalResult matchAndRewrite(LastBlockOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Block *draw = rewriter.createBlock(after);
    Value answer = after->addArgument(i32, loc);

    rewriter.setInsertionPointToEnd(before);
    Value counter = counterAddress(op, adaptor, rewriter);
    NVVM::BarrierOp::create(rewriter, loc);
    Value zero = constantI32(rewriter, loc, 0);
    LLVM::CondBrOp::create(rewriter, loc, createIsFirstThread(rewriter, loc), draw, ValueRange(),
                           after, zero);

    rewriter.setInsertionPointToEnd(draw);
    Value ticket = createTicket(rewriter, loc, counter, adaptor.getParticipants());
    Value last = LLVM::SubOp::create(rewriter, loc, adaptor.getParticipants(),
                                     constantI32(rewriter, loc, 1));
    Value isLast = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::eq, ticket, last);
    LLVM::BrOp::create(rewriter, loc, LLVM::ZExtOp::create(rewriter, loc, i32, isLast).getResult(),
                       after);

    rewriter.setInsertionPointToStart(after);
    auto anyThread =
        NVVM::BarrierReductionAttr::get(rewriter.getContext(), NVVM::BarrierReduction::OR);
    Value any =
        NVVM::BarrierOp::create(rewriter, loc, i32, Value(), Value(), anyThread, answer).getRes();
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne, any,
                                              constantI32(rewriter, loc, 0));
    return success();
  }
};

/// The first thread of each block adds 1, and block 0 adds the value that makes the sum of all
/// arrivals 2^31: the last arrival flips the top bit and leaves the other bits zero, for either
/// value of the top bit. All threads wait for the flip.
struct GridSyncLowering : CounterLowering<GridSyncOp> {
  using CounterLowering::CounterLowering;

  LogicalResult matchAndRewrite(GridSyncOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    Block *arrive = rewriter.createBlock(after);
    Block *wait = rewriter.createBlock(after);
    Block *leave = rewriter.createBlock(after);

    rewriter.setInsertionPointToEnd(before);
    Value counter = counterAddress(op, adaptor, rewriter);
    NVVM::BarrierOp::create(rewriter, loc);
    LLVM::CondBrOp::create(rewriter, loc, createIsFirstThread(rewriter, loc), arrive, after);

    rewriter.setInsertionPointToEnd(arrive);
    createFence(rewriter, loc, kDeviceScope);
    Value old = LLVM::AtomicRMWOp::create(rewriter, loc, LLVM::AtomicBinOp::add, counter,
                                          createArrival(rewriter, loc),
                                          LLVM::AtomicOrdering::monotonic, kDeviceScope);
    LLVM::BrOp::create(rewriter, loc, ValueRange(), wait);

    rewriter.setInsertionPointToEnd(wait);
    Value now = LLVM::LoadOp::create(rewriter, loc, i32, counter, /*alignment=*/4,
                                     /*isVolatile=*/false, /*isNonTemporal=*/false,
                                     /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                     LLVM::AtomicOrdering::monotonic, kDeviceScope);
    Value flipped = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::slt,
                                         LLVM::XOrOp::create(rewriter, loc, old, now),
                                         constantI32(rewriter, loc, 0));
    LLVM::CondBrOp::create(rewriter, loc, flipped, leave, wait);

    rewriter.setInsertionPointToEnd(leave);
    createFence(rewriter, loc, kDeviceScope);
    LLVM::BrOp::create(rewriter, loc, ValueRange(), after);

    rewriter.setInsertionPointToStart(after);
    NVVM::BarrierOp::create(rewriter, loc);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// 1, or 2^31 - (blocks - 1) for block 0.
  static Value createArrival(OpBuilder &builder, Location loc) {
    Type i32 = builder.getI32Type();
    Value blocks = LLVM::MulOp::create(
        builder, loc, NVVM::GridDimXOp::create(builder, loc, i32),
        LLVM::MulOp::create(builder, loc, NVVM::GridDimYOp::create(builder, loc, i32),
                            NVVM::GridDimZOp::create(builder, loc, i32)));
    Value rest = LLVM::SubOp::create(builder, loc, constantI32(builder, loc, 0x80000001), blocks);
    Value isFirst =
        createIsZero<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(builder, loc);
    return LLVM::SelectOp::create(builder, loc, isFirst, rest, constantI32(builder, loc, 1));
  }
};
} // namespace

void fuser::nvvm::populateSyncPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<ShuffleLowering, FenceLowering, TicketLowering, AwaitLowering, LastBlockLowering,
               GridSyncLowering>(converter, kOurBenefit);
}
