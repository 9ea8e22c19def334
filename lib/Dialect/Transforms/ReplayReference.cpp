//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is the same for every op that follows one reference.
//
//===----------------------------------------------------------------------===//

#include "ReplayReference.h"
#include "fuser/Ids/IdRelations.h"
#include <tuple>

using namespace mlir;
using namespace fuser;

ReplayReference::ReplayReference(TensorViewOpInterface op, const IdRelations &relations,
                                 ArrayRef<ClassResize> resizes)
    : op(op), domain(op.getDomain()), resizes(resizes) {
  origins.assign(domain.getNumIds(), llvm::SmallBitVector(domain.getNumIds()));
  madeClasses.assign(domain.getNumIds(), IdRelations::kNone);
  for (unsigned id : domain.getLogical()) {
    origins[id].set(id);
    classes.push_back(relations.getClass(op, id));
  }
  for (const DomainTransform &transform : domain.getTransforms()) {
    llvm::SmallBitVector origin(domain.getNumIds());
    for (unsigned id : transform.getInputs())
      origin |= origins[id];
    bool behindLogical =
        llvm::any_of(transform.getInputs(), [&](unsigned id) { return origins[id].any(); });
    if (!behindLogical || llvm::any_of(transform.getOutputs(), [&](unsigned id) {
          return llvm::is_contained(domain.getLogical(), id);
        }))
      continue;
    for (unsigned id : transform.getOutputs()) {
      origins[id] = origin;
      origins[id].set(id);
    }
    transforms.push_back(&transform);
  }
  dropTransformsOfAllocation();
  classifyMadeIds(relations);
}

/// A merge of two parts of a product is its whole, and a split of a whole gives the parts.
void ReplayReference::classifyMadeIds(const IdRelations &relations) {
  auto getClass = [&](unsigned id) {
    auto *logical = llvm::find(domain.getLogical(), id);
    return logical == domain.getLogical().end() ? madeClasses[id]
                                                : classes[logical - domain.getLogical().begin()];
  };
  for (const DomainTransform *transform : transforms) {
    const unsigned first = getClass(transform->inputs[0]);
    if (transform->kind == TransformKind::Merge)
      madeClasses[transform->outputs[0]] =
          relations.getMerged(first, getClass(transform->inputs[1]));
    else if (transform->kind == TransformKind::Split)
      std::tie(madeClasses[transform->outputs[0]], madeClasses[transform->outputs[1]]) =
          relations.getSplit(first, transform->value, transform->inner);
  }
}

/// Keeps the transforms that loops are made by: where the reference lies is its own business.
void ReplayReference::dropTransformsOfAllocation() {
  llvm::SmallBitVector used(domain.getNumIds());
  for (unsigned id : domain.getLoop())
    used.set(id);
  for (const DomainTransform *&transform : llvm::reverse(transforms)) {
    if (llvm::none_of(transform->getOutputs(), [&](unsigned id) { return used.test(id); })) {
      transform = nullptr;
      continue;
    }
    for (unsigned id : transform->getInputs())
      used.set(id);
  }
  llvm::erase(transforms, nullptr);
}
