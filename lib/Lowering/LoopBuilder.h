//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes the loops, buffers and accesses of one scheduled kernel. The parts are in files of their
// own: BuildLoops.cpp (the walk, tiles), BuildArguments.cpp, BuildIndices.cpp, BuildReductions.cpp,
// BuildBorders.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LOOPBUILDER_H
#define FUSER_LIB_LOWERING_LOOPBUILDER_H

#include "OpIndices.h"
#include "ScanTiles.h"
#include "Stages.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace fuser {

/// Writes the fuser_loop.kernel of one scheduled kernel.
///
/// Expressions have the symbols of the kernel's ExtentAnalysis, followed by strides; a symbol
/// becomes an argument when an op first uses it. Dimension k is `dims[k]`.
class LoopBuilder {
public:
  LoopBuilder(CheckedKernel &checked, mlir::OpBuilder &builder);
  loop::KernelOp build();

private:
  // Arguments.
  void addOperands();
  void addScalars();
  mlir::Value buildSize(mlir::AffineExpr size);
  void eraseUnusedScalars();
  void addBuffer(mlir::Value tensor, LayoutAttr layout, bool isReadonly, bool isNoalias);
  mlir::Value addArgument(mlir::Type type, mlir::Attribute source);
  mlir::AffineExpr getStride(unsigned operand, unsigned dim);
  int64_t getStrideDivisor(unsigned operand, unsigned dim) const;
  mlir::AffineExpr getScalarIndex(mlir::Value scalar);
  mlir::Value getValue(mlir::AffineExpr leaf);
  mlir::Value getSymbolValue(unsigned symbol);
  mlir::Attribute getSource(unsigned symbol) const;
  llvm::SmallVector<mlir::AffineExpr> sortSymbols();
  void finishArguments();

  // Loops.
  void buildItems(Loop &loop, llvm::ArrayRef<LoopItem> items);
  void buildLoop(Loop &loop);
  void buildBody(Loop &loop, llvm::ArrayRef<LoopItem> items);
  void buildLanes(Loop &loop);
  /// Creates a loop, in whose body the builder then is.
  void openLoop(const Loop &loop, mlir::AffineExpr extent, ParallelType type,
                std::optional<int64_t> bound);
  void openLoop(const Loop &loop);
  void buildBuffers(Loop &loop, const LoopItem &item);
  void startCollecting(const ScheduledOp &scheduled);
  void finishCollecting(const ScheduledOp &scheduled);
  void buildWorkspaces();
  void buildTile(const ScheduledOp &scheduled);
  /// Reads of all operands, whose buffers and scalars are added to `inputs`.
  void addReads(const ScheduledOp &scheduled, llvm::ArrayRef<mlir::AffineExpr> ids,
                TileExprs &exprs, llvm::SmallVectorImpl<mlir::Value> &inputs);
  /// The index of each root id.
  void addRoots(const ScheduledOp &scheduled, llvm::ArrayRef<mlir::AffineExpr> ids,
                TileExprs &exprs) const;
  /// The op in the region of a tile or combine, with its results yielded.
  mlir::Operation *buildElement(mlir::Region &region, mlir::Operation *op);
  llvm::SmallVector<unsigned> getValueIds(const ScheduledOp &scheduled, unsigned result) const;
  llvm::SmallVector<ParallelType> getFollowedTypes(const ScheduledOp &producer,
                                                   const ScheduledOp &consumer,
                                                   unsigned operand) const;
  /// `own`: the indices of the dimensions that are read whole or at data.
  AccessExprs getRead(const ScheduledOp &scheduled, mlir::OpOperand &operand,
                      llvm::ArrayRef<mlir::AffineExpr> ids,
                      llvm::ArrayRef<mlir::AffineExpr> own) const;
  AccessExprs getWrite(const ScheduledOp &scheduled, unsigned result, IdIndices ids) const;

  // Indices.
  mlir::AffineExpr addDim(mlir::Value index);
  mlir::AffineExpr getXor(mlir::AffineExpr lhs, mlir::AffineExpr rhs);
  /// The indices of the dimensions of an operand that are read at data or whole. The latter are
  /// added to `wholes`.
  llvm::SmallVector<mlir::AffineExpr> buildIndices(const ScheduledOp &scheduled,
                                                   mlir::OpOperand &operand,
                                                   llvm::ArrayRef<mlir::AffineExpr> ids,
                                                   llvm::SmallVectorImpl<mlir::AffineExpr> &wholes);
  /// Erases swizzled indices that no tile uses.
  void eraseUnusedIndices();

