//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of rows that are reduced and of columns that are summed over all of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWSANDSUMS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWSANDSUMS_H

#include "fuser/Scheduling/KernelSchedule.h"

namespace fuser {

/// The dimensions and the reductions of a kernel that reduces rows and sums columns. Ops are
/// numbers in KernelView::getOps.
struct RowsAndSums {
  /// The first reduction of rows: it has every dimension.
  unsigned reference = 0;
  /// Classes, slowest first. Columns are the fastest in memory.
  llvm::SmallVector<unsigned> rows, columns;
  llvm::SmallVector<unsigned> rowReductions, columnSums;
};

/// Sets the loops of the reference: [share of rows by block, step, unroll, row, warp, lane,
/// vector].
mlir::LogicalResult scheduleRows(const KernelView &kernel, const RowsAndSums &plan,
                                 InnerOuterParamsAttr params);

/// Sets the loops of partial sums: [share of columns by block, step, partial sums (loop, unroll, by
/// row and warp), lane]. The op's last dimension is that of the partial sums.
mlir::LogicalResult schedulePartials(TensorViewOpInterface sum, InnerOuterParamsAttr params);

/// Splits the sums of columns: partial sums of blocks go to global memory, one row for each block.
mlir::LogicalResult splitSums(llvm::ArrayRef<TensorViewOpInterface> columnSums,
                              llvm::SmallVectorImpl<TensorViewOpInterface> &partials);

/// Values that are computed after the partial sums: values that depend on them, and their other
/// producers. There, columns are assigned to other threads than in rows: values that both read are
/// loaded and computed twice.
llvm::SmallVector<mlir::Operation *> getBehind(const KernelSchedule &schedule,
                                               llvm::ArrayRef<TensorViewOpInterface> partials);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWSANDSUMS_H
