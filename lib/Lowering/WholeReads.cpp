//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that read dimensions whole: each element with loops of its own.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser;

/// Reads for one element of an op (of a vector: the one at `lane`).
class KernelEmitter::WholeReader : public ElementReader {
public:
  WholeReader(KernelEmitter &emitter, const ScheduledOp &scheduled, int64_t lane)
      : emitter(emitter), scheduled(scheduled), lane(lane) {}

  Value getRootIndex(unsigned root) override {
    return emitter.indexRoot(scheduled, root, emitter.deriveIds(scheduled, lane)).index;
  }

  Value getExtent(unsigned operandNumber, unsigned dim) override {
    return emitter.evaluate(
        emitter.extents.getExtent(scheduled.op->getOperand(operandNumber), dim));
  }

  Element read(unsigned operandNumber, ValueRange whole, Value condition) override {
    Type element = ElementBuilder::getRegisterType(
        getElementTypeOrSelf(scheduled.op->getOperand(operandNumber).getType()));
    IdValues ids = emitter.deriveIds(scheduled, lane, /*width=*/1);
    FailureOr<OperandIndex> at =
        emitter.indexOperand(scheduled, operandNumber, ids, /*width=*/1, /*guarded=*/true, whole);
    if (failed(at))
      return fail(element);
    Value inside = emitter.index.both(at->inside, condition);
    auto load = [&]() -> FailureOr<Value> {
      FailureOr<Access> access =
          emitter.accessOperand(scheduled, operandNumber, ids, *at, /*width=*/1);
      if (failed(access))
        return failure();
      return emitter.loadScalar(*access, element);
    };
    FailureOr<Value> value = inside ? emitter.loadIf(inside, element, load) : load();
    if (failed(value))
      return fail(element);
    return {*value, inside};
  }

  SmallVector<Value> loop(Value extent, ValueRange initial, Body body) override {
    OpBuilder &builder = emitter.builder;
    auto forOp = scf::ForOp::create(builder, emitter.loc, emitter.index.constant(0), extent,
                                    emitter.index.constant(1), initial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(forOp.getBody());
    IndexBuilder::Scope scope(emitter.index);
    scf::YieldOp::create(builder, emitter.loc,
                         body(forOp.getInductionVar(), forOp.getRegionIterArgs()));
    return forOp.getResults();
  }

  bool hasFailed() const { return failedToRead; }

private:
  /// Stands for an element whose diagnostic is out.
  Element fail(Type element) {
    failedToRead = true;
    return {arith::ConstantOp::create(emitter.builder, emitter.loc,
                                      emitter.builder.getZeroAttr(element)),
            arith::ConstantOp::create(emitter.builder, emitter.loc,
                                      emitter.builder.getBoolAttr(false))};
  }

  KernelEmitter &emitter;
  const ScheduledOp &scheduled;
  int64_t lane;
  bool failedToRead = false;
};

/// Asks for the place of every operand, at any index of the dimensions that are read whole.
LogicalResult KernelEmitter::verifyWholeReads(ScheduledOp &scheduled) {
  IdValues ids = deriveIds(scheduled, 0, /*width=*/1);
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  for (OpOperand &operand : scheduled.op->getOpOperands()) {
    const unsigned number = operand.getOperandNumber();
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    SmallVector<Value> whole(mapping.getDimMaps(number).size(), placeholder);
    FailureOr<OperandIndex> at =
        indexOperand(scheduled, number, ids, /*width=*/1, /*guarded=*/true, whole);
    if (failed(at) || failed(accessOperand(scheduled, number, ids, *at, /*width=*/1)))
      return failure();
  }
  for (unsigned result = 0, e = scheduled.op->getNumResults(); result < e; ++result)
    if (failed(
            writeResult(scheduled, result, placeholder, deriveIds(scheduled), getWidth(scheduled))))
      return failure();
  return success();
}

LogicalResult KernelEmitter::emitWholeReads(ScheduledOp &scheduled) {
  if (!emits())
    return verifyWholeReads(scheduled);
  int64_t width = getWidth(scheduled);
  SmallVector<SmallVector<Value>> lanes(scheduled.op->getNumResults());
  for (int64_t lane = 0; lane < width; ++lane) {
    WholeReader reader(*this, scheduled, lane);
    SmallVector<Value> elements =
        cast<WholeReadOpInterface>(scheduled.op).buildElements(builder, loc, reader);
    if (reader.hasFailed())
      return failure();
    for (auto [result, element] : llvm::zip_equal(lanes, elements))
      result.push_back(element);
  }
  for (auto [number, elements] : llvm::enumerate(lanes)) {
    Value value = elements.front();
    if (width > 1)
      value = vector::FromElementsOp::create(builder, loc,
                                             VectorType::get({width}, value.getType()), elements);
    if (failed(writeResult(scheduled, number, value, deriveIds(scheduled), width)))
      return failure();
  }
  return success();
}
