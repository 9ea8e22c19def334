//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One linalg.generic on its way into a fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_GENERICIMPORTER_H
#define FUSER_LIB_CONVERSION_GENERICIMPORTER_H

#include "Combiners.h"
#include "Importer.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace fuser::conversion {

/// Converts the results of one generic op. Its loops are numbered as its iterators; a value "over"
/// some loops is a tensor with one dimension for each of them, in that order, of size 1 where the
/// value is the same for the whole loop; scalars are over any loops.
///
/// Loops that reduce and appear in sums of loops (the window of a convolution) are *taps*: they are
/// unrolled, and `taps` holds their values in the current round.
class GenericImporter {
public:
  GenericImporter(Importer &importer, mlir::linalg::GenericOp op) : im(importer), op(op) {}

  /// The new value of each result; null for those that are not `wanted`. Fails with a reason.
  mlir::FailureOr<llvm::SmallVector<Value>> convert(llvm::ArrayRef<bool> wanted);

private:
  using Loops = llvm::SmallVector<unsigned>;

  mlir::LogicalResult checkBody();
  mlir::LogicalResult findSizes();
  mlir::LogicalResult findTaps();
  bool isTap(unsigned loop) const { return llvm::is_contained(tapLoops, loop); }
  mlir::AffineExpr substituteTaps(mlir::AffineExpr expr);

  /// A new value of an operand over `target`, which holds every loop that it depends on.
  Value align(Value value, mlir::AffineMap map, llvm::ArrayRef<unsigned> target);
  /// The part of an operand that windows and constants of its map read, one dimension for each loop
  /// of `read`.
  Value readWindow(Value value, mlir::AffineMap map, Loops &read);
  /// A value over `over` with every dimension at its full size.
  Value expand(Value value, llvm::ArrayRef<unsigned> over);
  /// A value over `over` in the order of the map of a result.
  Value arrange(Value value, llvm::ArrayRef<unsigned> over, mlir::AffineMap map);

  /// The value of a body's value over `loops`.
  Value eval(Value bodyValue);
  Value evalArgument(mlir::BlockArgument argument);
  Value evalOp(mlir::Operation *bodyOp);
  Value evalIndex(unsigned loop);

  Value convertResult(unsigned result);
  /// What the reduction of `input` gives in one round, in the order of `map`.
  Value reduceRound(const Combiner &combiner, Value input, mlir::AffineMap map);
  /// The same as a matrix product; null where it is none (and then nothing is refused).
  Value multiplyRound(Value input, mlir::AffineMap map);
  /// Two operands that are multiplied, and the loops of the result that both have, that the first
  /// has alone, and the second; `sum` is the loop that both have and the result has not.
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
  /// All loops but taps, ascending.
  Loops loops;
  Loops tapLoops;
  llvm::SmallVector<mlir::AffineExpr> sizes;
  llvm::DenseMap<unsigned, int64_t> taps;
  /// Values of the body in this round.
  llvm::DenseMap<Value, Value> values;
  /// The results' running values may not be read.
  bool reducing = false;
};

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_GENERICIMPORTER_H
