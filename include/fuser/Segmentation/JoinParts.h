//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A rewrite of joins before segmentation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_JOINPARTS_H
#define FUSER_SEGMENTATION_JOINPARTS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Rewrites joins that are outputs and of which a part has loops of its own (a reduction, a norm, a
/// transposition), or of which several parts are computed from one value (ADR 154), so that kernels
/// compute the parts and store each in its box (ADR 72):
///
/// - a part that is an argument, or a view of one, becomes the result of a `fuser.set`: a kernel
///   copies it into its box. Otherwise, the whole join would be a kernel that copies the computed
///   part as well;
/// - a repeat along one dimension, which preseg makes of a concatenation of equal parts, becomes a
///   concatenation: the kernel of the part stores it several times.
///
/// Parts of row-major joins lose layout hints of other orders: their boxes have the order of the
/// join.
///
/// Returns the number of changes but for hints. Does nothing to a fusion whose ops are scheduled.
unsigned separateJoinParts(FusionOp fusion);

} // namespace fuser

#endif // FUSER_SEGMENTATION_JOINPARTS_H
