//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Equivalence classes of ids, closed under transforms. No IR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_IDGRAPH_H
#define FUSER_ANALYSIS_IDGRAPH_H

#include "fuser/Dialect/IR/Domain.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace fuser {

/// A class of ids. It is named by one of its members, and keeps the name until it is united with
/// another class.
using IdClass = unsigned;

/// Congruent transforms: of one kind, with equal parameters, and inputs of equal classes.
struct TransformGroup {
  /// Kind and parameters; the ids in it are those of one member and mean nothing here.
  DomainTransform transform;
  llvm::SmallVector<IdClass, 2> inputs, outputs;
};

/// One step of a path: a transform taken from its inputs to its outputs, or backward.
struct IdPathStep {
  unsigned group;
  bool forward;
  bool operator==(IdPathStep other) const {
    return group == other.group && forward == other.forward;
  }
};

/// Ids as dense nodes, united by a union-find that is closed under transforms: where two transforms
/// have one kind, equal parameters and inputs of equal classes, their outputs have equal classes.
/// Building it takes about linear time; queries of classes take logarithmic time at worst.
class IdGraph {
public:
  /// Adds a node in a class of its own; nodes are numbered from 0.
  unsigned addNode();
  /// Adds a transform over nodes. A broadcast is never congruent with another.
  void addTransform(const DomainTransform &transform, llvm::ArrayRef<unsigned> inputs,
                    llvm::ArrayRef<unsigned> outputs);
  /// Makes two nodes one class, and what follows from it.
  void unite(unsigned a, unsigned b);

  unsigned getNumNodes() const { return parents.size(); }
  IdClass getClass(unsigned node) const;
  bool areMapped(unsigned a, unsigned b) const { return getClass(a) == getClass(b); }
  /// Nodes of a class, ascending.
  llvm::SmallVector<unsigned> getMembers(IdClass idClass) const;

  /// Groups that define a class, and that use it, in the order in which they were added.
  llvm::SmallVector<unsigned> getDefinitions(IdClass idClass) const;
  llvm::SmallVector<unsigned> getUses(IdClass idClass) const;
  TransformGroup getGroup(unsigned group) const;

  /// The steps that derive every class of `to` from those of `from`, each after what it needs;
  /// nullopt where some class of `to` cannot be derived. Broadcast ids come from nothing. Steps
  /// that `allow` refuses are not taken (null: all are allowed).
  std::optional<std::vector<IdPathStep>>
  findPath(llvm::ArrayRef<IdClass> from, llvm::ArrayRef<IdClass> to,
           llvm::function_ref<bool(IdPathStep)> allow = nullptr) const;

private:
  struct Transform {
    DomainTransform parameters;
    unsigned inputs[2], outputs[2];
    /// The transform that stands for the group: this one where equal to its own number.
    unsigned group;
    llvm::ArrayRef<unsigned> getInputs() const {
      return llvm::ArrayRef(inputs, parameters.getInputs().size());
    }
    llvm::ArrayRef<unsigned> getOutputs() const {
      return llvm::ArrayRef(outputs, parameters.getOutputs().size());
    }
  };
  /// What makes transforms congruent.
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

  Signature getSignature(const Transform &transform) const;
  unsigned findGroup(unsigned transform) const;
  void drain();
  llvm::SmallVector<unsigned> getGroups(llvm::ArrayRef<unsigned> transforms) const;

  // By node. `next` links the members of a class in a ring; the rest is of the class's name only.
  std::vector<unsigned> parents, sizes, next;
  std::vector<llvm::SmallVector<unsigned, 2>> uses, definitions;
  std::vector<bool> isFree;
  std::vector<Transform> transforms;
  llvm::DenseMap<Signature, unsigned, SignatureInfo> signatures;
  /// Pairs of nodes that are still to be united.
  llvm::SmallVector<std::pair<unsigned, unsigned>> pending;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_IDGRAPH_H
