//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Correspondence of ids and loops, operand by operand.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/EdgeIds.h"
#include "DomainGraph.h"
#include "fuser/Ids/IdRelations.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// EdgeIds
//===----------------------------------------------------------------------===//

unsigned fuser::addDomain(IdGraph &graph, TensorViewOpInterface op, DomainAttr domain,
                          const llvm::SmallBitVector *repeated) {
  const unsigned first = graph.addNodes(domain.getNumIds());
  llvm::SmallBitVector derived = repeated ? *repeated : llvm::SmallBitVector(domain.getNumIds());
  auto toNodes = [&](ArrayRef<unsigned> ids) {
    return llvm::map_to_vector<2>(ids, [&](unsigned id) { return first + id; });
  };
  for (DomainTransform transform : domain.getTransforms()) {
    if (transform.kind == TransformKind::Merge && derived.test(transform.inputs[1]))
      transform.value = 1;
    if (llvm::any_of(transform.getInputs(), [&](unsigned id) { return derived.test(id); }))
      for (unsigned id : transform.getOutputs())
        derived.set(id);
    graph.addTransform(transform, toNodes(transform.getInputs()), toNodes(transform.getOutputs()));
  }
  auto addProduct = [&](const IdProduct &product) {
    graph.addProduct(first + product.whole, first + product.outer, first + product.inner,
                     product.outerExtent, product.innerExtent);
  };
  for (const IdProduct &product : getProducts(op, domain))
    addProduct(product);
  for (const IdProduct &product : getUndoneMerges(op, domain))
    if (!derived.test(product.whole))
      addProduct(product);
  return first;
}

/// The input of a merge whose other input is one of `units`, or kNoId.
static unsigned getOtherThanUnit(DomainAttr domain, const llvm::SmallBitVector &units, int step) {
  if (step < 0 || domain.getTransforms()[step].kind != TransformKind::Merge)
    return kNoId;
  const DomainTransform &merge = domain.getTransforms()[step];
  for (unsigned position : {0, 1})
    if (units.test(merge.inputs[1 - position]))
      return merge.inputs[position];
  return kNoId;
}

/// True if a merge with a unit is with a dimension of the op, not with a stand-in.
static bool isMergedWithDimension(DomainAttr domain, const llvm::SmallBitVector &units, int step) {
  const DomainTransform &merge = domain.getTransforms()[step];
  const unsigned other = getOtherThanUnit(domain, units, step);
  return llvm::is_contained(domain.getRootOrLogical(), merge.inputs[merge.inputs[0] == other]);
}

/// A merge with a dimension of size 1 has the index of the other input.
static void uniteMergesWithUnits(IdGraph &graph, DomainAttr domain,
                                 const llvm::SmallBitVector &units, unsigned first) {
  for (auto [step, transform] : llvm::enumerate(domain.getTransforms()))
    if (const unsigned other = getOtherThanUnit(domain, units, step);
        other != kNoId && isMergedWithDimension(domain, units, step))
      graph.unite(first + transform.outputs[0], first + other);
}

/// True if both domains have the same ids: they differ at most in what is reduced, and in loops.
static bool haveSameIds(DomainAttr a, DomainAttr b) {
  if (a == b)
    return true;
  auto haveSameKind = [](auto kinds) {
    return (std::get<0>(kinds) == IdKind::Broadcast) == (std::get<1>(kinds) == IdKind::Broadcast);
  };
  return a.getNumIds() == b.getNumIds() && a.getRootOrLogical() == b.getRootOrLogical() &&
         a.getTransforms() == b.getTransforms() &&
         llvm::all_of(llvm::zip(a.getKinds(), b.getKinds()), haveSameKind);
}

bool fuser::isElementwiseEdge(DomainAttr producer, OpOperand &use) {
  if (!haveSameIds(producer, cast<TensorViewOpInterface>(use.getOwner()).getDomain()))
    return false;
  // The roots determine all ids except those that a transform adds.
  if (ArrayRef(producer.getResultIds()) != producer.getRootOrLogical() ||
      llvm::any_of(producer.getTransforms(), [](const DomainTransform &transform) {
        return transform.kind == TransformKind::Broadcast;
      }))
    return false;
  SmallVector<DimMap> maps =
      cast<DomainMappingOpInterface>(use.getOwner()).getDimMaps(use.getOperandNumber());
  return llvm::all_of(llvm::enumerate(maps), [](auto map) {
    return map.value().kind == DimMap::Kind::Mapped && map.value().id == map.index();
  });
}

