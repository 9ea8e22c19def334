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

/// Outputs are in global memory; nothing else is, and no op reads them.
static bool isStagedMemory(Operation *op, MemoryType memory) {
  switch (memory) {
  case MemoryType::Register:
  case MemoryType::Shared:
    return llvm::none_of(op->getUsers(), llvm::IsaPred<ReturnOp>);
  case MemoryType::Global:
    return llvm::all_of(op->getUsers(), llvm::IsaPred<ReturnOp>) && !op->use_empty();
  }
  llvm_unreachable("unknown memory");
}

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

/// Elements, and reductions within a block.
static bool isStagedOp(const ScheduledOp &scheduled) {
  if (isa<ScanOpInterface, WholeReadOpInterface>(scheduled.op))
    return false;
  if (!isa<CombinerOpInterface>(scheduled.op))
    return isa<ElementwiseOpInterface>(scheduled.op);
  auto loops = llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel());
  return llvm::none_of(loops, [&](auto loop) {
    auto [id, type] = loop;
    return isBlockType(type) && scheduled.domain.getKinds()[id] == IdKind::Reduction;
  });
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
    return isStagedOp(*scheduled) && isStagedMemory(op, scheduled->memory) && hasStagedMaps(op) &&
           hasStagedLoops(*scheduled);
  });
}
