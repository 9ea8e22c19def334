//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parts of a join that are computed from one value.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_SHAREDPARTS_H
#define FUSER_LIB_SEGMENTATION_SHAREDPARTS_H

#include "mlir/IR/ValueRange.h"

namespace fuser {

/// True if several of the parts of a join are computed from one value that is computed for them: a
/// kernel that reads the parts at offsets would need it at two offsets.
bool shareWork(mlir::ValueRange parts);

/// True if parts of one shape, of those that are not read as they are, are computed from one value
/// with all of their dimensions: a kernel that reads the parts at offsets reads it at one of them.
bool shareReads(mlir::ValueRange parts, llvm::function_ref<bool(mlir::Value)> isRead);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_SHAREDPARTS_H
