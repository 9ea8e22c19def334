//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that combine several factorizations of one dimension, of which loops have only one.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/KernelView.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

/// True if some product separates the two classes.
static bool areDisjointParts(const IdRelations &relations, unsigned a, unsigned b) {
  return llvm::any_of(relations.getProducts(), [&](const IdProduct &product) {
    const auto outer = relations.getParts(product.outer), inner = relations.getParts(product.inner);
    return (outer.contains(a) && inner.contains(b)) || (outer.contains(b) && inner.contains(a));
  });
}

/// True if two classes share no loop, or are disjoint parts of one factorization.
static bool areDisjoint(const KernelView &kernel, unsigned a, unsigned b) {
  ArrayRef<unsigned> ofA = kernel.getSpace().getLoopClasses(a),
                     ofB = kernel.getSpace().getLoopClasses(b);
  return llvm::none_of(ofA, [&](unsigned loop) { return llvm::is_contained(ofB, loop); }) ||
         areDisjointParts(kernel.getClasses(), a, b);
}

/// True if a class has all of its loops. Two of these have loops of their own.
static bool hasAllOfLoops(const KernelView &kernel, unsigned idClass) {
  const auto parts = kernel.getClasses().getParts(idClass);
  return llvm::all_of(kernel.getSpace().getLoopClasses(idClass),
                      [&](unsigned loop) { return parts.contains(loop); });
}

void KernelView::findMixedFactorizations() {
  // Of a space in conflict no kernel is made.
  if (classes.getProducts().empty() || space->getConflict())
    return;
  for (TensorViewOpInterface op : ops) {
    SmallVector<unsigned> whole, partial;
    auto isDisjointFrom = [&](unsigned idClass) {
      return [&, idClass](unsigned other) {
        return idClass == other || areDisjoint(*this, idClass, other);
      };
    };
    const size_t numIds = cast<DomainMappingOpInterface>(op.getOperation()).getRootKinds().size();
    bool isMixed = false;
    for (unsigned id = 0; id < numIds && !isMixed; ++id) {
      const unsigned idClass = classes.getClass(op, id);
      const bool isWhole = hasAllOfLoops(*this, idClass);
      isMixed = !llvm::all_of(partial, isDisjointFrom(idClass)) ||
                (!isWhole && !llvm::all_of(whole, isDisjointFrom(idClass)));
      (isWhole ? whole : partial).push_back(idClass);
    }
    if (isMixed) {
      mixedFactorizations = op;
      return;
    }
  }
}
