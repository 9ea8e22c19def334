//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which dimensions of the values of one function are the same dimension of the program.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_DIMCLASSES_H
#define FUSER_DIALECT_TRANSFORMS_DIMCLASSES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser {

/// The offset of a `Resized` map where it is static and all that the index differs in.
std::optional<int64_t> getStaticOffset(const DimMap &map);

/// The classes of root and logical ids that the ops' mappings make equal. A dimension of size 1
/// that an op broadcasts keeps its own class; `getResolved` says what it is broadcast to. Built
/// once from the IR; of no use after the IR has changed (domains on ops may change).
class DimClasses {
public:
  static constexpr unsigned kNone = ~0u;

  explicit DimClasses(mlir::Block &body);

  unsigned getNumClasses() const { return numClasses; }
  /// The class of a root or logical id of the trivial domain of `op`, or kNone.
  unsigned getClass(mlir::Operation *op, unsigned id) const;
  /// The class of a dimension of an argument or a result.
  unsigned getClass(mlir::Value value, unsigned dim) const;
  /// True where every member is of size 1.
  bool isBroadcast(unsigned dimClass) const { return broadcast[dimClass]; }
  /// The class that consumers broadcast this one to: itself where it is not a broadcast or where no
  /// consumer does, kNone where consumers differ.
  unsigned getResolved(unsigned dimClass) const { return resolved[dimClass]; }

  /// Some op reads dimensions of class `from` at a static offset from its own of class `to`:
  /// index(from) = index(to) - before.
  struct Offset {
    unsigned from, to;
    int64_t before;
    bool operator==(const Offset &other) const {
      return from == other.from && to == other.to && before == other.before;
    }
  };
  /// All of them, in the order of the program, each once.
  llvm::ArrayRef<Offset> getOffsets() const { return offsets; }

private:
  unsigned numClasses = 0;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned> ofId;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> ofDim;
  llvm::SmallVector<bool> broadcast;
  llvm::SmallVector<unsigned> resolved;
  llvm::SmallVector<Offset> offsets;
};

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_DIMCLASSES_H
