//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PayloadChunks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

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

Value fuser::host::joinPayload(OpBuilder &builder, Location loc, Type type,
                               ArrayRef<Value> chunks) {
  IntegerType bits = bitsOf(type);
  Value whole = chunks.front();
  if (bits.getWidth() < kChunkBits)
    whole = LLVM::TruncOp::create(builder, loc, bits, whole);
  else if (bits.getWidth() > kChunkBits)
    whole = LLVM::ZExtOp::create(builder, loc, bits, whole);
  for (unsigned i = 1; i < chunks.size(); ++i) {
    // A last chunk that is not full carries zeros above; they are cut off here.
    Value wide = LLVM::ZExtOp::create(builder, loc, bits, chunks[i]);
    Value amount = shiftAmount(builder, loc, bits, i * kChunkBits);
    Value placed = LLVM::ShlOp::create(builder, loc, wide, amount);
    whole = LLVM::OrOp::create(builder, loc, whole, placed);
  }
  return whole.getType() == type ? whole : LLVM::BitcastOp::create(builder, loc, type, whole);
}
