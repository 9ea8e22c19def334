//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What rewrites of scatters and pushes share.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_PRESEG_SCATTERS_H
#define FUSER_LIB_PRESEG_SCATTERS_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Replaces a push by a scatter, whose order is one of those that the push allows.
void replaceByScatter(PushOp op);

} // namespace fuser

#endif // FUSER_LIB_PRESEG_SCATTERS_H
