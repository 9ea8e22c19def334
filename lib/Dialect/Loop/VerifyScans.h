//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks that the files of the verifier share: those of scans with those of reductions, and those
// of copies with those of tiles and buffers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_LOOP_VERIFYSCANS_H
#define FUSER_LIB_DIALECT_LOOP_VERIFYSCANS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser::loop {

/// What has a tuple.
enum class TupleKind { None, Reduction, Scan };

/// The indices that expressions over `numDims` dimensions and `numSymbols` symbols are about.
mlir::LogicalResult verifyIndices(mlir::Operation *op, mlir::ValueRange indices, unsigned numDims,
                                  unsigned numSymbols);
/// A zeroed workspace of numbers.
mlir::LogicalResult verifyCounter(mlir::Operation *op, mlir::Value counter);
/// The region of a tile, `combine` or `scan`; `ofTuple`: what its op may be, any if it is empty.
mlir::LogicalResult verifyBody(mlir::Operation *around, mlir::Block &block,
                               llvm::ArrayRef<TupleKind> ofTuple);
/// A buffer for each component of a tuple of the op.
mlir::LogicalResult verifyTuple(mlir::Operation *around, mlir::Operation *op,
                                mlir::TypeRange buffers, bool inRegisters);
/// The last dimension of accumulators, of tuples that are processed as a vector.
mlir::LogicalResult verifyLanes(mlir::Operation *op, mlir::TypeRange accumulators, int64_t lanes);

/// A circular buffer, in any stage.
mlir::LogicalResult verifyCircular(BufferOp buffer);
/// A tile that begins a bulk copy.
mlir::LogicalResult verifyBulkCopy(TileOp tile);
/// A tile that asks for a bulk copy to an argument, or begins it.
mlir::LogicalResult verifyStore(TileOp tile);
/// A buffer that `init_phases` makes barriers: fails if `barriers` is none.
mlir::FailureOr<InitPhasesOp> findInit(mlir::Operation *op, mlir::Value barriers);
/// A tile that begins a copy.
mlir::LogicalResult verifyCopy(TileOp tile);
/// True for a tile that uses the instruction of a warp group.
bool isOfWarpGroup(TileOp tile);
/// A tile that uses a matrix instruction: its operands, which have offsets.
mlir::LogicalResult verifyMatrixInstruction(TileOp tile);
/// The threads around a matrix instruction, in a stage with offsets.
mlir::LogicalResult verifyMatrixThreads(TileOp tile);

} // namespace fuser::loop

#endif // FUSER_LIB_DIALECT_LOOP_VERIFYSCANS_H
