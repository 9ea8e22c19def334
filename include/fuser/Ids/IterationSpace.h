//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The classes that all ops of a kernel can iterate over, on both sides of its reshapes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_ITERATIONSPACE_H
#define FUSER_IDS_ITERATIONSPACE_H

#include "fuser/Ids/IdRelations.h"

namespace fuser {

/// For each class of a kernel the classes that its loops are made of. Without a reshape that is the
/// class itself. Of a product either the whole or its parts are loop classes: the whole where all
/// ops and tensors have it, or all of its parts (then the reshape costs nothing), and the parts
/// where some op has or reduces one of them alone.
class IterationSpace {
public:
  /// The ids that something has: the root ids of an op, or the dimensions of a tensor in memory.
  struct Member {
    struct Id {
      unsigned idClass;
      bool isReduced = false;
      /// Of a tensor: contiguous with the next faster dimension.
      bool isContiguous = true;
    };
    /// A tensor's from slowest to fastest.
    llvm::SmallVector<Id> ids;
    /// Only neighbours in memory can be merged.
    bool isTensor = false;
  };

  IterationSpace(const IdRelations &relations, llvm::ArrayRef<Member> members);

  /// True where the member has the class: as it is, or as parts that can be merged to it.
  static bool has(const IdRelations &relations, const Member &member, unsigned idClass);

  /// The loop classes of a class, slowest first.
  llvm::ArrayRef<unsigned> getLoopClasses(unsigned idClass) const { return loopClasses[idClass]; }
  /// Those of the classes of different ids, in order: a whole that several of them are parts of is
  /// there once.
  llvm::SmallVector<unsigned> getLoopClasses(llvm::ArrayRef<unsigned> idClasses) const;

  /// The op whose product has no loop classes: some op reduces a part of it, and another one has
  /// the whole, which cannot be split. Null where there are loop classes for all.
  mlir::Operation *getConflict() const { return conflict; }

private:
  class Chooser;
  llvm::SmallVector<llvm::SmallVector<unsigned, 1>> loopClasses;
  mlir::Operation *conflict = nullptr;
};

} // namespace fuser

#endif // FUSER_IDS_ITERATIONSPACE_H
