//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Dimensions that a kernel computes at an offset from those of its reference.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_MOVEDDIMS_H
#define FUSER_SCHEDULING_MOVEDDIMS_H

#include "fuser/Scheduling/KernelView.h"
#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// The class of `reference` to which `dimClass` is resized, possibly in several steps; `dimClass`
/// itself if it is in `reference`; kNone if there is none.
unsigned findInReference(const KernelView &kernel, unsigned dimClass,
                         llvm::ArrayRef<unsigned> reference);

/// The class of `reference` of which `dimClass` is a part: one that is joined to it, or one that is
/// sliced from it; `dimClass` itself if there is none.
unsigned findWholeInReference(const KernelView &kernel, unsigned dimClass,
                              llvm::ArrayRef<unsigned> reference);

/// The same of a dimension of a tensor that ops of the kernel may read at several offsets: the
/// class in `reference` along which one of them reads it; with `atAnyStep`, also every n-th
/// element.
unsigned findWholeOrRead(const KernelView &kernel, const GlobalTensor &tensor, unsigned dimClass,
                         llvm::ArrayRef<unsigned> reference, bool atAnyStep = false);

/// The position in `tensor.order` of the dimension that is accessed along `dimClass`, which is in
/// `reference`, maybe at an offset; -1 if there is none.
int64_t findAlong(const KernelView &kernel, const GlobalTensor &tensor, unsigned dimClass,
                  llvm::ArrayRef<unsigned> reference);
/// True if elements of the tensor that are adjacent along `dimClass` are not adjacent in memory,
/// because other dimensions are faster.
bool isAcross(const KernelView &kernel, const GlobalTensor &tensor, unsigned dimClass,
              llvm::ArrayRef<unsigned> reference);

/// True if `op` reads dimension `dim` of a computed operand (by `map`) at the index at which it is
/// computed: all ops in between are moved by the same offset.
bool isMovedAlong(const KernelView &kernel, llvm::ArrayRef<unsigned> reference,
                  TensorViewOpInterface op, mlir::OpOperand &operand, unsigned dim,
                  const DimMap &map);

/// The first computed operand of `op` that is not read so; null if there is none.
mlir::OpOperand *findUnmovedOperand(const KernelView &kernel, llvm::ArrayRef<unsigned> reference,
                                    TensorViewOpInterface op);

/// Refuses ops that join parts which are computed at several offsets. `loops`: the classes of the
/// reference.
std::optional<Refusal> checkJoins(const KernelView &kernel, llvm::ArrayRef<unsigned> loops);

} // namespace fuser

#endif // FUSER_SCHEDULING_MOVEDDIMS_H
