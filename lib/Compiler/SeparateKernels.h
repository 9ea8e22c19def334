//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The way out where a kernel that was fused cannot be compiled: its ops get kernels of their own.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_COMPILER_SEPARATEKERNELS_H
#define FUSER_LIB_COMPILER_SEPARATEKERNELS_H

#include "fuser/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace fuser {

/// Runs one phase, as the compiler does.
using PhaseRunner = llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp, Phase)>;

/// Runs the phases behind Preseg on a module of fusions, with `run`. Where a kernel that
/// segmentation made is refused by a later phase, its ops are separated by `segment_set`s and the
/// phases run again on what Preseg left: each op alone compiles. `fallbacks` gets a sentence, and
/// the fusion a remark, for each kernel that was taken apart. Fails with the diagnostics of the
/// first attempt where no separation helps, or where a fusion has a script or schedules of its own.
mlir::LogicalResult runKernelPhases(mlir::ModuleOp module, const PipelineOptions &options,
                                    PhaseRunner run, std::vector<std::string> &fallbacks);

} // namespace fuser

#endif // FUSER_LIB_COMPILER_SEPARATEKERNELS_H
