//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/LaunchBatch.h"

using namespace fuser;

void BatchEstimate::add(const KernelEstimate &launch) {
  if (isEmpty) {
    work = launch.work;
    use = launch.use;
    isEmpty = false;
    return;
  }
  work.bytesRead += launch.work.bytesRead;
  work.bytesWritten += launch.work.bytesWritten;
  work.bytesWasted += launch.work.bytesWasted;
  work.operations += launch.work.operations;
  use.bytesReadAgain += launch.use.bytesReadAgain;
  use.registers = std::max(use.registers, launch.use.registers);
  use.sharedBytes = std::max(use.sharedBytes, launch.use.sharedBytes);
  use.bytesInFlight = std::min(use.bytesInFlight, launch.use.bytesInFlight);
  // A grid of unknown size may fill the device.
  use.blocks = use.blocks > 0 && launch.use.blocks > 0 ? use.blocks + launch.use.blocks : 0;
}
