//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which ids of a program's values correspond to each other.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_IDMODEL_H
#define FUSER_ANALYSIS_IDMODEL_H

#include "fuser/Analysis/IdGraph.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuser {

/// When two ids count as one. Each contains the one before.
enum class IdMapping {
  /// A dimension of an operand and the root id that it is mapped to, both broadcast or both not.
  /// Ids of one class have equal extents.
  Exact,
  /// Exact, and a broadcast dimension with the id along which a user repeats it. A broadcast that
  /// two users resolve to different ids makes these one (`isAmbiguous`).
  Broadcast,
  /// Broadcast, and the output of a merge with a broadcast id is the other id: an upper bound of
  /// what may share a loop.
  Permissive,
};
constexpr unsigned kNumIdMappings = 3;

/// An id of the domain of a tensor value; the ids of an argument are its dimensions.
struct ValueId {
  mlir::Value value;
  unsigned id;
  bool operator==(ValueId other) const { return value == other.value && id == other.id; }
};

/// The ID model of one fusion or kernel: all ids of all its tensor values as nodes of three graphs.
///
/// The model is a snapshot. After a change of the program, tell it by `update` (a domain has
/// changed) or build it anew; `isCurrent` compares it with the program, for assertions.
class IdModel {
public:
  explicit IdModel(mlir::FunctionOpInterface program);

  const IdGraph &getGraph(IdMapping mapping) const { return graphs[static_cast<int>(mapping)]; }
  unsigned getNode(mlir::Value value, unsigned id) const { return values.find(value)->second[id]; }
  ValueId getValueId(unsigned node) const { return ids[node]; }
  IdKind getKind(unsigned node) const { return kinds[node]; }

  IdClass classOf(IdMapping mapping, mlir::Value value, unsigned id) const {
    return getGraph(mapping).getClass(getNode(value, id));
  }
  bool areMapped(IdMapping mapping, ValueId a, ValueId b) const {
    return getGraph(mapping).areMapped(getNode(a.value, a.id), getNode(b.value, b.id));
  }
  /// Members of a class, in program order.
  llvm::SmallVector<ValueId> getMembers(IdMapping mapping, IdClass idClass) const;
  /// True where the members that are no broadcasts form more than one exact class: some broadcast
  /// is resolved in two ways, and members of the class may have different extents.
  bool isAmbiguous(IdMapping mapping, IdClass idClass) const;

  /// Tells the model that the domains of `op` have changed. Where transforms were only added, the
  /// graphs grow; otherwise the model is built anew (classes then have new names). Returns true
  /// where it grew.
  bool update(mlir::Operation *op);
  /// True where the model describes the program as it is now. Takes time linear in the program.
  bool isCurrent() const;

private:
  void build();
  void addArgument(mlir::BlockArgument argument);
  void addOp(mlir::Operation &op);
  void addTransforms(mlir::Value value, DomainAttr domain, unsigned first);
  void relateOperands(mlir::Operation &op);
  void relate(unsigned a, unsigned b, IdMapping first);
  unsigned addNode(mlir::Value value, unsigned id, IdKind kind);

  mlir::FunctionOpInterface program;
  IdGraph graphs[kNumIdMappings];
  /// Nodes of the ids of each value.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> values;
  std::vector<ValueId> ids;
  std::vector<IdKind> kinds;
  /// The domain with which each result entered, and what else each op was when it did.
  llvm::DenseMap<mlir::Value, DomainAttr> domains;
  std::vector<llvm::hash_code> fingerprints;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_IDMODEL_H
