//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPLAIN_FINALKERNELS_H
#define FUSER_LIB_EXPLAIN_FINALKERNELS_H

#include "fuser/Explain/Explanation.h"

namespace fuser::explain {

/// Threads that a multiprocessor runs at once over those that it can run.
double getOccupancy(const ResourceUse &use, const artifact::DeviceDescription &device);

/// Adds a kernel to the totals.
void addKernel(Totals &totals, const KernelWork &work, double microseconds);

/// Adds to an explanation what is known of the kernels of a module past segmentation: predictions
/// where the order of a boundary changed, parameters of a library of schedules, copies, and what a
/// script makes of them. Fails with a diagnostic.
mlir::LogicalResult collectFinalKernels(mlir::ModuleOp module,
                                        const artifact::DeviceDescription &device,
                                        const PipelineOptions &options, Explanation &result);

} // namespace fuser::explain

#endif // FUSER_LIB_EXPLAIN_FINALKERNELS_H
