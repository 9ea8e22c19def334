//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/Interruption.h"
#include "mlir/IR/Action.h"

using namespace mlir;
using namespace fuser;

namespace {
/// A step of a long loop, which does nothing itself.
class CheckpointAction : public tracing::ActionImpl<CheckpointAction> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckpointAction)
  explicit CheckpointAction(ArrayRef<IRUnit> units) : ActionImpl(units) {}
  static constexpr StringLiteral tag = "fuser-checkpoint";
};
} // namespace

bool fuser::isInterrupted(MLIRContext *context) {
  bool runs = false;
  context->executeAction<CheckpointAction>([&] { runs = true; }, ArrayRef<IRUnit>());
  return !runs;
}

InterruptionScope::InterruptionScope(MLIRContext *context, const int *flag)
    : context(context), flag(flag) {
  if (flag)
    context->registerActionHandler([this](function_ref<void()> step, const tracing::Action &) {
      if (!isInterrupted())
        step();
    });
}

InterruptionScope::~InterruptionScope() {
  if (flag)
    context->registerActionHandler({});
}

bool InterruptionScope::isInterrupted() const {
  return flag && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}
