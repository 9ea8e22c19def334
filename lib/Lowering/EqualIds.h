//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ids of the ops of a kernel with equal indices, and the reads that are legal because of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EQUALIDS_H
#define FUSER_LIB_LOWERING_EQUALIDS_H

#include "LoopNest.h"
#include "fuser/Ids/OpIds.h"

namespace fuser {

/// Results are computed on the first query and cached.
class EqualIds {
public:
  explicit EqualIds(const ExtentAnalysis &extents) : extents(extents) {}

  const OpIds &getOpIds(const ScheduledOp &scheduled);
  /// True if a loop of this type has the index of the id.
  bool runsOn(const ScheduledOp &scheduled, unsigned id, ParallelType type);
  /// For each id of the producer the id of the consumer that has the same value, or `kNoId`.
  llvm::ArrayRef<unsigned> mapProducer(const ScheduledOp &producer, const ScheduledOp &consumer,
                                       unsigned operand);

  /// Fails with a diagnostic at each op whose value in registers is read by another thread, or
  /// whose value in shared memory is read by another block.
  mlir::LogicalResult verifyReads(const LoopNest &nest);

private:
  mlir::LogicalResult verifyRead(const LoopNest &nest, const ScheduledOp &producer,
                                 const ScheduledOp &consumer, unsigned operand);

  const ExtentAnalysis &extents;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<OpIds>> opIds;
  /// The ops with ids of their own, by domain: ops of equal domains and extents have equal ids.
  llvm::DenseMap<DomainAttr, llvm::SmallVector<const ScheduledOp *, 2>> distinct;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, llvm::SmallVector<unsigned>> idMaps;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EQUALIDS_H
