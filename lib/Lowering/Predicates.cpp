//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which elements exist: bounds of splits that do not divide, of hardware indices, and of redundant
// threads.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

bool KernelEmitter::touchesMemory(const ScheduledOp &scheduled) const {
  if (scheduled.memory != MemoryType::Register || scheduled.collects())
    return true;
  return llvm::any_of(scheduled.op->getOperands(), [&](Value operand) {
    if (!isa<RankedTensorType>(operand.getType()))
      return false;
    ScheduledOp *producer = nest.lookup(operand.getDefiningOp());
    return !producer || producer->memory != MemoryType::Register;
  });
}

/// True where indices were added, at which nothing exists.
static bool grows(const DomainTransform &transform) {
  return transform.kind == TransformKind::Resize && (transform.value > 0 || transform.after > 0);
}

bool KernelEmitter::isRagged(const ScheduledOp &scheduled) {
  if (getWidth(scheduled) == 1 || llvm::none_of(scheduled.loopPath, grows))
    return false;
  return !getRaggedPredicate(scheduled, deriveIds(scheduled));
}

std::optional<Value> KernelEmitter::getRaggedPredicate(const ScheduledOp &scheduled,
                                                       const IdValues &ids) {
  Value predicate;
  SmallVector<VectorForm> whole = deriveIds(scheduled).forms;
  for (const DomainTransform &transform : scheduled.loopPath) {
    unsigned input = transform.inputs[0];
    // What is the same for all elements of the op's vector is its predicate's.
    if (!grows(transform) || whole[transform.outputs[0]] == VectorForm::Independent)
      continue;
    int64_t divisor = extents.getKnownDivisor(getExtent(scheduled, input));
    const bool isUniform = ids.width == 1 || ids.forms[input] == VectorForm::Independent ||
                           (ids.forms[input] == VectorForm::Trailing && divisor % ids.width == 0);
    if (!isUniform)
      return std::nullopt;
    predicate =
        index.both(predicate, index.lessThan(ids.values[input], getExtentValue(scheduled, input)));
  }
  return predicate;
}

SmallVector<unsigned> KernelEmitter::getBounds(const ScheduledOp &scheduled, const IdValues &ids,
                                               bool ofResult) {
  SmallVector<unsigned> bounds;
  const IdsDoneOnce &once = scheduled.getOnce(ofResult);
  auto require = [&](unsigned id) {
    if (!once.zero.test(id) && (!ofResult || scheduled.domain.getKinds()[id] != IdKind::Reduction))
      bounds.push_back(id);
  };
  // A split that does not divide is checked at its input, and what goes beyond the extent of its
  // outer output goes beyond the input's. So does what is made of that output as the outer part:
  // the first check of a chain stands for all of it.
  llvm::SmallBitVector bounded(scheduled.domain.getNumIds());
  const bool ragged = isRagged(scheduled);
  for (const DomainTransform &transform : scheduled.loopPath) {
    unsigned input = transform.inputs[0];
    // Where indices were added, nothing is computed; an index in front wraps and is too large.
    // A vector of which a part exists is computed all the same.
    bool isWhole = !ragged || ids.forms[transform.outputs[0]] == VectorForm::Independent;
    if (grows(transform) && isWhole)
      require(input);
    if (transform.kind == TransformKind::Split) {
      AffineExpr extent = getExtent(scheduled, input);
      if (!bounded.test(input) && extents.getKnownDivisor(extent) % transform.value != 0) {
        require(input);
        bounded.set(input);
      }
    } else if (transform.kind != TransformKind::Merge) {
      continue;
    } else if (extents.getConstant(getExtent(scheduled, input)) == 1) {
      // The merged index is the inner one's.
      input = transform.inputs[1];
    }
    if (bounded.test(input))
      bounded.set(transform.outputs[0]);
  }
  // A loop that runs beyond its extent: hardware indices, and unrolling up to a bound.
  for (auto [id, loop] : llvm::zip(scheduled.domain.getLoop(), scheduled.loops)) {
    if (bounded.test(id) || scheduled.replicated.test(id))
      continue;
    if (isThreadType(loop->type) && (!loop->constant || *loop->constant != getBlockDim(loop->type)))
      require(id);
    if (isBlockType(loop->type) && !extents.isProvablyEqual(loop->extent, getGridDim(loop->type)))
      require(id);
    if (loop->isUnrolled() && !loop->constant)
      require(id);
  }
  return bounds;
}

