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

/// The `facts` of `program`, followed by one for each equality that its ops demand and that no fact
/// states, in the order of the ops; null: none. A call has to be checked for all of them.
mlir::ArrayAttr getFactsWithImplied(mlir::FunctionOpInterface program,
                                    const ExtentAnalysis &analysis);

} // namespace fuser

#endif // FUSER_ANALYSIS_IMPLIEDFACTS_H
