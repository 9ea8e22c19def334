//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchShape.h"
#include "ExtentOrder.h"
#include "ScanTiles.h"
#include "fuser/Dialect/IR/DomainLimits.h"

using namespace mlir;
using namespace fuser;

/// True if blocks of this type combine results, and count each other.
static bool isReducedOver(const LoopNest &nest, ParallelType type) {
  return llvm::any_of(nest.getOps(), [&](const auto &scheduled) {
    return llvm::is_contained(scheduled->getReducedTypes(), type);
  });
}

/// Of loops that follow each other, the blocks beyond a shorter one skip it.
LogicalResult LaunchShape::addBlocks(const ScheduledOp &scheduled, const Loop &loop,
                                     const LoopNest &nest, const ExtentAnalysis &extents) {
  AffineExpr &dim = blocks[loop.type];
  if (!dim || extents.getConstant(dim) == 1) {
    dim = loop.extent;
    return success();
  }
  if (extents.isProvablyEqual(dim, loop.extent) || extents.getConstant(loop.extent) == 1)
    return success();
  const AffineExpr larger = isReducedOver(nest, loop.type)
                                ? AffineExpr()
                                : getLarger(dim, loop.extent, [&](AffineExpr expr) {
                                    return extents.getLowerBound(expr);
                                  });
  if (!larger)
    return scheduled.op->emitOpError("expected all loops on @")
           << stringifyParallelType(loop.type) << " to have one extent, but got " << describe(dim)
           << " and " << describe(loop.extent);
  dim = larger;
  return success();
}

FailureOr<LaunchShape> LaunchShape::create(KernelOp kernel, const LoopNest &nest,
                                           const ExtentAnalysis &extents) {
  LaunchShape shape;
  shape.threads = getBlockSize(nest);
  for (const auto &scheduled : nest.getOps())
    for (const Loop *loop : scheduled->loops)
      if (isBlockType(loop->type) && failed(shape.addBlocks(*scheduled, *loop, nest, extents)))
        return failure();
  if (shape.getNumThreads() > kMaxBlockThreads || shape.threads[2] > kMaxBlockThreadsZ)
    return kernel.emitOpError("expected at most ")
           << kMaxBlockThreads << " threads in a block (" << kMaxBlockThreadsZ
           << " of them in z), but got " << shape.threads[0] << " x " << shape.threads[1] << " x "
           << shape.threads[2];
  return shape;
}