Value KernelEmitter::getBoundsPredicate(const ScheduledOp &scheduled, const IdValues &ids,
                                        bool ofResult) {
  Value predicate;
  for (unsigned id : getBounds(scheduled, ids, ofResult))
    predicate =
        index.both(predicate, index.lessThan(ids.values[id], getExtentValue(scheduled, id)));
  for (unsigned id : scheduled.getOnce(ofResult).checked)
    predicate = index.both(predicate, index.equal(ids.values[id], index.constant(0)));
  return predicate;
}

Value KernelEmitter::getStorePredicate(const ScheduledOp &scheduled) {
  Value predicate;
  auto requireZero = [&](ParallelType type) {
    predicate = index.both(predicate, index.equal(getHardwareIndex(type), index.constant(0)));
  };
  for (ParallelType type : kThreadTypes)
    if (getBlockDim(type) > 1 && !isDistributed(scheduled, type))
      requireZero(type);
  // Shared memory is each block's own; global memory is written by one block.
  if (scheduled.memory == MemoryType::Shared)
    return predicate;
  Operation *source = gridResults->getSource(scheduled.op);
  ArrayRef<ParallelType> reduced = gridResults->getReducedTypes(source);
  for (ParallelType type : kBlockTypes) {
    if (!isSplit(type) || isDistributed(scheduled, type))
      continue;
    if (llvm::is_contained(reduced, type))
      predicate = index.both(predicate, isLastBlock.lookup(source));
    else
      requireZero(type);
  }
  return predicate;
}

/// The bounds of every op below, at the last iteration of every loop below: if they hold there,
/// they hold everywhere. Null where nothing is to be checked.
Value KernelEmitter::getUnswitchPredicate(Loop &loop) {
  SmallVector<Loop *> below;
  SmallVector<ScheduledOp *> inside;
  std::function<void(Loop &)> visit = [&](Loop &current) {
    below.push_back(&current);
    for (const LoopItem &item : current.items) {
      if (item.loop)
        visit(*item.loop);
      else
        inside.push_back(nest.lookup(item.op));
    }
  };
  visit(loop);
  llvm::DenseMap<const Loop *, Value> saved = loopIndex;
  for (Loop *inner : below) {
    if (isThreadType(inner->type) || isBlockType(inner->type)) {
      loopIndex[inner] = getHardwareIndex(inner->type);
      continue;
    }
    loopIndex[inner] = inner->isUnrolled() ? index.constant(*inner->getStaticBound() - 1)
                                           : index.sub(evaluate(inner->extent), index.constant(1));
  }
  Value predicate;
  for (ScheduledOp *scheduled : inside) {
    if (!touchesMemory(*scheduled))
      continue;
    // A remainder does not grow with the loops: take its largest value.
    IdValues ids = getIdValues(*scheduled);
    llvm::SmallBitVector varies(scheduled->domain.getNumIds());
    for (auto [id, own] : llvm::zip(scheduled->domain.getLoop(), scheduled->loops))
      if (llvm::is_contained(below, own) && !isThreadType(own->type) && !isBlockType(own->type))
        varies.set(id);
    for (const DomainTransform &transform : llvm::reverse(scheduled->loopPath)) {
      bool any = llvm::any_of(transform.getOutputs(), [&](unsigned id) { return varies.test(id); });
      undo(transform, ids);
      for (unsigned id : transform.getInputs())
        if (any)
          varies.set(id);
      if (!any)
        continue;
      auto last = [&](unsigned id) {
        return index.sub(getExtentValue(*scheduled, id), index.constant(1));
      };
      // With an outer dimension of one element, undo takes no remainder: the value may exceed the
      // extent.
      if (transform.kind == TransformKind::Merge &&
          extents.getConstant(getExtent(*scheduled, transform.inputs[0])) != 1)
        ids.values[transform.inputs[1]] = last(transform.inputs[1]);
      if (transform.kind == TransformKind::Swizzle)
        ids.values[transform.inputs[1]] = last(transform.inputs[1]);
    }
    predicate = index.both(predicate, getBoundsPredicate(*scheduled, ids));
  }
  loopIndex = saved;
  return predicate;
}
