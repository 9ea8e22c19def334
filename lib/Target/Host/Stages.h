//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The stages of lowerToHost, in execution order. Each processes everything nested in its argument
// and leaves valid IR.
//===----------------------------------------------------------------------===//
#ifndef FUSER_LIB_TARGET_HOST_STAGES_H
#define FUSER_LIB_TARGET_HOST_STAGES_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
class PassInstrumentationCallbacks;
class TargetMachine;
} // namespace llvm

namespace fuser::host {

/// Properties of a kernel that the conversion collects for its fuser_host_kernel_info.
struct KernelFacts {
  std::string name;
  std::string cpu;
  unsigned blockSize[3] = {0, 0, 0};
  uint64_t staticSharedBytes = 0;
  /// Accesses and waits are checked.
  bool isChecked = false;
  std::vector<uint32_t> paramBytes;
  /// By number of a `part_argument` that is checked memory (kPartMemory): where the thread keeps
  /// the number of its parameter.
  llvm::DenseMap<int64_t, mlir::Value> partNumbers;
  /// One text per op that may end or block the launch; see addSite.
  std::vector<std::string> sites;

  /// Registers `op` as a site for error messages ("gpu.barrier at file:3:5") and returns its index.
  uint32_t addSite(mlir::Operation *op);
};

/// The runtime functions of fuser/Artifact/HostABI.h that a kernel may call.
extern const char kBarrierFn[];
extern const char kGridSyncFn[];
extern const char kShuffleFn[];
extern const char kClusterArriveFn[];
extern const char kClusterWaitFn[];
extern const char kMapPeerFn[];
extern const char kCopyAsyncFn[];
extern const char kCopyCommitFn[];
extern const char kCopyWaitFn[];
extern const char kMBarrierInitFn[];
extern const char kMBarrierFenceFn[];
extern const char kMBarrierExpectFn[];
extern const char kMBarrierWaitFn[];
extern const char kCopyBulkFn[];
extern const char kMBarrierArriveFn[];
extern const char kCopyTensorFn[];
extern const char kStoreTensorFn[];
extern const char kStoreCommitFn[];
extern const char kStoreWaitFn[];
extern const char kRoleBarrierFn[];
extern const char kWaitDependenciesFn[];
extern const char kLdMatrixFn[];
extern const char kStMatrixFn[];
extern const char kMmaFn[];
extern const char kWgmmaFn[];
extern const char kWgmmaFenceFn[];
extern const char kWgmmaCommitFn[];
extern const char kWgmmaWaitFn[];
extern const char kWgmmaResultFn[];
extern const char kFenceAsyncFn[];
extern const char kSetMaxRegistersFn[];
extern const char kFailAlignmentFn[];
extern const char kFailBoundsFn[];
extern const char kCheckAccessFn[];
/// Private helpers in the lowered module: they check an address or an index, and call
/// kFailAlignmentFn or kFailBoundsFn.
extern const char kCheckAlignmentFn[];
extern const char kCheckBoundsFn[];

//===----------------------------------------------------------------------===//
// On kernel IR
//===----------------------------------------------------------------------===//

/// Expands ops of fuser_gpu that can be expressed by other kernel IR: approximate math (to exact
/// math) and last_block.
void expandKernelOps(mlir::gpu::GPUFuncOp func);

/// Rewrites vector ops to those that map to an instruction, strided metadata, affine arithmetic and
/// derived ids to arith, and rounding divisions to truncating ones. Fails at a vector of i1 in
/// memory and at an atomic of a half type.
mlir::LogicalResult legalizeKernelOps(mlir::Operation *root);

/// Makes every arithmetic op on bf16 and f16 compute in f32 and round its result.
mlir::LogicalResult computeHalvesInSingle(mlir::Operation *root);

/// Makes conversions to half types round once (f64 to bf16/f16), and expands those of bf16 to
/// integer arithmetic, because no processor of the baseline supports them.
mlir::LogicalResult expandHalfConversions(mlir::Operation *root);

/// Replaces every bf16 of the llvm dialect by the i16 of its bits: no op computes on it at this
/// stage.
void carryBF16AsBits(mlir::Operation *root);

/// Marks each memory access with its memory: that of a kernel argument, of the block, or of the
/// thread. Marked accesses are checked (see emitAccessCheck).
void markAccesses(mlir::gpu::GPUFuncOp func);

/// On a `part_argument`, set by markAccesses: its number among those that are memory.
inline constexpr llvm::StringLiteral kPartMemory = "fuser_host.part_memory";

/// Hoists arrays of a thread to the entry block of `func`, so that none is allocated in a loop.
/// Fails at an array of dynamic size.
mlir::LogicalResult hoistThreadArrays(mlir::gpu::GPUFuncOp func);

/// Lowers scf to cf.
mlir::LogicalResult convertStructuredControlFlow(mlir::Operation *root);

//===----------------------------------------------------------------------===//
// From kernel IR to the llvm dialect
//===----------------------------------------------------------------------===//

/// Declares the runtime functions in `module`.
void declareRuntime(mlir::ModuleOp module);

/// Replaces `func` by an llvm.func of the entry's type in `module`, which loads the arguments from
/// the parameter array and lays out the shared memory. The body keeps its ops. Fails at an argument
/// that the binary interface does not support.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp> outlineEntry(mlir::gpu::GPUFuncOp func,
                                                     mlir::ModuleOp module,
                                                     const mlir::LLVMTypeConverter &converter,
                                                     KernelFacts &facts);

