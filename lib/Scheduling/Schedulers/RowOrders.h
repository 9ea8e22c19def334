//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_ROWORDERS_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_ROWORDERS_H

#include "fuser/Analysis/OrderInference.h"
#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// An order for a value of a norm whose references differ: rows that are stored along their
/// dimensions are normalized in one kernel, which costs less than to read another reference across
/// its rows. Nothing for other values.
std::optional<InferredOrder> inferOrderOfRows(mlir::Value value,
                                              llvm::ArrayRef<OrderReference> references);

/// A result with all dimensions is stored in another order than that of the rows, by elements.
inline constexpr llvm::StringLiteral kTransposedRows = "transposed-rows";

/// `choice` for rows that are used again after their reductions; a refusal if results are stored in
/// another order, and a kernel for the reductions and one that reads the rows again and transposes
/// them take less time.
std::variant<Choice, Refusal> checkStoredOrders(const KernelView &kernel,
                                                const ReductionShape &shape,
                                                std::variant<Choice, Refusal> choice,
                                                const SizeHints &hints,
                                                const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_ROWORDERS_H
