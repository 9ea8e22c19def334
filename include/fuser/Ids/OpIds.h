//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ids of one op with equal indices, and the corresponding ids of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_OPIDS_H
#define FUSER_IDS_OPIDS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuser {

/// The ids of one op that have the same index in every iteration: a merge with an id of extent 1
/// has the index of the other id, equal transforms of one id have equal results, and the parts of a
/// product, or of a split without remainder, and the whole determine each other.
class OpIds {
public:
  /// `getExtent` returns the extent of an id of the domain of result 0 if it is a constant, and
  /// `getDivisor` a number that divides it (0 if it is 0).
  OpIds(TensorViewOpInterface op, llvm::function_ref<std::optional<int64_t>(unsigned id)> getExtent,
        llvm::function_ref<int64_t(unsigned id)> getDivisor);
  /// The ids of an op whose domain and extents are those of the op of `equal`.
  OpIds(TensorViewOpInterface op, const OpIds &equal)
      : op(op), domain(equal.domain), leaders(equal.leaders) {}

  TensorViewOpInterface getOp() const { return op; }
  DomainAttr getDomain() const { return domain; }
  /// The first loop id that has the index of `id`, or else the first id.
  unsigned getLeader(unsigned id) const { return leaders[id]; }
  llvm::ArrayRef<unsigned> getLeaders() const { return leaders; }
  bool haveOneIndex(unsigned a, unsigned b) const { return leaders[a] == leaders[b]; }

private:
  TensorViewOpInterface op;
  DomainAttr domain;
  llvm::SmallVector<unsigned> leaders;
};

/// For each id of `producer` the first id of `consumer` that has the same index when operand
/// `operand` of the consumer is read, or kNoId. The first `numShared` loops are shared.
/// `producerRepeated` and `consumerRepeated` are the ids of both that have size 1 but the extent of
/// another op's id, because they share its loop. Dimensions that are mapped to such a root id of
/// the consumer are read at index 0 instead. `readsAll` is that of EdgeIds.
llvm::SmallVector<unsigned> mapProducerIds(
    const OpIds &producer, const OpIds &consumer, unsigned operand, unsigned numShared,
    const llvm::SmallBitVector &producerRepeated, const llvm::SmallBitVector &consumerRepeated,
    llvm::function_ref<bool(mlir::OpOperand &use, unsigned dim, unsigned rootId)> readsAll);

} // namespace fuser

#endif // FUSER_IDS_OPIDS_H
