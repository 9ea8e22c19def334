//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The stages of lowerToHost, in the order in which it runs them. Each works on
// everything nested in its argument and leaves valid IR behind.
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

namespace fuser::host {

/// What the conversion learns about a kernel, for its fuser_host_kernel_info.
struct KernelFacts {
  std::string name;
  std::string cpu;
  unsigned blockSize[3] = {0, 0, 0};
  uint64_t staticSharedBytes = 0;
  /// Accesses and waits are checked.
  bool isChecked = false;
  std::vector<uint32_t> paramBytes;
  /// One text per op that may end or block the launch; see addSite.
  std::vector<std::string> sites;

  /// Registers `op` as a place that an error names ("gpu.barrier at file:3:5") and returns its
  /// index.
  uint32_t addSite(mlir::Operation *op);
};

/// The runtime functions of fuser/Artifact/HostABI.h that a kernel may call.
extern const char kBarrierFn[];
extern const char kGridSyncFn[];
extern const char kShuffleFn[];
extern const char kFailAlignmentFn[];
extern const char kFailBoundsFn[];
extern const char kCheckAccessFn[];
/// Private helpers in the lowered module: they test an address or an index, and call
/// kFailAlignmentFn or kFailBoundsFn.
extern const char kCheckAlignmentFn[];
extern const char kCheckBoundsFn[];

//===----------------------------------------------------------------------===//
// On kernel IR
//===----------------------------------------------------------------------===//

/// Spells out the ops of fuser_gpu that other kernel IR can say: approximate math (as exact math)
/// and last_block.
void expandKernelOps(mlir::gpu::GPUFuncOp func);

/// Rewrites vector ops down to those that have an instruction, strided metadata, affine arithmetic
/// and derived ids to arith, and rounding divisions to truncating ones.
/// Fails at a vector of i1 in memory and at an atomic of a half type.
mlir::LogicalResult legalizeKernelOps(mlir::Operation *root);

/// Lets every arithmetic op on bf16 and f16 compute in f32 and round its result.
mlir::LogicalResult computeHalvesInSingle(mlir::Operation *root);

/// Makes conversions to half types round once (f64 to bf16/f16) and spells those of bf16 as
/// integer arithmetic, because no processor of the baseline has them.
mlir::LogicalResult expandHalfConversions(mlir::Operation *root);

/// Makes every bf16 of the llvm dialect the i16 of its bits: nothing computes on it any more.
void carryBF16AsBits(mlir::Operation *root);

/// Writes on each access to memory whose it is: that of an argument of the kernel, the block's, or
/// the thread's own. Those that bear the mark are tested (see emitAccessCheck).
void markAccesses(mlir::gpu::GPUFuncOp func);

/// Moves arrays of a thread to the entry of `func`, so that none is made in a loop.
/// Fails at an array of dynamic size.
mlir::LogicalResult hoistThreadArrays(mlir::gpu::GPUFuncOp func);

/// scf to cf.
mlir::LogicalResult convertStructuredControlFlow(mlir::Operation *root);

//===----------------------------------------------------------------------===//
// From kernel IR to the llvm dialect
//===----------------------------------------------------------------------===//

/// Declares the runtime functions in `module`.
void declareRuntime(mlir::ModuleOp module);

/// Replaces `func` by an llvm.func of the entry's type in `module`: loads the arguments from
/// the parameter array and lays out the shared memory. The body keeps its ops.
/// Fails at an argument that has no place in the binary interface.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp> outlineEntry(mlir::gpu::GPUFuncOp func,
                                                     mlir::ModuleOp module,
                                                     const mlir::LLVMTypeConverter &converter,
                                                     KernelFacts &facts);

/// Calls the math library for the functions that have no exact LLVM intrinsic. The others keep
/// theirs, which LLVM ends in the same library or in an instruction.
mlir::LogicalResult callMathLibrary(mlir::Operation *root);

/// Patterns for gpu ops inside of a function made by outlineEntry.
void populateGPUToHostPatterns(const mlir::LLVMTypeConverter &converter,
                               mlir::RewritePatternSet &patterns, KernelFacts &facts);

/// Patterns for ops of fuser_gpu that expandKernelOps leaves.
void populateKernelOpPatterns(const mlir::LLVMTypeConverter &converter,
                              mlir::RewritePatternSet &patterns, KernelFacts &facts,
                              bool checkAlignment);

/// Patterns for accesses that state an alignment (tested if `check`, then done without it) or that
/// are checked.
void populateAlignedAccessPatterns(const mlir::LLVMTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns, KernelFacts &facts,
                                   bool check);

/// Emits the test that `address` is a multiple of `alignment`; an error names `op`.
void emitAlignmentCheck(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value address,
                        uint64_t alignment, KernelFacts &facts);

/// True where markAccesses has marked `op`.
bool isCheckedAccess(mlir::Operation *op);

/// Where the buffer of a marked `op` is shared or the thread's own and has a static shape: emits
/// the test that an access to `lanes` elements from `indices` on, along the last dimension, is
/// inside.
void emitBoundsCheck(mlir::OpBuilder &builder, mlir::Operation *op, mlir::MemRefType buffer,
                     mlir::ValueRange indices, int64_t lanes, KernelFacts &facts);

/// Patterns for atomics that are checked; upstream's patterns do the rest.
void populateCheckedAtomicPatterns(const mlir::LLVMTypeConverter &converter,
                                   mlir::RewritePatternSet &patterns, KernelFacts &facts);

/// Emits the test of an access of `kind` (FUSER_HOST_READ ...) to a value of type `llvmType` at
/// `address`; nothing where `op` is not marked, or has the thread's own memory.
void emitAccessCheck(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value address,
                     mlir::Type llvmType, uint32_t kind, KernelFacts &facts);

/// The alignment in bytes that an element of type `llvmElement` always has.
uint64_t elementAlignment(mlir::Operation *op, mlir::Type llvmElement);

/// Patterns for arith and math ops whose upstream lowering is undefined somewhere or needs a
/// compiler's runtime library.
void populateHostArithmeticPatterns(const mlir::LLVMTypeConverter &converter,
                                    mlir::RewritePatternSet &patterns);

/// Removes what of the runtime is not called, and defines the kernel's fuser_host_kernel_info.
void defineKernelInfo(mlir::ModuleOp module, mlir::LLVM::LLVMFuncOp entry,
                      const KernelFacts &facts);

} // namespace fuser::host

#endif // FUSER_LIB_TARGET_HOST_STAGES_H
