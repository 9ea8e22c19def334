//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions whose results share what they read: some argument is invariant along the fastest
// kept dimension (distances of all pairs of two lists of points, each of which is invariant along
// the other). A thread has a tile of results, and keeps what it reads in registers for all results
// that share it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONTILES_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONTILES_H

#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

namespace fuser {

/// Code of the refusal of parameters for tiles where no results share arguments.
inline constexpr llvm::StringLiteral kNoTile = "no-tile";

/// Parameters of tiles; nullopt if results share no arguments, if there are few, or if their sizes
/// are not known.
std::optional<Choice> chooseTile(const KernelView &kernel, const ReductionShape &shape,
                                 const SizeHints &hints, const artifact::DeviceDescription &device);

/// What parameters of tiles need.
std::variant<Choice, Refusal> evaluateTile(const KernelView &kernel, const ReductionShape &shape,
                                           ReductionParamsAttr params, Requirements &requirements);

/// Applies parameters of tiles, or fails with the reason for which they do not fit.
mlir::LogicalResult applyTile(const KernelView &view, const ReductionShape &shape,
                              ReductionParamsAttr params);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONTILES_H
