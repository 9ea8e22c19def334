//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions of vectors of f32 to floats of 16 bits that are extended again (a value that is
// rounded between two functions), in pairs. LLVM would convert each element by an instruction of
// which a multiprocessor starts 16 per cycle; those of pairs start at four times the rate.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// The intrinsic that converts a pair to the type; empty for other types.
static StringRef getPairIntrinsic(Type element) {
  if (element.isBF16())
    return "llvm.nvvm.ff2bf16x2.rn";
  return element.isF16() ? "llvm.nvvm.ff2f16x2.rn" : "";
}

static bool isOfPairs(arith::TruncFOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  return type && type.getRank() == 1 && !type.isScalable() && type.getNumElements() % 2 == 0 &&
         getElementTypeOrSelf(op.getIn()).isF32() &&
         !getPairIntrinsic(type.getElementType()).empty() &&
         llvm::any_of(op->getUsers(), [](Operation *user) { return isa<arith::ExtFOp>(user); });
}

static void convert(arith::TruncFOp op) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  auto type = cast<VectorType>(op.getType());
  const auto pairType = VectorType::get({2}, type.getElementType());
  const StringAttr name = builder.getStringAttr(getPairIntrinsic(type.getElementType()));
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < type.getNumElements(); lane += 2) {
    Value low = vector::ExtractOp::create(builder, loc, op.getIn(), lane),
          high = vector::ExtractOp::create(builder, loc, op.getIn(), lane + 1);
    Value pair = LLVM::CallIntrinsicOp::create(builder, loc, pairType, name, ValueRange{high, low})
                     .getResults();
    for (int64_t half = 0; half < 2; ++half)
      lanes.push_back(vector::ExtractOp::create(builder, loc, pair, half));
  }
  op.replaceAllUsesWith(vector::FromElementsOp::create(builder, loc, type, lanes).getResult());
  op.erase();
}

void fuser::nvvm::useHalfPairs(Operation *root) {
  SmallVector<arith::TruncFOp> conversions;
  root->walk([&](arith::TruncFOp op) {
    if (isOfPairs(op))
      conversions.push_back(op);
  });
  llvm::for_each(conversions, convert);
}
