//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that are rarely executed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_RAREOPS_H
#define FUSER_DIALECT_IR_RAREOPS_H

#include "llvm/ADT/StringRef.h"

namespace fuser {

/// Discardable unit attribute of an `arith.select` of a scalar form: its condition holds for few
/// elements, so that kernels compute its true value in a branch.
inline constexpr llvm::StringLiteral kRareAttrName = "fuser.rare";

} // namespace fuser

#endif // FUSER_DIALECT_IR_RAREOPS_H
