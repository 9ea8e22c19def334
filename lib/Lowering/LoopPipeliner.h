//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes the copies of one loop those of iterations before.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LOOPPIPELINER_H
#define FUSER_LIB_LOWERING_LOOPPIPELINER_H

#include "BulkPieces.h"
#include "fuser/Lowering/LoweringOptions.h"

#include <string>
#include <utility>

namespace fuser {

/// Where the roles of a kernel are.
struct RoleScope {
  /// Why there are none; empty if there are. A sentence without a period.
  std::string problem;
  /// All that a block of the grid computes: what the consumers then do.
  mlir::Block *block = nullptr;
};

/// The circular buffers of one serial loop. With N stages, N - 1 copies are under way when an
/// iteration begins: it waits for the oldest one, begins the copy of the iteration N - 1 later to
/// the stage that was read last, and computes. If products of warp groups are under way then, it is
/// one copy less.
class LoopPipeliner {
public:
  LoopPipeliner(loop::KernelOp kernel, LoopFacts &facts, loop::ForOp loop,
                const LoweringOptions &options)
      : kernel(kernel), facts(facts), loop(loop), options(options),
        iteration(facts.getExpr(loop.getInductionVar())) {}
  /// Fails after a diagnostic.
  mlir::LogicalResult add(loop::BufferOp buffer);
  /// `isOnly`: no other loop of the kernel has circular buffers.
  void run(bool isOnly);

private:
  /// A buffer, before and after, and the tile that fills it.
  struct Ring {
    mlir::Value old;
    loop::TileOp copy;
    mlir::Value buffer;
    /// Of bulk copies.
    std::optional<BulkPieces> pieces;
  };
  std::optional<BulkPieces> findPieces(loop::TileOp copy);
  mlir::AffineExpr getUseBase();
  mlir::AffineExpr getUse(const Ring &ring, mlir::AffineExpr of) const;
  RoleScope findRoles(bool isOnly);
  std::string findProblemOfRegisters() const;
  mlir::Value createBarriers(mlir::OpBuilder &builder, int64_t arrivals);
  int64_t countArrivals() const;
  void createRings(mlir::OpBuilder &builder);
  void runAhead();
  void runInRoles(const RoleScope &scope);
  void produce(mlir::Block &block);
  void eraseOld();
  void beginCopies(mlir::OpBuilder &builder, mlir::AffineExpr of);
  void beginCopy(mlir::OpBuilder builder, const Ring &ring, mlir::AffineExpr of);
  void beginBulkCopy(mlir::OpBuilder builder, const Ring &ring, mlir::AffineExpr of);
  llvm::SmallVector<mlir::Value> findPendingProducts();
  bool isCopiedAhead(mlir::Value operand) const;
  void wait(mlir::OpBuilder &builder);

  loop::KernelOp kernel;
  LoopFacts &facts;
  loop::ForOp loop;
  const LoweringOptions &options;
  const mlir::AffineExpr iteration;
  int64_t stages = 0;
  /// How many iterations before they are read the threads that compute begin copies.
  int64_t ahead = 0;
  /// The accumulators of products that are under way while the next iteration begins.
  llvm::SmallVector<mlir::Value> products;
  /// Of the stages that bulk copies fill; with a producer, also of those that are read.
  mlir::Value barriers, readBarriers;
  mlir::AffineExpr useBase;
  /// Some buffer asks for a producer.
  bool wantsProducer = false;
  /// Of a thread of the producer, and of another one; empty for equal shares.
  llvm::SmallVector<int64_t, 2> registers;
  /// The loops around the copies of a producer, for those of the text before.
  ExprReplacement ofProducer;
  llvm::SmallVector<Ring, 1> rings;
};

/// The tile that fills a buffer with stages: only an argument that the kernel does not write can be
/// copied, at indices of loops alone. Fails after a diagnostic.
mlir::FailureOr<loop::TileOp> findCopy(loop::BufferOp buffer);
/// A buffer like `old` with a first dimension for its stages.
loop::BufferOp createStages(mlir::OpBuilder &builder, mlir::Value old, int64_t stages);
/// Clones a copy that is in `outermost`, in loops of its own, with the given values of others.
/// Returns it with its expressions, which it does not have yet.
std::pair<loop::TileOp, TileExprs> cloneCopy(mlir::OpBuilder builder, loop::TileOp copy,
                                             mlir::Operation *outermost,
                                             ExprReplacement replacement, LoopFacts &facts);
/// Makes the tile an asynchronous copy to a stage of the buffer.
void makeCopy(loop::TileOp tile, TileExprs exprs, mlir::Value buffer, mlir::AffineExpr stage,
              LoopFacts &facts);
/// Makes the readers of a buffer those of a stage of another one.
void readStage(LoopFacts &facts, mlir::Value old, mlir::Value buffer, mlir::AffineExpr stage);

/// Makes the writes to buffers with one stage asynchronous copies, which are waited for before the
/// first is read. Fails after a diagnostic.
mlir::LogicalResult copyToOneStage(loop::KernelOp kernel, LoopFacts &facts);

/// Replaces stores that ask for bulk copies. A tile that has no boxes is stored by all threads,
/// with a remark.
void storeByBulk(loop::KernelOp kernel, LoopFacts &facts, bool hasBulkCopies);

/// Erases an op, and the loops around it, in another one, that are empty then.
void eraseWithLoops(mlir::Operation *op, mlir::Operation *outermost);
/// The types along which a kernel has several threads: `once` of what one thread does.
loop::ParallelTypesAttr getSplitThreadTypes(loop::KernelOp kernel);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOOPPIPELINER_H
