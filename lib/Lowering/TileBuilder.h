//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds the loops and tiles of a fuser_loop.kernel at an insertion point.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_TILEBUILDER_H
#define FUSER_LIB_LOWERING_TILEBUILDER_H

#include "KernelArguments.h"
#include "OpIndices.h"
#include "Stages.h"
#include "llvm/ADT/MapVector.h"

namespace fuser {

/// What the builders of one kernel share: where they build, the index of each open loop, and the
/// buffer of each value. Dimension k of an expression is an index of this kernel.
class TileBuilder {
public:
  TileBuilder(CheckedKernel &checked, mlir::OpBuilder &builder);

  /// The value of a symbol or dimension.
  mlir::Value getValue(mlir::AffineExpr leaf);
  /// The symbol or dimension of an index that an op of the kernel takes.
  mlir::AffineExpr getScalarIndex(mlir::Value scalar);
  mlir::AffineExpr addDim(mlir::Value index);

  /// Creates a loop, in whose body the builder then is.
  void openLoop(const Loop &loop, mlir::AffineExpr extent, ParallelType type,
                std::optional<int64_t> bound);
  void openLoop(const Loop &loop);
  void openLanes(const Loop &lanes);
  /// A loop over results that exist after the loops of the op: written out, up to a bound.
  void openResultLoop(const Loop &loop);

  void buildTile(const ScheduledOp &scheduled);
  /// A tile that does a step of a reduction or scan.
  loop::TileOp buildStep(const ScheduledOp &scheduled, loop::TileStep step, mlir::ValueRange inputs,
                         mlir::ValueRange outputs, const TileExprs &exprs,
                         llvm::ArrayRef<ParallelType> replicated);
  /// The op in the region of a tile or combine, with its results yielded.
  mlir::Operation *buildElement(mlir::Region &region, mlir::Operation *op);
  /// Reads of all operands, whose buffers and scalars are added to `inputs`.
  void addReads(const ScheduledOp &scheduled, llvm::ArrayRef<mlir::AffineExpr> ids,
                TileExprs &exprs, llvm::SmallVectorImpl<mlir::Value> &inputs);
  /// Writes of all results, whose buffers are returned.
  llvm::SmallVector<mlir::Value> addWrites(const ScheduledOp &scheduled, const IdIndices &ids,
                                           TileExprs &exprs) const;
  /// A buffer in registers for each component of the tuples of a reduction or scan.
  llvm::SmallVector<mlir::Value> addTuples(const ScheduledOp &scheduled,
                                           llvm::ArrayRef<int64_t> shape);

  /// The block and thread types of the loops around the insertion point.
  llvm::SmallVector<ParallelType> getTypesAround() const;
  /// The block and thread types of loops with one iteration that all of them execute, and of those
  /// that a reduction is over if `ofResult`: all have its result.
  static llvm::SmallVector<ParallelType> getReplicatedTypes(const ScheduledOp &scheduled,
                                                            bool ofResult = false);

  CheckedKernel &checked;
  KernelOp kernel;
  const ExtentAnalysis &extents;
  KernelArguments arguments;
  OpIndices indices;
  mlir::OpBuilder builder;
  mlir::MLIRContext *context;
  llvm::DenseMap<const Loop *, mlir::AffineExpr> loopIndex;
  /// Scalars, and tensors that are arguments, outputs or in buffers.
  mlir::IRMapping values;
  /// The dimensions of each op's buffer.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> bufferIds;

private:
  void buildUpdate(const ScheduledOp &scheduled, UpdateOpInterface update);
  AccessExprs getWrite(const ScheduledOp &scheduled, unsigned result, IdIndices ids) const;
  /// The index of each root id.
  void addRoots(const ScheduledOp &scheduled, llvm::ArrayRef<mlir::AffineExpr> ids,
                TileExprs &exprs) const;
  llvm::SmallVector<unsigned> getValueIds(const ScheduledOp &scheduled, unsigned result) const;
  llvm::SmallVector<ParallelType> getFollowedTypes(const ScheduledOp &producer,
                                                   const ScheduledOp &consumer,
                                                   unsigned operand) const;
  /// `own`: the indices of the dimensions that are read whole or at data.
  AccessExprs getRead(const ScheduledOp &scheduled, mlir::OpOperand &operand,
                      llvm::ArrayRef<mlir::AffineExpr> ids,
                      llvm::ArrayRef<mlir::AffineExpr> own) const;
  // BuildIndices.cpp
  mlir::AffineExpr getXor(mlir::AffineExpr lhs, mlir::AffineExpr rhs);
  /// The indices of the dimensions of an operand that are read at data or whole. The latter are
  /// added to `wholes`.
  llvm::SmallVector<mlir::AffineExpr> buildIndices(const ScheduledOp &scheduled,
                                                   mlir::OpOperand &operand,
                                                   llvm::ArrayRef<mlir::AffineExpr> ids,
                                                   llvm::SmallVectorImpl<mlir::AffineExpr> &wholes);
  /// Erases swizzled indices that no tile uses.
  void eraseUnusedIndices();

  llvm::SmallVector<mlir::Value> dims;
  /// The swizzled indices, by their terms.
  llvm::MapVector<std::pair<mlir::AffineExpr, mlir::AffineExpr>, mlir::AffineExpr> swizzled;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_TILEBUILDER_H
