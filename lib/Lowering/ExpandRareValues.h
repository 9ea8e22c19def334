//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values that few elements select, read or computed in a branch.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDRAREVALUES_H
#define FUSER_LIB_LOWERING_EXPANDRAREVALUES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Makes branches of selections of vectors, all lanes of which take the value of one place (`eq`)
/// or another one: what is read for that place only (the first row, next to the last one of a
/// roll) is read and computed in the branch. Other threads skip its loads, and the selection of
/// each lane. Values that depend on memory which the kernel writes stay where they are.
///
/// Makes branches of selections that scalar forms mark as rare too: taken if a lane selects the
/// true value, with the pure ops that only this needs.
void branchToRareValues(mlir::gpu::GPUFuncOp function);

/// True for a load from an argument that the kernel does not write: it may run anywhere.
bool readsOnlyArguments(mlir::Operation &op);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDRAREVALUES_H
