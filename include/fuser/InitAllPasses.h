//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Registers every pass and every pipeline of fuser with the global pass
// registry, so that tools can name them on the command line.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_INITALLPASSES_H
#define FUSER_INITALLPASSES_H

#include "fuser/Analysis/Passes.h"
#include "fuser/Conversion/Passes.h"
#include "fuser/Dialect/TransformOps/Passes.h"
#include "fuser/Export/Passes.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Pipeline.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/Passes.h"
#include "fuser/Target/Host/Passes.h"
#include "fuser/Target/NVVM/Passes.h"

namespace fuser {

/// Registers all passes and pipelines of fuser under their flags.
inline void registerAllPasses() {
  registerFuserAnalysisPasses();
  registerFuserConversionPasses();
  registerFuserTransformOpsPasses();
  registerPipelines();
  registerPresegPipeline(createDefaultRegistry());
  registerFuserPresegPasses();
  registerSchedulingPasses(createDefaultRegistry());
  registerSegmentationPasses(createDefaultRegistry(), getScheduleVerifier());
  registerFuserLoweringPasses();
  registerFuserExportPasses();
  registerFuserTargetHostPasses();
  nvvm::registerFuserTargetNVVMPasses();
}

} // namespace fuser

#endif // FUSER_INITALLPASSES_H
