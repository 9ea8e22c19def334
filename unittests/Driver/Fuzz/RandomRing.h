//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random cases of kernels that copy tiles ahead and store tiles by boxes: what takes more steps
// that fit together than random ones do.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMRING_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMRING_H

#include "RandomSchedule.h"

namespace fuser::fuzz {

/// True for the seeds whose cases are of this kind: one of ten.
bool isRingSeed(uint64_t seed);

/// The case of such a seed. Tiles of rows of an argument are copied to a circular buffer by bulk
/// copies, mostly by a warp of its own; some results go through shared memory and are stored by
/// boxes. Some cases reduce rows.
RandomCase makeRingCase(uint64_t seed, mlir::MLIRContext *context, LowersFn lowers);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMRING_H
