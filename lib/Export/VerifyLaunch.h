//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel refers to by numbers, which its launches have to pass.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPORT_VERIFYLAUNCH_H
#define FUSER_LIB_EXPORT_VERIFYLAUNCH_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// The operands of a launch, as bindings and facts number them: inputs, then outputs.
llvm::SmallVector<mlir::Value> getLaunchOperands(LaunchOp op);

/// Fails at `op` if an argument of `function` has no binding, or if a binding or a fact of the
/// kernel names an operand or a dimension that the launch does not have. `function` has a
/// `fuser_gpu.launch`.
mlir::LogicalResult verifyLaunch(LaunchOp op, mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_EXPORT_VERIFYLAUNCH_H