EdgeIds::EdgeIds(TensorViewOpInterface producerOp, OpOperand &use, ReadsAll readsAll,
                 std::optional<Resolved> resolvedExtents)
    : producer(producerOp.getDomain(cast<OpResult>(use.get()).getResultNumber())),
      consumer(cast<TensorViewOpInterface>(use.getOwner()).getDomain()), resolved(resolvedExtents),
      scan(ScanLoops::get(producerOp)), isElementwise(isElementwiseEdge(producer, use)) {
  auto getUnits = [&](DomainAttr domain, ArrayRef<AffineExpr> extents) {
    llvm::SmallBitVector units(domain.getNumIds());
    for (auto [id, kind] : llvm::enumerate(domain.getKinds()))
      if (kind == IdKind::Broadcast &&
          (extents.empty() || resolved->extents.getConstant(extents[id]) == 1))
        units.set(id);
    return units;
  };
  producerUnits = getUnits(producer, resolved ? resolved->producer : ArrayRef<AffineExpr>());
  consumerUnits = getUnits(consumer, resolved ? resolved->consumer : ArrayRef<AffineExpr>());
  isElementwise = isElementwise && llvm::all_of(llvm::seq(producer.getNumIds()), [&](unsigned id) {
                    return haveEqualExtents(id, id);
                  });
  if (isElementwise)
    return;
  addDomain(graph, producerOp, producer);
  const unsigned firstOfConsumer =
      addDomain(graph, cast<TensorViewOpInterface>(use.getOwner()), consumer);
  uniteMergesWithUnits(graph, producer, producerUnits, 0);
  uniteMergesWithUnits(graph, consumer, consumerUnits, firstOfConsumer);
  SmallVector<unsigned> dims = producer.getResultIds();
  auto mapping = cast<DomainMappingOpInterface>(use.getOwner());
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(use.getOperandNumber()))) {
    if (map.id == kNoId || map.id >= consumer.getRootOrLogical().size())
      continue;
    unsigned id = dims[dim], rootId = consumer.getRootOrLogical()[map.id],
             own = firstOfConsumer + rootId;
    if (map.kind == DimMap::Kind::Mapped && haveEqualExtents(id, rootId))
      graph.unite(id, own);
    std::optional<int64_t> offset = getStaticOffset(map);
    if (!offset)
      continue;
    if (*offset == 0 && readsAll && readsAll(use, dim, rootId))
      graph.unite(id, own);
    // An id that the producer resizes by the same amount has the consumer's index, regardless of
    // later transforms.
    for (const DomainTransform &transform : producer.getTransforms())
      if (transform.kind == TransformKind::Resize && transform.inputs[0] == id &&
          transform.value == -*offset)
        graph.unite(transform.outputs[0], own);
    // Likewise where a consumer that reads a part runs over the producer's indices.
    for (const DomainTransform &transform : consumer.getTransforms())
      if (transform.kind == TransformKind::Resize && transform.inputs[0] == rootId &&
          transform.value == *offset)
        graph.unite(id, firstOfConsumer + transform.outputs[0]);
  }
}

bool EdgeIds::haveEqualExtents(unsigned p, unsigned c) const {
  const bool isResolved =
      resolved && !resolved->producer.empty() &&
      (producer.getKinds()[p] == IdKind::Broadcast || consumer.getKinds()[c] == IdKind::Broadcast);
  return !isResolved ||
         resolved->extents.isProvablyEqual(resolved->producer[p], resolved->consumer[c]);
}

