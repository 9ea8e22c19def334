//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the outputs of a case say: they are the reference's, differ as much as rounding explains, or
// are wrong.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_OUTPUTCHECK_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_OUTPUTCHECK_H

#include "CaseRunner.h"
#include "fuser/Reference/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuser::fuzz {

/// Compares what a device made of `arguments` with what the reference makes of them, element by
/// element. Passed, Rounding or Wrong, with the first output that is wrong as text. An element that
/// differs is explained by rounding where evaluations that add noise to each op
/// (EvaluateOptions::noiseSeed) carry it as far, within a factor of 16.
Outcome checkOutputs(mlir::FunctionOpInterface program, llvm::ArrayRef<reference::Tensor> arguments,
                     llvm::ArrayRef<reference::Tensor> outputs);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_OUTPUTCHECK_H
