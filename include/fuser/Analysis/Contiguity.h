//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How arguments, outputs and values lie in memory: order, strides, what is contiguous.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_CONTIGUITY_H
#define FUSER_ANALYSIS_CONTIGUITY_H

#include "fuser/Analysis/Extents.h"

namespace fuser {

/// One dimension (or id) of a buffer.
struct BufferDim {
  /// An argument's or output's dimension; a value's id.
  unsigned index;
  mlir::AffineExpr extent;
  /// Elements between neighbours; null where only run time knows.
  mlir::AffineExpr stride;
};

/// The dimensions of a buffer in memory order. Strides are those of the form (layout facts,
/// required orders, allocation domains); a dimension that the form does not call strided has the
/// product of the faster extents as its stride.
class BufferLayout {
public:
  /// An argument, as its layout fact says.
  static BufferLayout ofArgument(mlir::FunctionOpInterface program, const ExtentAnalysis &extents,
                                 unsigned argument);
  /// An output: dense, in the order that the program requires, else in that of the allocation
  /// domain of the returned value. An output that is an argument (or aliases one) lies as that
  /// argument.
  static BufferLayout ofOutput(mlir::FunctionOpInterface program, const ExtentAnalysis &extents,
                               unsigned output);
  /// A value, as the allocation domain of its result says: ids instead of dimensions.
  static BufferLayout ofValue(mlir::OpResult value, const ExtentAnalysis &extents);

  /// Slowest first.
  llvm::ArrayRef<BufferDim> getDims() const { return dims; }
  /// How many of the fastest dimensions are one dense block: the last has stride 1, each other the
  /// product of the faster extents. Size-1 dimensions interrupt nothing.
  unsigned getNumContiguous() const { return numContiguous; }
  /// Elements of the `count` fastest dimensions.
  mlir::AffineExpr getInnerExtent(unsigned count) const;
  /// Position of a dimension (or id), or -1.
  int64_t find(unsigned index) const;

private:
  BufferLayout(mlir::MLIRContext *context) : context(context) {}
  /// Sets strides from fast to slow: run-time ones where `isStrided` says so.
  void setStrides(llvm::function_ref<bool(unsigned position)> isStrided);

  mlir::MLIRContext *context;
  llvm::SmallVector<BufferDim> dims;
  unsigned numContiguous = 0;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_CONTIGUITY_H
