//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Emits calls to the device before memory accesses of a checked kernel. Only kernel IR shows which
// memory an access belongs to, so that accesses are marked there; the calls are emitted when the
// access gets its address.
//===----------------------------------------------------------------------===//
#include "HostCalls.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// On an access: the number of the kernel argument that it goes through, or one of the constants
/// below.
static constexpr llvm::StringLiteral kMemory = "fuser_host.memory";
static constexpr int32_t kSharedMemory = -1;
static constexpr int32_t kThreadMemory = -2;
static constexpr int32_t kPeerMemory = -3;
/// This minus n: the argument that the `part_argument` with the number n selects.
static constexpr int32_t kFirstPartMemory = -4;

/// On an access of a kernel that waits for the launches before it: the memory is a fact not to
/// change while the kernel runs.
static constexpr llvm::StringLiteral kUnchanged = "fuser_host.unchanged";

/// The memory that a buffer of `func` is a part of.
static int32_t findMemory(gpu::GPUFuncOp func, Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  if (auto part = buffer.getDefiningOp<kernel_ir::PartArgumentOp>())
    return kFirstPartMemory - cast<IntegerAttr>(part->getAttr(kPartMemory)).getInt();
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    if (argument.getOwner() == &func.getBody().front()) {
      unsigned number = argument.getArgNumber(), shared = func.getFirstWorkgroupAttributionIndex();
      if (number < func.getNumArguments())
        return static_cast<int32_t>(number);
      return number < shared + func.getNumWorkgroupAttributions() ? kSharedMemory : kThreadMemory;
    }
  return buffer.getDefiningOp<gpu::DynamicSharedMemoryOp>() ? kSharedMemory : kThreadMemory;
}

/// True if `buffer` is a part of arguments with the fact that nothing writes them.
static bool isUnchanged(gpu::GPUFuncOp func, Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  SmallVector<Value> arguments = {buffer};
  if (auto part = buffer.getDefiningOp<kernel_ir::PartArgumentOp>())
    arguments.assign(part.getArguments().begin(), part.getArguments().end());
  return llvm::all_of(arguments, [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &func.getBody().front() &&
           argument.getArgNumber() < func.getNumArguments() &&
           func.getArgAttr(argument.getArgNumber(), kernel_ir::FuserGPUDialect::kReadonly);
  });
}

void fuser::host::markAccesses(gpu::GPUFuncOp func) {
  Type i32 = IntegerType::get(func.getContext(), 32);
  // Elsewhere the launch alone can write the memory, which the check of races knows.
  const bool mayOverlap = !func.getOps<kernel_ir::WaitDependenciesOp>().empty();
  int64_t numParts = 0;
  func.walk([&](kernel_ir::PartArgumentOp op) {
    if (isa<MemRefType>(op.getType()))
      op->setAttr(kPartMemory, IntegerAttr::get(i32, numParts++));
  });
  func.walk([&](Operation *op) {
    Value buffer =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case<vector::LoadOp, vector::StoreOp>([](auto access) { return access.getBase(); })
            .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(
                [](auto access) { return access.getMemref(); })
            .Case<kernel_ir::LoadOp, kernel_ir::StoreOp>(
                [](auto access) { return access.getBase(); })
            .Case<kernel_ir::TicketOp, kernel_ir::AwaitOp>(
                [](auto access) { return access.getCounter(); })
            .Case<kernel_ir::CopyAsyncOp, kernel_ir::CopyBulkOp>(
                [](auto copy) { return copy.getSource(); })
            .Case<kernel_ir::MBarrierInitOp, kernel_ir::MBarrierExpectOp, kernel_ir::MBarrierWaitOp,
                  kernel_ir::MBarrierArriveOp>([](auto op) { return op.getBarrier(); })
            .Case<kernel_ir::CopyTensorOp, kernel_ir::StoreTensorOp>(
                [](auto copy) { return copy.getMap(); })
            .Case<kernel_ir::LdMatrixOp, kernel_ir::StMatrixOp>(
                [](auto access) { return access.getBase(); })
            .Case([](kernel_ir::WgmmaOp product) { return product.getLhs(); })
            .Default([](Operation *) { return Value(); });
    if (buffer && mayOverlap && isUnchanged(func, buffer))
      op->setAttr(kUnchanged, UnitAttr::get(func.getContext()));
    if (buffer)
      op->setAttr(kMemory, IntegerAttr::get(i32, findMemory(func, buffer)));
    else if (isa<kernel_ir::PeerLoadOp, kernel_ir::PeerStoreOp>(op))
      op->setAttr(kMemory, IntegerAttr::get(i32, kPeerMemory));
  });
}

