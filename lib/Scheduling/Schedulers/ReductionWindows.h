//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions of windows: few elements, of which a part is adjacent in memory (pooling of images). A
// thread has several adjacent results. Its loads are vectors across their windows, and the elements
// of one window are combined in registers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONWINDOWS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONWINDOWS_H

#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

namespace fuser {

/// Code of the refusal of parameters for windows where none are reduced.
inline constexpr llvm::StringLiteral kNoWindow = "no-window";

/// Parameters of windows; nullopt if none are reduced, or if other parameters are better: vectors
/// across windows are no wider than windows, or there are few results.
std::optional<Choice> chooseWindow(const KernelView &kernel, const ReductionShape &shape,
                                   const SizeHints &hints,
                                   const artifact::DeviceDescription &device);

/// What parameters of windows need.
std::variant<Choice, Refusal> evaluateWindow(const KernelView &kernel, const ReductionShape &shape,
                                             ReductionParamsAttr params,
                                             Requirements &requirements);

/// Applies parameters of windows, or fails with the reason for which they do not fit.
mlir::LogicalResult applyWindow(const KernelView &view, const ReductionShape &shape,
                                ReductionParamsAttr params);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_REDUCTIONWINDOWS_H
