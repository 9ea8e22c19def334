//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of this room; each is described in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PRESEG_PASSES_H
#define FUSER_PRESEG_PASSES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace fuser {

#define GEN_PASS_DECL
#include "fuser/Preseg/Passes.h.inc"

/// Removes the layout hints of `root` and of every op in it; returns how many there were. See
/// `fuser-strip-hints`.
unsigned stripHints(mlir::Operation *root);

/// Turns each `fuser.stride_order` of an output into a requirement and every other one into a hint;
/// returns how many there were. Fails with a diagnostic at one that contradicts a requirement or an
/// alias; the fusion may then be partially rewritten. See `fuser-resolve-stride-orders`.
mlir::FailureOr<unsigned> resolveStrideOrders(FusionOp fusion);

/// Adds an order hint to each value whose references suggest a better order than row-major; returns
/// the number of hints. The first of `schedulers` that answers decides on a value before the
/// general rules. See `fuser-infer-allocation-order`.
unsigned inferAllocationOrders(FusionOp fusion, llvm::ArrayRef<const Scheduler *> schedulers = {});

/// Creates the pass with the registry whose schedulers are queried: the one that the option
/// `scheduler` names, else all. Null: none.
std::unique_ptr<mlir::Pass>
createInferAllocationOrderPass(std::shared_ptr<const SchedulerRegistry> registry,
                               const FuserInferAllocationOrderOptions &options = {});

#define GEN_PASS_REGISTRATION
#include "fuser/Preseg/Passes.h.inc"

} // namespace fuser

#endif // FUSER_PRESEG_PASSES_H
