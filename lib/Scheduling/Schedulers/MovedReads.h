//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads at an offset in pointwise kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_MOVEDREADS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_MOVEDREADS_H

#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/MovedDims.h"
#include "fuser/Scheduling/ReferenceOutput.h"

namespace fuser {

/// Refuses kernels whose ops the loops of the reference do not compute element by element: with
/// reductions; ops that do not read exactly one element of each operand; computed values that are
/// read at data-dependent indices, or not at a single constant offset from their own index;
/// dimensions that the reference does not have.
std::optional<Refusal> checkElementwise(const KernelView &kernel, const ReferenceOutput &reference);

/// The dimensions of the reference that some output lacks: it is stored inside their loops, so that
/// none may be empty.
llvm::SmallVector<LackedDim> getLacked(const KernelView &kernel,
                                       llvm::ArrayRef<unsigned> reference);

/// Calls `visit` with the columns of values that are read at an offset along `columns`.
void forEachResizedColumns(
    const KernelView &kernel, llvm::ArrayRef<unsigned> columns,
    llvm::function_ref<void(llvm::ArrayRef<unsigned>, const ClassResize &)> visit);

/// The distance of the elements of a column that are computed from the same elements, where the
/// kernel reads parts of a tensor at constant offsets and joins them again (a rotation of halves):
/// a thread that computes all of them loads each element once. nullopt if there is none.
std::optional<int64_t> getDistanceOfParts(const KernelView &kernel,
                                          llvm::ArrayRef<unsigned> columns);

/// Arguments that are read at constant offsets: they can be loaded together with the other
/// arguments, like values that are computed there.
llvm::SmallVector<mlir::OpOperand *> getMovedReads(const KernelView &kernel,
                                                   llvm::ArrayRef<unsigned> reference);

/// True if the op reads dimension `dim` of the operand at every n-th index, or at one of them.
bool isReadAtEveryNth(TensorViewOpInterface op, mlir::OpOperand &operand, unsigned dim);

/// The tensor as loops read it: an argument of which only slices of every n-th element of the
/// fastest dimension are read has the dimension of these slices instead.
GlobalTensor getReadTensor(const KernelView &kernel, const GlobalTensor &tensor);

/// True if only slices of every n-th element read a dimension of this class.
bool isOfEveryNth(const KernelView &kernel, const ClassResize &resize);

/// The number of elements of `columns` in a row that read the same element of the tensor: the
/// product of the fastest columns that an argument lacks, if it is a small constant and if the
/// fastest dimension of the argument is the column before them; 1 for other tensors.
int64_t getRepeatsOfElement(const KernelView &kernel, const GlobalTensor &tensor,
                            llvm::ArrayRef<unsigned> columns);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_MOVEDREADS_H