bool EdgeIds::haveEqualSteps(int producerStep, int consumerStep, unsigned p, unsigned c) const {
  const DomainTransform &a = producer.getTransforms()[producerStep];
  const DomainTransform &b = consumer.getTransforms()[consumerStep];
  if (a.kind != b.kind || a.value != b.value || a.after != b.after || a.inner != b.inner ||
      (a.outputs[0] == p) != (b.outputs[0] == c))
    return false;
  return llvm::all_of(llvm::zip(a.getInputs(), b.getInputs()),
                      [&](auto pair) { return correspond(std::get<0>(pair), std::get<1>(pair)); });
}

bool EdgeIds::correspond(unsigned p, unsigned c) const {
  // A broadcast of the producer corresponds to any id.
  if ((producer.getKinds()[p] == IdKind::Broadcast && haveEqualExtents(p, c)) ||
      (isElementwise ? p == c : graph.areMapped(p, producer.getNumIds() + c)))
    return true;
  int producerStep = producer.getDefinition(p), consumerStep = consumer.getDefinition(c);
  if (producerStep >= 0 && consumerStep >= 0 && haveEqualSteps(producerStep, consumerStep, p, c))
    return true;
  // Either may be merged with a broadcast that the other lacks.
  if (unsigned own = getOtherThanUnit(producer, producerUnits, producerStep);
      own != kNoId && correspond(own, c))
    return true;
  if (unsigned own = getOtherThanUnit(consumer, consumerUnits, consumerStep); own != kNoId)
    return correspond(p, own);
  return false;
}

void EdgeIds::visitShared(unsigned p, unsigned c,
                          function_ref<void(unsigned, unsigned)> visit) const {
  visit(p, c);
  int producerStep = producer.getDefinition(p), consumerStep = consumer.getDefinition(c);
  if (producerStep >= 0 && consumerStep >= 0 && haveEqualSteps(producerStep, consumerStep, p, c)) {
    for (auto [inP, inC] : llvm::zip(producer.getTransforms()[producerStep].getInputs(),
                                     consumer.getTransforms()[consumerStep].getInputs()))
      visitShared(inP, inC, visit);
    return;
  }
  unsigned ownP = getOtherThanUnit(producer, producerUnits, producerStep);
  unsigned ownC = getOtherThanUnit(consumer, consumerUnits, consumerStep);
  // Of a merge of two broadcasts, each may have the extent of another op's id: the other op's id
  // has that of the merge, not of the first one.
  if (ownC != kNoId && consumer.getKinds()[ownC] == IdKind::Broadcast)
    ownC = kNoId;
  if (ownP != kNoId && producer.getKinds()[ownP] == IdKind::Broadcast &&
      consumer.getKinds()[c] == IdKind::Broadcast)
    ownP = kNoId;
  // A stand-in of the producer may correspond to what the consumer merges with a dimension of size
  // 1 that the producer lacks.
  const bool hasUnit =
      ownC != kNoId && isMergedWithDimension(consumer, consumerUnits, consumerStep);
  if (ownP != kNoId && (!hasUnit || isMergedWithDimension(producer, producerUnits, producerStep)))
    visitShared(ownP, c, visit);
  else if (ownC != kNoId)
    visitShared(p, ownC, visit);
}

void EdgeIds::visitShared(unsigned numLoops, function_ref<void(unsigned, unsigned)> visit) const {
  for (unsigned position = 0; position < numLoops; ++position)
    visitShared(producer.getLoop()[position], consumer.getLoop()[position], visit);
}

std::optional<EdgeIds::Conflict> EdgeIds::findConflict(unsigned end) const {
  for (unsigned position = 0; position < end; ++position) {
    unsigned id = producer.getLoop()[position];
    if (producer.getKinds()[id] == IdKind::Reduction)
      return Conflict{position, InlineConflictKind::Reduction};
    if (scan && scan->isInTile(position))
      return Conflict{position, InlineConflictKind::ScanTile};
    if (position >= consumer.getLoop().size())
      return Conflict{position, InlineConflictKind::MissingLoop};
    if (!correspond(id, consumer.getLoop()[position]))
      return Conflict{position, InlineConflictKind::DifferentIds};
    if (producer.getParallel()[position] != consumer.getParallel()[position])
      return Conflict{position, InlineConflictKind::DifferentParallelTypes};
  }
  return std::nullopt;
}

