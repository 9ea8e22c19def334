//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From loop ids to the ids of operands and results, and how they follow the vectorized loop.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace fuser;

/// Values of the loop ids, from the loops that are open; a vectorized id stands at `vectorElement`,
/// where an access of `width` elements (0: the op's vector) begins.
IdValues KernelEmitter::getIdValues(const ScheduledOp &scheduled, unsigned vectorElement,
                                    int64_t width) const {
  IdValues ids;
  ids.scheduled = &scheduled;
  ids.width = width ? width : getWidth(scheduled);
  unsigned size = scheduled.domain.getNumIds();
  ids.values.resize(size);
  ids.forms.resize(size, VectorForm::Independent);
  auto &mutableIndex = const_cast<IndexBuilder &>(index);
  for (auto [id, type, loop] :
       llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel(), scheduled.loops)) {
    if (type == ParallelType::Vectorize) {
      ids.values[id] = mutableIndex.constant(vectorElement);
      ids.forms[id] = VectorForm::Trailing;
    } else if (scheduled.replicated.test(id)) {
      ids.values[id] = mutableIndex.constant(0);
    } else {
      ids.values[id] = loopIndex.lookup(loop);
    }
  }
  return ids;
}

IdValues KernelEmitter::deriveIds(const ScheduledOp &scheduled, unsigned vectorElement,
                                  int64_t width) {
  IdValues ids = getIdValues(scheduled, vectorElement, width);
  for (const DomainTransform &transform : llvm::reverse(scheduled.loopPath))
    undo(transform, ids);
  return ids;
}

/// Takes the value of another id that has the same index; false where none is known.
bool KernelEmitter::takeEqual(unsigned id, IdValues &ids) {
  const OpIds &opIds = equalIds.getOpIds(*ids.scheduled);
  for (unsigned other = 0, e = ids.values.size(); other < e; ++other)
    if (other != id && ids.values[other] && opIds.haveOneIndex(other, id)) {
      ids.values[id] = ids.values[other];
      ids.forms[id] = ids.forms[other];
      return true;
    }
  return false;
}

/// Computes the inputs of a transform from its outputs.
void KernelEmitter::undo(const DomainTransform &transform, IdValues &ids) {
  const ScheduledOp &scheduled = *ids.scheduled;
  // A reshape of an op makes some of its ids equal.
  if (!scheduled.domain.getRoot().empty() &&
      llvm::all_of(transform.getInputs(), [&](unsigned id) { return takeEqual(id, ids); }))
    return;
  auto value = [&](unsigned id) { return ids.values[id]; };
  auto set = [&](unsigned position, Value result) {
    unsigned id = transform.inputs[position];
    ids.forms[id] = undoForm(transform, position, ids);
    ids.values[id] = result;
  };
  switch (transform.kind) {
  case TransformKind::Broadcast:
    return;
  case TransformKind::Split: {
    Value factor = transform.inner ? index.constant(transform.value)
                                   : getExtentValue(scheduled, transform.outputs[1]);
    set(0, index.add(index.mul(value(transform.outputs[0]), factor), value(transform.outputs[1])));
    return;
  }
  case TransformKind::Merge: {
    Value merged = value(transform.outputs[0]);
    std::optional<int64_t> outer = extents.getConstant(getExtent(scheduled, transform.inputs[0]));
    if (outer == 1) {
      set(0, index.constant(0));
      set(1, merged);
      return;
    }
    Value inner = getExtentValue(scheduled, transform.inputs[1]);
    set(0, index.div(merged, inner));
    set(1, index.rem(merged, inner));
    return;
  }
  case TransformKind::Swizzle: {
    Value row = index.div(value(transform.outputs[0]), index.constant(transform.value));
    Value period = index.rem(row, getExtentValue(scheduled, transform.inputs[1]));
    set(0, value(transform.outputs[0]));
    set(1, index.bitXor(value(transform.outputs[1]), period));
    return;
  }
  case TransformKind::Resize:
    set(0, index.sub(value(transform.outputs[0]), index.constant(transform.value)));
    return;
  }
}

/// The form of an input of an undone transform.
VectorForm KernelEmitter::undoForm(const DomainTransform &transform, unsigned input,
                                   const IdValues &ids) const {
  auto form = [&](unsigned id) { return ids.forms[id]; };
  bool independent = llvm::all_of(transform.getOutputs(),
                                  [&](unsigned id) { return form(id) == VectorForm::Independent; });
  if (independent)
    return VectorForm::Independent;
  int64_t width = ids.width;
  auto divides = [&](unsigned id) {
    return extents.getKnownDivisor(getExtent(*ids.scheduled, id)) % width == 0;
  };
  switch (transform.kind) {
  case TransformKind::Split:
    return form(transform.outputs[0]) == VectorForm::Independent &&
                   form(transform.outputs[1]) == VectorForm::Trailing &&
                   divides(transform.outputs[1])
               ? VectorForm::Trailing
               : VectorForm::Other;
  case TransformKind::Merge:
    // With a dimension of one element the merged index is the other's.
    for (unsigned one : {0, 1})
      if (extents.getConstant(getExtent(*ids.scheduled, transform.inputs[one])) == 1)
        return input == one ? VectorForm::Independent : form(transform.outputs[0]);
    if (form(transform.outputs[0]) != VectorForm::Trailing || !divides(transform.inputs[1]))
      return VectorForm::Other;
    return input == 0 ? VectorForm::Independent : VectorForm::Trailing;
  case TransformKind::Swizzle:
    return input == 0 ? form(transform.outputs[0]) : VectorForm::Other;
  case TransformKind::Resize:
    return transform.value % width == 0 ? form(transform.outputs[0]) : VectorForm::Other;
  case TransformKind::Broadcast:
    break;
  }
  llvm_unreachable("expected a transform with inputs");
}

