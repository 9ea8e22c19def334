//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_TUNEREPORT_H
#define FUSER_LIB_DRIVER_TUNEREPORT_H

#include "Tuner.h"

namespace fuser::driver {

/// The table of a kernel: one line for each schedule, and what was refused.
void printTable(llvm::raw_ostream &out, const TunedKernel &kernel);

/// The text of the file: the entry of each kernel, in the order of the program.
std::string printSchedules(const Tuner &tuner);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_TUNEREPORT_H
