//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fits the loops of reductions to sizes and to the device.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONFIT_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONFIT_H

#include "ReductionLoops.h"
#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Scheduling/Requirements.h"

namespace fuser {

/// What the loops of both patterns depend on.
struct ReductionInput {
  const ReductionShape &shape;
  const Requirements &requirements;
  const artifact::DeviceDescription &device;
  int64_t vector;
  /// Of the widest tensor, and of the widest that is read for each element that is reduced (of the
  /// widest tensor if there is none).
  int64_t elementBytes, readBytes;
  /// Arguments that are read for each element that is reduced.
  int64_t numReads;
  /// Arithmetic takes longer than memory: an idle multiprocessor costs time.
  bool isComputeBound;
  /// Threads exchange several values of a row: a maximum and where it is, a mean and a variance.
  bool exchangesSeveral;
  /// An output has the elements that are reduced.
  bool writesElements;
  /// Reductions of rows, and the bytes of the accumulators of all of them for one element.
  int64_t numReductions, accumulatorBytes;
  /// Inner: adjacent rows, of which each reads the same elements of most arguments (the channels of
  /// an image, of which each is divided by a function of all), and the number of these arguments.
  int64_t sharingRows = 1, numShared = 0;
};

/// The loops that take the least time; finds `sharingRows` and `numShared` itself.
ReductionLoops fitReduction(const KernelView &kernel, ReductionInput input);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONFIT_H
