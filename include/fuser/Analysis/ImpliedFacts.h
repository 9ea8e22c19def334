//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Facts that a program implies: sizes that must be equal for it to make sense.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_IMPLIEDFACTS_H
#define FUSER_ANALYSIS_IMPLIEDFACTS_H

#include "fuser/Ids/Extents.h"

namespace fuser {

/// The `facts` of `program`, followed by one for each equality of sizes, or of a size and a
/// constant, that its ops demand, in the order of the ops; null: none. A call has to be checked for
/// all of them, and for `getUnstatedEqualities`.
mlir::ArrayAttr getFactsWithImplied(mlir::FunctionOpInterface program,
                                    const ExtentAnalysis &analysis);

/// The other equalities that ops demand, which no fact can state: of products, quotients, scalars.
llvm::SmallVector<ExtentAnalysis::Equality> getUnstatedEqualities(const ExtentAnalysis &analysis);

} // namespace fuser

#endif // FUSER_ANALYSIS_IMPLIEDFACTS_H
