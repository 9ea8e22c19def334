//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Schedulers and facts in scripts.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "Schedulers.h"
#include "fuser/Dialect/IR/DependentLaunches.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/TargetDevice.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::transform_ops;

/// Calls `edit` for each kernel of `payload`, for the transform op `op`. If it fails with a
/// diagnostic, the parameters and facts of all kernels are restored.
static DiagnosedSilenceableFailure editKernels(Operation *op, ArrayRef<Operation *> payload,
                                               function_ref<LogicalResult(KernelOp)> edit) {
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds = getKernels(op, payload, kernels);
  if (!kinds.succeeded())
    return kinds;
  static constexpr StringLiteral kNames[] = {"schedule", "facts"};
  auto saved = llvm::map_to_vector(kernels, [](KernelOp kernel) {
    return llvm::map_to_vector<2>(kNames, [&](StringRef name) { return kernel->getAttr(name); });
  });
  DiagnosticCapture capture(op->getContext());
  for (KernelOp failing : kernels) {
    if (succeeded(edit(failing)))
      continue;
    for (auto [kernel, attributes] : llvm::zip_equal(kernels, saved))
      for (auto [name, attribute] : llvm::zip_equal(kNames, attributes)) {
        if (attribute)
          kernel->setAttr(name, attribute);
        else
          kernel->removeAttr(name);
      }
    return capture.makeSilenceable(op, failing);
  }
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// AddFactsOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure AddFactsOp::apply(transform::TransformRewriter &,
                                              transform::TransformResults &,
                                              transform::TransformState &state) {
  auto facts = llvm::to_vector(getFacts().getAsRange<FactAttr>());
  return editKernels(*this, llvm::to_vector(state.getPayloadOps(getKernel())),
                     [&](KernelOp kernel) {
                       addFacts(kernel, facts);
                       // A fact may name an argument or a dimension that the kernel lacks.
                       return mlir::verify(kernel, /*verifyRecursively=*/false);
                     });
}

//===----------------------------------------------------------------------===//
// LaunchDependentOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure LaunchDependentOp::apply(transform::TransformRewriter &,
                                                     transform::TransformResults &,
                                                     transform::TransformState &state) {
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds =
      getKernels(*this, llvm::to_vector(state.getPayloadOps(getKernel())), kernels);
  if (!kinds.succeeded())
    return kinds;
  Attribute when = UnitAttr::get(getContext());
  if (getEarly())
    when = StringAttr::get(getContext(), kEarly);
  for (KernelOp kernel : kernels) {
    bool isLaunched = false;
    kernel->getParentOfType<ModuleOp>().walk([&](LaunchOp launch) {
      if (launch.getKernel().getRootReference() != kernel.getSymNameAttr())
        return;
      launch->setDiscardableAttr(kDependentName, when);
      isLaunched = true;
    });
    if (isLaunched)
      continue;
    DiagnosedSilenceableFailure result =
        emitSilenceableError("expected a launch of the kernel, but there is none");
    result.attachNote(kernel.getLoc()) << "the kernel";
    return result;
  }
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ChooseOp
//===----------------------------------------------------------------------===//

LogicalResult ChooseOp::verify() {
  if (!getParameters())
    return success();
  if (getScheduler())
    return emitOpError("expected a scheduler to choose or parameters, but got both");
  if (!isa<ScheduleParamsInterface>(*getParameters()))
    return emitOpError("expected parameters of a scheduler, but got ") << *getParameters();
  return success();
}

/// Sets the parameters by `scheduler`; fails with its refusal at the kernel.
static LogicalResult chooseWith(const Scheduler &scheduler, KernelOp kernel, const SizeHints &hints,
                                const artifact::DeviceDescription &device) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  Answer answer = scheduler.accepts(*view);
  if (auto *refusal = std::get_if<Refusal>(&answer))
    return emitRefusal(kernel, scheduler.getName(), *refusal);
  std::variant<Choice, Refusal> choice =
      scheduler.choose(*view, *std::get<std::unique_ptr<Plan>>(answer), hints, device);
  if (auto *refusal = std::get_if<Refusal>(&choice))
    return emitRefusal(kernel, scheduler.getName(), *refusal);
  kernel->setAttr("schedule", std::get<Choice>(choice).params);
  addFacts(kernel, std::get<Choice>(choice).facts);
  return success();
}

/// Applies `op` to one kernel; fails with a diagnostic at the kernel.
static LogicalResult chooseFor(ChooseOp op, KernelOp kernel, const SchedulerRegistry &registry) {
  if (isScheduled(kernel))
    return kernel->emitOpError("expected a kernel whose ops have no schedule yet, but @")
           << kernel.getSymName() << " has one";
  auto find = [&](StringRef name) -> const Scheduler * {
    if (const Scheduler *scheduler = registry.find(name))
      return scheduler;
    kernel->emitOpError("expected the name of a registered scheduler, but got '") << name << "'";
    return nullptr;
  };
  if (op.getParameters()) {
    auto params = cast<ScheduleParamsInterface>(*op.getParameters());
    if (!find(params.getSchedulerName()))
      return failure();
    kernel->setAttr("schedule", params);
    return success();
  }
  FailureOr<artifact::DeviceDescription> device = findDevice(kernel, op.getDevice());
  FailureOr<SizeHints> hints =
      op.getSizes() ? SizeHints::parse(kernel, *op.getSizes()) : SizeHints::fromAttribute(kernel);
  if (failed(device) || failed(hints))
    return failure();
  if (!op.getScheduler())
    return chooseSchedule(kernel, registry, *hints, *device, /*explain=*/true);
  const Scheduler *scheduler = find(*op.getScheduler());
  return scheduler ? chooseWith(*scheduler, kernel, *hints, *device) : failure();
}

DiagnosedSilenceableFailure ChooseOp::apply(transform::TransformRewriter &,
                                            transform::TransformResults &,
                                            transform::TransformState &state) {
  const SchedulerRegistry &registry = getSchedulers(getContext());
  return editKernels(*this, llvm::to_vector(state.getPayloadOps(getKernel())),
                     [&](KernelOp kernel) { return chooseFor(*this, kernel, registry); });
}

//===----------------------------------------------------------------------===//
// ApplyOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure ApplyOp::apply(transform::TransformRewriter &,
                                           transform::TransformResults &results,
                                           transform::TransformState &state) {
  auto payload = llvm::to_vector(state.getPayloadOps(getKernel()));
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds = getKernels(*this, payload, kernels);
  if (!kinds.succeeded())
    return kinds;
  for (KernelOp kernel : kernels) {
    if (!kernel->hasAttr("schedule"))
      return refuse(*this, kernel, "expected a kernel with parameters in 'schedule', but got none");
    if (isScheduled(kernel))
      return refuse(*this, kernel,
                    "expected a kernel whose ops have no schedule yet, but @" +
                        kernel.getSymName() + " has one");
  }
  for (KernelOp kernel : kernels) {
    DiagnosticCapture capture(getContext());
    if (failed(applySchedule(kernel, getSchedulers(getContext()))))
      return capture.makeDefinite(*this, kernel);
  }
  results.set(cast<OpResult>(getResult()), payload);
  return DiagnosedSilenceableFailure::success();
}
