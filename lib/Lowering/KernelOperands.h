//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Properties of the arguments and outputs of a kernel that both lowerings read.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_KERNELOPERANDS_H
#define FUSER_LIB_LOWERING_KERNELOPERANDS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"
#include "llvm/ADT/DenseSet.h"

namespace fuser {

/// How an output lies: like the argument that it aliases, else dense in its order.
LayoutAttr getOutputLayout(KernelOp kernel, unsigned output);

/// The arguments that an output is stored over and that ops read. An argument that no op reads is
/// only the place of the output.
llvm::SmallDenseSet<int64_t> getWrittenInputs(KernelOp kernel);

/// True where every index into an argument or output, and every number of an element of what is
/// computed between them, fits into 32 bits.
bool fitsIn32Bits(KernelOp kernel, const ExtentAnalysis &extents);

/// How an element is stored: bool as a byte.
mlir::Type getStorageType(mlir::Type element);

/// Bytes of the widest access there is; a wider vector is several accesses.
inline constexpr int64_t kWidestAccess = 16;
/// Bytes to which the runtime aligns a workspace.
inline constexpr int64_t kWorkspaceAlignment = kWidestAccess;

} // namespace fuser

#endif // FUSER_LIB_LOWERING_KERNELOPERANDS_H
