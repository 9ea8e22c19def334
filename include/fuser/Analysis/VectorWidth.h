//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How wide a vector access to a buffer may be.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_VECTORWIDTH_H
#define FUSER_ANALYSIS_VECTORWIDTH_H

#include "fuser/Analysis/Contiguity.h"

namespace fuser {

/// The widest access of the hardware, in bytes and elements.
constexpr int64_t kMaxVectorBytes = 16;
constexpr int64_t kMaxVectorElements = 16;

/// What is known of one concrete buffer.
struct BufferHint {
  /// By dimension of the argument or output, in the order of its type; strides in elements.
  llvm::SmallVector<int64_t> sizes, strides;
  /// A number of bytes that divides the address.
  int64_t alignment = 1;
};

/// The widest legal vector, in elements (a power of two), for accesses of a buffer along its
/// `inner` fastest dimensions taken as one: these must be contiguous, the vector must divide their
/// number of elements and the stride of every slower dimension, and its bytes the alignment of the
/// base. `inner` is at least 1; 1 is the answer where nothing wider is legal.
///
/// By facts: `argOrOutput` numbers the buffer as facts do (output j: arguments + j).
int64_t getMaxVectorWidth(mlir::FunctionOpInterface program, const ExtentAnalysis &extents,
                          unsigned argOrOutput, unsigned inner = 1);
/// By concrete numbers; `order` lists the dimensions from slowest to fastest.
int64_t getMaxVectorWidth(const BufferHint &hint, llvm::ArrayRef<int64_t> order,
                          int64_t elementBytes, unsigned inner = 1);

} // namespace fuser

#endif // FUSER_ANALYSIS_VECTORWIDTH_H
