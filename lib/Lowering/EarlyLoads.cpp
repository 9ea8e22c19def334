//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads before computations over which the assembler moves none.
//
//===----------------------------------------------------------------------===//

#include "EarlyLoads.h"
#include "ExpandRareValues.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The most bytes of a thread that loads of a block keep until they are used, and the most ops that
/// an index needs in addition.
constexpr int64_t kMostBytes = 96;
constexpr size_t kMostOps = 16;

/// True for an op that tests its operand and calls a function for rare ones.
static bool isBranch(Operation &op) {
  if (!isa<arith::DivFOp, math::SqrtOp>(op) ||
      !getElementTypeOrSelf(op.getResult(0).getType()).isF32())
    return false;
  auto math = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
  return !math || !bitEnumContainsAny(math.getValue(), arith::FastMathFlags::afn);
}

static bool isLoad(Operation &op) {
  return isa<memref::LoadOp, vector::LoadOp>(op) && readsOnlyArguments(op);
}

/// The ops from `first` on that the load depends on, in order, and the load; none if they cannot
/// move, or are branches themselves.
static SmallVector<Operation *> getMoved(Operation &load, Operation &first) {
  llvm::SmallSetVector<Operation *, 16> moved;
  moved.insert(&load);
  for (size_t next = 0; next < moved.size(); ++next)
    for (Value operand : moved[next]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || op->getBlock() != load.getBlock() || op->isBeforeInBlock(&first))
        continue;
      if (op->getNumRegions() != 0 || !isPure(op) || isBranch(*op) || moved.size() > kMostOps)
        return {};
      moved.insert(op);
    }
  SmallVector<Operation *> ordered = moved.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

static int64_t getBytes(Operation &load) {
  const Type type = load.getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  // A narrow element has a register.
  return vector ? vector.getNumElements() * getElementBytes(vector.getElementType())
                : std::max<int64_t>(getElementBytes(type), 4);
}

static void moveLoads(Block &block) {
  auto first = llvm::find_if(block, isBranch);
  if (first == block.end())
    return;
  int64_t bytes = 0;
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(std::next(first), block.end()))) {
    // What threads wait for each other for stays after it.
    if (!isPure(&op) && !isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(op))
      return;
    if (!isLoad(op))
      continue;
    const SmallVector<Operation *> moved = getMoved(op, *first);
    bytes += moved.empty() ? 0 : getBytes(op);
    if (bytes > kMostBytes)
      return;
    for (Operation *each : moved)
      each->moveBefore(&*first);
  }
}

void fuser::loadBeforeBranches(gpu::GPUFuncOp function) {
  function.walk([](Block *block) { moveLoads(*block); });
}
