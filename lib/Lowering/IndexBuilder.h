//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds integer arithmetic on `index`, folded and shared: an expression that was
// built in an enclosing scope is not built again.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_INDEXBUILDER_H
#define FUSER_LIB_LOWERING_INDEXBUILDER_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace fuser {

/// Index arithmetic of one kernel. Values are non-negative, so divisions are unsigned and additions
/// and products do not wrap. Only a difference may lie below 0, where an index is outside of its
/// operand, or a part of one that is inside: in (12 * a + (b - 2) floordiv 8) the dividend may be
/// -1. As a whole, an index below 0 wraps, so that `lessThan` refuses it; a dividend below 0 is
/// divided as a signed number.
class IndexBuilder {
public:
  /// `builder` is where code is inserted; constants go to the start of `entry`.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Block *entry, mlir::Location loc);

  /// The location of what is built from now on.
  void setLoc(mlir::Location newLoc) { loc = newLoc; }

  mlir::Value constant(int64_t value);
  /// The value of a constant that this builder made.
  std::optional<int64_t> getConstant(mlir::Value value) const;

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// `least` is a lower bound of the divisor: with a constant c below it, the quotient and the
  /// remainder of base + c follow from those of base, which all c share.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs, int64_t least = 0);
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs, int64_t least = 0);
  mlir::Value bitXor(mlir::Value lhs, mlir::Value rhs);
  /// lhs < rhs, unsigned, as i1; null where it is always true.
  mlir::Value lessThan(mlir::Value lhs, mlir::Value rhs);
  mlir::Value equal(mlir::Value lhs, mlir::Value rhs);
  /// Conjunction; null stands for true.
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);
  /// A value that was built here by other means: what depends on it stays in this scope.
  mlir::Value define(mlir::Value value) {
    depths.try_emplace(value, scopes.size() - 1);
    return value;
  }
  using GetLeaf = llvm::function_ref<mlir::Value(mlir::AffineExpr)>;
  using GetLeast = llvm::function_ref<int64_t(mlir::AffineExpr)>;
  /// The value of an expression; `getLeaf` returns that of a symbol or dimension, `getLeast` a
  /// lower bound of a divisor or dividend. A division by 0 is undefined also where its result is
  /// not used, so that divisors that may be 0 are replaced by 1 where they are.
  mlir::Value expr(mlir::AffineExpr expr, GetLeaf getLeaf, GetLeast getLeast);

  /// While it lives, new expressions are forgotten at its end: one for each region entered. With
  /// the op of the region, expressions whose operands are defined outside of it are built before
  /// the op.
  class Scope {
  public:
    explicit Scope(IndexBuilder &builder, mlir::Operation *opener = nullptr) : builder(builder) {
      builder.enter(opener);
    }
    ~Scope() { builder.leave(); }
    Scope(const Scope &) = delete;

  private:
    IndexBuilder &builder;
  };

private:
  void enter(mlir::Operation *opener);
  void leave();
  using Key = std::pair<unsigned, std::pair<mlir::Value, mlir::Value>>;
  /// max(value, 1)
  mlir::Value atLeastOne(mlir::Value value);
  /// The quotient rounded down, and its remainder, of a dividend that may be below 0.
  mlir::Value floorDiv(mlir::Value lhs, mlir::Value rhs);
  mlir::Value floorMod(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sum(mlir::AffineExpr expr, GetLeaf getLeaf, GetLeast getLeast);
  /// The terms of base + c with a constant c from 1 to `least` - 1, whose division by `divisor` is
  /// that of base and a comparison; nullopt for another value, or a divisor that needs none.
  std::optional<std::pair<mlir::Value, mlir::Value>>
  splitDividend(mlir::Value dividend, mlir::Value divisor, int64_t least) const;
  /// base + c mod n, and c / n, of base + c with a constant c of at least the constant divisor n;
  /// nullopt for another value, or a power of two.
  std::optional<std::pair<mlir::Value, int64_t>> splitMultiple(mlir::Value dividend,
                                                               std::optional<int64_t> divisor);
  /// Returns the shared value of `opcode`(lhs, rhs), or builds it.
  mlir::Value shared(unsigned opcode, mlir::Value lhs, mlir::Value rhs,
                     llvm::function_ref<mlir::Value()> build);

  mlir::OpBuilder &builder;
  mlir::Block *entry = nullptr;
  mlir::Location loc;
  std::map<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Value, int64_t> constantValues;
  llvm::SmallVector<llvm::DenseMap<Key, mlir::Value>> scopes;
  /// The op of each scope's region; null where expressions are built where they are used.
  llvm::SmallVector<mlir::Operation *> openers;
  /// The scope in which a value is defined; the outermost where it is missing.
  llvm::DenseMap<mlir::Value, unsigned> depths;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_INDEXBUILDER_H
