//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that differ in names and locations only.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_EQUALKERNELS_H
#define FUSER_DIALECT_KERNEL_EQUALKERNELS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser::kernel_ir {

/// The kernels of one module, in the order in which they are added.
class EqualKernels {
public:
  /// The first kernel that was added with the same code as `module`; null if there is none:
  /// `module` is the first one then.
  mlir::gpu::GPUModuleOp add(mlir::gpu::GPUModuleOp module);

private:
  llvm::DenseMap<size_t, llvm::SmallVector<mlir::gpu::GPUModuleOp, 1>> byHash;
};

} // namespace fuser::kernel_ir

#endif // FUSER_DIALECT_KERNEL_EQUALKERNELS_H
