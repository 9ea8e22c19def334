//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Groups of the ops of a fusion, and their dependences.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_SEGMENTGRAPH_H
#define FUSER_ANALYSIS_SEGMENTGRAPH_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {

/// An acyclic graph of groups of ops. Each op that defines a tensor starts as a separate group;
/// groups are merged, and a merge that would create a cycle is refused.
class SegmentGraph {
public:
  using Group = unsigned;

  /// Groups of the tensor ops of the fusion that its outputs depend on, one op each. `joins` are in
  /// no group: kernels write their operands directly into the result, or something else runs them.
  explicit SegmentGraph(FusionOp fusion, llvm::ArrayRef<mlir::Operation *> joins = {});

  /// The group of an op (it must be one of the graph's).
  Group getGroup(mlir::Operation *op) const { return find(groupOf.lookup(op)); }
  bool contains(mlir::Operation *op) const { return groupOf.contains(op); }
  /// True if ops were omitted, so that the others may be disconnected.
  bool hasJoins() const { return withJoins; }
  /// Groups in the order of their first ops.
  llvm::SmallVector<Group> getGroups() const;
  /// The ops of a group in the order of the program.
  llvm::ArrayRef<mlir::Operation *> getOps(Group group) const { return nodes[group].ops; }
  /// Groups that read values of `group`, and groups whose values it reads; in a fixed order that is
  /// independent of merges.
  llvm::SmallVector<Group> getConsumers(Group group) const;
  llvm::SmallVector<Group> getProducers(Group group) const;

  /// The groups on paths between two groups, which must be merged with them to avoid a cycle. In
  /// order of their ids.
  llvm::SmallVector<Group> getBetween(Group a, Group b) const;
  /// Merges two groups and returns the result. Ids of merged groups stay valid for `find`.
  Group merge(Group a, Group b);
  Group find(Group group) const;
  /// Moves some of the ops of one group to another, which reads none of what stays, and from whose
  /// values and those of its producers alone they are computed.
  void move(llvm::ArrayRef<mlir::Operation *> ops, Group from, Group to);
  /// Moves them to a new group instead, and returns that.
  Group split(llvm::ArrayRef<mlir::Operation *> ops, Group from);

  /// Lets `second` run after `first`, whose values it does not read; false if it must run before.
  /// Only for the run order: `getBetween` expects that consumers end later in the program.
  bool addDependence(Group first, Group second);

  /// Groups so that each comes after those whose values it reads; among those that are ready, the
  /// one whose first op comes first.
  llvm::SmallVector<Group> getRunOrder() const;

private:
  struct Node {
    llvm::SmallVector<mlir::Operation *> ops;
    /// Positions in the program of the first and last op.
    unsigned first = 0, last = 0;
    /// May name groups that have merged since.
    llvm::SmallSetVector<Group, 4> producers, consumers;
    Group parent = 0;
  };
  llvm::SmallVector<Group> getCurrent(Group group, llvm::ArrayRef<Group> neighbours) const;
  /// Sets the position range of a group.
  void setRange(Group group);
  /// Adds the groups on paths from `from` to `to`.
  void addBetween(Group from, Group to, llvm::SmallVectorImpl<Group> &between) const;

  llvm::DenseMap<mlir::Operation *, Group> groupOf;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  /// By position: the last op of the groups that begin there or before.
  llvm::SmallVector<unsigned> farthest;
  mutable std::vector<Node> nodes;
  bool withJoins = false;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_SEGMENTGRAPH_H
