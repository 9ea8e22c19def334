//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels from which the same code is generated.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_EQUALCODE_H
#define FUSER_SCHEDULING_EQUALCODE_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {

/// True if two kernels differ at most in names, locations and what schedules were chosen for: the
/// expected sizes. If schedules have been applied, lowering generates the same code for both.
bool haveEqualCode(KernelOp a, KernelOp b);

/// Equal for kernels with equal code.
size_t hashCode(KernelOp kernel);

/// Makes launches of batches (LaunchBatch.h) whose kernels have equal code launch the first of
/// these kernels, and erases the others. Kernels that something else launches as well stay. Returns
/// the number of erased kernels.
unsigned shareKernelsOfBatches(mlir::ModuleOp module);

} // namespace fuser

#endif // FUSER_SCHEDULING_EQUALCODE_H
