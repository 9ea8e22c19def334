//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which loops cannot be one, or cannot be written out: what lowering refuses of schedules before it
// emits anything.
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"
#include "fuser/Ids/EdgeIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

/// More than a register file holds of results, and than an instruction cache of code.
static constexpr int64_t kMaxCopies = 4096;

/// Code grows with the product of the loops that are written out.
LogicalResult LoopNest::checkCopies() {
  for (auto &scheduled : ops) {
    int64_t copies = 1;
    for (auto [position, loop] : llvm::enumerate(scheduled->loops)) {
      if (loop->type == ParallelType::Unroll)
        copies *= std::max<int64_t>(*loop->getStaticBound(), 1);
      if (copies > kMaxCopies)
        return scheduled->op->emitOpError("expected at most ")
               << kMaxCopies << " copies of an op in @unroll loops, but loop " << position
               << " makes them " << copies;
    }
  }
  return success();
}

/// Ops come to share loops through a third one as well. There one may read of the other what the
/// iteration has computed, and nothing else.
LogicalResult LoopNest::checkSharedLoops() const {
  for (auto &consumer : ops)
    for (OpOperand &operand : consumer->op->getOpOperands()) {
      ScheduledOp *producer = lookup(operand.get().getDefiningOp());
      if (!producer)
        continue;
      const size_t shared = producer->inlinePosition;
      if (consumer->loops.size() < shared ||
          !llvm::equal(ArrayRef(producer->loops).take_front(shared),
                       ArrayRef(consumer->loops).take_front(shared))) {
        InFlightDiagnostic diagnostic =
            producer->op->emitOpError("expected 'fuser_gpu.ids' to give its first ");
        diagnostic << shared << " loops ('inline_at') the numbers of its consumer's";
        diagnostic.attachNote(consumer->op->getLoc()) << "the consumer is here";
        return diagnostic;
      }
      std::optional<EdgeIds> ids;
      unsigned end = std::min(producer->loops.size(), consumer->loops.size());
      for (unsigned position = producer->inlinePosition; position < end; ++position) {
        const Loop *loop = producer->loops[position];
        if (loop != consumer->loops[position])
          break;
        unsigned id = producer->domain.getLoop()[position];
        const bool isReduced = producer->domain.getKinds()[id] == IdKind::Reduction;
        // The lanes of a vector are reduced behind it.
        const bool isAtOnce = isThreadType(loop->type) || isBlockType(loop->type) ||
                              (loop->type == ParallelType::Vectorize && !isReduced);
        if (!isAtOnce && !isReduced && !ids)
          ids.emplace(cast<TensorViewOpInterface>(producer->op), operand,
                      [&](OpOperand &use, unsigned dim, unsigned rootId) {
                        return readsAll(extents, use, dim, rootId);
                      });
        if (isAtOnce || (!isReduced && ids->correspond(id, consumer->domain.getLoop()[position])))
          continue;
        InFlightDiagnostic diagnostic = consumer->op->emitOpError("expected operand ");
        diagnostic << operand.getOperandNumber()
                   << (isReduced ? " to be reduced" : " to be computed")
                   << " before it is read, but both are in loop " << position
                   << ", as other ops share it";
        diagnostic.attachNote(producer->op->getLoc()) << "it is computed here";
        return diagnostic;
      }
    }
  return success();
}
