//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-interpret-schedules.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/TransformOps/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERINTERPRETSCHEDULES
#include "fuser/Dialect/TransformOps/Passes.h.inc"
} // namespace fuser

using transform::NamedSequenceOp;
using transform::TransformDialect;

/// The named sequence that is the entry point of a script, or null.
static NamedSequenceOp findScript(ModuleOp module) {
  NamedSequenceOp found;
  module->walk<WalkOrder::PreOrder>([&](NamedSequenceOp sequence) {
    if (sequence.getSymName() != TransformDialect::kTransformEntryPointSymbolName)
      return WalkResult::skip();
    found = sequence;
    return WalkResult::interrupt();
  });
  return found;
}

void fuser::eraseScheduleScripts(ModuleOp module) {
  for (auto sequence : llvm::make_early_inc_range(module.getOps<NamedSequenceOp>()))
    sequence.erase();
  for (auto inner : llvm::make_early_inc_range(module.getOps<ModuleOp>())) {
    bool isScript = inner->hasAttr(TransformDialect::kWithNamedSequenceAttrName);
    eraseScheduleScripts(inner);
    if (isScript && inner.getBody()->empty())
      inner.erase();
  }
  module->removeAttr(TransformDialect::kWithNamedSequenceAttrName);
}

LogicalResult fuser::interpretSchedules(ModuleOp module) {
  NamedSequenceOp script = findScript(module);
  if (!script)
    return success();
  transform::TransformOptions options;
  options.enableExpensiveChecks(true);
  if (failed(transform::applyTransformNamedSequence(module, script, ModuleOp(), options)))
    return failure();
  eraseScheduleScripts(module);
  return success();
}

namespace {
struct InterpretSchedules : fuser::impl::FuserInterpretSchedulesBase<InterpretSchedules> {
  using FuserInterpretSchedulesBase::FuserInterpretSchedulesBase;

  void runOnOperation() override {
    if (onlyErase)
      return eraseScheduleScripts(getOperation());
    if (failed(interpretSchedules(getOperation())))
      signalPassFailure();
  }
};
} // namespace
