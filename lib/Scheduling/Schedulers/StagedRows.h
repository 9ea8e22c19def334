//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that pass through shared memory on their way to and from the registers of threads. Short
// rows whose length no wide vector divides begin at no multiple of a vector, but the rows of a
// block are adjacent: they are copied as vectors that cross their ends.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_STAGEDROWS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_STAGEDROWS_H

#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Requirements.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

namespace fuser {

/// The dimensions of rows that are adjacent in memory, slowest first: those that number the rows,
/// and those of a row.
struct RowDims {
  llvm::SmallVector<unsigned> rows, columns;

  /// Of reduced rows; none where a row has parts or is spread over memory.
  static RowDims get(const ReductionShape &shape);
};

/// How the threads of a block share its rows.
struct StagedTile {
  int64_t rows, threads;
  /// Elements of a vector of a thread, and of one across the ends of rows.
  int64_t vector, flat;
  /// Adjacent vectors of a thread; 0: those of all threads of a row alternate.
  int64_t run = 0;
};

/// The widest vectors that cross the ends of rows; 1 if rows cannot pass through shared memory.
int64_t getFlatWidth(const KernelView &kernel, const Requirements &requirements,
                     const RowDims &dims);

/// Bytes of shared memory per element of a row: those of all tensors of rows.
int64_t getStagedBytes(const KernelView &kernel, const RowDims &dims);

/// How many accesses of a warp to shared memory are one after the other where `threads` threads
/// have vectors of `bytes` bytes, `stride` bytes apart, of each of several rows.
int64_t countConflicts(int64_t rowBytes, int64_t stride, int64_t bytes, int64_t threads);

/// Elements of a row in shared memory that a thread keeps in registers, at most.
inline constexpr int64_t kMostStagedElements = 40;

/// How many rows of `row` elements a block has with `threads` threads for each: enough threads, and
/// tiles that begin at multiples of a vector of `flat` elements.
int64_t getStagedRows(int64_t row, int64_t threads, int64_t flat);

/// Threads, vectors and rows for short rows that are better off in shared memory than with vectors
/// of `vector` elements. nullopt for others.
std::optional<InnerPersistentParamsAttr>
chooseStagedRows(const KernelView &kernel, const Requirements &requirements,
                 const ReductionShape &shape, int64_t vector,
                 const artifact::DeviceDescription &device);

/// Collects what makes vectors of `flat` elements across the ends of `rows` rows of a block legal,
/// or refuses them.
std::optional<Refusal> requireFlatRows(const KernelView &kernel, Requirements &requirements,
                                       const RowDims &dims, int64_t rows, int64_t flat);

/// The rows of a kernel in shared memory, from their insertion to their loops.
class StagedRows {
public:
  /// Inserts tiles after the loads and before the stores of rows.
  StagedRows(const KernelView &kernel, RowDims dims, StagedTile tile, KernelSchedule &schedule);

  /// Sets the loops and the allocations of all tiles, and the loops of the loads and stores next to
  /// them, after those of the other ops.
  mlir::LogicalResult setLoops();
  /// The blocks, the rows of a block and the columns of a tile.
  struct TileIds {
    unsigned block = kNoId, row = kNoId;
    llvm::SmallVector<unsigned> columns;
  };

private:
  /// A load or a store of rows, and the tile next to it.
  struct Staged {
    const GlobalTensor *tensor;
    TensorViewOpInterface access, tile;
  };

  TileIds takeTile(LoopBuilder &loops) const;
  mlir::FailureOr<TileIds> setFlatLoops(const Staged &staged, TensorViewOpInterface op);
  mlir::FailureOr<TileIds> setRowLoops(const Staged &staged);

  const KernelView &kernel;
  RowDims dims;
  StagedTile tile;
  KernelSchedule &schedule;
  llvm::SmallVector<Staged> rows;
};

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_STAGEDROWS_H
