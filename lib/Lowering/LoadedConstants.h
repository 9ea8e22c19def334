//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants next to loads, in the registers of what is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LOADEDCONSTANTS_H
#define FUSER_LIB_LOWERING_LOADEDCONSTANTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuser {

/// The constant that a selection by one condition takes for all lanes of a vector where the
/// condition does not hold, and the condition; nullopt for other ops.
std::optional<std::pair<mlir::Value, mlir::Attribute>> getConstantOutside(mlir::Operation &select);

/// Gives branches that load under a guard the constant that a selection by the guard takes
/// otherwise, as their other result, and removes the selection. The assembler sets the registers
/// before it loads under a predicate: one instruction for each register or two, where a selection
/// takes one for each element. Does nothing where the guard of the load does not have the condition
/// of the selection, and to scalars, which gain nothing: LLVM would convert them in the branch.
void selectBeforeLoads(mlir::gpu::GPUFuncOp function);

/// Yields vectors of narrow elements that a branch loads as 32-bit words. LLVM would move
/// conversions of such a vector into the branch, where they follow the load at once.
void yieldLoadedWords(mlir::gpu::GPUFuncOp function);
/// The same of one branch, which it replaces.
void yieldLoadedWords(mlir::scf::IfOp branch);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOADEDCONSTANTS_H
