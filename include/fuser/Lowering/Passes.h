//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LOWERING_PASSES_H
#define FUSER_LOWERING_PASSES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Lowering/LoweringOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace fuser {

/// Writes the kernel IR of one scheduled kernel at the builder's position; the kernel stays. Fails
/// after a diagnostic at the op whose schedule cannot be lowered.
mlir::FailureOr<mlir::gpu::GPUModuleOp> lowerKernel(KernelOp kernel, mlir::OpBuilder &builder,
                                                    const LoweringOptions &options = {});

/// Whether `lowerKernel` succeeds: the same checks and diagnostics, without any code.
mlir::LogicalResult verifySchedule(KernelOp kernel, const LoweringOptions &options = {});

/// Appends the passes that bring kernels from the stage before to `stage`: scheduled kernels to the
/// first one. They do nothing to kernels that are past it.
void addStagePasses(mlir::OpPassManager &manager, loop::Stage stage,
                    const LoweringOptions &options = {});

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fuser/Lowering/Passes.h.inc"

} // namespace fuser

#endif // FUSER_LOWERING_PASSES_H
