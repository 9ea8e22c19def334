//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; each is described in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_CONVERSION_PASSES_H
#define FUSER_CONVERSION_PASSES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fuser {

struct LinalgToFuserOptions {
  /// An op that stays is an error; the module is then left as it was.
  bool strict = false;
  /// Drop `cf.assert` from bodies instead of refusing the op around it.
  bool dropAsserts = false;
};

struct LinalgToFuserCounts {
  unsigned fusions = 0;
  /// Ops that have no conversion and stay.
  unsigned refused = 0;
};

/// Turns what converts in the functions of `module` into fusions. See
/// `fuser-convert-linalg-to-fuser`. Fails only with `strict`, after an error at each op that stays.
mlir::FailureOr<LinalgToFuserCounts> convertLinalgToFuser(mlir::ModuleOp module,
                                                          const LinalgToFuserOptions &options = {});

/// Turns fusions into functions of linalg; returns how many. See `fuser-convert-fuser-to-linalg`.
/// Fails only with `strict`, after an error at the first op that has no plain form, and then the
/// module is as it was.
mlir::FailureOr<unsigned> convertFuserToLinalg(mlir::ModuleOp module, bool strict = false);

#define GEN_PASS_DECL
#include "fuser/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fuser/Conversion/Passes.h.inc"

} // namespace fuser

#endif // FUSER_CONVERSION_PASSES_H
