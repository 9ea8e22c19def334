//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams of ops, from their loop domains, and the ops that share a loop.
//
//===----------------------------------------------------------------------===//

#include "StreamGroups.h"
#include "SegmentGraph.h"
#include "fuser/Analysis/Distribution.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

AffineExpr StreamTile::getCount(AffineExpr extent) const {
  return inner ? extent.floorDiv(factor) : getAffineConstantExpr(factor, extent.getContext());
}

AffineExpr StreamTile::getSize(AffineExpr extent) const {
  return inner ? getAffineConstantExpr(factor, extent.getContext()) : extent.floorDiv(factor);
}

RankedTensorType StreamTile::getSlice(RankedTensorType type, unsigned dim) const {
  SmallVector<int64_t> shape(type.getShape());
  if (inner)
    shape[dim] = factor;
  else if (!ShapedType::isDynamic(shape[dim]))
    shape[dim] /= factor;
  return type.clone(shape);
}

std::optional<unsigned> OpStream::getOperandDim(OpOperand &operand) const {
  auto mapping = cast<DomainMappingOpInterface>(operand.getOwner());
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
    if (map.kind == DimMap::Kind::Mapped && map.id == root)
      return dim;
  return std::nullopt;
}

unsigned OpStream::getResultDim(OpResult result) const {
  DomainAttr domain =
      cast<TensorViewOpInterface>(result.getOwner()).getDomain(result.getResultNumber());
  SmallVector<unsigned> dims = domain.getResultIds();
  return llvm::find(dims, domain.getLogical()[root]) - dims.begin();
}

//===----------------------------------------------------------------------===//
// The stream of an op
//===----------------------------------------------------------------------===//

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

/// The stream among the loops of one result.
static FailureOr<std::optional<OpStream>> getStream(TensorViewOpInterface op, unsigned result) {
  DomainAttr domain = op.getDomain(result);
  FailureOr<SmallVector<Shard>> shards = getShards(domain);
  if (failed(shards))
    return op->emitOpError("expected devices and streams on parts of one dimension, made by "
                           "splits, but got ")
           << domain;
  std::optional<OpStream> stream;
  for (Shard &shard : *shards) {
    // A mesh of one device splits by 1, which keeps the whole dimension.
    llvm::erase_if(shard.steps, [](const Shard::Step &step) {
      return step.factor == 1 && step.output == unsigned(!step.inner);
    });
    // A domain has each parallel type once.
    if (shard.type != ParallelType::Stream)
      continue;
    if (shard.steps.size() > 1 || (!shard.steps.empty() && shard.steps[0].output != 0))
      return op->emitOpError("expected a stream over a dimension or over the outer part of its "
                             "split, but got ")
             << domain;
    if (domain.getKinds()[shard.id] != IdKind::Iteration &&
        domain.getKinds()[shard.id] != IdKind::Broadcast)
      return op->emitOpError("expected a stream over a dimension of the result, but got ")
             << domain;
    stream.emplace();
    stream->root = shard.logical;
    if (!shard.steps.empty())
      stream->tile = {shard.steps[0].factor, shard.steps[0].inner};
  }
  if (!shards->empty() && !domain.getRoot().empty())
    return op->emitOpError("expected an op without a root domain to be distributed, but got ")
           << domain;
  return stream;
}

