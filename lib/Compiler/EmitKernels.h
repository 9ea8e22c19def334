//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to the room: kernel IR to code.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_COMPILER_EMITKERNELS_H
#define FUSER_LIB_COMPILER_EMITKERNELS_H

#include "fuser/Compiler/Compiler.h"
#include "llvm/ADT/StringMap.h"

namespace fuser {

/// The name of the step in times and in progress: "ptx" or "object".
llvm::StringRef getEmissionStep(artifact::DeviceKind device);

/// Emits code for each kernel of `module`, equal ones once, and adds it to `kernels` by the name of
/// its gpu.module. Fails after the diagnostics of the first kernel, in the order of the module,
/// that cannot be compiled, and those of kernels before it.
mlir::LogicalResult emitKernels(mlir::ModuleOp module, const CompileOptions &options,
                                llvm::StringMap<artifact::Kernel> &kernels);

} // namespace fuser

#endif // FUSER_LIB_COMPILER_EMITKERNELS_H