unsigned EdgeIds::getNumSharedLoops() const {
  const unsigned numLoops = producer.getLoop().size();
  std::optional<Conflict> conflict = findConflict(numLoops);
  return conflict ? conflict->position : numLoops;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool fuser::readsAll(const IdRelations &relations, OpOperand &use, unsigned dim, unsigned rootId) {
  unsigned own = relations.getClass(use.getOwner(), rootId);
  return own != IdRelations::kNone && own == relations.getClass(use.get(), dim);
}

bool fuser::readsAll(const ExtentAnalysis &extents, OpOperand &use, unsigned dim, unsigned rootId) {
  return extents.isProvablyEqual(extents.getExtent(use.get(), dim),
                                 extents.getIdExtent(use.getOwner()->getResult(0), rootId));
}

unsigned fuser::getNumSharedLoops(TensorViewOpInterface producer, Operation *consumer,
                                  const IdRelations &relations) {
  auto readsAllOf = [&](OpOperand &use, unsigned dim, unsigned rootId) {
    return readsAll(relations, use, dim, rootId);
  };
  unsigned shared = producer.getDomain().getLoop().size();
  for (OpOperand &operand : consumer->getOpOperands())
    if (operand.get().getDefiningOp() == producer)
      shared = std::min(shared, EdgeIds(producer, operand, readsAllOf).getNumSharedLoops());
  return shared;
}

/// True for a use by an op that has loops.
static bool hasLoops(OpOperand &use) {
  return isa<TensorViewOpInterface>(use.getOwner()) &&
         isa<DomainMappingOpInterface>(use.getOwner());
}

static void emitConflict(TensorViewOpInterface producer, TensorViewOpInterface consumer,
                         const EdgeIds::Conflict &conflict) {
  InFlightDiagnostic diagnostic = producer->emitOpError("expected its first ")
                                  << producer.getInlinePosition()
                                  << " loops ('inline_at') to be those of its consumer, but loop "
                                  << conflict.position;
  switch (conflict.kind) {
  case InlineConflictKind::MissingLoop:
    diagnostic << " is none of its " << consumer.getDomain().getLoop().size();
    break;
  case InlineConflictKind::DifferentIds:
    diagnostic << " runs over an id that does not correspond to the consumer's";
    break;
  case InlineConflictKind::DifferentParallelTypes:
    diagnostic << " is @"
               << stringifyParallelType(producer.getDomain().getParallel()[conflict.position])
               << " here and @"
               << stringifyParallelType(consumer.getDomain().getParallel()[conflict.position])
               << " there";
    break;
  case InlineConflictKind::Reduction:
    diagnostic << " reduces";
    break;
  case InlineConflictKind::ScanTile:
    diagnostic << " collects a tile that is scanned after it";
    break;
  }
  diagnostic.attachNote(consumer->getLoc()) << "the consumer is here";
}

LogicalResult fuser::verifyInlinePositions(FunctionOpInterface program,
                                           const ExtentAnalysis &extents) {
  LogicalResult result = success();
  auto readsAllOf = [&](OpOperand &use, unsigned dim, unsigned rootId) {
    return readsAll(extents, use, dim, rootId);
  };
  for (Operation &op : program.getFunctionBody().front()) {
    auto producer = dyn_cast<TensorViewOpInterface>(op);
    if (!producer || producer.getInlinePosition() == 0)
      continue;
    // The use list is in reverse order.
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op.getUses())
      if (hasLoops(use))
        uses.push_back(&use);
    llvm::sort(uses, [](OpOperand *a, OpOperand *b) {
      return a->getOwner() == b->getOwner() ? a->getOperandNumber() < b->getOperandNumber()
                                            : a->getOwner()->isBeforeInBlock(b->getOwner());
    });
    Operation *reported = nullptr;
    for (OpOperand *use : uses) {
      if (use->getOwner() == reported)
        continue;
      std::optional<EdgeIds::Conflict> conflict =
          EdgeIds(producer, *use, readsAllOf).findConflict(producer.getInlinePosition());
      if (!conflict)
        continue;
      emitConflict(producer, cast<TensorViewOpInterface>(use->getOwner()), *conflict);
      reported = use->getOwner();
      result = failure();
    }
  }
  return result;
}
