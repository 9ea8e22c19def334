//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to the room: the stages and pattern sets of the lowering.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_TARGET_NVVM_PATTERNS_H
#define FUSER_LIB_TARGET_NVVM_PATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace fuser::nvvm {

/// Set by prepareKernel on a fuser_gpu.load whose memory is not written during the launch.
inline constexpr llvm::StringLiteral kReadOnlyMarker = "read_only_memory";

/// Higher than the benefits of upstream's patterns, 1 and 2.
inline constexpr unsigned kOurBenefit = 10;

/// Verifies the form of a kernel and applies rewrites that depend on the whole function: argument
/// facts, alignment of shared memory, register buffers in loops. Reads and removes the attributes
/// of fuser_gpu.
mlir::LogicalResult prepareKernel(mlir::gpu::GPUFuncOp function);

/// A table of arguments that a kernel takes as one parameter.
struct PackedTable {
  /// The number of the argument, a pointer.
  unsigned argument;
  /// The array that it points to.
  mlir::Type type;
  /// Bytes that divide its address; 0: those of an element do.
  int64_t alignment = 0;
};

/// Makes each table of arguments (kernel_ir::ArgumentTable) one argument, and the ops that read
/// parts of it loads. After prepareKernel, which reads the facts of the arguments.
mlir::LogicalResult packTables(mlir::gpu::GPUFuncOp function, unsigned indexBits,
                               llvm::SmallVectorImpl<PackedTable> &packed);

/// Tensor maps are tables of one argument each. After packTables.
void addTensorMaps(mlir::gpu::GPUFuncOp function, llvm::SmallVectorImpl<PackedTable> &packed);

/// Passes the tables by value, in the lowered function.
void markTables(mlir::LLVM::LLVMFuncOp function, llvm::ArrayRef<PackedTable> packed);

/// 90 of sm_90a; 0 if `chip` is no chip.
unsigned getChipNumber(llvm::StringRef chip);

/// Fails at the first op of a kind that needs chips from `first` on, if `chip` is an older one.
/// `what` names what these have.
mlir::LogicalResult verifyChip(mlir::gpu::GPUModuleOp module, llvm::StringRef chip, unsigned first,
                               llvm::StringRef what,
                               llvm::function_ref<bool(mlir::Operation *)> isOfKind);

/// The first chip that converts 8-bit floats, and the rewrite of conversions to its instructions.
inline constexpr unsigned kFirstChipWithFloat8 = 89;
void useFloat8Instructions(mlir::Operation *root);

/// Rewrites conversions of f32 to integers that saturate, and roundings before them, to
/// instructions that do.
void useSaturatingConversions(mlir::Operation *root);

/// The first chip with asynchronous copies. For an older one, each copy is a load and a store, with
/// a remark.
inline constexpr unsigned kFirstChipWithCopies = 80;
void makeCopiesSynchronous(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

/// Rewrites the ops of `module` for which upstream only has greedy patterns: strided slices and
/// transposes of vectors, subviews, rounding divisions. Does nothing if there are none.
mlir::LogicalResult expandOps(mlir::gpu::GPUModuleOp module);

/// Lowers scf to cf. Does nothing if there is no scf.
mlir::LogicalResult lowerControlFlow(mlir::gpu::GPUModuleOp module);

/// After the conversion of cf: turns the annotations of loops that lowerControlFlow left into those
/// of LLVM's branches.
void settleLoopAnnotations(mlir::gpu::GPUModuleOp module);

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

/// fuser_gpu.cluster_arrive, cluster_wait, peer_load, peer_store.
void populateClusterPatterns(const mlir::LLVMTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

/// fuser_gpu.copy_async, copy_commit, copy_wait.
void populateCopyPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// fuser_gpu.copy_bulk, copy_tensor, role_barrier, mbarrier_arrive, mbarrier_init, mbarrier_fence,
/// mbarrier_expect, mbarrier_wait.
void populateBulkPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Fails if a kernel has bulk copies, which `chip` does not have.
mlir::LogicalResult verifyBulkCopies(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

/// fuser_gpu.ldmatrix, stmatrix, mma.
void populateMatrixPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// fuser_gpu.wgmma, wgmma_fence, wgmma_commit, wgmma_wait, fence_async, set_max_registers.
void populateWarpGroupPatterns(const mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

/// fuser_gpu.wait_dependencies, launch_dependents.
void populateDependentPatterns(const mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

/// Fails if a kernel orders launches that overlap, which `chip` does not have.
mlir::LogicalResult verifyDependents(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

/// Fails if a kernel has products of warp groups, which `chip` does not have.
mlir::LogicalResult verifyWarpGroups(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

/// Fails if a kernel uses matrix instructions that `chip` does not have.
mlir::LogicalResult verifyMatrices(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

/// Fails if a kernel is launched in clusters, which `chip` does not have.
mlir::LogicalResult verifyClusters(mlir::gpu::GPUModuleOp module, llvm::StringRef chip);

} // namespace fuser::nvvm

#endif // FUSER_LIB_TARGET_NVVM_PATTERNS_H