/// Calls the math library for functions without an exact LLVM intrinsic. The others keep their
/// intrinsics, which LLVM lowers to the same library or to an instruction.
mlir::LogicalResult callMathLibrary(mlir::Operation *root);

/// Patterns for gpu ops inside of a function made by outlineEntry.
void populateGPUToHostPatterns(const mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns, KernelFacts &facts);

/// Patterns for ops of fuser_gpu that expandKernelOps leaves.
void populateKernelOpPatterns(const mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns, KernelFacts &facts,
                              bool checkAlignment);

/// Patterns for gpu and fuser_gpu ops between the blocks of a cluster.
void populateClusterPatterns(const mlir::LLVMTypeConverter &converter,
                             mlir::RewritePatternSet &patterns, KernelFacts &facts,
                             bool checkAlignment);

/// Patterns for asynchronous copies.
void populateCopyPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns, KernelFacts &facts,
                          bool checkAlignment);

/// Patterns for copies that complete a phase of a barrier.
void populateBulkCopyPatterns(const mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns, KernelFacts &facts,
                              bool checkAlignment);
/// fuser_gpu.wgmma, wgmma_fence, wgmma_commit, wgmma_wait, fence_async, set_max_registers.
void populateWarpGroupPatterns(const mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns, KernelFacts &facts);

/// fuser_gpu.ldmatrix, stmatrix, mma.
void populateMatrixPatterns(const mlir::LLVMTypeConverter &converter,
                            mlir::RewritePatternSet &patterns, KernelFacts &facts);

/// Patterns for accesses that state an alignment (checked if `check`, then lowered without it) or
/// that are checked.
void populateAlignedAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns, KernelFacts &facts,
                                   bool check);

/// Emits the check that `address` is a multiple of `alignment`; the error names `op`.
void emitAlignmentCheck(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value address,
                        uint64_t alignment, KernelFacts &facts);

/// True if markAccesses has marked `op`.
bool isCheckedAccess(mlir::Operation *op);

/// If the buffer of a marked `op` is shared or thread-local and has a static shape, emits the check
/// that an access to `lanes` elements from `indices` on, along the last dimension, is in bounds.
void emitBoundsCheck(mlir::OpBuilder &builder, mlir::Operation *op, mlir::MemRefType buffer,
                     mlir::ValueRange indices, int64_t lanes, KernelFacts &facts);

/// The same for a buffer in any memory; its shape is static.
void emitIndexChecks(mlir::OpBuilder &builder, mlir::Operation *op, mlir::MemRefType buffer,
                     mlir::ValueRange indices, int64_t lanes, KernelFacts &facts);

/// The same for a number of lanes that is an i64.
void emitIndexChecks(mlir::OpBuilder &builder, mlir::Operation *op, mlir::MemRefType buffer,
                     mlir::ValueRange indices, mlir::Value lanes, KernelFacts &facts);

/// The number of the memory of a marked `op`, as `memory` of fuser_host_check_access; 0 for others.
mlir::Value getMemoryNumber(mlir::OpBuilder &builder, mlir::Operation *op, KernelFacts &facts);

/// Patterns for checked atomics; upstream's patterns lower the atomic itself.
void populateCheckedAtomicPatterns(const mlir::LLVMTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns, KernelFacts &facts);

/// Emits the check of an access of `kind` (FUSER_HOST_READ ...) to a value of type `llvmType` at
/// `address`; does nothing if `op` is not marked, or accesses thread-local memory.
void emitAccessCheck(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value address,
                     mlir::Type llvmType, uint32_t kind, KernelFacts &facts);

/// The alignment in bytes that an element of type `llvmElement` always has.
uint64_t elementAlignment(mlir::Operation *op, mlir::Type llvmElement);

/// Patterns for arith and math ops whose upstream lowering is undefined for some operands or needs
/// a compiler's runtime library.
void populateHostArithmeticPatterns(const mlir::LLVMTypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

/// Removes the unused functions of the runtime, and defines the kernel's fuser_host_kernel_info.
void defineKernelInfo(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp entry,
                      const KernelFacts &facts);

//===----------------------------------------------------------------------===//
// On LLVM IR
//===----------------------------------------------------------------------===//

/// Excludes every loop with a remainder by a power of two from the loop vectorizer. LLVM 22 drops
/// the runtime check that such a remainder does not wrap if the loop also needs the check of a
/// wider addition, and then reads consecutive elements (llvm/llvm-project issue 191382, fixed in
/// 23).
void keepRemainderLoopsScalar(llvm::Module &module);

/// Makes LLVM's pipeline skip the passes that take quadratic time for large functions: GVN, the SLP
/// vectorizer, and the passes that rewrite loops.
void skipQuadraticPasses(llvm::PassInstrumentationCallbacks &callbacks);

/// If `module` has a large function after optimization: splits its long blocks, and selects fast
/// code generation without optimization.
void prepareCodeGeneration(llvm::Module &module, llvm::TargetMachine &machine);

/// Makes code generation add the frames of functions that have large ones to the stack of a thread
/// (fuser_host_kernel_info), and its errors diagnostics at `loc`, which set `failed`. All three
/// have to live as long as `module` generates code in its context.
void reserveFrames(llvm::Module &module, mlir::Location loc, bool &failed);

} // namespace fuser::host

#endif // FUSER_LIB_TARGET_HOST_STAGES_H
