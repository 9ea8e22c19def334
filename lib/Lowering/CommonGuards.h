//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Guards that all parts of a thread have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_COMMONGUARDS_H
#define FUSER_LIB_LOWERING_COMMONGUARDS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {

/// Makes one branch of a kernel all stores of which have a condition in common, around all that
/// threads do, instead of one branch for each load and store: threads without elements end at once,
/// and the assembler orders what the others do, and assigns registers, in one block. Conditions are
/// equal if they are the same value (`shareEqualValues`). Does nothing where the condition follows
/// from memory or is an argument, where one branch has it, or where all threads wait for the launch
/// before. The kernel has no loops or exchanges between threads.
void branchOnCommonGuard(mlir::gpu::GPUFuncOp function);

/// Adds the conditions that hold where `condition` does: itself, or all that it is a conjunction
/// of.
void addConjuncts(mlir::Value condition, llvm::SmallPtrSetImpl<mlir::Value> &conjuncts);

/// The ops of the block from which the values are computed; nullopt if one of these, or a value, is
/// in a branch, or reads memory.
std::optional<llvm::SmallSetVector<mlir::Operation *, 16>>
getPureOpsOf(llvm::ArrayRef<mlir::Value> values, mlir::Block &block);

/// True for ops that are before the branches of a kernel: buffers, constants and views of
/// arguments.
bool isBeforeBranches(mlir::Operation &op, mlir::Block &block);

/// Replaces branches with a constant condition by what is in them, or removes them.
void inlineKnownBranches(mlir::Region &region);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_COMMONGUARDS_H
