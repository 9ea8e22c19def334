//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ids of one op that are derived from others.
//
//===----------------------------------------------------------------------===//

#include "ScheduledOp.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

SmallVector<DomainTransform> fuser::getPath(DomainAttr domain, ArrayRef<unsigned> to) {
  llvm::SmallBitVector live(domain.getNumIds());
  for (unsigned id : to)
    live.set(id);
  SmallVector<DomainTransform> path;
  for (const DomainTransform &transform : llvm::reverse(domain.getTransforms())) {
    if (llvm::none_of(transform.getOutputs(), [&](unsigned id) { return live.test(id); }))
      continue;
    path.push_back(transform);
    for (unsigned id : transform.getInputs())
      live.set(id);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::string fuser::describe(AffineExpr extent) {
  std::string text;
  llvm::raw_string_ostream(text) << extent;
  return text;
}

bool ScheduledOp::isBroadcastLeaf(unsigned id) const {
  int definition = domain.getDefinition(id);
  return isBroadcast(id) &&
         (definition < 0 || domain.getTransforms()[definition].kind == TransformKind::Broadcast);
}

SmallVector<ParallelType> ScheduledOp::getReducedTypes() const {
  SmallVector<ParallelType> types;
  for (auto [id, type] : llvm::zip(domain.getLoop(), domain.getParallel()))
    if (domain.getKinds()[id] == IdKind::Reduction && isHardwareType(type))
      types.push_back(type);
  llvm::sort(types);
  return types;
}

bool ScheduledOp::isConcrete(unsigned id) const {
  return llvm::any_of(concrete.set_bits(),
                      [&](unsigned leaf) { return getDerived(leaf).test(id); });
}

llvm::SmallBitVector ScheduledOp::getDerived(unsigned id) const {
  llvm::SmallBitVector made(domain.getNumIds());
  made.set(id);
  for (const DomainTransform &transform : loopPath)
    if (llvm::any_of(transform.getInputs(), [&](unsigned input) { return made.test(input); }))
      for (unsigned output : transform.getOutputs())
        made.set(output);
  return made;
}

/// True if both have the same ids, transforms and loops; a dimension of one may be reduced in the
/// other.
static bool haveSameLoops(DomainAttr a, DomainAttr b) {
  return a.getRoot() == b.getRoot() && a.getLogical() == b.getLogical() &&
         a.getTransforms() == b.getTransforms() && a.getLoop() == b.getLoop() &&
         a.getParallel() == b.getParallel();
}

/// Reduction ids cannot be merged or swizzled with iteration ids.
static LogicalResult checkKinds(Operation &op, DomainAttr domain) {
  for (const DomainTransform &transform : domain.getTransforms()) {
    if (transform.getInputs().size() < 2)
      continue;
    IdKind first = domain.getKinds()[transform.inputs[0]];
    IdKind second = domain.getKinds()[transform.inputs[1]];
    // A broadcast that is merged with a reduction id has index 0; a swizzled one depends on its
    // index.
    const bool isConstant = transform.kind != TransformKind::Swizzle &&
                            (first == IdKind::Broadcast || second == IdKind::Broadcast);
    if (isConstant || (first == IdKind::Reduction) == (second == IdKind::Reduction))
      continue;
    return op.emitOpError("expected ids ")
           << transform.inputs[0] << " and " << transform.inputs[1]
           << ", which are merged or swizzled, to be both reductions or both not";
  }
  return success();
}

FailureOr<ScheduledOps> fuser::collectScheduledOps(KernelOp kernel) {
  ScheduledOps ops;
  for (Operation &op : kernel.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    // A border has no loops of its own.
    if (!view || isa<BorderOp>(op))
      continue;
    auto scheduled = std::make_unique<ScheduledOp>();
    scheduled->op = &op;
    scheduled->domain = view.getDomain();
    for (unsigned result = 1; result < op.getNumResults(); ++result)
      if (!haveSameLoops(view.getDomain(result), scheduled->domain))
        return op.emitOpError("expected all results to have the same loops, but result ")
               << result << " differs from result 0";
    if (failed(checkKinds(op, scheduled->domain)))
      return failure();
    scheduled->memory = view.getMemoryType();
    scheduled->inlinePosition = view.getInlinePosition();
    scheduled->loopPath = getPath(scheduled->domain, scheduled->domain.getLoop());
    for (llvm::SmallBitVector *ids : {&scheduled->concrete, &scheduled->replicated})
      ids->resize(scheduled->domain.getNumIds());
    ops.push_back(std::move(scheduled));
  }
  return ops;
}

void fuser::deriveExtents(ScheduledOp &scheduled) {
  MLIRContext *context = scheduled.op->getContext();
  auto extent = [&](unsigned id) -> AffineExpr & { return scheduled.extents[id]; };
  for (const DomainTransform &transform : scheduled.domain.getTransforms()) {
    if (transform.kind == TransformKind::Merge)
      extent(transform.outputs[0]) = extent(transform.inputs[0]) * extent(transform.inputs[1]);
    if (transform.kind == TransformKind::Split) {
      extent(transform.outputs[transform.inner ? 0 : 1]) =
          extent(transform.inputs[0]).ceilDiv(transform.value);
      extent(transform.outputs[transform.inner ? 1 : 0]) =
          getAffineConstantExpr(transform.value, context);
    }
    if (transform.kind == TransformKind::Resize)
      extent(transform.outputs[0]) =
          extent(transform.inputs[0]) + transform.value + transform.after;
    if (transform.kind == TransformKind::Swizzle)
      for (unsigned position : {0, 1})
        extent(transform.outputs[position]) = extent(transform.inputs[position]);
  }
}

void fuser::setDoneOnce(ScheduledOp &scheduled, ArrayRef<int64_t> ids) {
  IdsDoneOnce once{llvm::SmallBitVector(scheduled.domain.getNumIds()),
                   llvm::SmallBitVector(scheduled.domain.getNumIds()),
                   {}};
  scheduled.resultOnce = once;
  for (int64_t id : ids)
    once.derived |= scheduled.getDerived(id);
  // A broadcast-only id is 0 if and only if all ids derived from it are 0.
  for (unsigned id : once.derived.set_bits())
    if (scheduled.isBroadcast(id))
      once.zero.set(id);
  for (unsigned id : once.zero.set_bits()) {
    const DomainTransform *into = llvm::find_if(scheduled.loopPath, [&](const DomainTransform &t) {
      return llvm::is_contained(t.getInputs(), id);
    });
    if (into == scheduled.loopPath.end() ||
        llvm::any_of(into->getOutputs(), [&](unsigned out) { return !once.zero.test(out); }))
      once.checked.push_back(id);
  }
  // A value that is not an output is accumulated once, and all its readers get the same value.
  if (scheduled.memory == MemoryType::Global)
    scheduled.resultOnce = once;
  scheduled.once = std::move(once);
}
