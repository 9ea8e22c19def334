//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arguments of a kernel that targets pass as arrays: those of the parts of a batched launch.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_ARGUMENTTABLES_H
#define FUSER_DIALECT_KERNEL_ARGUMENTTABLES_H

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser::kernel_ir {

/// Consecutive arguments of one type.
struct ArgumentTable {
  unsigned first, count;
};

/// The arguments that the `part_argument` ops of a kernel read, in order, each table once. Fails
/// after a diagnostic at an op that shares some arguments with another one, but not all.
mlir::FailureOr<llvm::SmallVector<ArgumentTable>> getArgumentTables(mlir::gpu::GPUFuncOp function);

/// The number of arguments that each parameter of the code consists of, in order: those of a table,
/// or one. Empty if there is no table.
mlir::FailureOr<llvm::SmallVector<unsigned>> getParameterRuns(mlir::gpu::GPUFuncOp function);

/// Replaces every `part_argument` by comparisons and selections, for targets that pass each
/// argument separately.
void expandPartArguments(mlir::gpu::GPUFuncOp function);

} // namespace fuser::kernel_ir

#endif // FUSER_DIALECT_KERNEL_ARGUMENTTABLES_H
