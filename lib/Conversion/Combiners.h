//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matches how a body combines its running value with a new one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_COMBINERS_H
#define FUSER_LIB_CONVERSION_COMBINERS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace fuser::conversion {

struct Combiner {
  enum class Kind {
    Add,
    Mul,
    Maximum,
    Minimum,
    /// Without NaN.
    MaxNum,
    MinNum,
    /// Of unsigned integers.
    MaxUnsigned,
    MinUnsigned,
    And,
    Or,
    /// Of bools.
    Xor
  };
  Kind kind;
  /// The value of the body that is combined with the running one.
  mlir::Value input;

  /// Matches the combination of `running` that gives `yielded`; nullopt if it is not a combiner of
  /// a reduction.
  static std::optional<Combiner> match(mlir::Value yielded, mlir::BlockArgument running);

  /// The combiner's identity of a type; null if the type has none.
  mlir::TypedAttr getIdentity(mlir::Type type) const;
  /// True if `initial` is the combiner's identity.
  bool isNeutral(mlir::TypedAttr initial) const;
  mlir::Value reduce(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<int64_t> dims) const;
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs,
                      mlir::Value rhs) const;
};

/// True if `value` is computed from `running` in the body.
bool dependsOn(mlir::Value value, mlir::BlockArgument running);

/// Replaces NaN in `value` by the infinity that loses against all other values.
mlir::Value replaceNaN(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       bool negative);

/// Maps unsigned integers to signed ones with the same order, and back; a tensor or a scalar.
mlir::Value flipSign(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_COMBINERS_H