  // Reductions and scans.
  /// The accumulators of a reduction, or the tuples that a scan carries.
  struct Reduction {
    /// Iteration loops inside of the reduction or carried loops, and their extents: a tuple for
    /// each index. One on @vectorize comes last.
    llvm::SmallVector<const Loop *> loops;
    llvm::SmallVector<int64_t> shape;
    /// The @vectorize loop, if it reduces: each lane accumulates a tuple of its own.
    const Loop *folded = nullptr;
    /// A buffer for each component of a tuple. `totals` have no lanes to fold.
    llvm::SmallVector<mlir::Value> accumulators, totals;
  };
  void startReduction(const ScheduledOp &scheduled, unsigned position);
  void buildAccumulation(const ScheduledOp &scheduled);
  void buildScanned(const ScheduledOp &scheduled);
  void copyAccumulators(const ScheduledOp &scheduled, Reduction &reduction);
  void foldLanes(const ScheduledOp &scheduled, Reduction &reduction);
  void finishReduction(const ScheduledOp &scheduled, unsigned position);
  void buildResult(const ScheduledOp &scheduled, unsigned position);
  llvm::SmallVector<mlir::Value> addAccumulators(const ScheduledOp &scheduled,
                                                 llvm::ArrayRef<int64_t> shape);
  void openTuples(const Reduction &reduction);
  void openLanes(const Loop &lanes);
  /// The access to each component of the tuple of the loops' indices.
  llvm::SmallVector<AccessExprs> getTuple(const Reduction &reduction, const Loop *folded) const;
  loop::TileOp buildStep(const ScheduledOp &scheduled, loop::TileStep step, mlir::ValueRange inputs,
                         mlir::ValueRange outputs, const TileExprs &exprs,
                         llvm::ArrayRef<ParallelType> replicated);
  llvm::SmallVector<ParallelType> getTypesAround() const;
  /// The block and thread types of loops with one iteration that all of them execute, and of those
  /// that a reduction is over if `ofResult`: all have its result.
  static llvm::SmallVector<ParallelType> getReplicatedTypes(const ScheduledOp &scheduled,
                                                            bool ofResult = false);

  // Borders.
  class BorderBuilder;
  void buildBorders();
  // Scans of tiles (BuildScans.cpp).
  /// A buffer for each component of a tuple: `elements` has those of a tile, by kept index, run of
  /// elements between which are those of other threads, and number in the run; `carried` has the
  /// tuple of all tiles before, by index of the loops around and kept index.
  struct TiledScan {
    ScanTile tile;
    llvm::SmallVector<mlir::Value> elements, carried;
    /// The extents of `elements`, at least 1, and the lanes of a vector.
    int64_t rows = 1, runs = 1, length = 1;
    const Loop *lanes = nullptr;
  };
  using TupleIndex = llvm::SmallVector<mlir::AffineExpr>;
  TiledScan &getTiledScan(const ScheduledOp &scheduled);
  void startRow(const ScheduledOp &scheduled);
  void startTile(const ScheduledOp &scheduled);
  void buildLift(const ScheduledOp &scheduled);
  void finishTile(const ScheduledOp &scheduled);
  void scanElements(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange elements);
  void carryTuples(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange totals,
                   mlir::ValueRange before);
  void chainTiles(const ScheduledOp &scheduled, const TiledScan &scan, mlir::ValueRange totals,
                  mlir::ValueRange preceding);
  void buildScannedTile(const ScheduledOp &scheduled, const TiledScan &scan,
                        mlir::ValueRange elements);
  mlir::AffineExpr getNumber(const ScanTile &tile, llvm::ArrayRef<unsigned> levels) const;
  TupleIndex getElementIndex(const TiledScan &scan) const;
  TupleIndex getCarriedIndex(const TiledScan &scan, mlir::AffineExpr row) const;
  llvm::SmallVector<mlir::Value> addTuples(const ScheduledOp &scheduled, const TiledScan &scan,
                                           llvm::ArrayRef<int64_t> extents);
  void forAll(const TiledScan &scan, llvm::ArrayRef<int64_t> extents,
              llvm::function_ref<void(const TupleIndex &)> build);
  void moveTuple(const ScheduledOp &scheduled, mlir::ValueRange from, const TupleIndex &read,
                 mlir::ValueRange to, const TupleIndex &write);
  void buildTupleStep(const ScheduledOp &scheduled, loop::TileStep step, mlir::ValueRange from,
                      const TupleIndex &read, mlir::ValueRange to, const TupleIndex &write);

  CheckedKernel &checked;
  KernelOp kernel;
  const ExtentAnalysis &extents;
  OpIndices indices;
  mlir::OpBuilder builder;
  mlir::MLIRContext *context;
  loop::KernelOp result;

  struct Binding {
    mlir::Attribute source;
    /// Over all symbols.
    llvm::SmallVector<mlir::AffineExpr> strides;
    int64_t alignment = 0;
    bool isReadonly = false, isNoalias = false;
  };
  llvm::SmallVector<Binding> bindings;
  /// Symbols beyond those of the analysis.
  llvm::SmallVector<mlir::Attribute> strides;
  llvm::DenseMap<mlir::Attribute, mlir::Value> argumentOf;
  llvm::SmallVector<mlir::Value> dims;
  llvm::DenseMap<const Loop *, mlir::AffineExpr> loopIndex;
  /// The swizzled indices, by their terms.
  llvm::MapVector<std::pair<mlir::AffineExpr, mlir::AffineExpr>, mlir::AffineExpr> swizzled;
  /// Scalars, and tensors that are arguments, outputs or in buffers.
  mlir::IRMapping values;
  /// The dimensions of each op's buffer.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> bufferIds;
  llvm::DenseMap<mlir::Operation *, Reduction> reductions;
  llvm::DenseMap<mlir::Operation *, TiledScan> tiledScans;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOOPBUILDER_H
