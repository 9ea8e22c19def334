//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layout properties that must not change, and checks for them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_LAYOUTCONTRACT_H
#define FUSER_ANALYSIS_LAYOUTCONTRACT_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {

/// Checks that all ops that state the order of a buffer agree (S0.3, S0.6):
///   LV1  a launch gives each input of a kernel in the order that the kernel's layout states;
///   LV2  and each output in the order in which the kernel stores it;
///   LV3  what a host function returns lies in the required order of that output;
///   LV4  a kernel's store to global memory has the order of its output as allocation, or none but
///        row-major.
/// Fails with a diagnostic at the op that deviates and notes at the other sites.
mlir::LogicalResult verifyLayouts(mlir::ModuleOp module);

/// The facts, requirements and aliases of each fusion or host function, by its name. Recorded
/// before a stage, it checks afterwards whether the stage preserved them.
class LayoutContract {
public:
  explicit LayoutContract(mlir::ModuleOp module);

  /// Fails with a diagnostic at each function whose properties changed. Functions that no longer
  /// exist are ignored.
  mlir::LogicalResult verify(mlir::ModuleOp module) const;

private:
  struct Terms {
    llvm::SmallVector<LayoutAttr> facts;
    /// A required order; null: none.
    llvm::SmallVector<mlir::DenseI64ArrayAttr> requirements;
    mlir::ArrayAttr aliases;
  };
  static Terms getTerms(mlir::FunctionOpInterface function);

  llvm::SmallVector<std::pair<mlir::StringAttr, Terms>> terms;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_LAYOUTCONTRACT_H
