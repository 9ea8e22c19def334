//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Schedules by kernel, as text.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleLibrary.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fuser;

/// What kernels are compared by: nothing depends on the rest.
static DictionaryAttr getKey(KernelOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  for (StringRef name :
       {StringRef(SymbolTable::getSymbolAttrName()), StringRef("schedule"),
        StringRef(FuserSchedDialect::kDecision), StringRef(FuserSchedDialect::kOnly),
        StringRef(FuserSchedDialect::kSettled), StringRef(FuserSchedDialect::kCopy),
        StringRef(FuserSchedDialect::kTuned)})
    attributes.erase(name);
  return attributes.getDictionary(kernel.getContext());
}

FailureOr<std::shared_ptr<const ScheduleLibrary>> ScheduleLibrary::parse(StringRef text,
                                                                         MLIRContext *context) {
  auto library = std::make_shared<ScheduleLibrary>();
  library->module =
      parseSourceString<ModuleOp>(text, ParserConfig(context), /*sourceName=*/"schedules");
  if (!library->module)
    return failure();
  for (Operation &op : *library->module->getBody()) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      return op.emitError("expected schedules of kernels, but got '") << op.getName() << "'";
    if (!isa_and_nonnull<ScheduleParamsInterface>(kernel->getAttr("schedule")))
      return kernel.emitOpError("expected 'schedule' to hold parameters of a scheduler");
  }
  return std::shared_ptr<const ScheduleLibrary>(std::move(library));
}

bool fuser::haveOneEntry(KernelOp a, KernelOp b) {
  return getKey(a) == getKey(b) &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

KernelOp ScheduleLibrary::find(KernelOp kernel) const {
  for (auto entry : ModuleOp(module.get()).getOps<KernelOp>())
    if (haveOneEntry(entry, kernel))
      return entry;
  return nullptr;
}

static std::variant<Choice, Refusal> evaluate(ScheduleParamsInterface params,
                                              const KernelView &kernel,
                                              const SchedulerRegistry &registry,
                                              const SizeHints &hints,
                                              const artifact::DeviceDescription &device) {
  const Scheduler *scheduler = registry.find(params.getSchedulerName());
  if (!scheduler)
    return refuseParams(params.getSchedulerName(), params);
  Answer answer = scheduler->accepts(kernel);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return std::move(*refusal);
  return scheduler->evaluate(kernel, *std::get<std::unique_ptr<Plan>>(answer), params, hints,
                             device);
}

FailureOr<Choice> fuser::evaluateEntry(KernelOp entry, const KernelView &kernel,
                                       const SchedulerRegistry &registry, const SizeHints &hints,
                                       const artifact::DeviceDescription &device) {
  auto params = cast<ScheduleParamsInterface>(entry->getAttr("schedule"));
  std::variant<Choice, Refusal> answer = evaluate(params, kernel, registry, hints, device);
  if (auto *choice = std::get_if<Choice>(&answer))
    return std::move(*choice);
  const Refusal &refusal = std::get<Refusal>(answer);
  return entry->emitOpError("expected parameters that '")
         << params.getSchedulerName() << "' takes for this kernel, but it refuses them ["
         << refusal.code << "]: " << refusal.sentence;
}
