//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpIndices.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

bool fuser::addsIndices(const DomainTransform &transform) {
  return transform.kind == TransformKind::Resize && (transform.value > 0 || transform.after > 0);
}

const Loop *fuser::getVectorLoop(const ScheduledOp &scheduled) {
  if (scheduled.loops.empty() || scheduled.loops.back()->type != ParallelType::Vectorize)
    return nullptr;
  return scheduled.loops.back();
}

AffineExpr fuser::getKnownExtent(const ExtentAnalysis &extents, AffineExpr extent) {
  if (std::optional<int64_t> constant = extents.getConstant(extent))
    return getAffineConstantExpr(*constant, extent.getContext());
  return extents.canonicalize(extent);
}

//===----------------------------------------------------------------------===//
// Ids of one op
//===----------------------------------------------------------------------===//

IdIndices OpIndices::getIds(const ScheduledOp &scheduled) const {
  IdIndices ids(scheduled.domain.getNumIds());
  for (auto [id, loop] : llvm::zip(scheduled.domain.getLoop(), scheduled.loops))
    ids[id] = scheduled.replicated.test(id) ? constant(scheduled, 0) : getLoopIndex(*loop);
  for (const DomainTransform &transform : llvm::reverse(scheduled.loopPath))
    undo(scheduled, transform, ids);
  return ids;
}

/// Takes the index of another id that has the same one; false if none is known.
bool OpIndices::takeEqual(const ScheduledOp &scheduled, unsigned id, IdIndices &ids) const {
  const OpIds &opIds = equalIds.getOpIds(scheduled);
  for (unsigned other = 0, e = ids.size(); other < e; ++other)
    if (other != id && ids[other] && opIds.haveOneIndex(other, id)) {
      ids[id] = ids[other];
      return true;
    }
  return false;
}

/// Floor division and remainder; an extent of 0 has no element to index.
static AffineExpr divide(AffineExpr index, AffineExpr extent) {
  auto constant = dyn_cast<AffineConstantExpr>(extent);
  return constant && constant.getValue() < 1 ? constant : index.floorDiv(extent);
}
static AffineExpr remainder(AffineExpr index, AffineExpr extent) {
  auto constant = dyn_cast<AffineConstantExpr>(extent);
  return constant && constant.getValue() < 1 ? constant : index % extent;
}

/// The second index of a swizzle from the other one, in both directions.
AffineExpr OpIndices::swizzle(const ScheduledOp &scheduled, const DomainTransform &transform,
                              AffineExpr first, AffineExpr second) const {
  return getXor(second, remainder(divide(first, constant(scheduled, transform.value)),
                                  getIdExtent(scheduled, transform.inputs[1])));
}

/// Computes the inputs of a transform from its outputs.
void OpIndices::undo(const ScheduledOp &scheduled, const DomainTransform &transform,
                     IdIndices &ids) const {
  // A reshape of an op makes some of its ids equal.
  if (!scheduled.domain.getRoot().empty() && llvm::all_of(transform.getInputs(), [&](unsigned id) {
        return takeEqual(scheduled, id, ids);
      }))
    return;
  const AffineExpr first = ids[transform.outputs[0]];
  switch (transform.kind) {
  case TransformKind::Broadcast:
    return;
  case TransformKind::Split:
    ids[transform.inputs[0]] =
        first * (transform.inner ? constant(scheduled, transform.value)
                                 : getIdExtent(scheduled, transform.outputs[1])) +
        ids[transform.outputs[1]];
    return;
  case TransformKind::Merge: {
    if (extents.getConstant(scheduled.getExtent(transform.inputs[0])) == 1) {
      ids[transform.inputs[0]] = constant(scheduled, 0);
      ids[transform.inputs[1]] = first;
      return;
    }
    const AffineExpr inner = getIdExtent(scheduled, transform.inputs[1]);
    ids[transform.inputs[0]] = divide(first, inner);
    ids[transform.inputs[1]] = remainder(first, inner);
    return;
  }
  case TransformKind::Resize:
    ids[transform.inputs[0]] = first - transform.value;
    return;
  case TransformKind::Swizzle:
    ids[transform.inputs[0]] = first;
    ids[transform.inputs[1]] = swizzle(scheduled, transform, first, ids[transform.outputs[1]]);
    return;
  }
  llvm_unreachable("unknown transform");
}

void OpIndices::applyForward(const ScheduledOp &scheduled, IdIndices &ids) const {
  for (const DomainTransform &transform : scheduled.domain.getTransforms()) {
    auto isKnown = [&](unsigned id) { return bool(ids[id]); };
    if (!llvm::all_of(transform.getOutputs(), isKnown) &&
        llvm::all_of(transform.getInputs(), isKnown))
      apply(scheduled, transform, ids);
  }
}

