//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The generator of random numbers, as arith.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_PHILOX_H
#define FUSER_LIB_DIALECT_IR_PHILOX_H

#include "mlir/IR/Builders.h"
#include <array>

namespace fuser {

/// Four words of Philox 4x32 with ten rounds (J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel
/// random numbers: as easy as 1, 2, 3", SC 2011). `counter` and `key` are of i32, or vectors of it
/// of one length, and so are the words.
std::array<mlir::Value, 4> buildPhilox(mlir::OpBuilder &builder, mlir::Location loc,
                                       std::array<mlir::Value, 4> counter,
                                       std::array<mlir::Value, 2> key);

} // namespace fuser

#endif // FUSER_LIB_DIALECT_IR_PHILOX_H
