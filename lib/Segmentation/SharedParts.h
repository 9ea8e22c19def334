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

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_SHAREDPARTS_H