/// Computes the unknown outputs of a transform from its inputs.
void OpIndices::apply(const ScheduledOp &scheduled, const DomainTransform &transform,
                      IdIndices &ids) const {
  auto set = [&](unsigned position, AffineExpr index) {
    if (AffineExpr &slot = ids[transform.outputs[position]]; !slot)
      slot = index;
  };
  switch (transform.kind) {
  case TransformKind::Broadcast:
    set(0, constant(scheduled, 0));
    return;
  case TransformKind::Split: {
    const AffineExpr factor = transform.inner ? constant(scheduled, transform.value)
                                              : getIdExtent(scheduled, transform.outputs[1]);
    set(0, divide(ids[transform.inputs[0]], factor));
    set(1, remainder(ids[transform.inputs[0]], factor));
    return;
  }
  case TransformKind::Merge:
    set(0, ids[transform.inputs[0]] * getIdExtent(scheduled, transform.inputs[1]) +
               ids[transform.inputs[1]]);
    return;
  case TransformKind::Resize:
    set(0, ids[transform.inputs[0]] + transform.value);
    return;
  case TransformKind::Swizzle: {
    const AffineExpr first = ids[transform.inputs[0]];
    set(0, first);
    if (!ids[transform.outputs[1]])
      set(1, swizzle(scheduled, transform, first, ids[transform.inputs[1]]));
    return;
  }
  }
  llvm_unreachable("unknown transform");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

AffineExpr OpIndices::getRoot(const ScheduledOp &scheduled, unsigned root,
                              ArrayRef<AffineExpr> ids) const {
  const unsigned id = scheduled.domain.getRootOrLogical()[root];
  return scheduled.isBroadcast(id) ? constant(scheduled, 0) : ids[id];
}

/// root * step + offset - minus - the extents that are subtracted
AffineExpr OpIndices::indexResized(const ScheduledOp &scheduled, const DimMap &map,
                                   ArrayRef<AffineExpr> ids) const {
  AffineExpr index = getRoot(scheduled, map.id, ids) * map.step;
  if (std::optional<int64_t> offset = getConstantIntValue(map.offset))
    index = index + *offset;
  else
    index = index + getScalarIndex(cast<Value>(map.offset));
  if (map.minus)
    index = index - getScalarIndex(map.minus);
  for (auto [operand, dim] : map.minusExtents)
    index = index - getExtent(extents.getExtent(scheduled.op->getOperand(operand), dim));
  return index;
}

/// True if the map cannot leave an operand's dimension of this extent.
bool OpIndices::staysInside(const ScheduledOp &scheduled, const DimMap &map,
                            AffineExpr extent) const {
  if (map.kind == DimMap::Kind::Indirect || map.kind == DimMap::Kind::Whole)
    return false;
  if (map.kind != DimMap::Kind::Resized)
    return true;
  std::optional<int64_t> offset = getConstantIntValue(map.offset);
  if (!offset || *offset < 0 || map.minus || !map.minusExtents.empty())
    return false;
  const unsigned root = scheduled.domain.getRootOrLogical()[map.id];
  const AffineExpr last =
      scheduled.concrete.test(root) ? constant(scheduled, 0) : scheduled.getExtent(root) - 1;
  return extents.getLowerBound(extent - last * map.step - *offset) > 0;
}

SmallVector<AffineExpr> OpIndices::indexOperand(const ScheduledOp &scheduled, unsigned operand,
                                                ArrayRef<AffineExpr> ids, Constraints *guard,
                                                ArrayRef<AffineExpr> own) const {
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  SmallVector<AffineExpr> at;
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand))) {
    switch (map.kind) {
    case DimMap::Kind::Mapped:
      at.push_back(getRoot(scheduled, map.id, ids));
      break;
    case DimMap::Kind::Broadcast:
      at.push_back(constant(scheduled, 0));
      break;
    case DimMap::Kind::Resized:
      at.push_back(indexResized(scheduled, map, ids));
      break;
    case DimMap::Kind::Indirect:
    case DimMap::Kind::Whole:
      at.push_back(own.front());
      own = own.drop_front();
      break;
    }
    const AffineExpr extent = extents.getExtent(scheduled.op->getOperand(operand), dim);
    if (guard && !staysInside(scheduled, map, extent))
      guard->push_back(Constraint::less(at.back(), getExtent(extent)));
  }
  return at;
}

IdIndices OpIndices::getProducerIds(const ScheduledOp &producer, const ScheduledOp &consumer,
                                    unsigned operand, ArrayRef<AffineExpr> ids,
                                    ArrayRef<AffineExpr> at) const {
  ArrayRef<unsigned> map = equalIds.mapProducer(producer, consumer, operand);
  const Loop *lanes = getVectorLoop(consumer);
  std::optional<unsigned> lane;
  if (lanes)
    lane = cast<AffineDimExpr>(getLoopIndex(*lanes)).getPosition();
  IdIndices producerIds(producer.domain.getNumIds());
  for (auto [id, from] : llvm::enumerate(map)) {
    if (from == kNoId || !ids[from])
      continue;
    // The lanes of a vector along a dimension of one element all read that one, as `at` says.
    if (lane && consumer.isBroadcast(from) && ids[from].isFunctionOfDim(*lane))
      continue;
    producerIds[id] = ids[from];
  }
  // A loop over one index that all threads or blocks execute may be shared with one over more.
  for (unsigned id : producer.replicated.set_bits())
    producerIds[id] = constant(consumer, 0);
  // Dimensions that are no id of the consumer: broadcast, resized.
  const unsigned result = cast<OpResult>(consumer.op->getOperand(operand)).getResultNumber();
  for (auto [id, index] : llvm::zip_equal(producer.getDomain(result).getResultIds(), at))
    if (!producerIds[id])
      producerIds[id] = index;
  applyForward(producer, producerIds);
  return producerIds;
}

