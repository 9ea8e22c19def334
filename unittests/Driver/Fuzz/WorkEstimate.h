//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How long kernels take on the host device with all checks.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_WORKESTIMATE_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_WORKESTIMATE_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser::fuzz {

/// How often the kernels of a lowered module, in all of their threads, access memory that is shared
/// or global, or wait for each other: each time is a call of the host device, and as long as 32
/// iterations of a loop. `sizes` are those of the program's arguments, as the driver takes them
/// ("96,4x8"). Conditions count as true, but for those that choose one thread or block.
double countAccesses(mlir::ModuleOp lowered, llvm::StringRef sizes);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_WORKESTIMATE_H
