//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// f32 divisions of many numbers by one, and by counts of elements.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDDIVISIONS_H
#define FUSER_LIB_LOWERING_EXPANDDIVISIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// Rewrites f32 divisions by numbers that divide many (in a loop, in all lanes, or in several
/// divisions) to products with both parts of their reciprocals, which are computed once. Quotients
/// are rounded correctly but for one of a million, which is off by one unit in the last place;
/// those that are numbers are exact, and zeros keep their signs. Divisions by constants and by
/// counts of elements stay.
void shareDivisors(mlir::gpu::GPUFuncOp function);

/// Rewrites divisions of single f32 numbers by numbers that are computed from sizes to products in
/// f64 with reciprocals: a mean divides once, but the division is a branch around a slow path, over
/// which the assembler moves no loads. The results are the same, except for subnormal ones, which
/// may be off by one unit in the last place.
void divideByCounts(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDDIVISIONS_H
