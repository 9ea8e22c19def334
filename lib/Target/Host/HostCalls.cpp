//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostCalls.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace fuser::host;

Value fuser::host::constantI32(OpBuilder &builder, Location loc, uint32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getIntegerAttr(builder.getI32Type(), value));
}

Value fuser::host::getThreadContext(Operation *op) {
  return op->getParentOfType<LLVM::LLVMFuncOp>().getArgument(0);
}

void fuser::host::callWait(OpBuilder &builder, Operation *op, StringRef function,
                           KernelFacts &facts) {
  Value site = constantI32(builder, op->getLoc(), facts.addSite(op));
  LLVM::CallOp::create(builder, op->getLoc(), TypeRange(), function,
                       ValueRange{getThreadContext(op), site});
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// The number of bits that the scheduler moves between two lanes at a time.
static constexpr unsigned kChunkBits = 64;

/// The integer type that holds all bits of `type`.
static IntegerType bitsOf(Type type) {
  unsigned width = 0;
  if (auto vector = dyn_cast<VectorType>(type))
    width = vector.getNumElements() * vector.getElementTypeBitWidth();
  else
    width = type.getIntOrFloatBitWidth();
  return IntegerType::get(type.getContext(), width);
}

static Value shiftAmount(OpBuilder &builder, Location loc, IntegerType type, unsigned bits) {
  return LLVM::ConstantOp::create(builder, loc, type, builder.getIntegerAttr(type, bits));
}

/// The bits of `value`, lowest first, in as many i64 as they need.
SmallVector<Value> fuser::host::splitPayload(OpBuilder &builder, Location loc, Value value) {
  IntegerType type = bitsOf(value.getType());
  IntegerType i64 = builder.getI64Type();
  Value bits = value.getType() == type ? value : LLVM::BitcastOp::create(builder, loc, type, value);
  if (type.getWidth() < kChunkBits)
    return {LLVM::ZExtOp::create(builder, loc, i64, bits)};
  if (type.getWidth() == kChunkBits)
    return {bits};
  SmallVector<Value> chunks;
  for (unsigned at = 0; at < type.getWidth(); at += kChunkBits) {
    Value shifted = LLVM::LShrOp::create(builder, loc, bits, shiftAmount(builder, loc, type, at));
    chunks.push_back(LLVM::TruncOp::create(builder, loc, i64, shifted));
  }
  return chunks;
}

/// The inverse: a value of `type` from the chunks of splitPayload.
Value fuser::host::joinPayload(OpBuilder &builder, Location loc, Type type,
                               ArrayRef<Value> chunks) {
  IntegerType bits = bitsOf(type);
  Value whole = chunks.front();
  if (bits.getWidth() < kChunkBits)
    whole = LLVM::TruncOp::create(builder, loc, bits, whole);
  else if (bits.getWidth() > kChunkBits)
    whole = LLVM::ZExtOp::create(builder, loc, bits, whole);
  for (unsigned i = 1; i < chunks.size(); ++i) {
    // A last chunk that is not full has zeros in its upper bits, which are truncated here.
    Value wide = LLVM::ZExtOp::create(builder, loc, bits, chunks[i]);
    Value amount = shiftAmount(builder, loc, bits, i * kChunkBits);
    Value placed = LLVM::ShlOp::create(builder, loc, wide, amount);
    whole = LLVM::OrOp::create(builder, loc, whole, placed);
  }
  return whole.getType() == type ? whole : LLVM::BitcastOp::create(builder, loc, type, whole);
}

ShuffleResult fuser::host::callShuffle(OpBuilder &builder, Operation *op, uint32_t mode,
                                       Value value, Value offset, Value width, KernelFacts &facts) {
  Location loc = op->getLoc();
  Value context = getThreadContext(op);
  Value site = constantI32(builder, loc, facts.addSite(op));
  Value modeValue = constantI32(builder, loc, mode);
  Type i64 = builder.getI64Type();
  Type resultType = LLVM::LLVMStructType::getLiteral(builder.getContext(), {i64, i64});
  Value valid;
  SmallVector<Value> moved;
  for (Value chunk : splitPayload(builder, loc, value)) {
    auto call = LLVM::CallOp::create(builder, loc, resultType, kShuffleFn,
                                     ValueRange{context, site, modeValue, chunk, offset, width});
    moved.push_back(LLVM::ExtractValueOp::create(builder, loc, call.getResult(), 0));
    valid = LLVM::ExtractValueOp::create(builder, loc, call.getResult(), 1);
  }
  valid = LLVM::TruncOp::create(builder, loc, builder.getI1Type(), valid);
  return {joinPayload(builder, loc, value.getType(), moved), valid};
}
