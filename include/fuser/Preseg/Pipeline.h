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

#include <memory>

namespace fuser {

class SchedulerRegistry;

/// Appends the passes of preseg, in order, to a pass manager of modules. They only change
/// `fuser.fusion`, so that they do not change a module that is past segmentation. `markBoundaries`
/// is the option `at` of fuser-mark-boundaries. The schedulers of `registry`, if there is one, are
/// queried about the orders of values.
void buildPresegPipeline(mlir::OpPassManager &manager, llvm::StringRef markBoundaries = "",
                         std::shared_ptr<const SchedulerRegistry> registry = nullptr);

/// Registers them as the pipeline `fuser-preseg`.
void registerPresegPipeline(std::shared_ptr<const SchedulerRegistry> registry = nullptr);

} // namespace fuser

#endif // FUSER_PRESEG_PIPELINE_H
