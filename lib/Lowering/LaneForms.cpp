//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaneForms.h"
#include "OpIndices.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

int64_t LaneForms::getWidth(const ScheduledOp &scheduled) {
  const Loop *lanes = getVectorLoop(scheduled);
  return lanes ? *lanes->constant : 1;
}

bool LaneForms::divides(const ScheduledOp &scheduled, unsigned id, int64_t width) const {
  return extents.getKnownDivisor(scheduled.getExtent(id)) % width == 0;
}

//===----------------------------------------------------------------------===//
// Ids of one op
//===----------------------------------------------------------------------===//

IdForms LaneForms::getIds(const ScheduledOp &scheduled, int64_t width) const {
  IdForms ids(scheduled.domain.getNumIds(), LaneForm::Unknown);
  for (auto [id, type] : llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()))
    ids[id] = type == ParallelType::Vectorize ? LaneForm::Consecutive : LaneForm::Equal;
  for (const DomainTransform &transform : llvm::reverse(scheduled.loopPath))
    undo(scheduled, transform, ids, width);
  return ids;
}

/// Takes the form of another id that has the same index; false if none is known.
bool LaneForms::takeEqual(const ScheduledOp &scheduled, unsigned id, IdForms &ids) const {
  const OpIds &opIds = equalIds.getOpIds(scheduled);
  for (unsigned other = 0, e = ids.size(); other < e; ++other)
    if (other != id && ids[other] != LaneForm::Unknown && opIds.haveOneIndex(other, id)) {
      ids[id] = ids[other];
      return true;
    }
  return false;
}

/// Determines the inputs of a transform from its outputs.
void LaneForms::undo(const ScheduledOp &scheduled, const DomainTransform &transform, IdForms &ids,
                     int64_t width) const {
  // A reshape of an op makes some of its ids equal.
  if (transform.kind == TransformKind::Broadcast ||
      (!scheduled.domain.getRoot().empty() && llvm::all_of(transform.getInputs(), [&](unsigned id) {
        return takeEqual(scheduled, id, ids);
      })))
    return;
  for (auto [position, id] : llvm::enumerate(transform.getInputs()))
    ids[id] = undoForm(scheduled, transform, position, ids, width);
}

LaneForm LaneForms::undoForm(const ScheduledOp &scheduled, const DomainTransform &transform,
                             unsigned input, ArrayRef<LaneForm> ids, int64_t width) const {
  auto isEqual = [&](unsigned id) { return ids[id] == LaneForm::Equal; };
  if (llvm::all_of(transform.getOutputs(), isEqual))
    return LaneForm::Equal;
  const LaneForm first = ids[transform.outputs[0]];
  switch (transform.kind) {
  case TransformKind::Split: {
    const unsigned inner = transform.outputs[1];
    return first == LaneForm::Equal && ids[inner] == LaneForm::Consecutive &&
                   divides(scheduled, inner, width)
               ? LaneForm::Consecutive
               : LaneForm::Mixed;
  }
  case TransformKind::Merge:
    // With a dimension of one element the merged index is the other's.
    for (unsigned one : {0, 1})
      if (extents.getConstant(scheduled.getExtent(transform.inputs[one])) == 1)
        return input == one ? LaneForm::Equal : first;
    if (first != LaneForm::Consecutive || !divides(scheduled, transform.inputs[1], width))
      return LaneForm::Mixed;
    return input == 0 ? LaneForm::Equal : LaneForm::Consecutive;
  case TransformKind::Swizzle:
    return input == 0 ? first : LaneForm::Mixed;
  case TransformKind::Resize:
    return transform.value % width == 0 ? first : LaneForm::Mixed;
  case TransformKind::Broadcast:
    break;
  }
  llvm_unreachable("expected a transform with inputs");
}

void LaneForms::applyForward(const ScheduledOp &scheduled, IdForms &ids, int64_t width) const {
  auto isKnown = [&](unsigned id) { return ids[id] != LaneForm::Unknown; };
  for (const DomainTransform &transform : scheduled.domain.getTransforms()) {
    if (!llvm::all_of(transform.getInputs(), isKnown))
      continue;
    const IdForms before = ids;
    for (auto [position, id] : llvm::enumerate(transform.getOutputs()))
      if (!isKnown(id))
        ids[id] = applyForm(scheduled, transform, position, before, width);
  }
}

/// The form of an output of a transform with known inputs.
LaneForm LaneForms::applyForm(const ScheduledOp &scheduled, const DomainTransform &transform,
                              unsigned output, ArrayRef<LaneForm> ids, int64_t width) const {
  auto isEqual = [&](unsigned id) { return ids[id] == LaneForm::Equal; };
  if (llvm::all_of(transform.getInputs(), isEqual))
    return LaneForm::Equal;
  const LaneForm first = ids[transform.inputs[0]];
  switch (transform.kind) {
  case TransformKind::Split:
    // A vector that divides the factor stays within it.
    if (first != LaneForm::Consecutive || !transform.inner || transform.value % width != 0)
      return LaneForm::Mixed;
    return output == 0 ? LaneForm::Equal : LaneForm::Consecutive;
  case TransformKind::Merge:
    return first == LaneForm::Equal && ids[transform.inputs[1]] == LaneForm::Consecutive &&
                   divides(scheduled, transform.inputs[1], width)
               ? LaneForm::Consecutive
               : LaneForm::Mixed;
  case TransformKind::Swizzle:
    return output == 0 ? first : LaneForm::Mixed;
  case TransformKind::Resize:
    return LaneForm::Mixed;
  case TransformKind::Broadcast:
    break;
  }
  llvm_unreachable("a broadcast has no inputs");
}

