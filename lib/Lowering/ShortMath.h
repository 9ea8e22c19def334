//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_SHORTMATH_H
#define FUSER_LIB_LOWERING_SHORTMATH_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// True where an op computes f32, so that short math concerns it.
bool isF32Math(mlir::Operation *op);

/// f32 math whose results only reach memory as floats of at most 16 bits.
struct ShortMathOps {
  llvm::SmallVector<mlir::Operation *> ops;
  /// Issue slots that an element of each value takes, about; of vectors of `width` elements: those
  /// of narrower ones are rows', or the like.
  int64_t slotsPerElement = 0, width = 0;

  /// Adds the slots of `ops`, which compute `newWidth` elements at once.
  void count(llvm::ArrayRef<mlir::Operation *> counted, int64_t newWidth);
};

/// Rewrites short math to cheaper forms of a few ulp: exponentials to the hardware's exp2, tanh and
/// expm1 to an exponential, divisions of vectors by one number to multiplications with its
/// reciprocal; products that are added to one fma, where instructions limit the kernel. Erases ops
/// of `math`.
void useShortMath(const ShortMathOps &math);

/// Rewrites the f32 reciprocals of a function that allow it (fastmath<afn>) to the hardware's, with
/// a step of Newton's. The exact ones have a branch, over which ptxas moves no loads. The divisors
/// are normal numbers whose reciprocals are, as counts.
void useHardwareReciprocals(mlir::gpu::GPUFuncOp function);

/// Rewrites the f32 exponentials of a function that allow it (fastmath<afn>) to the hardware's
/// exp2, with denormal results flushed to 0.
void useHardwareExponentials(mlir::gpu::GPUFuncOp function);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_SHORTMATH_H
