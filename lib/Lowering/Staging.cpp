//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels that are lowered in stages.
//
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "LoopNest.h"
#include "OpIndices.h"
#include "Stages.h"

using namespace mlir;
using namespace fuser;

/// Indices that are affine: none that is data, and no dimension that is read as a whole.
static bool hasStagedMaps(Operation *op) {
  auto mapping = cast<DomainMappingOpInterface>(op);
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return !isa<RankedTensorType>(operand.get().getType()) ||
           llvm::all_of(mapping.getDimMaps(operand.getOperandNumber()), [](const DimMap &map) {
             return map.kind != DimMap::Kind::Indirect && map.kind != DimMap::Kind::Whole;
           });
  });
}

static bool hasStagedLoops(const ScheduledOp &scheduled) {
  auto isStagedTransform = [](const DomainTransform &transform) {
    return transform.kind != TransformKind::Swizzle;
  };
  if (!llvm::all_of(scheduled.domain.getTransforms(), isStagedTransform) ||
      llvm::is_contained(scheduled.domain.getParallel(), ParallelType::Unswitch))
    return false;
  const Loop *lanes = getVectorLoop(scheduled);
  if (!lanes || lanes->constant == 1)
    return true;
  // A vector of which only some lanes are stored.
  return scheduled.once.checked.empty() && scheduled.resultOnce.checked.empty();
}

/// Elements and reductions.
static bool isStagedOp(const ScheduledOp &scheduled) {
  return !isa<ScanOpInterface, WholeReadOpInterface>(scheduled.op) &&
         isa<CombinerOpInterface, ElementwiseOpInterface>(scheduled.op);
}

/// Scalars are arguments, sizes, and what `arith` computes from them.
static bool isStagedScalar(Operation &op, const ExtentAnalysis &extents) {
  if (llvm::none_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return true;
  AffineExpr size = op.getNumResults() == 1 ? extents.getScalar(op.getResult(0)) : AffineExpr();
  return size && isa<AffineSymbolExpr>(size);
}

bool fuser::isStaged(const CheckedKernel &checked) {
  KernelOp kernel = checked.kernel;
  if (hasBorders(kernel))
    return false;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!isa<TensorViewOpInterface>(op) && !isStagedScalar(op, checked.extents))
      return false;
  return llvm::all_of(checked.nest->getOps(), [](const auto &scheduled) {
    Operation *op = scheduled->op;
    return isStagedOp(*scheduled) && hasStagedMaps(op) && hasStagedLoops(*scheduled);
  });
}