bool fuser::host::isCheckedAccess(Operation *op) { return op->hasAttr(kMemory); }

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void fuser::host::emitBoundsCheck(OpBuilder &builder, Operation *op, MemRefType buffer,
                                  ValueRange indices, int64_t lanes, KernelFacts &facts) {
  auto memory = op->getAttrOfType<IntegerAttr>(kMemory);
  // For global memory the box is more precise than the accessed view.
  if (memory && memory.getInt() < 0 && memory.getInt() > kFirstPartMemory &&
      buffer.hasStaticShape())
    emitIndexChecks(builder, op, buffer, indices, lanes, facts);
}

void fuser::host::emitIndexChecks(OpBuilder &builder, Operation *op, MemRefType buffer,
                                  ValueRange indices, int64_t lanes, KernelFacts &facts) {
  Value count = LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI64Type(),
                                         builder.getI64IntegerAttr(lanes));
  emitIndexChecks(builder, op, buffer, indices, count, facts);
}

void fuser::host::emitIndexChecks(OpBuilder &builder, Operation *op, MemRefType buffer,
                                  ValueRange indices, Value lanes, KernelFacts &facts) {
  Location loc = op->getLoc();
  Type i64 = builder.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(value));
  };
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value count = dim + 1 == indices.size() ? lanes : constant(1);
    Value wide = index.getType() == i64 ? index : LLVM::SExtOp::create(builder, loc, i64, index);
    LLVM::CallOp::create(builder, loc, TypeRange(), kCheckBoundsFn,
                         ValueRange{getThreadContext(op), wide, count,
                                    constant(buffer.getDimSize(dim)),
                                    constantI32(builder, loc, facts.addSite(op))});
  }
}

Value fuser::host::getMemoryNumber(OpBuilder &builder, Operation *op, KernelFacts &facts) {
  Location loc = op->getLoc();
  auto marked = op->getAttrOfType<IntegerAttr>(kMemory);
  if (!marked)
    return constantI32(builder, loc, 0);
  const int64_t memory = marked.getInt();
  if (memory <= kFirstPartMemory)
    return LLVM::LoadOp::create(builder, loc, builder.getI32Type(),
                                facts.partNumbers.at(kFirstPartMemory - memory));
  return constantI32(builder, loc,
                     memory == kSharedMemory ? FUSER_HOST_SHARED
                     : memory == kPeerMemory ? FUSER_HOST_PEER_SHARED
                                             : memory);
}

void fuser::host::emitAccessCheck(OpBuilder &builder, Operation *op, Value address, Type llvmType,
                                  uint32_t kind, KernelFacts &facts) {
  auto memory = op->getAttrOfType<IntegerAttr>(kMemory);
  if (!memory || memory.getInt() == kThreadMemory)
    return;
  Location loc = op->getLoc();
  if (kind == FUSER_HOST_READ && op->hasAttr(kUnchanged))
    kind = FUSER_HOST_READ_ONLY;
  auto constant = [&](uint32_t value) { return constantI32(builder, loc, value); };
  Value owner = getMemoryNumber(builder, op, facts);
  uint64_t bytes = DataLayout::closest(op).getTypeSize(llvmType).getFixedValue();
  Value number = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), address);
  LLVM::CallOp::create(builder, loc, TypeRange(), kCheckAccessFn,
                       ValueRange{getThreadContext(op), constant(facts.addSite(op)), owner, number,
                                  constant(bytes), constant(kind)});
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

namespace {

/// Emits the check and removes the mark, so that upstream's pattern applies.
struct CheckedAtomic : ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  CheckedAtomic(const LLVMTypeConverter &converter, KernelFacts &facts)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/2), facts(facts) {}

  LogicalResult matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isCheckedAccess(op))
      return rewriter.notifyMatchFailure(op, "the access is not checked");
    MemRefType buffer = op.getMemRefType();
    emitBoundsCheck(rewriter, op, buffer, adaptor.getIndices(), /*lanes=*/1, facts);
    Value address = getStridedElementPtr(rewriter, op.getLoc(), buffer, adaptor.getMemref(),
                                         adaptor.getIndices());
    emitAccessCheck(rewriter, op, address, adaptor.getValue().getType(), FUSER_HOST_ATOMIC, facts);
    rewriter.modifyOpInPlace(op, [&] { op->removeAttr(kMemory); });
    return success();
  }

private:
  KernelFacts &facts;
};

} // namespace

void fuser::host::populateCheckedAtomicPatterns(const LLVMTypeConverter &converter,
                                                RewritePatternSet &patterns, KernelFacts &facts) {
  patterns.add<CheckedAtomic>(converter, facts);
}
