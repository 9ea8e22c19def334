//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loop nest of a kernel, to be drawn.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPLAIN_OUTLINE_H
#define FUSER_LIB_EXPLAIN_OUTLINE_H

#include "fuser/Explain/Explanation.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser::explain {

/// The numbers that locateSources added to a location, sorted.
llvm::SmallVector<unsigned, 1> getSources(mlir::Location loc);

/// The loops of a scheduled kernel; none where the schedule is illegal.
std::vector<OutlineNode> outlineKernel(KernelOp kernel);

/// Adds the barriers of the code of a kernel to its loops: each before the op before which it is in
/// the code, or after all.
void addBarriers(mlir::gpu::GPUModuleOp code, std::vector<OutlineNode> &loops);

} // namespace fuser::explain

#endif // FUSER_LIB_EXPLAIN_OUTLINE_H
