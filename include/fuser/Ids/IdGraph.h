//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equivalence classes of ids, closed under transforms. No IR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_IDGRAPH_H
#define FUSER_IDS_IDGRAPH_H

#include "fuser/Dialect/IR/Domain.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace fuser {

/// A class of ids. It is named by one of its members, and keeps the name until it is united with
/// another class.
using IdClass = unsigned;

/// Ids as dense nodes, united by a union-find that is closed under transforms: where two transforms
/// have one kind, equal parameters and inputs of equal classes, their outputs have equal classes.
/// A product is closed in both directions. Building the graph takes about linear time; a query
/// takes logarithmic time at worst.
class IdGraph {
public:
  /// Adds a node in a class of its own; nodes are numbered from 0.
  unsigned addNode();
  /// Adds a transform over nodes. A broadcast is never congruent with another.
  void addTransform(const DomainTransform &transform, llvm::ArrayRef<unsigned> inputs,
                    llvm::ArrayRef<unsigned> outputs);
  /// States that `whole` = `outer` * extent(inner) + `inner` is one to one, as after a split that
  /// is known to divide: the merge of the two parts is `whole`, and a split of `whole` by the
  /// extent of a part, where that is known, gives the parts.
  void addProduct(unsigned whole, unsigned outer, unsigned inner,
                  std::optional<int64_t> outerExtent, std::optional<int64_t> innerExtent);
  /// Makes two nodes one class, and what follows from it.
  void unite(unsigned a, unsigned b);

  unsigned getNumNodes() const { return parents.size(); }
  IdClass getClass(unsigned node) const;
  bool areMapped(unsigned a, unsigned b) const { return getClass(a) == getClass(b); }

private:
  /// A transform without its outputs: what they are a function of.
  struct Signature {
    TransformKind kind;
    bool inner;
    int64_t value, after;
    unsigned inputs[2];
    bool operator==(const Signature &other) const;
  };
  struct SignatureInfo {
    static Signature getEmptyKey();
    static Signature getTombstoneKey();
    static unsigned getHashValue(const Signature &signature);
    static bool isEqual(const Signature &a, const Signature &b) { return a == b; }
  };
  struct Function {
    /// With nodes in the place of classes.
    Signature signature;
    unsigned outputs[2];
    /// False once another function has the same signature.
    bool isLeader;
  };

  void addFunction(const Signature &signature, llvm::ArrayRef<unsigned> outputs);
  Signature canonicalize(Signature signature) const;
  /// Files the function under its signature; unites its outputs with those of the one that is
  /// there.
  bool file(unsigned function);
  void drain();

  // By node. Uses are kept for the name of a class only; few classes have any.
  std::vector<unsigned> parents, sizes;
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 2>> uses;
  std::vector<Function> functions;
  llvm::DenseMap<Signature, unsigned, SignatureInfo> signatures;
  /// Pairs of nodes that are still to be united.
  llvm::SmallVector<std::pair<unsigned, unsigned>> pending;
};

} // namespace fuser

#endif // FUSER_IDS_IDGRAPH_H
