//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Classes of the ids of one fusion or kernel: ids of one class are the same dimension of the
// program.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_IDRELATIONS_H
#define FUSER_IDS_IDRELATIONS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/IdGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {

/// The offset of a `Resized` map if it is static and the only difference between the indices.
std::optional<int64_t> getStaticOffset(const DimMap &map);

/// The transforms of a domain that lead from root to logical and are one to one by the op's
/// definition (a reshape's splits divide), as positions in `getTransforms()`. They do not include
/// the splits of an rfactor, which concern reductions.
llvm::SmallVector<unsigned> getExactTransforms(DomainAttr domain);

/// The static extents of the ids of `domain`, a domain of result 0 of `op`; nullopt for dynamic
/// ones.
llvm::SmallVector<std::optional<int64_t>> getStaticExtents(TensorViewOpInterface op,
                                                           DomainAttr domain);

/// index(whole) = index(outer) * extent(inner) + index(inner), one to one. `Id` is the number of a
/// class, or of an id of a domain.
struct IdProduct {
  unsigned whole, outer, inner;
  /// The extents of the parts, if they are static.
  std::optional<int64_t> outerExtent, innerExtent;
  /// The op whose transforms state it.
  mlir::Operation *op;

  /// True if the extent of a part is static, so that the whole can be split into both.
  bool canSplit() const { return outerExtent || innerExtent; }
};

/// The products that the exact transforms of a domain of result 0 of `op` state, over its ids.
llvm::SmallVector<IdProduct> getProducts(TensorViewOpInterface op, DomainAttr domain);

/// The products of the merges of a domain of result 0 of `op` that a later split undoes: it splits
/// off a part by its static extent.
llvm::SmallVector<IdProduct> getUndoneMerges(TensorViewOpInterface op, DomainAttr domain);

/// The classes of ids that are equal by the ops' mappings and the products of reshapes. A dimension
/// of size 1 that an op broadcasts keeps its own class; `getResolved` returns the class that it is
/// broadcast to. The object is built once from the IR and is invalid after a change of the IR
/// (except for loop and allocation domains).
class IdRelations {
public:
  static constexpr unsigned kNone = ~0u;

  explicit IdRelations(mlir::Block &body);

  unsigned getNumClasses() const { return numClasses; }
  /// The class of an id of the trivial domain of `op`, or kNone.
  unsigned getClass(mlir::Operation *op, unsigned id) const;
  /// The class of a dimension of an argument or a result, or kNone.
  unsigned getClass(mlir::Value value, unsigned dim) const;
  /// True if every member has size 1.
  bool isBroadcast(unsigned idClass) const { return broadcast[idClass]; }
  /// The class that consumers broadcast this one to: the class itself if it is not a broadcast or
  /// no consumer broadcasts it, kNone if consumers differ.
  unsigned getResolved(unsigned idClass) const { return resolved[idClass]; }

  /// An op reads dimensions of class `from` at a static offset from its own dimension of class
  /// `to`: index(from) = index(to) - before.
  struct Offset {
    unsigned from, to;
    int64_t before;
    /// Only arguments are read so: no op computes `from` for it.
    bool isOfArguments = false;
    bool operator==(const Offset &other) const {
      return from == other.from && to == other.to && before == other.before;
    }
  };
  /// All offsets, in the order of the program, each once.
  llvm::ArrayRef<Offset> getOffsets() const { return offsets; }

  /// The products of the program over classes, in the order of the program, each once.
  llvm::ArrayRef<IdProduct> getProducts() const { return products; }
  /// The class of a merge of two classes, or kNone if no product states it.
  unsigned getMerged(unsigned outer, unsigned inner) const;
  /// The classes of a split; {kNone, kNone} if no product states it.
  std::pair<unsigned, unsigned> getSplit(unsigned whole, int64_t factor, bool isInner) const;

  /// The class and, transitively, all its parts by products.
  llvm::SmallSetVector<unsigned, 8> getParts(unsigned idClass) const;
  /// True if indices of one class determine a part of the indices of the other.
  bool overlap(unsigned a, unsigned b) const;

private:
  unsigned numClasses = 0;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned> ofId;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> ofDim;
  llvm::SmallVector<bool> broadcast;
  llvm::SmallVector<unsigned> resolved;
  llvm::SmallVector<Offset> offsets;
  llvm::SmallVector<IdProduct> products;
};

} // namespace fuser

#endif // FUSER_IDS_IDRELATIONS_H
