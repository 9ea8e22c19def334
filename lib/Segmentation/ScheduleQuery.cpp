//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScheduleQuery.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

SmallVector<KernelOutput> fuser::getOutputs(ArrayRef<Operation *> ops,
                                            ArrayRef<Operation *> recomputed) {
  llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  SmallVector<KernelOutput> outputs;
  for (Operation *op : ops) {
    if (llvm::is_contained(recomputed, op))
      continue;
    for (Value result : op->getResults()) {
      SmallVector<unsigned> positions;
      bool isRead = false;
      for (OpOperand &use : result.getUses()) {
        if (isa<ReturnOp>(use.getOwner()))
          positions.push_back(use.getOperandNumber());
        else
          isRead |= !own.contains(use.getOwner());
      }
      llvm::sort(positions);
      for (unsigned position : positions)
        outputs.push_back({result, position, std::nullopt});
      if (isRead && positions.empty())
        outputs.push_back({result, std::nullopt, std::nullopt});
    }
  }
  return outputs;
}

Verdict ScheduleQuery::ask(ArrayRef<Operation *> ops, ArrayRef<Operation *> recomputed) {
  ++counts.queries;
  Verdict verdict;
  BuiltKernel built =
      builder.build(ops, getOutputs(ops, recomputed), "query", /*keepArguments=*/false);
  OwningOpRef<KernelOp> kernel(built.kernel);
  // What an analysis cannot do with these ops is a refusal too.
  std::string message;
  ScopedDiagnosticHandler handler(kernel->getContext(), [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  FailureOr<KernelView> view = KernelView::create(*kernel);
  FailureOr<SizeHints> hints = SizeHints::fromAttribute(*kernel);
  if (failed(view) || failed(hints)) {
    verdict.refusals.push_back("analysis: " + message);
    return verdict;
  }
  for (const std::unique_ptr<Scheduler> &scheduler : options.registry->getSchedulers()) {
    auto refuse = [&](const Refusal &refusal) {
      verdict.refusals.push_back(scheduler->getName().str() + ": " + refusal.sentence);
    };
    ++counts.answers;
    Answer answer = scheduler->accepts(*view);
    if (auto *refusal = std::get_if<Refusal>(&answer)) {
      refuse(*refusal);
      continue;
    }
    // Sizes can make it impossible.
    std::variant<Choice, Refusal> choice = scheduler->choose(*view, *hints, options.device);
    if (auto *refusal = std::get_if<Refusal>(&choice)) {
      refuse(*refusal);
      continue;
    }
    verdict.scheduler = scheduler.get();
    return verdict;
  }
  return verdict;
}
