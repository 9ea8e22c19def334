//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Grids and blocks of an artifact's launches for given inputs.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_LAUNCHSHAPES_H
#define FUSER_LIB_DRIVER_LAUNCHSHAPES_H

#include "fuser/Artifact/Artifact.h"
#include "fuser/Driver/Inputs.h"
#include "llvm/Support/raw_ostream.h"

namespace fuser::driver {

/// The shape of one launch of the artifact for the given inputs.
struct LaunchShape {
  /// Index into Artifact::kernels.
  uint32_t kernel = 0;
  int64_t grid[3], block[3];
  int64_t dynamicSharedBytes = 0;
  bool cooperative = false;
  bool dependent = false;
};

/// The launches of the host program in order, outside of loops and (iteration 0) inside.
std::vector<LaunchShape> getLaunchShapes(const artifact::Artifact &artifact,
                                         const std::vector<Input> &inputs);

/// One line for each launch: kernel, grid, block, shared memory, code.
void printLaunches(llvm::raw_ostream &out, const artifact::Artifact &artifact,
                   const std::vector<Input> &inputs);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_LAUNCHSHAPES_H
