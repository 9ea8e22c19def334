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

/// For each class of a kernel, the classes that its loops consist of. Without a reshape, that is
/// the class itself. For a product, either the whole or its parts are loop classes: the whole if
/// all ops and tensors have it or all of its parts (then the reshape is free), the parts if some op
/// has or reduces only one of them and the others can split the whole (ADR 52).
class IterationSpace {
public:
  /// The ids of a member: the root ids of an op, or the dimensions of a tensor in memory.
  struct Member {
    struct Id {
      unsigned idClass;
      bool isReduced = false;
      /// For tensors: contiguous with the next faster dimension.
      bool isContiguous = true;
    };
    /// For tensors from slowest to fastest.
    llvm::SmallVector<Id> ids;
    /// Only dimensions that are adjacent in memory can be merged.
    bool isTensor = false;
  };

  IterationSpace(const IdRelations &relations, llvm::ArrayRef<Member> members);

  /// True if the member has the class itself, or parts that can be merged to it.
  static bool has(const IdRelations &relations, const Member &member, unsigned idClass);

  /// The loop classes of a class, slowest first.
  llvm::ArrayRef<unsigned> getLoopClasses(unsigned idClass) const { return loopClasses[idClass]; }
  /// The loop classes of several ids, in order: a whole that several of them are parts of occurs
  /// once. One that several of them have all of, as in an op that combines a value with a reshape
  /// of it, occurs for each.
  llvm::SmallVector<unsigned> getLoopClasses(llvm::ArrayRef<unsigned> idClasses) const;

  /// The op whose product has no loop classes: some op reduces a part of it, and another one has
  /// the whole, which cannot be split. Null if all classes have loop classes.
  mlir::Operation *getConflict() const { return conflict; }

private:
  class Chooser;
  llvm::SmallVector<llvm::SmallVector<unsigned, 1>> loopClasses;
  /// For each class: its loops are itself or parts of it, not a whole that it is a part of.
  llvm::SmallVector<bool> hasAllOfLoops;
  mlir::Operation *conflict = nullptr;
};

} // namespace fuser

#endif // FUSER_IDS_ITERATIONSPACE_H
