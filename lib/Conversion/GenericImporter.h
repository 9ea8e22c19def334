//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts one linalg.generic into a fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_GENERICIMPORTER_H
#define FUSER_LIB_CONVERSION_GENERICIMPORTER_H

#include "Combiners.h"
#include "Extremes.h"
#include "Importer.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>

namespace fuser::conversion {

/// Converts the results of one generic op. Its loops are numbered as its iterators; a value "over"
/// some loops is a tensor with one dimension for each of them, in that order, of size 1 if the
/// value is invariant in the loop; scalars are over any loops.
///
/// Reduction loops that appear in sums of loops (the window of a convolution) are *taps*: they are
/// unrolled, and `taps` holds their indices in the current round.
class GenericImporter {
public:
  GenericImporter(Importer &importer, mlir::linalg::GenericOp op) : im(importer), op(op) {}

  /// The new value of each result; null for those that are not in `wanted`. Fails with a reason.
  mlir::FailureOr<llvm::SmallVector<Value>> convert(llvm::ArrayRef<bool> wanted);

private:
  using Loops = llvm::SmallVector<unsigned>;

  mlir::LogicalResult checkBody();
  mlir::LogicalResult findSizes();
  void findTaps();
  bool isTap(unsigned loop) const { return llvm::is_contained(tapLoops, loop); }
  mlir::AffineExpr substituteTaps(mlir::AffineExpr expr);

  /// A new value of an operand over `target`, which holds every loop that it depends on.
  Value align(Value value, mlir::AffineMap map, llvm::ArrayRef<unsigned> target);
  /// The elements of an operand that the windows and constants of its map read, with one dimension
  /// for each loop of `read`.
  Value readWindow(Value value, mlir::AffineMap map, Loops &read);
  /// True if readWindow reads operands at `map`: each dimension at a loop of its own, from an
  /// offset in steps, or at a constant.
  bool isWindow(mlir::AffineMap map);
  /// The elements of an operand at another map, over all loops (Extracts.cpp).
  Value readAtMap(Value value, Value oldValue, mlir::AffineMap map);
  /// An expression of loops and constants as integers of i64, over all loops.
  Value evalIndexExpr(mlir::AffineExpr expr);
  /// Expands a value over `over` to its full size in every dimension.
  Value expand(Value value, llvm::ArrayRef<unsigned> over);
  /// Permutes a value over `over` to the order of a result's map.
  Value arrange(Value value, llvm::ArrayRef<unsigned> over, mlir::AffineMap map);

  /// Evaluates a value of the body over `loops`.
  Value eval(Value bodyValue);
  Value evalArgument(mlir::BlockArgument argument);
  Value evalOp(mlir::Operation *bodyOp);
  Value evalIndex(unsigned loop);
  /// An element of a tensor at indices that the body computes (Extracts.cpp).
  Value evalExtract(mlir::tensor::ExtractOp extract);
  /// How one dimension of a tensor is read: at offset + step * loop, at the constant `offset`, or
  /// at `data` (i64, over loops).
  struct Position {
    std::optional<unsigned> loop;
    int64_t step = 1;
    mlir::AffineExpr offset;
    /// The loop has the size of the dimension.
    bool isWhole = false;
    Value data;
  };
  mlir::FailureOr<Position> findPosition(Value index, Value oldTable, unsigned dim, Loops &used);
  mlir::AffineExpr getIndexExprOfBody(Value index);
  /// The elements of `table` at `positions`, over all loops.
  Value readAt(Value table, llvm::MutableArrayRef<Position> positions);
  /// The parts of readAt: the box of dimensions that are not read at data; one dimension instead of
  /// all that are; the gather.
  Value readBox(Value table, llvm::MutableArrayRef<Position> positions);
  Value mergeData(Value table, llvm::SmallVectorImpl<Position> &positions);
  Value gather(Value table, llvm::ArrayRef<Position> positions);

  /// The loops that a result at `map` does not have.
  mlir::FailureOr<Loops> findReduced(mlir::AffineMap map);
  bool isReduction(llvm::ArrayRef<unsigned> reduced);
  Value convertResult(unsigned result);
  /// Converts the results that are an extreme and its index.
  mlir::LogicalResult convertIndexedResults(llvm::ArrayRef<bool> wanted,
                                            llvm::MutableArrayRef<Value> results);
  mlir::FailureOr<std::pair<Value, Value>> convertExtreme(const Extreme &extreme,
                                                          unsigned valueResult,
                                                          unsigned indexResult,
                                                          llvm::ArrayRef<unsigned> reduced);
  /// Converts the mean and the sum of squared distances that a body updates by Welford's algorithm
  /// (Variances.cpp).
  mlir::LogicalResult convertVariance(llvm::MutableArrayRef<Value> results);
  mlir::LogicalResult buildVariance(Value x, unsigned mean, unsigned squares,
                                    std::optional<unsigned> number,
                                    llvm::ArrayRef<unsigned> reduced,
                                    llvm::MutableArrayRef<Value> results);
  /// True if an index of the body is that of the only reduced loop.
  bool countsFromZero(Value bodyIndex, llvm::ArrayRef<unsigned> reduced);
  /// The reduction of `input` in one round, in the order of `map`.
  Value reduceRound(const Combiner &combiner, Value input, mlir::AffineMap map);
  /// The same as a matrix product; null, without a refusal, if it is not a matrix product.
  Value multiplyRound(Value input, mlir::AffineMap map);
  /// Two factors, and the result's loops that both have, that only the first has, and that only the
  /// second has; `sum` is the loop that both have and the result lacks.
  struct Product {
    mlir::OpOperand *a, *b;
    mlir::AffineMap mapA, mapB;
    Loops batch, m, n;
    unsigned sum = 0;

    void swap() {
      std::swap(a, b);
      std::swap(mapA, mapB);
      std::swap(m, n);
    }
  };
  std::optional<Product> matchProduct(Value input, mlir::AffineMap map);
  /// The product as `fuser.linear` (n is one loop) or `fuser.matmul` (m and n are at most one).
  Value buildLinear(const Product &product, mlir::Type element, mlir::AffineMap map);
  Value buildMatmul(const Product &product, mlir::Type element, mlir::AffineMap map);

  Importer &im;
  mlir::linalg::GenericOp op;
  /// All loops except taps, ascending.
  Loops loops;
  Loops tapLoops;
  llvm::SmallVector<mlir::AffineExpr> sizes;
  llvm::DenseMap<unsigned, int64_t> taps;
  /// Values of the body in this round.
  llvm::DenseMap<Value, Value> values;
  /// The running values of the results must not be read.
  bool reducing = false;
};

/// A copy of a reduction, before it, whose body combines its running values with one other value
/// where the original uses fused multiplications or keeps a running value under a condition
/// (Bodies.cpp); null if there is nothing to rewrite. The caller erases it.
mlir::linalg::GenericOp rewriteReduction(mlir::linalg::GenericOp op);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_GENERICIMPORTER_H
