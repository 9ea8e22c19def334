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
#include "llvm/ADT/SmallVector.h"

namespace fuser {

/// Extents of a `fuser.fusion` or `fuser.kernel`.
///
/// Symbol k (AffineSymbolExpr k) is the k-th of: every dimension of every tensor argument, in order
/// (static ones too, so that numbering depends on ranks only), then every integer or index
/// argument, in order. Expressions are canonical: a static size is a constant, and of sizes that
/// are equal, by a fact or because an op maps them to one id, one symbol stands for all.
///
/// The analysis describes the program as it was when `create` ran; ops that are added or
/// rescheduled later are unknown to it.
class ExtentAnalysis {
public:
  /// Fails with a diagnostic at the op whose extent arguments do not determine, or where extents
  /// that must be equal are two constants.
  static mlir::FailureOr<ExtentAnalysis> create(mlir::FunctionOpInterface program);

  /// What a symbol stands for: dimension `dim` of argument `arg`, or (dim -1) the value of the
  /// scalar argument `arg`.
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
  /// compute from arguments and constants); null where it has no expression.
  mlir::AffineExpr getScalar(mlir::Value scalar) const;

  /// Extents that must be equal for the program to make sense, and that neither static types nor
  /// facts make equal: what a call must be checked for. Expressions are over uncanonicalised
  /// symbols; `op` is the op that demands it.
  struct Equality {
    mlir::AffineExpr lhs, rhs;
    mlir::Operation *op;
  };
  llvm::ArrayRef<Equality> getImpliedEqualities() const { return equalities; }

  // What static types and the `facts` of the program prove of an expression of symbols (canonical
  // or not).

  /// All that is known of the value's size.
  IntegerRange getRange(mlir::AffineExpr expr) const;
  /// The largest value, if there is a bound.
  std::optional<int64_t> getUpperBound(mlir::AffineExpr expr) const;
  /// The smallest value: at least 0 for an extent, IntegerRange::kUnboundedBelow where nothing is
  /// known of a scalar.
  int64_t getLowerBound(mlir::AffineExpr expr) const;
  std::optional<int64_t> getConstant(mlir::AffineExpr expr) const;
  /// The largest known divisor: at least 1, or 0 where the value is 0.
  int64_t getKnownDivisor(mlir::AffineExpr expr) const;
  bool isProvablyEqual(mlir::AffineExpr lhs, mlir::AffineExpr rhs) const;
  /// The bytes to which the pointer of an argument, or of output j as number (arguments + j), is
  /// aligned: the element size where nothing is known.
  int64_t getPointerAlignment(unsigned argOrOutput) const { return alignments[argOrOutput]; }
  /// The bound on the distance in elements between the first and the farthest element of an
  /// argument or output (the `elements_at_most` fact), if there is one.
  std::optional<int64_t> getElementsAtMost(unsigned argOrOutput) const;
  /// What is known to divide the stride of a dimension of an argument, in elements, where no
  /// extents tell (the `stride_divisible` facts): at least 1.
  int64_t getStrideDivisor(unsigned argument, unsigned dim) const;
  /// `expr` with every symbol replaced by its canonical expression.
  mlir::AffineExpr canonicalize(mlir::AffineExpr expr) const;
  /// The canonical normal form: a sum of products in a fixed order, as the facts allow.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;

private:
  friend class ExtentBuilder;

  /// Extents of the ids of one value's domain, and which ids are its dimensions.
  struct ValueExtents {
    llvm::SmallVector<mlir::AffineExpr> ids;
    llvm::SmallVector<unsigned> dims;
  };

  llvm::SmallVector<Symbol> symbols;
  llvm::SmallVector<mlir::AffineExpr> canonical;
  llvm::DenseMap<mlir::Value, ValueExtents> values;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> scalars;
  llvm::SmallVector<Equality> equalities;
  llvm::SmallVector<int64_t> alignments;
  llvm::SmallVector<std::optional<int64_t>> elementBounds;
  /// By argument and dimension.
  llvm::DenseMap<std::pair<unsigned, unsigned>, int64_t> strideDivisors;
  SymbolFacts facts;
};

/// Bytes of one element in memory; a bool takes one.
int64_t getElementBytes(mlir::Type element);

/// The extents of the outputs of a transform, from those of its inputs (`outputs` is filled).
void inferTransformExtents(const DomainTransform &transform,
                           llvm::ArrayRef<mlir::AffineExpr> inputs, mlir::MLIRContext *context,
                           llvm::SmallVectorImpl<mlir::AffineExpr> &outputs);

} // namespace fuser

#endif // FUSER_IDS_EXTENTS_H
