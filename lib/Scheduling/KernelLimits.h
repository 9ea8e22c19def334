//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Limits of the size of a kernel, for every scheduler.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_KERNELLIMITS_H
#define FUSER_LIB_SCHEDULING_KERNELLIMITS_H

#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// The refusal of a kernel that has more ops or tensors than can be compiled in a time that is
/// about linear in their number, or more parameters than a launch passes, or that updates a value
/// that it computes (`UpdateOpInterface`). Its cuts divide the ops, in their order, into parts
/// within the limits.
std::optional<Refusal> checkKernelLimits(const KernelView &kernel,
                                         const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_KERNELLIMITS_H
