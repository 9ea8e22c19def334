//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of strips of columns, and the copies of them in shared memory.
//
//===----------------------------------------------------------------------===//

#include "StripLoops.h"
#include "RowSteps.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Pipelining.h"

using namespace mlir;
using namespace fuser;

SmallVector<unsigned> fuser::getStripColumns(const ReductionShape &shape) {
  SmallVector<unsigned> columns;
  bool isBehind = false;
  for (unsigned dimClass : shape.order) {
    isBehind |= llvm::is_contained(shape.outerReduced, dimClass);
    if (isBehind && !shape.isReduced(dimClass))
      columns.push_back(dimClass);
  }
  return columns;
}

LogicalResult fuser::setStripLoops(const KernelView &kernel, const ReductionShape &shape,
                                   OuterPersistentParamsAttr params) {
  LoopBuilder loops(kernel, shape.getReference(kernel));
  DomainBuilder &builder = loops.getBuilder();
  const SmallVector<unsigned> columnClasses = getStripColumns(shape);
  SmallVector<unsigned> reduced = loops.take(shape.outerReduced);
  const SmallVector<unsigned> inner = loops.take(shape.innerReduced),
                              columns = loops.take(columnClasses);
  SmallVector<unsigned> blocks = loops.take(shape.outerKept);
  llvm::append_range(blocks, loops.takeRest());

  unsigned strips = loops.merge(columns), column = kNoId, part = kNoId, round = kNoId,
           vector = kNoId;
  if (!shape.isInner()) {
    std::tie(strips, vector) = loops.split(strips, params.getVector());
    std::tie(strips, column) = builder.split(strips, params.getColumns());
  } else {
    std::tie(part, vector) = loops.split(loops.merge(inner), params.getVector());
    if (params.getPart() == 0) {
      reduced.push_back(std::exchange(part, kNoId));
    } else {
      std::tie(round, part) = builder.split(part, params.getPart());
      std::tie(strips, column) = loops.split(strips, params.getColumns());
    }
  }
  blocks.push_back(strips);
  llvm::erase(blocks, unsigned(kNoId));
  auto [rest, row] = builder.split(loops.merge(reduced), params.getRows());
  unsigned block = kNoId;
  if (params.getCluster() > 1)
    std::tie(rest, block) = builder.split(rest, params.getCluster());
  auto [steps, unroll] = loops.split(rest, params.getUnroll());
  // A whole step needs no bounds checks, which would serialize its reads.
  unsigned whole = kNoId;
  if (unroll != kNoId)
    std::tie(steps, whole) = builder.split(steps, 1);
  // Threads of a run in memory are adjacent.
  const bool hasPart = part != kNoId, hasColumns = column != kNoId;
  const ParallelType ofRow = hasPart      ? ParallelType::ThreadZ
                             : hasColumns ? ParallelType::ThreadY
                                          : ParallelType::ThreadX;
  return loops.finish({{loops.merge(blocks), ParallelType::BlockX},
                       {steps},
                       {whole, ParallelType::Unswitch},
                       {unroll, ParallelType::Unroll},
                       {block, ParallelType::ClusterX},
                       {row, ofRow},
                       {column, hasPart ? ParallelType::ThreadY : ParallelType::ThreadX},
                       {round},
                       {part, ParallelType::ThreadX},
                       {vector, ParallelType::Vectorize}});
}

LogicalResult fuser::keepStrips(const KernelSchedule &schedule, TensorViewOpInterface reference,
                                function_ref<bool(TensorViewOpInterface)> isKept, int64_t vector) {
  const RowSteps steps = getRowSteps(schedule, reference);
  for (TensorViewOpInterface load : schedule.getLoads()) {
    if (!isKept(load) || !steps.hasRows(load) || steps.getReaders(load->getResult(0)).count() < 2)
      continue;
    if (failed(setMemory(load, MemoryType::Shared)))
      return failure();
    const int64_t bytes =
        vector * getElementBytes(getElementTypeOrSelf(load->getResult(0).getType()));
    auto argument = dyn_cast<BlockArgument>(load->getOperand(0));
    if (bytes >= 4 && bytes <= 16 && argument && !isOverwritten(schedule.getKernel(), argument) &&
        failed(pipelineCopy(load, /*stages=*/1)))
      return failure();
  }
  return success();
}
