//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The slow, obvious evaluator of tensor programs: the oracle for all other implementations.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_REFERENCE_EVALUATE_H
#define FUSER_REFERENCE_EVALUATE_H

#include "fuser/Reference/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace fuser::reference {

struct EvaluateOptions {
  /// Round results of type f32 to f32. Otherwise they keep the precision of double until an
  /// explicit cast, so that the difference to a kernel is the kernel's own error.
  bool roundF32 = false;
  /// Perturbs each computed element of a float or complex result up or down, at random: by one unit
  /// in the last place of f64 and f32; for narrower types, before rounding, by the relative error
  /// 2^-17 that kernels with only such outputs may have (ADR 11). Operands of reductions and scans
  /// are perturbed by a unit of f64 or f32 first, because sums round relative to their terms. The
  /// distance between evaluations of several seeds bounds the effect of rounding on a result. Equal
  /// seeds give equal results.
  std::optional<uint64_t> noiseSeed;
};

/// Evaluates a `fuser.fusion`, a `fuser.kernel` or a `fuser.host` (its launches evaluate their
/// kernels) on `args`, one for each argument (a scalar is a tensor without dimensions), and returns
/// one tensor for each output.
///
/// Every op follows its description, independently of its scalar form and combiner: floats compute
/// in double, integers in int64 and wrap to their width, complex numbers in pairs of doubles.
/// Results of type f16, bf16 and f8 round to the type; f32 according to the options; `fuser.cast`
/// always rounds. Schedules (loop domains, memory, inline positions) have no effect; a root domain
/// does (rfactor).
///
/// Fails with a diagnostic at the op, or at the program if an argument does not fit: a wrong count,
/// element type, rank or static size; sizes that disagree; an index out of range; an op without a
/// reference.
mlir::FailureOr<llvm::SmallVector<Tensor>> evaluate(mlir::FunctionOpInterface program,
                                                    llvm::ArrayRef<Tensor> args,
                                                    const EvaluateOptions &options = {});

} // namespace fuser::reference

#endif // FUSER_REFERENCE_EVALUATE_H
