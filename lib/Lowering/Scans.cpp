//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans: a tuple carried along one loop, as the accumulators of a reduction are, of which each
// iteration makes an element.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "ReductionState.h"

using namespace mlir;
using namespace fuser;

/// In front of the loop at `position`. Loops inside of it have tuples of their own.
LogicalResult KernelEmitter::startScan(ScheduledOp &scheduled, unsigned position) {
  auto scan = cast<ScanOpInterface>(scheduled.op);
  unsigned scanned = scheduled.domain.getLoop()[position];
  return openAccumulators(
      scheduled, position, [&](unsigned id) { return id == scanned; }, scan.getCarriedTypes(),
      emits() ? scan.buildInitial(builder, loc) : SmallVector<Value>());
}

LogicalResult KernelEmitter::emitScanned(ScheduledOp &scheduled) {
  Accumulators &state = *accumulators[scheduled.op];
  auto scan = cast<ScanOpInterface>(scheduled.op);
  FailureOr<SmallVector<Value>> operands = readOperands(scheduled);
  if (failed(operands))
    return failure();
  auto writeResults = [&](ValueRange results) -> LogicalResult {
    for (auto [number, value] : llvm::enumerate(results))
      if (failed(writeResult(scheduled, number, value, deriveIds(scheduled), getWidth(scheduled))))
        return failure();
    return success();
  };
  if (!emits())
    return writeResults(SmallVector<Value>(scheduled.op->getNumResults(), placeholder));
  Value offset = getTupleOffset(state);
  SmallVector<Value> carried;
  // Iterations that a consumer's loop repeats all begin where the first does.
  if (scheduled.concrete.test(scheduled.domain.getRootOrLogical()[scan.getScannedId()]))
    for (Value initial : scan.buildInitial(builder, loc))
      carried.push_back(splat(initial, state.width));
  else
    carried = loadTuple(state, offset, scan.getCarriedTypes());
  carried = scan.buildStep(builder, loc, carried, *operands);
  storeTuple(state, offset, carried);
  return writeResults(scan.buildResults(builder, loc, carried));
}
