//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Included before all else. The statistics of passes have another layout in code with assertions,
// but the packaged MLIR, which constructs them, has none: our counters would stay uninitialized.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LLVM_STATISTIC_H
#define FUSER_LLVM_STATISTIC_H

#ifdef NDEBUG
#include "llvm/ADT/Statistic.h" // IWYU pragma: export
#else
#define NDEBUG
#include "llvm/ADT/Statistic.h" // IWYU pragma: export
#undef NDEBUG
#include <cassert> // asserts again
#endif

#endif // FUSER_LLVM_STATISTIC_H
