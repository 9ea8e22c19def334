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

namespace fuser {

/// A class of ids. It is represented by one of its members until it is united with another class.
using IdClass = unsigned;

/// Ids as dense nodes, united by a union-find that is closed under congruence: if two transforms
/// have the same kind, equal parameters and inputs of equal classes, their outputs have equal
/// classes. A product is closed in both directions. Building the graph takes about linear time; a
/// query takes logarithmic time at worst.
class IdGraph {
public:
  /// Adds a node in a new class; nodes are numbered from 0.
  unsigned addNode() { return addNodes(1); }
  /// Adds `count` nodes, each in a new class; returns the first.
  unsigned addNodes(unsigned count);
  /// Adds a transform over nodes. A broadcast is never congruent with another.
  void addTransform(const DomainTransform &transform, llvm::ArrayRef<unsigned> inputs,
                    llvm::ArrayRef<unsigned> outputs);
  /// States that `whole` = `outer` * extent(inner) + `inner` is one to one, as after a split whose
  /// factor divides the extent: the merge of the two parts is `whole`, and a split of `whole` by
  /// the extent of a part, if that is known, gives the parts.
  void addProduct(unsigned whole, unsigned outer, unsigned inner,
                  std::optional<int64_t> outerExtent, std::optional<int64_t> innerExtent);
  /// Unites the classes of two nodes, and all classes that become congruent.
  void unite(unsigned a, unsigned b);

  unsigned getNumNodes() const { return parents.size(); }
  IdClass getClass(unsigned node) const;
  bool areMapped(unsigned a, unsigned b) const { return getClass(a) == getClass(b); }

private:
  /// A transform without its outputs: the arguments of the function that gives them.
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
    /// With nodes instead of classes.
    Signature signature;
    unsigned outputs[2];
    /// False once another function has the same signature.
    bool isLeader;
  };

  void addFunction(const Signature &signature, llvm::ArrayRef<unsigned> outputs);
  Signature canonicalize(Signature signature) const;
  /// Inserts the function into the table of signatures; if the table has a function with the same
  /// signature, unites their outputs.
  bool file(unsigned function);
  void drain();

  // By node. Only the representative of a class has uses; few classes have any.
  // The graph of an operand has some 20 nodes and ten functions: it fits into the inline storage.
  llvm::SmallVector<unsigned, 24> parents, sizes;
  llvm::SmallDenseMap<unsigned, llvm::SmallVector<unsigned, 2>, 8> uses;
  llvm::SmallVector<Function, 8> functions;
  llvm::SmallDenseMap<Signature, unsigned, 16, SignatureInfo> signatures;
  /// Pairs of nodes that are still to be united.
  llvm::SmallVector<std::pair<unsigned, unsigned>> pending;
};

} // namespace fuser

#endif // FUSER_IDS_IDGRAPH_H
