//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to the room: the steps and pattern sets of the lowering.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_TARGET_NVVM_PATTERNS_H
#define FUSER_LIB_TARGET_NVVM_PATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser::nvvm {

/// Set by prepareKernel on a fuser_gpu.load whose memory nobody writes.
inline constexpr llvm::StringLiteral kReadOnlyMarker = "read_only_memory";

/// Upstream's patterns have the benefits 1 and 2; ours win.
inline constexpr unsigned kOurBenefit = 10;

/// Checks the form of a kernel and rewrites what needs the whole function in
/// view: argument facts, alignment of shared memory, register buffers in loops.
/// Reads and removes the attributes of fuser_gpu.
mlir::LogicalResult prepareKernel(mlir::gpu::GPUFuncOp function);

/// Rewrites the ops of `module` for which upstream has only greedy patterns:
/// strided slices and transposes of vectors, subviews, rounding divisions.
/// Does nothing where there are none.
mlir::LogicalResult expandOps(mlir::gpu::GPUModuleOp module);

/// scf to cf. Does nothing where there is no scf.
mlir::LogicalResult lowerControlFlow(mlir::gpu::GPUModuleOp module);

/// math ops that need no libdevice, min and max, fuser_gpu.approx.
void populateMathPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// fuser_gpu.keep.
void populateRegisterPatterns(const mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns);

/// fuser_gpu.load and store, memref.atomic_rmw.
void populateMemoryPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// fuser_gpu.shuffle, fence, ticket, last_block, grid_sync.
void populateSyncPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

} // namespace fuser::nvvm

#endif // FUSER_LIB_TARGET_NVVM_PATTERNS_H
