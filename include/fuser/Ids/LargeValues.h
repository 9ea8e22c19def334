//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of a kernel with more elements than its arguments and results: the loops of an outer
// product that is reduced again count further than any offset in memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_LARGEVALUES_H
#define FUSER_IDS_LARGEVALUES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// The values that ops of a kernel or a fusion compute of which nothing proves that they have at
/// most `most` elements, or no more than one of the arguments that are read and the results. A
/// value with an unknown extent is none of them.
llvm::SmallVector<mlir::Value> findLargeValues(mlir::FunctionOpInterface program,
                                               const ExtentAnalysis &extents, int64_t most);

} // namespace fuser

#endif // FUSER_IDS_LARGEVALUES_H