bool LaneForms::isRagged(const ScheduledOp &scheduled) const {
  const int64_t width = getWidth(scheduled);
  if (width == 1 || llvm::none_of(scheduled.loopPath, addsIndices))
    return false;
  const IdForms ids = getIds(scheduled, width);
  return llvm::any_of(scheduled.loopPath, [&](const DomainTransform &transform) {
    // An index that is the same for all lanes is checked by the predicate of the op.
    if (!addsIndices(transform) || ids[transform.outputs[0]] == LaneForm::Equal)
      return false;
    const unsigned input = transform.inputs[0];
    return ids[input] != LaneForm::Equal &&
           (ids[input] != LaneForm::Consecutive || !divides(scheduled, input, width));
  });
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

OperandForms::Dim LaneForms::getRoot(const ScheduledOp &scheduled, unsigned root,
                                     ArrayRef<LaneForm> ids) const {
  const unsigned id = scheduled.domain.getRootOrLogical()[root];
  if (scheduled.isBroadcast(id))
    return {LaneForm::Equal, kNoId};
  return {ids[id], id};
}

/// root * step + offset - minus. A vector stays one if it begins at a multiple of the width.
OperandForms::Dim LaneForms::getResized(const ScheduledOp &scheduled, const DimMap &map,
                                        AffineExpr extent, ArrayRef<LaneForm> ids,
                                        int64_t width) const {
  OperandForms::Dim dim = getRoot(scheduled, map.id, ids);
  const std::optional<int64_t> offset = getConstantIntValue(map.offset);
  const bool keepsVectors =
      map.step == 1 && offset && *offset % width == 0 && !map.minus &&
      llvm::all_of(map.minusExtents, [&](auto minus) {
        auto [operand, position] = minus;
        const Value value = scheduled.op->getOperand(operand);
        return extents.getKnownDivisor(extents.getExtent(value, position)) % width == 0;
      });
  if (dim.form == LaneForm::Consecutive && !keepsVectors)
    dim.form = LaneForm::Mixed;
  // Of another extent, it is another index if merged with a slower dimension.
  const bool isSame = map.step == 1 && offset == 0 && !map.minus && map.minusExtents.empty();
  if (!isSame || (dim.id != kNoId && !extents.isProvablyEqual(extent, scheduled.getExtent(dim.id))))
    dim.id = kNoId;
  return dim;
}

/// True if all lanes read one element of the operand.
bool LaneForms::hasOneIndex(const ScheduledOp &scheduled, unsigned operand, ArrayRef<LaneForm> ids,
                            int64_t width) const {
  const OperandForms at = getOperand(scheduled, operand, ids, width, /*isGuarded=*/false);
  return llvm::all_of(at.dims,
                      [](const OperandForms::Dim &dim) { return dim.form == LaneForm::Equal; });
}

OperandForms LaneForms::getOperand(const ScheduledOp &scheduled, unsigned operand,
                                   ArrayRef<LaneForm> ids, int64_t width, bool isGuarded) const {
  OperandForms at;
  // An element that does not exist may read outside of the operand.
  const bool ragged = isGuarded && isRagged(scheduled);
  at.isMoved = ragged;
  const Value value = scheduled.op->getOperand(operand);
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  for (auto [position, map] : llvm::enumerate(mapping.getDimMaps(operand))) {
    const AffineExpr extent = extents.getExtent(value, position);
    OperandForms::Dim &dim = at.dims.emplace_back();
    switch (map.kind) {
    case DimMap::Kind::Mapped:
      dim = getRoot(scheduled, map.id, ids);
      break;
    case DimMap::Kind::Resized:
      dim = getResized(scheduled, map, extent, ids, width);
      at.isMoved = true;
      break;
    case DimMap::Kind::Indirect:
      if (!hasOneIndex(scheduled, map.indexOperand, ids, width))
        dim.form = LaneForm::Mixed;
      at.isMoved = true;
      break;
    case DimMap::Kind::Broadcast:
    case DimMap::Kind::Whole:
      break;
    }
    // A vector of which every element exists, or none, has one condition.
    const bool isChecked = isGuarded && (ragged || map.kind == DimMap::Kind::Resized);
    if (isChecked && dim.form == LaneForm::Consecutive &&
        extents.getKnownDivisor(extent) % width != 0)
      dim.form = LaneForm::Mixed;
    at.insideVaries |=
        (isChecked || map.kind == DimMap::Kind::Indirect) && dim.form == LaneForm::Mixed;
  }
  return at;
}

IdForms LaneForms::getProducerIds(const ScheduledOp &producer, const ScheduledOp &consumer,
                                  unsigned operand, ArrayRef<LaneForm> ids, const OperandForms &at,
                                  int64_t width) const {
  IdForms producerIds(producer.domain.getNumIds(), LaneForm::Unknown);
  for (auto [id, from] : llvm::enumerate(equalIds.mapProducer(producer, consumer, operand))) {
    // The lanes of a vector along a dimension of one element all read that one, as `at` says.
    if (from != kNoId && !(consumer.isBroadcast(from) && ids[from] != LaneForm::Equal))
      producerIds[id] = ids[from];
  }
  // A loop over one index that all threads or blocks execute may be shared with one over more.
  for (unsigned id : producer.replicated.set_bits())
    producerIds[id] = LaneForm::Equal;
  // Dimensions that are no id of the consumer: broadcast, resized, indirect.
  const unsigned result = cast<OpResult>(consumer.op->getOperand(operand)).getResultNumber();
  for (auto [id, dim] : llvm::zip_equal(producer.getDomain(result).getResultIds(), at.dims))
    if (producerIds[id] == LaneForm::Unknown)
      producerIds[id] = dim.form;
  applyForward(producer, producerIds, width);
  return producerIds;
}
