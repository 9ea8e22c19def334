//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Expressions of a fuser_loop.kernel, apart from the ops that hold them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_LOOPEXPRS_H
#define FUSER_LIB_LOWERING_LOOPEXPRS_H

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Ids/SymbolFacts.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser {

/// An expression of an op is over the op's operands. Here, expressions are over all index values of
/// a kernel, so that those of different ops can be compared: symbol k is the kernel's k-th index
/// argument, each other value has a dimension.
struct Constraint {
  loop::ConstraintKind kind;
  mlir::AffineExpr lhs, rhs;

  static Constraint less(mlir::AffineExpr lhs, mlir::AffineExpr rhs) {
    return {loop::ConstraintKind::Less, lhs, rhs};
  }
  static Constraint equal(mlir::AffineExpr lhs, mlir::AffineExpr rhs) {
    return {loop::ConstraintKind::Equal, lhs, rhs};
  }
  bool operator==(const Constraint &other) const {
    return kind == other.kind && lhs == other.lhs && rhs == other.rhs;
  }
};
using Constraints = llvm::SmallVector<Constraint, 2>;

/// An #fuser_loop.access.
struct AccessExprs {
  llvm::SmallVector<mlir::AffineExpr, 4> results;
  Constraints guard;
  int64_t chunk = 0, alignment = 0;
  bool clamped = false, kept = false;
  llvm::SmallVector<ParallelType, 0> follows;
};

/// All expressions of a fuser_loop.tile.
struct TileExprs {
  /// Null for a scalar.
  llvm::SmallVector<std::optional<AccessExprs>, 2> reads;
  llvm::SmallVector<AccessExprs, 1> writes;
  llvm::SmallVector<mlir::AffineExpr, 2> roots;
  Constraints guard;
};

/// New expressions for some leaves.
using ExprReplacement = llvm::DenseMap<mlir::AffineExpr, mlir::AffineExpr>;
void replaceAll(TileExprs &exprs, const ExprReplacement &replacement);

/// The operands of one op, numbered in the order of their first use in its text.
class OperandNumbering {
public:
  /// `getValue` returns the value of a dimension or symbol.
  using GetValue = llvm::function_ref<mlir::Value(mlir::AffineExpr leaf)>;
  OperandNumbering(GetValue getValue, mlir::MLIRContext *context)
      : getValue(getValue), context(context) {}

  /// The expression over the operands; values that it is the first to use are added.
  mlir::AffineExpr add(mlir::AffineExpr expr);
  llvm::SmallVector<mlir::AffineExpr> add(llvm::ArrayRef<mlir::AffineExpr> exprs);
  /// Bounds of constraints, two for each.
  llvm::SmallVector<mlir::AffineExpr> add(const Constraints &constraints);

  // After all expressions of the op were added:

  llvm::SmallVector<mlir::Value> getOperands() const;
  mlir::AffineMap getMap(llvm::ArrayRef<mlir::AffineExpr> results) const;
  loop::ConstraintsAttr getConstraints(const Constraints &constraints,
                                       llvm::ArrayRef<mlir::AffineExpr> bounds) const;

private:
  mlir::AffineExpr addLeaf(mlir::AffineExpr leaf);

  GetValue getValue;
  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value> dims, symbols;
  /// By position; 0 for a leaf that no expression has used.
  llvm::SmallVector<mlir::AffineExpr> dimOf, symbolOf;
};

/// Sets operands and attributes of a tile, except for `once` and `replicated`.
void setTileExprs(loop::TileOp tile, const TileExprs &exprs, OperandNumbering::GetValue getValue);

/// Sets operands and access of an index that is data.
void setIndexExprs(loop::IndexOp index, const AccessExprs &access,
                   OperandNumbering::GetValue getValue);

/// Sets operands, place and guard of an op by which a block waits for another one.
void setChainExprs(loop::PublishOp publish, mlir::AffineExpr place, const Constraints &guard,
                   OperandNumbering::GetValue getValue);
void setChainExprs(loop::AwaitOp await, mlir::AffineExpr place, const Constraints &guard,
                   OperandNumbering::GetValue getValue);

/// True for a buffer in global memory.
inline bool isGlobal(mlir::Value buffer) {
  auto type = mlir::dyn_cast<loop::BufferType>(buffer.getType());
  return type && type.getSpace() == MemoryType::Global;
}

/// A tile without a body, before the insertion point of `builder`. Its step is `element`.
loop::TileOp createTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange inputs,
                        mlir::ValueRange outputs, const TileExprs &exprs,
                        llvm::ArrayRef<ParallelType> replicated,
                        OperandNumbering::GetValue getValue);
/// A tile that moves an element.
loop::TileOp createMove(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value from,
                        mlir::Value to, const TileExprs &exprs,
                        llvm::ArrayRef<ParallelType> replicated,
                        OperandNumbering::GetValue getValue);
/// A barrier in the copies of loops in which `guard` holds: of the grid with a counter, else of the
/// block.
loop::BarrierOp createBarrier(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value counter,
                              const Constraints &guard, OperandNumbering::GetValue getValue);
loop::ClusterBarrierOp createClusterBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                                            loop::BarrierPhase phase, const Constraints &guard,
                                            OperandNumbering::GetValue getValue);
