//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fusions at random for the whole pipeline: several element types, most families of ops, sizes from
// 0 to some hundreds, static and dynamic.
//
// What is compared with a reference in double precision must not depend on its rounding: values
// stay small, and conditions are computed of arguments alone.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMGRAPH_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMGRAPH_H

#include "CaseRunner.h"

namespace fuser::fuzz {

/// The fusion of a seed with the sizes and ranges of its arguments; the same one each time. No
/// tensor has more than `maxElements` elements.
Program makeRandomGraph(uint64_t seed, int64_t maxElements);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMGRAPH_H
