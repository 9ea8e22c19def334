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
  /// An op without a conversion is an error; the module is then not changed.
  bool strict = false;
  /// Drop `cf.assert` from bodies instead of refusing the op around it.
  bool dropAsserts = false;
};

struct LinalgToFuserCounts {
  unsigned fusions = 0;
  /// Number of ops without a conversion, which stay.
  unsigned refused = 0;
};

/// Converts ops in the functions of `module` to fusions. See `fuser-convert-linalg-to-fuser`. Fails
/// only with `strict`, after an error at each op that cannot be converted.
mlir::FailureOr<LinalgToFuserCounts> convertLinalgToFuser(mlir::ModuleOp module,
                                                          const LinalgToFuserOptions &options = {});

/// Turns fusions into functions of linalg; returns how many. See `fuser-convert-fuser-to-linalg`.
/// Fails only with `strict`, after an error at the first op that cannot be expressed, and then does
/// not change the module.
mlir::FailureOr<unsigned> convertFuserToLinalg(mlir::ModuleOp module, bool strict = false);

#define GEN_PASS_DECL
#include "fuser/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fuser/Conversion/Passes.h.inc"

} // namespace fuser

#endif // FUSER_CONVERSION_PASSES_H
