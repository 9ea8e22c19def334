//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The extent of every dimension and id of a program as an expression of its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_EXTENTS_H
#define FUSER_IDS_EXTENTS_H

#include "fuser/Dialect/IR/Domain.h"
#include "fuser/Ids/SymbolFacts.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser {

/// Extents of a `fuser.fusion` or `fuser.kernel`.
///
/// Symbol k (AffineSymbolExpr k) is the k-th of: every dimension of every tensor argument, in order
/// (static ones too, so that numbering depends on ranks only), then every integer or index
/// argument, in order. Expressions are canonical: a static size is a constant, and sizes that are
/// equal, by a fact or because an op maps them to one id, are represented by one symbol.
///
/// The analysis describes the program at the time of `create`; it does not contain ops that are
/// added or rescheduled later.
class ExtentAnalysis {
public:
  /// Fails with a diagnostic at an op whose extent the arguments do not determine, or if extents
  /// that must be equal are different constants.
  static mlir::FailureOr<ExtentAnalysis> create(mlir::FunctionOpInterface program);

  /// The source of a symbol: dimension `dim` of argument `arg`, or (dim -1) the value of the scalar
  /// argument `arg`.
  struct Symbol {
    unsigned arg;
    int64_t dim;
  };
  llvm::ArrayRef<Symbol> getSymbols() const { return symbols; }
  /// The canonical expression of symbol k: itself, an equal symbol, a constant or an expression.
  mlir::AffineExpr getSymbolExpr(unsigned symbol) const { return canonical[symbol]; }

  /// The extent of dimension `dim` of a tensor value of the program.
  mlir::AffineExpr getExtent(mlir::Value tensor, unsigned dim) const;
  /// The extents of all dimensions, in order.
  llvm::SmallVector<mlir::AffineExpr> getExtents(mlir::Value tensor) const;
  /// The extent of an id of the domain of a result; the ids of an argument are its dimensions.
  mlir::AffineExpr getIdExtent(mlir::Value value, unsigned id) const;
  /// The value of a scalar (an integer or index that `arith`, `affine.apply` and `tensor.dim`
  /// compute from arguments and constants); null if it has no expression.
  mlir::AffineExpr getScalar(mlir::Value scalar) const;

  /// Extents that must be equal for the program to be legal, and that neither static types nor
  /// facts prove equal: each call has to be checked. Expressions use symbols that are not
  /// canonicalized; `op` is the op that requires the equality.
  struct Equality {
    mlir::AffineExpr lhs, rhs;
    mlir::Operation *op;
  };
  llvm::ArrayRef<Equality> getImpliedEqualities() const { return equalities; }

  /// `lhs <= rhs` must hold for the program to be legal (a slice is inside of its operand), and
  /// neither static types nor facts prove it: each call has to be checked. `op` is the op that
  /// requires it.
  struct Bound {
    mlir::AffineExpr lhs, rhs;
    mlir::Operation *op;
  };
  llvm::ArrayRef<Bound> getImpliedBounds() const { return bounds; }

  // Properties of an expression of symbols (canonical or not) that static types and the `facts` of
  // the program prove.

  /// The known bounds of the value.
  IntegerRange getRange(mlir::AffineExpr expr) const;
  /// The largest value, if there is a bound.
  std::optional<int64_t> getUpperBound(mlir::AffineExpr expr) const;
  /// The smallest value: at least 0 for an extent, IntegerRange::kUnboundedBelow for a scalar
  /// without a bound.
  int64_t getLowerBound(mlir::AffineExpr expr) const;
  std::optional<int64_t> getConstant(mlir::AffineExpr expr) const;
  /// The largest known divisor: at least 1, or 0 if the value is 0.
  int64_t getKnownDivisor(mlir::AffineExpr expr) const;
  bool isProvablyEqual(mlir::AffineExpr lhs, mlir::AffineExpr rhs) const;
  /// The known alignment in bytes of the pointer of an argument, or of output j as number
  /// (arguments + j): at least the element size.
  int64_t getPointerAlignment(unsigned argOrOutput) const { return alignments[argOrOutput]; }
  /// The same if a fact states it.
  std::optional<int64_t> getStatedAlignment(unsigned argOrOutput) const {
    return haveStatedAlignments[argOrOutput] ? std::optional(alignments[argOrOutput])
                                             : std::nullopt;
  }
  /// The bound on the distance in elements between the first and the farthest element of an
  /// argument or output (the `elements_at_most` fact), if there is one.
  std::optional<int64_t> getElementsAtMost(unsigned argOrOutput) const;
  /// The known divisor of the stride of a dimension of an argument, in elements, if the stride is
  /// not a product of extents (the `stride_divisible` facts): at least 1.
  int64_t getStrideDivisor(unsigned argument, unsigned dim) const;
  /// The same stride, if it is a known number (the `stride_is` facts).
  std::optional<int64_t> getKnownStride(unsigned argument, unsigned dim) const;
  /// `expr` with every symbol replaced by its canonical expression.
  mlir::AffineExpr canonicalize(mlir::AffineExpr expr) const;
  /// What the program states of canonical expressions.
  const SymbolFacts &getFacts() const { return facts; }
  /// The canonical normal form: a sum of products in a fixed order, as the facts allow.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

private:
  friend class ExtentBuilder;

  /// Extents of the ids of one value's domain, and the ids of its dimensions.
  struct ValueExtents {
    llvm::SmallVector<mlir::AffineExpr> ids;
    llvm::SmallVector<unsigned> dims;
  };

  llvm::SmallVector<Symbol> symbols;
  llvm::SmallVector<mlir::AffineExpr> canonical;
  llvm::MapVector<mlir::Value, ValueExtents> values;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> scalars;
  llvm::SmallVector<Equality> equalities;
  llvm::SmallVector<Bound> bounds;
  llvm::SmallVector<int64_t> alignments;
  llvm::SmallBitVector haveStatedAlignments;
  llvm::SmallVector<std::optional<int64_t>> elementBounds;
  /// By argument and dimension.
  llvm::DenseMap<std::pair<unsigned, unsigned>, int64_t> strideDivisors, knownStrides;
  SymbolFacts facts;
};

/// Bytes of one element in memory; a bool has one byte.
int64_t getElementBytes(mlir::Type element);

/// The extents of the outputs of a transform, from those of its inputs (`outputs` is filled).
void inferTransformExtents(const DomainTransform &transform,
                           llvm::ArrayRef<mlir::AffineExpr> inputs, mlir::MLIRContext *context,
                           llvm::SmallVectorImpl<mlir::AffineExpr> &outputs);

} // namespace fuser

#endif // FUSER_IDS_EXTENTS_H