loop::ForOp createFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::AffineExpr extent,
                      ParallelType type, std::optional<int64_t> bound,
                      OperandNumbering::GetValue getValue);
/// A workspace of the launch, after those that the kernel has. The extents are over arguments of
/// the kernel.
loop::BufferOp createWorkspace(loop::KernelOp kernel, mlir::Location loc, mlir::Type element,
                               llvm::ArrayRef<mlir::AffineExpr> extents, bool zeroed,
                               OperandNumbering::GetValue getValue);
loop::IndexOp createIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer,
                          const AccessExprs &access, OperandNumbering::GetValue getValue);
loop::WholeOp createWhole(mlir::OpBuilder &builder, mlir::Location loc, mlir::AffineExpr extent,
                          OperandNumbering::GetValue getValue);
loop::XorOp createXor(mlir::OpBuilder &builder, mlir::Location loc, mlir::AffineExpr lhs,
                      mlir::AffineExpr rhs, OperandNumbering::GetValue getValue);
loop::HoldsOp createHolds(mlir::OpBuilder &builder, mlir::Location loc,
                          const Constraints &constraints, OperandNumbering::GetValue getValue);
/// Numbers the blocks of a grid with `counts` blocks in x, y and z.
loop::OrderBlocksOp createOrderBlocks(mlir::OpBuilder &builder, mlir::Location loc,
                                      mlir::Value counter, mlir::Value slot,
                                      llvm::ArrayRef<mlir::AffineExpr> counts,
                                      OperandNumbering::GetValue getValue);
/// Of `memory`, which the same index of the types of `follows` has written.
loop::PublishOp createPublish(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value flags,
                              mlir::ValueRange memory, mlir::AffineExpr place,
                              const Constraints &guard, llvm::ArrayRef<ParallelType> follows,
                              OperandNumbering::GetValue getValue);
loop::AwaitOp createAwait(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value flags,
                          mlir::AffineExpr place, const Constraints &guard,
                          OperandNumbering::GetValue getValue);
/// A wait for the use of a stage with the number `use`: the first one has the number 0.
loop::WaitPhaseOp createWaitPhase(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::ValueRange buffers, mlir::Value barriers,
                                  mlir::AffineExpr use, OperandNumbering::GetValue getValue);
/// What a producer waits for before it fills the stage of a use, and what the consumers tell after
/// they have read it.
loop::AcquireOp createAcquire(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::ValueRange buffers, mlir::Value barriers, mlir::AffineExpr use,
                              OperandNumbering::GetValue getValue);
loop::ReleaseOp createRelease(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::ValueRange buffers, mlir::Value barriers, mlir::AffineExpr use,
                              OperandNumbering::GetValue getValue);
loop::IfOp createIf(mlir::OpBuilder &builder, mlir::Location loc, const Constraints &guard,
                    loop::ParallelTypesAttr once, OperandNumbering::GetValue getValue);

/// The index values of one kernel, and what its text states of them: assumptions, and the ranges of
/// loops. Loops that are created later have no range.
class LoopFacts {
public:
  explicit LoopFacts(loop::KernelOp kernel);

  /// The symbol or the dimension of a value.
  mlir::AffineExpr getExpr(mlir::Value index);
  /// The value of a symbol or a dimension.
  mlir::Value getValue(mlir::AffineExpr leaf) const;
  /// A dimension that no value has.
  mlir::AffineExpr addDim(IntegerRange range, int64_t divisor);

  /// An expression of an op over all values; the first `numDims` of its operands are dimensions.
  mlir::AffineExpr lift(mlir::AffineExpr expr, mlir::ValueRange indices, unsigned numDims);
  Constraints lift(loop::ConstraintsAttr constraints, mlir::ValueRange indices);
  TileExprs lift(loop::TileOp tile);
  AccessExprs lift(loop::AccessAttr access, mlir::ValueRange indices);
  mlir::AffineExpr getExtent(loop::ForOp loop);

  const SymbolFacts &get() const { return facts; }
  /// The largest known divisor of the given or the normal form.
  int64_t getDivisor(mlir::AffineExpr expr) const;
  /// The range by the given and by the normal form.
  IntegerRange getRange(mlir::AffineExpr expr) const;
  std::optional<int64_t> getConstant(mlir::AffineExpr expr) const;
  bool isProved(const Constraint &constraint) const;
  /// True if two constraints state the same. Products of sizes may have other orders.
  bool isSame(const Constraint &a, const Constraint &b) const;

private:
  void assume(const Constraint &constraint);
  void addRange(loop::ForOp loop);
  void addRange(loop::XorOp index);
  int64_t getLeastAtEnds(mlir::AffineExpr expr) const;

  mlir::MLIRContext *context;
  SymbolFacts facts;
  /// The extents of loops that are not constants.
  llvm::DenseMap<mlir::AffineExpr, mlir::AffineExpr> extents;
  llvm::SmallVector<mlir::Value> dims, symbols;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> exprOf;
};

/// True if a hardware or unroll loop has indices of the launch, or copies, that its extent does
/// not.
bool runsBeyond(loop::ForOp loop, LoopFacts &facts);

/// The facts as constraints that LoopFacts reads.
Constraints getAssumptions(const SymbolFacts &facts, mlir::MLIRContext *context);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_LOOPEXPRS_H
