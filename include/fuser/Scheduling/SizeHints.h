//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Concrete sizes to choose a schedule for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SIZEHINTS_H
#define FUSER_SCHEDULING_SIZEHINTS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// What a caller expects the arguments of a fusion or a kernel to be. A hint changes which schedule
/// is chosen, never what a kernel computes: what a schedule relies on is a fact.
class SizeHints {
public:
  /// Nothing is known: sizes are large and divisible by 16.
  SizeHints() = default;

  /// Reads "16384,5002;5002;": sizes of one argument between commas, arguments between semicolons,
  /// nothing for a scalar, `?` for an unknown size; "" is no hint. Fails with a diagnostic at
  /// `program` where the text does not fit its arguments.
  static mlir::FailureOr<SizeHints> parse(mlir::FunctionOpInterface program, llvm::StringRef text);
  /// Reads the attribute `fuser_sched.sizes` of the kernel; no hints where it has none.
  static mlir::FailureOr<SizeHints> fromAttribute(KernelOp kernel);

  /// The size of a dimension of an argument, if it is known.
  std::optional<int64_t> getSize(unsigned argument, unsigned dim) const;
  void setSize(unsigned argument, unsigned dim, int64_t size) { sizes[{argument, dim}] = size; }
  bool empty() const { return sizes.empty(); }

  /// The value of an expression over the symbols of `extents`, if hints and facts determine it.
  std::optional<int64_t> evaluate(mlir::AffineExpr expr, const ExtentAnalysis &extents) const;

private:
  llvm::DenseMap<std::pair<unsigned, unsigned>, int64_t> sizes;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SIZEHINTS_H
