//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One kernel that executes what several launches execute.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_PARTSKERNEL_H
#define FUSER_LIB_LOWERING_PARTSKERNEL_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// A launch, and the kernel IR that it launches.
struct LaunchPart {
  LaunchOp launch;
  mlir::gpu::GPUFuncOp kernel;
};

/// Nothing, if a block of a larger grid can execute the kernel; otherwise the reason why not.
llvm::StringRef findMergeObstacle(mlir::gpu::GPUFuncOp kernel);

/// True if the launch has each operand that a binding of the kernel names, and the kernel each
/// workspace. For a kernel without an obstacle.
bool bindsOperandsOf(LaunchOp launch, mlir::gpu::GPUFuncOp kernel);

/// True if two kernels that have no obstacle can be parts of one: as many threads in a block, and
/// equal index widths.
bool canShareLaunch(mlir::gpu::GPUFuncOp a, mlir::gpu::GPUFuncOp b);

/// Builds a kernel whose grid consists of those of `parts`, one after the other. Code that several
/// parts have is in it once, and selects its arguments by the number of the part. The parts are
/// reordered so that those with the same code are adjacent; operands of the launch are the inputs
/// of all parts in that order, then the outputs. Facts of the parts become facts of the kernel.
mlir::gpu::GPUModuleOp buildPartsKernel(llvm::MutableArrayRef<LaunchPart> parts,
                                        llvm::StringRef name, mlir::OpBuilder &builder);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_PARTSKERNEL_H
