//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What happens to a fusion before it is cut into kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PRESEG_PIPELINE_H
#define FUSER_PRESEG_PIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace fuser {

/// Appends the passes of preseg, in order, to a pass manager of modules. They change nothing but
/// `fuser.fusion`, so that a module that is past segmentation passes through unchanged.
void buildPresegPipeline(mlir::OpPassManager &manager);

/// Registers them as the pipeline `fuser-preseg`.
void registerPresegPipeline();

} // namespace fuser

#endif // FUSER_PRESEG_PIPELINE_H
