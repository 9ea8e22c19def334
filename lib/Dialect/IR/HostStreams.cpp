//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of fuser.host that distribute launches over streams.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/HostStreamOps.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostStreamOps.cpp.inc"

/// The record of an event before `op`; null: none.
static RecordOp findRecord(Operation *op, uint64_t event) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
    if (auto record = dyn_cast<RecordOp>(before); record && record.getEvent() == event)
      return record;
  return {};
}

LogicalResult StreamOp::verify() {
  // HO11
  constexpr int64_t kMost = 63;
  const auto number = static_cast<int64_t>(getNumber());
  if (number < 0 || number > kMost)
    return emitOpError("expected a stream from 0 to ") << kMost << ", but got " << number;
  return success();
}

LogicalResult RecordOp::verify() {
  // HO12
  const auto event = static_cast<int64_t>(getEvent());
  if (event < 0)
    return emitOpError("expected an event of at least 0, but got ") << event;
  if (RecordOp other = findRecord(*this, getEvent())) {
    InFlightDiagnostic diagnostic = emitOpError("expected event ")
                                    << getEvent() << " to be recorded once, but got another record";
    diagnostic.attachNote(other.getLoc()) << "recorded here";
    return diagnostic;
  }
  return success();
}

LogicalResult WaitOp::verify() {
  // HO13
  if (!findRecord(*this, getEvent()))
    return emitOpError("expected an event that is recorded before, but got event ") << getEvent();
  return success();
}