/// An iteration must be able to compute its part only from parts of operands or whole operands.
static LogicalResult checkSliceable(TensorViewOpInterface op, const OpStream &stream) {
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

static FailureOr<std::optional<OpStream>> getStream(Operation *op, MeshAttr mesh) {
  auto view = dyn_cast<TensorViewOpInterface>(op);
  if (!view || !view.hasDomains())
    return std::optional<OpStream>();
  std::optional<OpStream> stream;
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    if (failed(checkDevices(op, mesh, view.getDomain(result))))
      return failure();
    FailureOr<std::optional<OpStream>> own = getStream(view, result);
    if (failed(own))
      return failure();
    bool isSame = result == 0 ||
                  (own->has_value() == stream.has_value() &&
                   (!stream || ((*own)->root == stream->root && (*own)->tile == stream->tile)));
    if (!isSame)
      return op->emitOpError("expected one stream for all results, but got ")
             << view.getDomain(0) << " and " << view.getDomain(result);
    stream = *own;
  }
  if (stream && failed(checkSliceable(view, *stream)))
    return failure();
  return stream;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {

class Grouper {
public:
  explicit Grouper(FusionOp fusion) : fusion(fusion), graph(fusion) {}
  LogicalResult findStreams();
  void mergeAlongValues();
  SmallVector<StreamGroup> takeGroups();

private:
  using Group = SegmentGraph::Group;
  bool isStreamed(Operation *op) const { return streams.contains(op); }
  /// An iteration of the user reads only results of the same iteration of the producer.
  bool isAligned(OpOperand &use) const;
  bool canShareLoop(Group a, Group b) const;

  FusionOp fusion;
  SegmentGraph graph;
  llvm::DenseMap<Operation *, OpStream> streams;
};

} // namespace

LogicalResult Grouper::findStreams() {
  if (auto domains = fusion.getArgDomains())
    for (Attribute domain : *domains)
      if (isa<DomainAttr>(domain) &&
          failed(checkDevices(fusion, fusion.getMeshAttr(), cast<DomainAttr>(domain))))
        return failure();
  for (Operation &op : fusion.getBody().front()) {
    FailureOr<std::optional<OpStream>> stream = getStream(&op, fusion.getMeshAttr());
    if (failed(stream))
      return failure();
    if (*stream)
      streams[&op] = **stream;
  }
  return success();
}

bool Grouper::isAligned(OpOperand &use) const {
  auto result = cast<OpResult>(use.get());
  const OpStream &producer = streams.find(result.getOwner())->second;
  const OpStream &consumer = streams.find(use.getOwner())->second;
  return producer.tile == consumer.tile &&
         consumer.getOperandDim(use) == producer.getResultDim(result);
}

bool Grouper::canShareLoop(Group a, Group b) const {
  auto areAligned = [&](Group producers, Group consumers) {
    for (Operation *op : graph.getOps(consumers))
      for (OpOperand &operand : op->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        if (producer && graph.contains(producer) && graph.getGroup(producer) == producers &&
            !isAligned(operand))
          return false;
      }
    return true;
  };
  bool isLoop = isStreamed(graph.getOps(a).front());
  if (isLoop != isStreamed(graph.getOps(b).front()))
    return false;
  return !isLoop || (areAligned(a, b) && areAligned(b, a));
}

void Grouper::mergeAlongValues() {
  for (Operation &op : fusion.getBody().front()) {
    if (!graph.contains(&op))
      continue;
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || !graph.contains(producer))
        continue;
      Group from = graph.getGroup(producer), to = graph.getGroup(&op);
      // Groups between the two would have to run in the middle of the loop.
      if (from != to && canShareLoop(from, to) && graph.getBetween(from, to).empty())
        graph.merge(from, to);
    }
  }
}

SmallVector<StreamGroup> Grouper::takeGroups() {
  SmallVector<StreamGroup> groups;
  for (Group id : graph.getRunOrder()) {
    StreamGroup group;
    group.ops.assign(graph.getOps(id).begin(), graph.getOps(id).end());
    for (Operation *op : group.ops)
      if (auto it = streams.find(op); it != streams.end()) {
        group.tile = it->second.tile;
        group.streams[op] = it->second;
      }
    groups.push_back(std::move(group));
  }
  return groups;
}

FailureOr<SmallVector<StreamGroup>> fuser::groupByStreams(FusionOp fusion) {
  Grouper grouper(fusion);
  if (failed(grouper.findStreams()))
    return failure();
  grouper.mergeAlongValues();
  return grouper.takeGroups();
}
