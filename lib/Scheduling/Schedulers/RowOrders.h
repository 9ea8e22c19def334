//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWORDERS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWORDERS_H

#include "fuser/Analysis/OrderInference.h"

namespace fuser {

/// An order for a value of a norm whose references differ: rows that are stored along their
/// dimensions are normalized in one kernel, which costs less than to read another reference across
/// its rows. Nothing for other values.
std::optional<InferredOrder> inferOrderOfRows(mlir::Value value,
                                              llvm::ArrayRef<OrderReference> references);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWORDERS_H
