//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Concrete sizes for which a schedule is chosen.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SIZEHINTS_H
#define FUSER_SCHEDULING_SIZEHINTS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// Expected sizes of the arguments of a fusion or a kernel. A hint affects the choice of a
/// schedule, never the results of a kernel: the assumptions of a schedule are facts.
class SizeHints {
public:
  /// No hints: sizes are assumed to be large and divisible by 16.
  SizeHints() = default;

  /// Reads "16384,5002;5002;7;": sizes of one argument separated by commas, arguments separated by
  /// semicolons, `?` for an unknown size; for an integer its value, `?` or nothing, for another
  /// scalar nothing; "" is no hint. Fails with a diagnostic at `program` if the text does not match
  /// its arguments.
  static mlir::FailureOr<SizeHints> parse(mlir::FunctionOpInterface program, llvm::StringRef text);
  /// Reads the attribute `fuser_sched.sizes` of the kernel, a list of sizes for each tensor and of
  /// one value for an integer, `unit` where it is unknown; no hints if it has none.
  static mlir::FailureOr<SizeHints> fromAttribute(KernelOp kernel);

  /// The size of a dimension of an argument, if it is known.
  std::optional<int64_t> getSize(unsigned argument, unsigned dim) const;
  void setSize(unsigned argument, unsigned dim, int64_t size) {
    sizes[{argument, dim}] = size;
    given = true;
  }
  /// The value of an integer argument, if it is known.
  std::optional<int64_t> getScalar(unsigned argument) const;
  void setScalar(unsigned argument, int64_t value) {
    scalars[argument] = value;
    given = true;
  }
  /// True where there were hints, even if they name no size, as for arguments of rank 0.
  bool areGiven() const { return given; }

  /// The value of an extent over the symbols of `extents`, if hints and facts determine it. One
  /// that a scalar makes empty has none: the first call of a program should not leave a schedule
  /// for no elements to the calls after it (ADR 104).
  std::optional<int64_t> evaluate(mlir::AffineExpr expr, const ExtentAnalysis &extents) const;
  /// The value of any expression.
  std::optional<int64_t> evaluateScalar(mlir::AffineExpr expr,
                                        const ExtentAnalysis &extents) const {
    return compute(expr, extents, /*areScalarsKnown=*/true);
  }

private:
  std::optional<int64_t> compute(mlir::AffineExpr expr, const ExtentAnalysis &extents,
                                 bool areScalarsKnown) const;

  llvm::DenseMap<std::pair<unsigned, unsigned>, int64_t> sizes;
  llvm::DenseMap<unsigned, int64_t> scalars;
  bool given = false;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SIZEHINTS_H
