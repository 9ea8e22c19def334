//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Offsets of accesses: one expression of the indices of a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_OFFSETEXPRS_H
#define FUSER_LIB_LOWERING_OFFSETEXPRS_H

#include "LoopExprs.h"

namespace fuser {

class OffsetExprs {
public:
  OffsetExprs(loop::KernelOp kernel, LoopFacts &facts)
      : kernel(kernel), context(kernel.getContext()), facts(facts) {}

  /// From the first element of the buffer; of a distributed one, from the first that a block has.
  mlir::AffineExpr getOffset(mlir::Value buffer, llvm::ArrayRef<mlir::AffineExpr> indices);
  /// Bytes that the first element of the buffer is known to be aligned to.
  int64_t getAlignment(mlir::Value buffer);
  /// Joins nested quotients by constants, and drops quotients and remainders that ranges make
  /// constant or equal to their dividends.
  mlir::AffineExpr fold(mlir::AffineExpr expr) const;
  /// As `fold`, and splits off what constant divisors divide: (8 * a + b) floordiv 4 is
  /// 2 * a + b floordiv 4.
  mlir::AffineExpr simplify(mlir::AffineExpr expr) const;
  /// Dimensions that are merged in the loops and contiguous in memory need no division. Without
  /// any, the expression stays as it is written, as its parts may be shared.
  mlir::AffineExpr joinTerms(mlir::AffineExpr sum) const;

private:
  mlir::AffineExpr getDividend(mlir::AffineExpr term, mlir::AffineExpr value,
                               mlir::AffineExpr divisor, mlir::AffineExpr scale) const;
  bool joinPair(llvm::SmallVectorImpl<mlir::AffineExpr> &terms) const;

  loop::KernelOp kernel;
  mlir::MLIRContext *context;
  LoopFacts &facts;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_OFFSETEXPRS_H
