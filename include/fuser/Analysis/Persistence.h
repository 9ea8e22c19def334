//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which values a reduction needs before and a later op needs again: what must stay on chip, or be
// read twice.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_PERSISTENCE_H
#define FUSER_ANALYSIS_PERSISTENCE_H

#include "fuser/Analysis/Extents.h"
#include "fuser/Analysis/IdModel.h"

namespace fuser {

/// A value that has the reduced dimensions of a reduction, takes part in it (or shares what it is
/// computed from with it), and is read by an op that depends on the reduction's result.
struct PersistentValue {
  mlir::Value value;
  /// The reductions that lie between its uses, in program order.
  llvm::SmallVector<mlir::Operation *> reductions;
  /// The ops that read it after one of them, in program order.
  llvm::SmallVector<mlir::Operation *> lateUses;
  /// Arguments (or results of ops that are not elementwise) from which it can be recomputed element
  /// by element, along the reduced dimensions; what else that needs is there once per row. Empty
  /// where it cannot be recomputed, or is such a value itself.
  llvm::SmallVector<mlir::Value> sources;
};

struct Persistence {
  /// All persistent values, arguments first, in program order.
  llvm::SmallVector<PersistentValue> values;
  /// The cheapest set to keep: the persistent values, some replaced by their sources.
  llvm::SmallVector<mlir::Value> kept;
  /// Bytes of one row (all elements along the reduced dimensions) of every value in `values` and
  /// of every one in `kept`, as they are stored, one beside the other; null where there are none.
  mlir::AffineExpr bytesPerRow, keptBytesPerRow;
};

/// Finds the persistent values of a program that is not scheduled yet.
Persistence findPersistentValues(mlir::FunctionOpInterface program, const IdModel &model,
                                 const ExtentAnalysis &extents);

} // namespace fuser

#endif // FUSER_ANALYSIS_PERSISTENCE_H