//===----------------------------------------------------------------------===//
// Existence
//===----------------------------------------------------------------------===//

CheckedIds fuser::getCheckedIds(const ScheduledOp &scheduled, const ExtentAnalysis &extents,
                                function_ref<bool(const DomainTransform &)> isSkipped) {
  CheckedIds checked;
  checked.bounded.resize(scheduled.domain.getNumIds());
  // An index beyond the extent of the outer output of a split is beyond that of its input, and so
  // is one of what has that output as its outer part: the first check of a chain covers all of it.
  for (const DomainTransform &transform : scheduled.loopPath) {
    unsigned input = transform.inputs[0];
    if (addsIndices(transform) && !(isSkipped && isSkipped(transform)))
      checked.ids.push_back(input);
    if (transform.kind == TransformKind::Split) {
      if (!checked.bounded.test(input) &&
          extents.getKnownDivisor(scheduled.getExtent(input)) % transform.value != 0) {
        checked.ids.push_back(input);
        checked.bounded.set(input);
      }
    } else if (transform.kind != TransformKind::Merge) {
      continue;
    } else if (extents.getConstant(scheduled.getExtent(input)) == 1) {
      // The merged index is that of the inner input.
      input = transform.inputs[1];
    }
    if (checked.bounded.test(input))
      checked.bounded.set(transform.outputs[0]);
  }
  return checked;
}

AffineExpr OpIndices::getScalar(Value scalar) const {
  if (std::optional<int64_t> constant = getConstantIntValue(scalar))
    return getAffineConstantExpr(*constant, scalar.getContext());
  return getScalarIndex(scalar);
}

void OpIndices::moveIntoWindow(Operation *op, MutableArrayRef<AffineExpr> at) const {
  if (auto window = dyn_cast<WindowOp>(op))
    for (auto [dim, offset] : llvm::zip_equal(window.getDims(), window.getOffsets()))
      at[dim] = at[dim] - getScalar(offset);
}

/// The ids whose index is not the least of those that a replicated loop stands for. That loop has
/// index 0, the least of its own; but a remainder of another one may be less than that of 0.
static llvm::SmallBitVector getIdsOfSomeReplica(const ScheduledOp &scheduled,
                                                const ExtentAnalysis &extents) {
  llvm::SmallBitVector derived = scheduled.replicated;
  derived.resize(scheduled.domain.getNumIds());
  llvm::SmallBitVector ofSome(derived.size());
  for (const DomainTransform &transform : llvm::reverse(scheduled.loopPath)) {
    auto hasOutputIn = [&](const llvm::SmallBitVector &ids) {
      return llvm::any_of(transform.getOutputs(), [&](unsigned id) { return ids.test(id); });
    };
    if (!hasOutputIn(derived))
      continue;
    bool wraps = hasOutputIn(ofSome) || transform.kind == TransformKind::Swizzle;
    for (unsigned id : transform.getInputs()) {
      derived.set(id);
      if (wraps)
        ofSome.set(id);
      // The inner input of a merge is a remainder.
      wraps |= transform.kind == TransformKind::Merge &&
               extents.getConstant(scheduled.getExtent(id)) != 1;
    }
  }
  return ofSome;
}

Constraints OpIndices::getExistence(const ScheduledOp &scheduled, ArrayRef<AffineExpr> ids,
                                    bool ofResult) const {
  Constraints constraints;
  // A window stores elements of its box only.
  if (auto window = dyn_cast<WindowOp>(scheduled.op))
    for (auto [dim, offset, size] :
         llvm::zip_equal(window.getDims(), window.getOffsets(), window.getSizes()))
      constraints.push_back(Constraint::less(
          ids[scheduled.domain.getResultIds()[dim]] - getScalar(offset), getScalar(size)));
  const IdsDoneOnce &once = scheduled.getOnce(ofResult);
  // A replica runs where any thread that it stands for has an element. What broadcasts decide of
  // that does not limit the elements of the op itself.
  const llvm::SmallBitVector ofSome = getIdsOfSomeReplica(scheduled, extents);
  for (unsigned id : getCheckedIds(scheduled, extents).ids)
    if (!once.zero.test(id) &&
        (!ofResult || scheduled.domain.getKinds()[id] != IdKind::Reduction) &&
        !(ofSome.test(id) && scheduled.isBroadcast(id)))
      constraints.push_back(Constraint::less(ids[id], getIdExtent(scheduled, id)));
  for (unsigned id : once.checked)
    constraints.push_back(Constraint::equal(ids[id], constant(scheduled, 0)));
  return constraints;
}
