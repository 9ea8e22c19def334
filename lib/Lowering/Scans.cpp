//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans. Along a carried loop, a tuple is carried like the accumulators of a reduction, and each
// iteration makes an element of it. Tiles are scanned in TileScan.cpp.
//
//===----------------------------------------------------------------------===//

#include "ReductionState.h"
#include "TileScan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

FailureOr<KernelEmitter::TileScan *> KernelEmitter::getTileScan(ScheduledOp &scheduled) {
  std::unique_ptr<TileScan> &slot = tileScans[scheduled.op];
  if (slot)
    return slot.get();
  auto tile = std::make_unique<TileScan>(*this, scheduled);
  if (failed(tile->plan()))
    return failure();
  slot = std::move(tile);
  return slot.get();
}

/// Before the outermost carried loop. Loops of other dimensions inside of it have tuples of their
/// own.
LogicalResult KernelEmitter::startScan(ScheduledOp &scheduled) {
  if (scheduled.scan->hasTile()) {
    FailureOr<TileScan *> tile = getTileScan(scheduled);
    if (failed(tile))
      return failure();
    (*tile)->openRow();
    return success();
  }
  auto scan = cast<ScanOpInterface>(scheduled.op);
  ArrayRef<unsigned> positions = scheduled.scan->positions;
  auto isScanned = [&](unsigned id) {
    return llvm::any_of(
        positions, [&](unsigned position) { return scheduled.domain.getLoop()[position] == id; });
  };
  return openAccumulators(scheduled, positions.front(), isScanned, scan.getCarriedTypes(),
                          emits() ? scan.buildInitial(builder, loc) : SmallVector<Value>());
}

LogicalResult KernelEmitter::startTile(ScheduledOp &scheduled) {
  FailureOr<TileScan *> tile = getTileScan(scheduled);
  if (failed(tile))
    return failure();
  (*tile)->openTile();
  return success();
}

LogicalResult KernelEmitter::writeResults(ScheduledOp &scheduled, ValueRange results) {
  for (auto [number, value] : llvm::enumerate(results))
    if (failed(writeResult(scheduled, number, value, deriveIds(scheduled), getWidth(scheduled))))
      return failure();
  return success();
}

/// A dimension of size 1: its element is the first and the last one, whatever loops it has.
LogicalResult KernelEmitter::emitScannedUnit(ScheduledOp &scheduled) {
  auto scan = cast<ScanOpInterface>(scheduled.op);
  FailureOr<SmallVector<Value>> operands = readOperands(scheduled);
  if (failed(operands))
    return failure();
  if (!emits())
    return writeResults(scheduled, SmallVector<Value>(scheduled.op->getNumResults(), placeholder));
  SmallVector<Value> carried;
  for (Value initial : scan.buildInitial(builder, loc))
    carried.push_back(splat(initial, getWidth(scheduled)));
  carried = scan.buildCombine(builder, loc, carried, scan.buildLift(builder, loc, *operands));
  return writeResults(scheduled, scan.buildResults(builder, loc, carried));
}

/// True where iterations without an element precede ones with an element: a part of the scanned
/// dimension is split and the split does not divide it.
bool KernelEmitter::hasHolesInside(const ScheduledOp &scheduled, const IdValues &ids) {
  auto scan = cast<ScanOpInterface>(scheduled.op);
  unsigned scanned = scheduled.domain.getRootOrLogical()[scan.getScannedId()];
  llvm::SmallBitVector parts = scheduled.getDerived(scanned);
  parts.reset(scanned);
  return llvm::any_of(getBounds(scheduled, ids), [&](unsigned id) { return parts.test(id); });
}

LogicalResult KernelEmitter::emitScanned(ScheduledOp &scheduled) {
  if (!scheduled.scan)
    return emitScannedUnit(scheduled);
  Accumulators &state = *accumulators[scheduled.op];
  auto scan = cast<ScanOpInterface>(scheduled.op);
  FailureOr<SmallVector<Value>> operands = readOperands(scheduled);
  if (failed(operands))
    return failure();
  if (!emits())
    return writeResults(scheduled, SmallVector<Value>(scheduled.op->getNumResults(), placeholder));
  Value offset = getTupleOffset(state);
  SmallVector<Value> before = loadTuple(state, offset, scan.getCarriedTypes());
  SmallVector<Value> carried =
      scan.buildCombine(builder, loc, before, scan.buildLift(builder, loc, *operands));
  IdValues ids = deriveIds(scheduled);
  if (hasHolesInside(scheduled, ids))
    if (Value exists = getBoundsPredicate(scheduled, ids))
      for (auto [value, old] : llvm::zip(carried, before))
        value = arith::SelectOp::create(builder, loc, exists, value, old);
  storeTuple(state, offset, carried);
  return writeResults(scheduled, scan.buildResults(builder, loc, carried));
}
