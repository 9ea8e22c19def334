//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Planes of pointwise kernels: what is equal for several of them is loaded and computed once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_SHAREDWORK_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_SHAREDWORK_H

#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Scheduling/ReferenceOutput.h"

namespace fuser {

/// The slowest dimensions of the reference, as planes.
struct SharedPlanes {
  /// How many dimensions; 0: too little is equal for all planes.
  int64_t outerDims = 0;
  /// What is shared costs more than the rest, so that it decides which tile is best.
  bool isMuch = false;
  /// Bytes of an element of an output.
  int64_t elementBytes = 1;
  /// Functions that are computed for each element of each plane, and once for all planes of a
  /// thread.
  int64_t functions = 0, sharedFunctions = 0;

  /// The same kernel, of which a thread has one plane.
  SharedPlanes withoutSharing() const;
  /// The elements of one plane, a power of two, that a thread may compute.
  int64_t getMostElements() const;
  /// The planes of a thread that has so many elements of each: a power of two, with which blocks
  /// for all multiprocessors remain. `blocks` are those that one plane of a thread needs.
  int64_t chooseRepeats(int64_t elements, std::optional<int64_t> planes,
                        std::optional<int64_t> blocks,
                        const artifact::DeviceDescription &device) const;
};

/// The planes of a kernel whose fastest `innerDims` dimensions of the reference are columns.
SharedPlanes findSharedPlanes(const KernelView &kernel, const ReferenceOutput &reference,
                              int64_t innerDims);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_SHAREDWORK_H
