//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pass pipeline that runs on a fusion before segmentation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PRESEG_PIPELINE_H
#define FUSER_PRESEG_PIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace fuser {

/// Appends the passes of preseg, in order, to a pass manager of modules. They only change
/// `fuser.fusion`, so that they do not change a module that is past segmentation. `markBoundaries`
/// is the option `at` of fuser-mark-boundaries.
void buildPresegPipeline(mlir::OpPassManager &manager, llvm::StringRef markBoundaries = "");

/// Registers them as the pipeline `fuser-preseg`.
void registerPresegPipeline();

} // namespace fuser

#endif // FUSER_PRESEG_PIPELINE_H
