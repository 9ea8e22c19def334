//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Registers every dialect of fuser, with the interfaces attached to it from
// outside. Tools include this; a room or an embedder includes the dialects
// that it uses.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_INITALLDIALECTS_H
#define FUSER_INITALLDIALECTS_H

#include "fuser/Conversion/BufferizeCalls.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Dialect/TransformOps/TransformOps.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "mlir/IR/DialectRegistry.h"

namespace fuser {

/// Adds all dialects of fuser to `registry`, and its ops to the transform
/// dialect. Upstream dialects are the caller's business: see
/// mlir/InitAllDialects.h.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<FuserDialect>();
  registry.insert<kernel_ir::FuserGPUDialect>();
  registry.insert<loop::FuserLoopDialect>();
  registry.insert<FuserSchedDialect>();
  registerBufferizableCalls(registry);
  registerTransformOps(registry, createDefaultRegistry());
}

} // namespace fuser

#endif // FUSER_INITALLDIALECTS_H
