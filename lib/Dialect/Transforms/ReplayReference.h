//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reference whose loops are replayed on other ops. Private to the room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_TRANSFORMS_REPLAYREFERENCE_H
#define FUSER_LIB_DIALECT_TRANSFORMS_REPLAYREFERENCE_H

#include "fuser/Dialect/Transforms/Propagate.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuser {

/// What is the same for every op that follows one reference.
struct ReplayReference {
  TensorViewOpInterface op;
  DomainAttr domain;
  /// Class of each logical id; logical ids that are transform outputs are looked up like others.
  llvm::SmallVector<unsigned> classes;
  /// For each id that a transform makes of logical ids: its class, where a product states one.
  llvm::SmallVector<unsigned> madeClasses;
  /// For each id: the logical ids, and those that transforms between the logical and the loop
  /// domain make, that it derives from, itself included.
  llvm::SmallVector<llvm::SmallBitVector> origins;
  /// Transforms between logical and loop domain, in order.
  llvm::SmallVector<const DomainTransform *> transforms;
  llvm::ArrayRef<ClassResize> resizes;

  /// The last id that a transform makes of this class, or kNoId: what is merged and split again is
  /// made twice, and the loops consist of the last one.
  unsigned findMade(unsigned dimClass) const {
    for (unsigned id = madeClasses.size(); id-- > 0;)
      if (madeClasses[id] == dimClass)
        return id;
    return kNoId;
  }
  /// The logical id of this class, or else the last one that is made of it, or kNoId.
  unsigned findTarget(unsigned dimClass) const {
    if (dimClass == IdRelations::kNone)
      return kNoId;
    auto it = llvm::find(classes, dimClass);
    return it != classes.end() ? domain.getLogical()[it - classes.begin()] : findMade(dimClass);
  }
  /// The resize of a class, or null.
  const ClassResize *findResize(unsigned dimClass) const {
    auto *it =
        llvm::find_if(resizes, [&](const ClassResize &resize) { return resize.from == dimClass; });
    return it == resizes.end() ? nullptr : it;
  }

  /// The resize of a class of the reference by which `dimClass` is a part of it, or null.
  const ClassResize *findCrop(unsigned dimClass) const {
    auto *it = llvm::find_if(resizes, [&](const ClassResize &resize) {
      return resize.to == dimClass && resize.isCrop() && llvm::is_contained(classes, resize.from);
    });
    return it == resizes.end() ? nullptr : it;
  }

  ReplayReference(TensorViewOpInterface op, const IdRelations &relations,
                  llvm::ArrayRef<ClassResize> resizes);

private:
  void classifyMadeIds(const IdRelations &relations);
  void dropTransformsOfAllocation();
};

} // namespace fuser

#endif // FUSER_LIB_DIALECT_TRANSFORMS_REPLAYREFERENCE_H
