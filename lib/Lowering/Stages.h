//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The stages of lowering: functions that each add one decision to the text of a kernel. The passes
// of the same names call them, and fuser-lower-kernels calls all of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_STAGES_H
#define FUSER_LIB_LOWERING_STAGES_H

#include "EqualIds.h"
#include "LoopNest.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Lowering/LoweringOptions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {

class LoopFacts;

/// A scheduled kernel that passed the checks that precede its code, with the analyses they made.
struct CheckedKernel {
  KernelOp kernel;
  ExtentAnalysis extents;
  std::unique_ptr<LoopNest> nest;
  std::unique_ptr<EqualIds> equalIds;
};

/// Fails after a diagnostic.
mlir::FailureOr<std::unique_ptr<CheckedKernel>> checkKernel(KernelOp kernel);

/// The checks that remain: of vectors, buffers, accumulators, threads, blocks and shared memory.
/// Fails after a diagnostic.
mlir::LogicalResult verifySchedule(CheckedKernel &checked, const LoweringOptions &options);

/// Checks that the device has the clusters of a kernel, if there are any, and that their blocks
/// share nothing with others. Fails after a diagnostic.
mlir::LogicalResult verifyClusters(const CheckedKernel &checked, const LoweringOptions &options);

/// Checks that values with stages can be circular buffers of a loop. Fails after a diagnostic.
mlir::LogicalResult verifyPipelines(const CheckedKernel &checked);

/// Verifies a kernel (`verifySchedule`) and creates its loops, before the insertion point of
/// `builder`.
mlir::FailureOr<loop::KernelOp> buildLoops(CheckedKernel &checked, mlir::OpBuilder &builder,
                                           const LoweringOptions &options);

/// What requires each fact of a kernel: for equal sizes an op, where one does; null if no op
/// requires any.
mlir::ArrayAttr describeFacts(KernelOp kernel);

// Each does nothing to a kernel that is not in the stage before.

mlir::LogicalResult planLaunch(loop::KernelOp kernel);
mlir::LogicalResult planReductions(loop::KernelOp kernel);
/// Reads what an iteration of a loop over rows loads in the iteration before, if each row is
/// reduced over threads: a part of planReductions.
void readRowsAhead(loop::KernelOp kernel, LoopFacts &facts);
/// Marks the reads of long rows in registers after a reduction over threads that the row feeds: a
/// row of short elements stays packed over the barriers of the reduction, so that the assembler
/// does not keep it converted. A part of planReductions.
void keepRows(loop::KernelOp kernel, llvm::ArrayRef<loop::CombineOp> all);
mlir::LogicalResult pipelineLoops(loop::KernelOp kernel, const LoweringOptions &options);
/// The elements that a copy to a circular buffer moves at once. From stage accessed on.
int64_t getCopiedElements(loop::TileOp copy);
mlir::LogicalResult placeBuffers(loop::KernelOp kernel, const LoweringOptions &options);
void insertBarriers(loop::KernelOp kernel);
/// Commits and waits for products of warp groups that nothing else has placed, and the fences of
/// what threads write to their operands: a part of insertBarriers.
void synchronizeProducts(loop::KernelOp kernel);
/// Makes copies to shared memory that loops on mma read write zeros where there is no element.
void fillOperands(loop::KernelOp kernel);
/// Matrix instructions in place of the loops on mma.
mlir::LogicalResult selectInstructions(loop::KernelOp kernel, const LoweringOptions &options);
/// Stores of matrices in place of stores of pairs of 16-bit elements to shared memory.
void storeMatrices(loop::KernelOp kernel);
mlir::LogicalResult vectorizeAccesses(loop::KernelOp kernel, const LoweringOptions &options);
void placeGuards(loop::KernelOp kernel);

/// Kernel IR of a kernel in the last stage, before the insertion point of `builder`.
mlir::gpu::GPUModuleOp expandLoops(loop::KernelOp kernel, mlir::OpBuilder &builder,
                                   const LoweringOptions &options);

/// The launches of the kernels of a module. Those of a lowered kernel name the function in its
/// gpu.module.
class KernelLaunches {
public:
  explicit KernelLaunches(mlir::ModuleOp module);
  void redirect(mlir::StringAttr name) const;

private:
  llvm::DenseMap<mlir::SymbolRefAttr, llvm::SmallVector<LaunchOp>> launches;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_STAGES_H
