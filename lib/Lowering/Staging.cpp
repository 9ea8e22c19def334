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

static bool hasStagedLoops(const ScheduledOp &scheduled) {
  const Loop *lanes = getVectorLoop(scheduled);
  // A vector of results of reductions of which one lane is stored.
  return !lanes || lanes->constant == 1 || !scheduled.collects() ||
         (scheduled.once.checked.empty() && scheduled.resultOnce.checked.empty());
}

/// True if the op reads memory that the kernel writes at indices that are data, or as a whole.
static bool readsWrittenAnywhere(Operation *op) {
  auto mapping = cast<DomainMappingOpInterface>(op);
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto producer = operand.get().getDefiningOp<TensorViewOpInterface>();
    return producer && producer.getMemoryType() == MemoryType::Global &&
           llvm::any_of(mapping.getDimMaps(operand.getOperandNumber()), [](const DimMap &map) {
             return map.kind == DimMap::Kind::Indirect || map.kind == DimMap::Kind::Whole;
           });
  });
}

/// Elements, reductions, and scans that carry a tuple from one element to the next.
static bool isStagedOp(const ScheduledOp &scheduled) {
  if (isa<ScanOpInterface>(scheduled.op))
    return !scheduled.scan || !scheduled.scan->hasTile();
  return isa<CombinerOpInterface, ElementwiseOpInterface, WholeReadOpInterface>(scheduled.op);
}

bool fuser::isStaged(const CheckedKernel &checked) {
  KernelOp kernel = checked.kernel;
  if (hasBorders(kernel))
    return false;
  return llvm::all_of(checked.nest->getOps(), [](const auto &scheduled) {
    Operation *op = scheduled->op;
    return isStagedOp(*scheduled) && hasStagedLoops(*scheduled) && !readsWrittenAnywhere(op);
  });
}
