//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar arguments of fusions: narrow types are passed in a wider one that holds each of their
// values, and narrowed inside.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_SCALARARGUMENTS_H
#define FUSER_LIB_CONVERSION_SCALARARGUMENTS_H

#include "mlir/IR/Builders.h"

namespace fuser::conversion {

/// The type in which a fusion takes a scalar of `type`: i64 for i2 to i32, f32 for floats of less
/// than 32 bits, `type` itself if it is i1, i64, f32, f64, index or complex; else null.
mlir::Type getScalarArgumentType(mlir::Type type);

/// The scalar as an argument of a fusion.
mlir::Value widenScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar);

/// The scalar of `type` that an argument of a fusion holds.
mlir::Value narrowScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value argument,
                         mlir::Type type);

/// What widenScalar was given; `value` itself if it is not such a value.
mlir::Value getNarrowScalar(mlir::Value value);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_SCALARARGUMENTS_H
