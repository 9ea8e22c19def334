//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compares the outputs of a run with those of the reference.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_COMPARE_H
#define FUSER_DRIVER_COMPARE_H

#include "fuser/Reference/Tensor.h"

#include <optional>

namespace fuser::driver {

/// How far values may be from the reference. An element passes if |actual - expected| <= absolute *
/// max(1, rms(expected)) + relative * |expected|. An output passes if all its elements pass and the
/// norm of the differences is at most `norm` times the norm of the expected values.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  double norm = 0;
};

/// The tolerance of an element type: a few units in the last place for half types and f8, the
/// difference of long sums in another order for f32 and f64; 0 for integers and bools.
Tolerance getDefaultTolerance(mlir::Type elementType);

struct Comparison {
  int64_t numElements = 0;
  /// Elements beyond the tolerance, including those with NaN or infinity on only one side.
  int64_t numWrong = 0;
  /// Largest |actual - expected|, and the largest one relative to |expected|; of finite values.
  double maxAbsolute = 0, maxRelative = 0;
  /// Norm of the differences divided by that of the expected values (by 1 if that is 0).
  double norm = 0;
  /// Row-major position of the first wrong element; else of the largest difference.
  std::optional<int64_t> worst;
  bool passed = true;
};

/// Compares two tensors of one element type and shape. NaN equals NaN; infinities equal those of
/// their sign; complex values compare by their distance.
Comparison compare(const reference::Tensor &actual, const reference::Tensor &expected,
                   const Tolerance &tolerance);

} // namespace fuser::driver

#endif // FUSER_DRIVER_COMPARE_H
