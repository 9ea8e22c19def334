//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks of domains before outlining.
//
//===----------------------------------------------------------------------===//

#include "StreamChecks.h"

using namespace mlir;
using namespace fuser;

static bool hasDistributedLoop(DomainAttr domain) {
  return llvm::any_of(domain.getParallel(),
                      [](ParallelType type) { return fuser::isDistributed(type); });
}

bool fuser::isDistributed(FusionOp fusion) {
  if (auto domains = fusion.getArgDomains())
    for (Attribute domain : *domains)
      if (isa<DomainAttr>(domain) && hasDistributedLoop(cast<DomainAttr>(domain)))
        return true;
  for (Operation &op : fusion.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view || !view.hasDomains())
      continue;
    for (unsigned result = 0, e = op.getNumResults(); result < e; ++result)
      if (hasDistributedLoop(view.getDomain(result)))
        return true;
  }
  return false;
}

/// Fails if a loop of `domain` is distributed over more than one device.
static LogicalResult checkDevices(Operation *op, MeshAttr mesh, DomainAttr domain) {
  for (ParallelType type : domain.getParallel()) {
    if (!isDeviceType(type))
      continue;
    if (!mesh)
      return op->emitOpError("expected a mesh for a loop on @")
             << stringifyParallelType(type) << ", but got none";
    if (int64_t size = mesh.getSize(type); size != 1)
      return op->emitOpError("expected 1 device, because there are no collectives between devices, "
                             "but got ")
             << size << " along @" << stringifyParallelType(type);
  }
  return success();
}

/// The streams among the loops of one result.
static FailureOr<SmallVector<StreamLoop>> checkLoops(TensorViewOpInterface op, unsigned result) {
  DomainAttr domain = op.getDomain(result);
  FailureOr<SmallVector<Shard>> shards = getShards(domain);
  if (failed(shards))
    return op->emitOpError("expected devices and streams on parts of one dimension, made by "
                           "splits, but got ")
           << domain;
  FailureOr<SmallVector<StreamLoop>> loops = getStreamLoops(domain);
  if (failed(loops))
    return op->emitOpError("expected a stream over a dimension or over the outer part of its "
                           "split, but got ")
           << domain;
  for (const StreamLoop &loop : *loops)
    if (domain.getKinds()[loop.id] != IdKind::Iteration &&
        domain.getKinds()[loop.id] != IdKind::Broadcast)
      return op->emitOpError("expected a stream over a dimension of the result, but got ")
             << domain;
  if (!shards->empty() && !domain.getRoot().empty())
    return op->emitOpError("expected an op without a root domain to be distributed, but got ")
           << domain;
  return loops;
}

/// An iteration must be able to compute its part only from parts of operands or whole operands.
static LogicalResult checkSliceable(TensorViewOpInterface op, const StreamLoop &stream) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op.getOperation());
  auto element = dyn_cast<ElementwiseOpInterface>(op.getOperation());
  if (!isUnscheduled(op))
    return op->emitOpError("expected a stream on an op without a schedule, but got ")
           << op.getDomain();
  auto scan = dyn_cast<ScanOpInterface>(op.getOperation());
  if (!mapping || (element && element.dependsOnIndex()) ||
      (scan && scan.getScannedId() == stream.root))
    return op->emitOpError(
        "expected a stream on an op whose elements do not depend on their position");
  bool isRead = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber())) {
      if (map.kind == DimMap::Kind::Resized && map.id == stream.root)
        return op->emitOpError("expected a stream over a dimension that operand ")
               << operand.getOperandNumber() << " has as it is, but got " << op.getDomain();
      isRead |= map.kind == DimMap::Kind::Mapped && map.id == stream.root;
    }
  }
  if (!isRead)
    return op->emitOpError("expected a stream over a dimension of an operand, but got ")
           << op.getDomain();
  return success();
}

static LogicalResult checkOp(TensorViewOpInterface op, MeshAttr mesh) {
  SmallVector<StreamLoop> loops;
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    if (failed(checkDevices(op, mesh, op.getDomain(result))))
      return failure();
    FailureOr<SmallVector<StreamLoop>> own = checkLoops(op, result);
    if (failed(own))
      return failure();
    const bool areSame = llvm::equal(*own, loops, [](const StreamLoop &a, const StreamLoop &b) {
      return a.root == b.root && a.steps == b.steps;
    });
    if (result > 0 && !areSame)
      return op->emitOpError("expected the same streams for all results, but got ")
             << op.getDomain(0) << " and " << op.getDomain(result);
    loops = *own;
  }
  for (const StreamLoop &loop : loops)
    if (failed(checkSliceable(op, loop)))
      return failure();
  return success();
}

LogicalResult fuser::checkStreams(FusionOp fusion) {
  if (auto domains = fusion.getArgDomains())
    for (Attribute domain : *domains)
      if (isa<DomainAttr>(domain) &&
          failed(checkDevices(fusion, fusion.getMeshAttr(), cast<DomainAttr>(domain))))
        return failure();
  const StreamNest nest(fusion);
  for (Operation &op : fusion.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view || !view.hasDomains())
      continue;
    if (failed(checkOp(view, fusion.getMeshAttr())))
      return failure();
    for (OpResult result : op.getResults())
      if (failed(verifyStreamAllocation(view, result, nest)))
        return failure();
  }
  return success();
}
