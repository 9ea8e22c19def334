//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranges of expressions, for normal forms. Private to the room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_IDS_SYMBOLRANGES_H
#define FUSER_LIB_IDS_SYMBOLRANGES_H

#include "fuser/Ids/SymbolFacts.h"

namespace fuser {

/// The bounds of a value by interval arithmetic alone: without the cases of positive parts, which
/// need the normal forms of others.
IntegerRange getIntervalOf(const SymbolFacts &facts, mlir::AffineExpr expr);

} // namespace fuser

#endif // FUSER_LIB_IDS_SYMBOLRANGES_H
