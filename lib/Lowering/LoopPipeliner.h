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

#include <string>

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
  LoopPipeliner(loop::KernelOp kernel, LoopFacts &facts, loop::ForOp loop, bool hasBulkCopies)
      : kernel(kernel), facts(facts), loop(loop), hasBulkCopies(hasBulkCopies),
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
  mlir::LogicalResult verifyCopy(loop::TileOp copy);
  std::optional<BulkPieces> findPieces(loop::TileOp copy);
  mlir::AffineExpr getUseBase();
  mlir::AffineExpr getUse(const Ring &ring, mlir::AffineExpr of) const;
  RoleScope findRoles(bool isOnly);
  mlir::Value createBarriers(mlir::OpBuilder &builder, int64_t arrivals);
  int64_t countArrivals() const;
  void createRings(mlir::OpBuilder &builder);
  void runAhead();
  void runInRoles(const RoleScope &scope);
  void produce(mlir::Block &block);
  void eraseOld();
  void beginCopies(mlir::OpBuilder &builder, mlir::AffineExpr of);
  void beginCopy(mlir::OpBuilder builder, const Ring &ring, mlir::AffineExpr of);
  mlir::AffineExpr copyIndex(mlir::OpBuilder &builder, loop::XorOp swizzled,
                             const ExprReplacement &replacement);
  void beginBulkCopy(mlir::OpBuilder builder, const Ring &ring, mlir::AffineExpr of);
  llvm::SmallVector<mlir::Value> findPendingProducts();
  bool isCopiedAhead(mlir::Value operand) const;
  void wait(mlir::OpBuilder &builder);
  void readStage(const Ring &ring);

  loop::KernelOp kernel;
  LoopFacts &facts;
  loop::ForOp loop;
  const bool hasBulkCopies;
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
  /// The loops around the copies of a producer, for those of the text before.
  ExprReplacement ofProducer;
  llvm::SmallVector<Ring, 1> rings;
};

/// Replaces stores that ask for bulk copies. A tile that has no boxes is stored by all threads,
/// with a remark.
void storeByBulk(loop::KernelOp kernel, LoopFacts &facts, bool hasBulkCopies);

/// Erases an op, and the loops around it, in another one, that are empty then.
void eraseWithLoops(mlir::Operation *op, mlir::Operation *outermost);
/// The types along which a kernel has several threads: `once` of what one thread does.
loop::ParallelTypesAttr getSplitThreadTypes(loop::KernelOp kernel);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOOPPIPELINER_H
