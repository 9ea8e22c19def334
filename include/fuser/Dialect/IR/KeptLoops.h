//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops of kernel IR that exist to have less code.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_KEPTLOOPS_H
#define FUSER_DIALECT_IR_KEPTLOOPS_H

#include "llvm/ADT/StringRef.h"

namespace fuser {

/// Discardable unit attribute of an `scf.for` of kernel IR: the code generators should not unroll
/// the loop. For code that is rarely executed.
inline constexpr llvm::StringLiteral kKeepLoopAttrName = "fuser.keep_loop";

} // namespace fuser

#endif // FUSER_DIALECT_IR_KEPTLOOPS_H
