//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Legality of inline positions, pair by pair.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/InlineLegality.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// LoopCorrespondence
//===----------------------------------------------------------------------===//

LoopCorrespondence::LoopCorrespondence(TensorViewOpInterface producerOp, OpOperand &operand)
    : producer(producerOp.getDomain(cast<OpResult>(operand.get()).getResultNumber())),
      consumer(cast<TensorViewOpInterface>(operand.getOwner()).getDomain()) {
  sources.resize(producer.getNumIds());
  SmallVector<unsigned> dims = producer.getResultIds();
  SmallVector<DimMap> maps =
      cast<DomainMappingOpInterface>(operand.getOwner()).getDimMaps(operand.getOperandNumber());
  for (auto [id, map] : llvm::zip(dims, maps)) {
    if (map.kind == DimMap::Kind::Mapped)
      sources[id] = {consumer.getRootOrLogical()[map.id], 0};
    if (map.kind != DimMap::Kind::Resized || map.step != 1 || map.minus ||
        !map.minusExtents.empty())
      continue;
    if (std::optional<int64_t> offset = getConstantIntValue(map.offset))
      sources[id] = {consumer.getRootOrLogical()[map.id], -*offset};
  }
}

/// True where the outputs of both are equal functions of their inputs.
static bool haveEqualParameters(const DomainTransform &a, const DomainTransform &b) {
  return a.kind == b.kind && a.value == b.value && a.after == b.after && a.inner == b.inner;
}

static unsigned getOutputNumber(const DomainTransform &transform, unsigned id) {
  return llvm::find(transform.getOutputs(), id) - transform.getOutputs().begin();
}

/// The input of a merge whose other input is a broadcast.
static std::optional<unsigned> getOtherThanBroadcast(DomainAttr domain, int definition) {
  if (definition < 0)
    return std::nullopt;
  const DomainTransform &merge = domain.getTransforms()[definition];
  if (merge.kind != TransformKind::Merge)
    return std::nullopt;
  for (unsigned position : {0, 1})
    if (domain.getKinds()[merge.inputs[1 - position]] == IdKind::Broadcast)
      return merge.inputs[position];
  return std::nullopt;
}

bool LoopCorrespondence::correspond(unsigned producerId, unsigned consumerId) const {
  if (producer.getKinds()[producerId] == IdKind::Broadcast)
    return true;
  const Source &source = sources[producerId];
  if (source.id != kNoId && source.before == 0 && source.id == consumerId)
    return true;
  int to = consumer.getDefinition(consumerId);
  // A merge with a broadcast keeps the index, as far as the extents agree.
  if (std::optional<unsigned> rest = getOtherThanBroadcast(consumer, to))
    if (correspond(producerId, *rest))
      return true;
  int from = producer.getDefinition(producerId);
  if (from < 0 || llvm::is_contained(producer.getLogical(), producerId))
    return false;
  if (std::optional<unsigned> rest = getOtherThanBroadcast(producer, from))
    if (correspond(*rest, consumerId))
      return true;
  const DomainTransform &made = producer.getTransforms()[from];
  if (made.kind == TransformKind::Resize) {
    const Source &resized = sources[made.inputs[0]];
    if (resized.id == consumerId && resized.before == made.value)
      return true;
  }
  if (to < 0)
    return false;
  const DomainTransform &other = consumer.getTransforms()[to];
  if (!haveEqualParameters(made, other) ||
      getOutputNumber(made, producerId) != getOutputNumber(other, consumerId))
    return false;
  return llvm::all_of(llvm::zip(made.getInputs(), other.getInputs()),
                      [&](auto pair) { return correspond(std::get<0>(pair), std::get<1>(pair)); });
}

/// The first loop before `end` of which the consumer has no counterpart.
static std::optional<std::pair<unsigned, InlineConflictKind>>
findConflict(TensorViewOpInterface producerOp, OpOperand &operand, unsigned end) {
  LoopCorrespondence loops(producerOp, operand);
  DomainAttr producer = producerOp.getDomain();
  DomainAttr consumer = cast<TensorViewOpInterface>(operand.getOwner()).getDomain();
  for (unsigned position = 0; position < end; ++position) {
    unsigned id = producer.getLoop()[position];
    if (producer.getKinds()[id] == IdKind::Reduction)
      return std::pair(position, InlineConflictKind::Reduction);
    if (position >= consumer.getLoop().size())
      return std::pair(position, InlineConflictKind::MissingLoop);
    if (!loops.correspond(id, consumer.getLoop()[position]))
      return std::pair(position, InlineConflictKind::DifferentIds);
    if (producer.getParallel()[position] != consumer.getParallel()[position])
      return std::pair(position, InlineConflictKind::DifferentParallelTypes);
  }
  return std::nullopt;
}

unsigned LoopCorrespondence::getNumSharedLoops() const {
  unsigned count = 0;
  for (auto [from, to, a, b] : llvm::zip(producer.getLoop(), consumer.getLoop(),
                                         producer.getParallel(), consumer.getParallel())) {
    if (a != b || !correspond(from, to))
      break;
    ++count;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// True for a use by an op that has loops of its own.
static bool hasLoops(OpOperand &use) {
  return isa<TensorViewOpInterface>(use.getOwner()) &&
         isa<DomainMappingOpInterface>(use.getOwner());
}

SmallVector<InlineConflict> fuser::findInlineConflicts(FunctionOpInterface program) {
  SmallVector<InlineConflict> conflicts;
  for (Operation &op : program.getFunctionBody().front()) {
    auto producer = dyn_cast<TensorViewOpInterface>(op);
    if (!producer || producer.getInlinePosition() == 0)
      continue;
    // Uses are listed last first.
    SmallVector<OpOperand *> uses;
    for (OpResult result : op.getResults())
      for (OpOperand &use : result.getUses())
        if (hasLoops(use))
          uses.push_back(&use);
    llvm::sort(uses, [](OpOperand *a, OpOperand *b) {
      return a->getOwner() == b->getOwner() ? a->getOperandNumber() < b->getOperandNumber()
                                            : a->getOwner()->isBeforeInBlock(b->getOwner());
    });
    for (OpOperand *use : uses) {
      bool known = !conflicts.empty() && conflicts.back().producer == &op &&
                   conflicts.back().consumer == use->getOwner();
      if (known)
        continue;
      if (auto conflict = findConflict(producer, *use, producer.getInlinePosition()))
        conflicts.push_back({conflict->second, &op, use->getOwner(), conflict->first});
    }
  }
  return conflicts;
}

void fuser::emitInlineConflict(const InlineConflict &conflict) {
  auto producer = cast<TensorViewOpInterface>(conflict.producer);
  auto consumer = cast<TensorViewOpInterface>(conflict.consumer);
  InFlightDiagnostic diagnostic = conflict.producer->emitOpError("expected its first ")
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
  }
  diagnostic.attachNote(conflict.consumer->getLoc()) << "the consumer is here";
}

unsigned fuser::getMaxInlinePosition(TensorViewOpInterface producer) {
  DomainAttr domain = producer.getDomain();
  unsigned position = domain.getLoop().size();
  for (OpResult result : producer->getResults()) {
    for (OpOperand &use : result.getUses()) {
      if (!hasLoops(use))
        return 0;
      if (auto conflict = findConflict(producer, use, position))
        position = conflict->first;
    }
  }
  return position;
}
