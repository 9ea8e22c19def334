//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The facts that a lowered kernel relies on, kept after its `fuser.kernel` is gone.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_KERNELFACTS_H
#define FUSER_DIALECT_IR_KERNELFACTS_H

#include "llvm/ADT/StringRef.h"

namespace fuser {

/// Discardable attribute of a `gpu.func` of kernel IR: an array of `#fuser.fact` on the operands of
/// its launches (inputs, then outputs) that its code relies on. Lowering keeps the facts of the
/// `fuser.kernel` there; each becomes a guard of the artifact.
inline constexpr llvm::StringLiteral kKernelFactsAttrName = "fuser.facts";

} // namespace fuser

#endif // FUSER_DIALECT_IR_KERNELFACTS_H
