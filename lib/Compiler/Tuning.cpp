//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Enumerates schedules as text.
//
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Tuning.h"
#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleLibrary.h"
#include "fuser/Scheduling/ScheduleSpace.h"
#include "fuser/Scheduling/TargetDevice.h"
#include "fuser/Support/Interruption.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fuser;

static std::string print(ScheduleParamsInterface params) {
  std::string text;
  llvm::raw_string_ostream(text) << Attribute(params);
  return text;
}

/// "threads = 64, vector = 4": the parameters that are not those of `choice`; of another scheduler,
/// those that are not the default.
static std::string describeDifference(ScheduleParamsInterface params,
                                      ScheduleParamsInterface choice) {
  if (params.getSchedulerName() != choice.getSchedulerName()) {
    const std::string text = print(params);
    return StringRef(text).split('<').second.rsplit('>').first.str();
  }
  const SmallVector<ScheduleParameter> own = params.getParameters(),
                                       others = choice.getParameters();
  std::string text;
  for (size_t number = 0; number < own.size(); ++number) {
    const ScheduleParameter &each = own[number];
    if (each.kind == ScheduleParameter::Kind::Fixed || each.value == others[number].value)
      continue;
    text += (text.empty() ? "" : ", ") + each.name.str() + " = ";
    text += each.kind == ScheduleParameter::Kind::Flag ? (each.value ? "true" : "false")
                                                       : std::to_string(each.value);
  }
  return text;
}

/// The kernel with the parameters as its schedule.
static std::string printEntry(KernelOp kernel, ScheduleParamsInterface params) {
  OwningOpRef<KernelOp> entry(kernel.clone());
  for (StringRef note : {FuserSchedDialect::kDecision, FuserSchedDialect::kOnly,
                         FuserSchedDialect::kSettled, FuserSchedDialect::kCopy})
    (*entry)->removeAttr(note);
  (*entry)->setAttr("schedule", params);
  std::string text;
  llvm::raw_string_ostream stream(text);
  entry->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

static TuningKernel describe(KernelOp kernel, ScheduleSpace &&space) {
  TuningKernel result;
  result.names.push_back(kernel.getSymName().str());
  result.refused = std::move(space.refused);
  result.numLeftOut = space.numLeftOut;
  for (const ScheduleOption &option : space.options) {
    const ScheduleParamsInterface params = option.choice.params;
    result.options.push_back({option.scheduler->getName().str(), print(params),
                              describeDifference(params, space.options.front().choice.params),
                              option.microseconds, printEntry(kernel, params)});
  }
  return result;
}

/// Removes kernels that do not take an entry of a library: those that a script schedules, which may
/// be some of several equal ones. `module` is past phase Choose afterwards.
static LogicalResult keepTunable(ModuleOp module, PipelineOptions pipeline,
                                 std::vector<TuningKernel> &kernels) {
  llvm::erase_if(kernels, [](const TuningKernel &kernel) { return kernel.options.empty(); });
  if (kernels.empty())
    return success();
  SmallVector<StringRef> entries;
  for (const TuningKernel &kernel : kernels)
    entries.push_back(kernel.options.front().entry);
  auto library =
      ScheduleLibrary::parse(printSchedules(entries, pipeline.target.name), module.getContext());
  if (failed(library))
    return failure();
  pipeline.library = std::move(*library);
  if (failed(runPhase(module, Phase::Choose, pipeline)))
    return failure();
  for (TuningKernel &kernel : kernels)
    llvm::erase_if(kernel.names, [&](const std::string &name) {
      auto chosen = module.lookupSymbol<KernelOp>(name);
      return !chosen || !chosen->hasAttr(FuserSchedDialect::kTuned);
    });
  llvm::erase_if(kernels, [](const TuningKernel &kernel) { return kernel.names.empty(); });
  return success();
}

/// The schedules of one kernel.
static FailureOr<TuningKernel> enumerate(KernelOp kernel, const PipelineOptions &pipeline,
                                         const artifact::DeviceDescription &device, size_t most) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  FailureOr<SizeHints> hints = kernel->hasAttr(FuserSchedDialect::kSizes)
                                   ? SizeHints::fromAttribute(kernel)
                                   : SizeHints::parse(kernel, pipeline.sizes);
  if (failed(view) || failed(hints))
    return failure();
  std::optional<Choice> given;
  if (KernelOp entry = pipeline.library ? pipeline.library->find(kernel) : nullptr) {
    FailureOr<Choice> evaluated = evaluateEntry(entry, *view, *pipeline.registry, *hints, device);
    if (failed(evaluated))
      return failure();
    given = std::move(*evaluated);
  }
  TuningKernel result =
      describe(kernel, enumerateSchedules(*view, *pipeline.registry, *hints, device,
                                          getScheduleVerifier(), most, given ? &*given : nullptr));
  result.isFirstGiven = given.has_value();
  return result;
}

FailureOr<std::vector<TuningKernel>>
fuser::enumerateSchedules(ModuleOp module, const CompileOptions &options, size_t most) {
  PipelineOptions pipeline = options.pipeline;
  pipeline.registry = getRegistry(pipeline);
  if (!options.schedules.empty()) {
    auto library = ScheduleLibrary::parse(options.schedules, module.getContext());
    if (failed(library))
      return failure();
    pipeline.library = std::move(*library);
  }
  for (Phase phase : {Phase::Preseg, Phase::Segmentation})
    if (failed(runPhase(module, phase, pipeline)))
      return failure();
  module.getContext()->getOrLoadDialect<FuserSchedDialect>();
  FailureOr<artifact::DeviceDescription> device = findDevice(
      module, pipeline.target.chip,
      pipeline.target.multiprocessors > 0 ? std::optional(pipeline.target) : std::nullopt);
  if (failed(device))
    return failure();
  std::vector<TuningKernel> kernels;
  SmallVector<KernelOp> first;
  for (auto kernel : module.getOps<KernelOp>()) {
    if (kernel->hasAttr("schedule") || isScheduled(kernel))
      continue;
    auto *same = llvm::find_if(first, [&](KernelOp other) { return haveOneEntry(kernel, other); });
    if (same != first.end()) {
      kernels[same - first.begin()].names.push_back(kernel.getSymName().str());
      continue;
    }
    FailureOr<TuningKernel> enumerated = enumerate(kernel, pipeline, *device, most);
    if (failed(enumerated) || isInterrupted(module.getContext()))
      return failure();
    kernels.push_back(std::move(*enumerated));
    first.push_back(kernel);
  }
  if (failed(keepTunable(module, std::move(pipeline), kernels)))
    return failure();
  return kernels;
}

std::string fuser::printSchedules(ArrayRef<StringRef> entries, StringRef device) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // The attribute quotes the name as MLIR does.
  MLIRContext context;
  stream << "module attributes {" << FuserSchedDialect::kDevice << " = "
         << StringAttr::get(&context, device) << "} {\n";
  for (StringRef entry : entries) {
    SmallVector<StringRef> lines;
    entry.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      stream << "  " << line << "\n";
  }
  stream << "}\n";
  return text;
}
