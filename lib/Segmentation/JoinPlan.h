//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The joins of a partitioned fusion, and the order in which their parts are written (S2.2).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_JOINPLAN_H
#define FUSER_LIB_SEGMENTATION_JOINPLAN_H

#include "HostJoins.h"
#include "fuser/Segmentation/Partition.h"
#include "llvm/ADT/DenseSet.h"

namespace fuser {

/// Two segments, by number: the kernel of the second one writes over what the first one wrote.
struct WriteOrder {
  unsigned first, second;
};

/// The joins of a partitioned fusion: one for each destination of the result of each op that joins
/// results of other segments.
class JoinPlan {
public:
  std::vector<HostJoin> joins;

  /// The joins that the value is a part of, or that are written into it.
  llvm::ArrayRef<PartOfJoin> findJoins(mlir::Value value) const;
  bool isJoined(mlir::Value value) const { return joinsByResult.contains(value); }
  /// The join whose buffer readers of a joined value get; null for other values.
  const HostJoin *findJoinOf(mlir::Value value) const;
  /// Values that are parts of joins, or that joins are written into.
  llvm::iterator_range<
      llvm::DenseMap<mlir::Value, llvm::SmallVector<PartOfJoin, 1>>::const_iterator>
  getPlaces() const {
    return joinsOf;
  }
  /// True if all ops of the segment are part of joins: it has no kernel.
  bool isAbsorbed(const Segment &segment) const;
  bool isAbsorbed(mlir::Operation *op) const { return absorbed.contains(op); }

  void add(HostJoin join);

private:
  /// By value.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<PartOfJoin, 1>> joinsOf;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> joinsByResult;
  /// Ops that need no kernel because of a join.
  llvm::DenseSet<mlir::Operation *> absorbed;
};

/// Finds the segments that only join results of other ones. Outer joins determine the layout of
/// joins that are parts of them. The kernels of the segments, in order, write what they overwrite
/// after the others.
JoinPlan planJoins(FusionOp fusion, const ExtentAnalysis &analysis,
                   llvm::ArrayRef<Segment> segments);

/// The orders that the joins need in addition to those of values, whatever the order of the
/// segments is now.
llvm::SmallVector<WriteOrder> findWriteOrders(FusionOp fusion, const ExtentAnalysis &analysis,
                                              llvm::ArrayRef<Segment> segments);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_JOINPLAN_H