IdValues KernelEmitter::deriveProducerIds(const ScheduledOp &producer, const ScheduledOp &consumer,
                                          unsigned operand, const IdValues &consumerIds,
                                          const OperandIndex &at) {
  ArrayRef<unsigned> map = equalIds.mapProducer(producer, consumer, operand);
  IdValues ids;
  ids.scheduled = &producer;
  ids.width = consumerIds.width;
  unsigned size = producer.domain.getNumIds();
  ids.values.resize(size);
  ids.forms.resize(size, VectorForm::Independent);
  for (unsigned id = 0; id < size; ++id) {
    const unsigned from = map[id];
    if (from == kNoId || !consumerIds.values[from])
      continue;
    // The lanes of a vector along a dimension of one element all read that one, as `at` says.
    if (consumer.isBroadcast(from) && consumerIds.forms[from] != VectorForm::Independent)
      continue;
    ids.values[id] = consumerIds.values[from];
    ids.forms[id] = consumerIds.forms[from];
  }
  // Who shares a loop over one index that all threads or blocks do may run over more of them.
  for (unsigned id : producer.replicated.set_bits()) {
    ids.values[id] = index.constant(0);
    ids.forms[id] = VectorForm::Independent;
  }
  // Dimensions that are no id of the consumer: broadcast, resized, indirect.
  unsigned result = cast<OpResult>(consumer.op->getOperand(operand)).getResultNumber();
  for (auto [id, from] : llvm::zip_equal(producer.getDomain(result).getResultIds(), at.dims)) {
    if (ids.values[id])
      continue;
    ids.values[id] = from.index;
    ids.forms[id] = from.form;
  }
  applyForward(producer, ids, ids.width);
  return ids;
}

/// Fills in outputs of transforms whose inputs are known: ids of an allocation domain, or of loops
/// that the consumer does not have. Vectors have `width` elements.
void KernelEmitter::applyForward(const ScheduledOp &scheduled, IdValues &ids, int64_t width) {
  for (const DomainTransform &transform : scheduled.domain.getTransforms()) {
    auto known = [&](unsigned id) { return bool(ids.values[id]); };
    if (llvm::all_of(transform.getOutputs(), known) || !llvm::all_of(transform.getInputs(), known))
      continue;
    apply(transform, ids, width);
  }
}

/// Computes the unknown outputs of a transform from its inputs.
void KernelEmitter::apply(const DomainTransform &transform, IdValues &ids, int64_t width) {
  const ScheduledOp &scheduled = *ids.scheduled;
  if (transform.kind == TransformKind::Broadcast) {
    ids.values[transform.outputs[0]] = index.constant(0);
    return;
  }
  auto form = [&](unsigned input) { return ids.forms[transform.inputs[input]]; };
  bool independent = llvm::all_of(
      transform.getInputs(), [&](unsigned id) { return ids.forms[id] == VectorForm::Independent; });
  auto set = [&](unsigned position, Value value, VectorForm dependent = VectorForm::Other) {
    unsigned id = transform.outputs[position];
    if (ids.values[id])
      return;
    ids.values[id] = value;
    ids.forms[id] = independent ? VectorForm::Independent : dependent;
  };
  Value first = ids.values[transform.inputs[0]];
  switch (transform.kind) {
  case TransformKind::Split: {
    Value factor = transform.inner ? index.constant(transform.value)
                                   : getExtentValue(scheduled, transform.outputs[1]);
    // A vector that divides the factor stays within it.
    bool within =
        form(0) == VectorForm::Trailing && transform.inner && transform.value % width == 0;
    set(0, index.div(first, factor), within ? VectorForm::Independent : VectorForm::Other);
    set(1, index.rem(first, factor), within ? VectorForm::Trailing : VectorForm::Other);
    return;
  }
  case TransformKind::Merge: {
    AffineExpr inner = getExtent(scheduled, transform.inputs[1]);
    bool trailing = form(0) == VectorForm::Independent && form(1) == VectorForm::Trailing &&
                    extents.getKnownDivisor(inner) % width == 0;
    set(0, index.add(index.mul(first, evaluate(inner)), ids.values[transform.inputs[1]]),
        trailing ? VectorForm::Trailing : VectorForm::Other);
    return;
  }
  case TransformKind::Swizzle: {
    Value row = index.div(first, index.constant(transform.value));
    Value period = index.rem(row, getExtentValue(scheduled, transform.inputs[1]));
    set(0, first, form(0));
    set(1, index.bitXor(ids.values[transform.inputs[1]], period),
        form(0) == VectorForm::Independent && form(1) == VectorForm::Independent
            ? VectorForm::Independent
            : VectorForm::Other);
    return;
  }
  case TransformKind::Resize:
    set(0, index.add(first, index.constant(transform.value)));
    return;
  case TransformKind::Broadcast:
    llvm_unreachable("expected a transform with inputs");
  }
}
