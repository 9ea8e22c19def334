//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes failing cases smaller.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_CASEREDUCER_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_CASEREDUCER_H

#include "FuzzCase.h"

namespace fuser::fuzz {

/// Whether a smaller case still fails in the same way.
using StillFails = llvm::function_ref<bool(const FuzzCase &)>;

/// Leaves out steps, outputs and ops as long as the case still fails. An op is left out by reading
/// one of its operands of the same type instead; its steps go with it. Deterministic.
FuzzCase reduce(FuzzCase fuzzCase, mlir::MLIRContext *context, StillFails stillFails);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_CASEREDUCER_H
