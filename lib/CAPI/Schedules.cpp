//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules that callers from C choose.
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fuser;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;

Expected<std::function<void(Phase, ModuleOp)>> capi::forceSchedule(const char *scheduler,
                                                                   const char *schedule) {
  std::string name = scheduler ? scheduler : "", parameters = schedule ? schedule : "";
  if (!parameters.empty()) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text += (text.empty() ? "schedule: " : "; ") + diagnostic.str();
    });
    if (!parseAttribute(parameters, &context))
      return Error{ErrorCode::InvalidProgram, text};
  }
  return std::function<void(Phase, ModuleOp)>([name, parameters](Phase phase, ModuleOp module) {
    if (phase != Phase::Segmentation)
      return;
    for (KernelOp kernel : module.getOps<KernelOp>()) {
      MLIRContext *context = module.getContext();
      if (!parameters.empty())
        kernel->setAttr("schedule", parseAttribute(parameters, context));
      else
        kernel->setAttr(FuserSchedDialect::kOnly, StringAttr::get(context, name));
    }
  });
}
