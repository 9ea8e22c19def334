//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SeparateKernels.h"

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Scheduling/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Holds what is diagnosed while it lives.
class HeldDiagnostics {
public:
  explicit HeldDiagnostics(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          held.push_back(std::move(diagnostic));
          return success();
        }) {}

  std::vector<Diagnostic> take() { return std::move(held); }

private:
  std::vector<Diagnostic> held;
  ScopedDiagnosticHandler handler;
};

/// Numbers of ops in the fusions of a module, in order.
using Numbers = llvm::SetVector<unsigned>;

} // namespace

template <typename Callback> static void forEachOp(ModuleOp module, Callback callback) {
  unsigned number = 0;
  for (FusionOp fusion : module.getOps<FusionOp>())
    for (Operation &op : llvm::make_early_inc_range(fusion.getBody().front().without_terminator()))
      callback(op, number++);
}

/// Puts boundaries around each op that is to be separate.
static void separate(ModuleOp module, const Numbers &numbers) {
  llvm::SetVector<Value> crossing;
  forEachOp(module, [&](Operation &op, unsigned number) {
    if (!numbers.contains(number) || isa<SegmentSetOp>(op))
      return;
    for (Value operand : op.getOperands())
      if (operand.getDefiningOp())
        crossing.insert(operand);
    crossing.insert(op.result_begin(), op.result_end());
  });
  for (Value value : crossing) {
    Operation *op = value.getDefiningOp();
    if (!isa<RankedTensorType>(value.getType()) || isa<SegmentSetOp>(op))
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto boundary = SegmentSetOp::create(builder, op->getLoc(), value.getType(), value);
    value.replaceAllUsesExcept(boundary.getResult(), boundary);
  }
}

static void numberOps(ModuleOp module) {
  int64_t next = 0;
  for (FusionOp fusion : module.getOps<FusionOp>())
    next = numberOrigins(fusion, next);
}

/// The numbers that the ops of a kernel were made of.
static void collectNumbers(KernelOp kernel, Numbers &numbers) {
  kernel.walk([&](Operation *op) {
    for (int64_t number : getOrigins(op))
      numbers.insert(number);
  });
}

/// The first error among diagnostics.
static std::string getReason(ArrayRef<Diagnostic> diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      return diagnostic.str();
  return "a phase failed";
}

namespace {

/// A kernel that cannot be compiled.
struct Refused {
  std::string name, reason;
  Numbers numbers;
};

class Separator {
public:
  Separator(ModuleOp fusions, const PipelineOptions &options)
      : fusions(fusions), options(options) {}

  /// The kernels that are refused where these ops are separate.
  std::vector<Refused> findRefused(const Numbers &separated);

  unsigned countOps() {
    unsigned count = 0;
    forEachOp(fusions, [&](Operation &, unsigned) { ++count; });
    return count;
  }

private:
  std::optional<std::string> compileAlone(KernelOp kernel);

  ModuleOp fusions;
  const PipelineOptions &options;
};

} // namespace

/// Why a kernel is refused by the phases behind segmentation; none where it is not.
std::optional<std::string> Separator::compileAlone(KernelOp kernel) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  module->getBody()->push_back(kernel->clone());
  HeldDiagnostics diagnostics(kernel.getContext());
  for (Phase phase : {Phase::Choose, Phase::Apply, Phase::Lowering})
    if (failed(runPhase(*module, phase, options)))
      return getReason(diagnostics.take());
  return std::nullopt;
}

std::vector<Refused> Separator::findRefused(const Numbers &separated) {
  OwningOpRef<ModuleOp> module = fusions.clone();
  numberOps(*module);
  separate(*module, separated);
  {
    HeldDiagnostics silent(fusions.getContext());
    if (failed(runPhase(*module, Phase::Segmentation, options)))
      return {};
  }
  std::vector<Refused> refused;
  for (KernelOp kernel : module->getOps<KernelOp>()) {
    std::optional<std::string> reason = compileAlone(kernel);
    if (!reason)
      continue;
    Refused entry{kernel.getName().str(), *reason, {}};
    collectNumbers(kernel, entry.numbers);
    refused.push_back(std::move(entry));
  }
  return refused;
}

/// True where every schedule is up to the compiler: there are fusions only, and none has its own.
static bool isUpToCompiler(ModuleOp module) {
  return !module.getBody()->empty() && llvm::all_of(*module.getBody(), [](Operation &op) {
    auto fusion = dyn_cast<FusionOp>(op);
    return fusion && !isScheduled(fusion);
  });
}

static LogicalResult runAll(ModuleOp module, PhaseRunner run) {
  for (Phase phase : getPhases().drop_front())
    if (failed(run(module, phase)))
      return failure();
  return success();
}

namespace {
/// What running the phases on a module gave, with what was diagnosed on the way.
struct Attempt {
  LogicalResult result;
  std::vector<Diagnostic> diagnostics;
};
} // namespace

static Attempt attempt(ModuleOp module, PhaseRunner run) {
  HeldDiagnostics diagnostics(module.getContext());
  LogicalResult result = runAll(module, run);
  return {result, diagnostics.take()};
}

static void emitAll(MLIRContext *context, std::vector<Diagnostic> diagnostics) {
  for (Diagnostic &diagnostic : diagnostics)
    context->getDiagEngine().emit(std::move(diagnostic));
}

LogicalResult fuser::runKernelPhases(ModuleOp module, const PipelineOptions &options,
                                     PhaseRunner run, std::vector<std::string> &fallbacks) {
  if (!isUpToCompiler(module))
    return runAll(module, run);
  OwningOpRef<ModuleOp> fusions = module.clone();
  Attempt first = attempt(module, run);
  if (succeeded(first.result)) {
    emitAll(module.getContext(), std::move(first.diagnostics));
    return success();
  }
  Separator separator(*fusions, options);
  const unsigned numOps = separator.countOps();
  Numbers separated;
  while (separated.size() < numOps) {
    const size_t known = separated.size();
    for (const Refused &kernel : separator.findRefused(separated)) {
      separated.insert(kernel.numbers.begin(), kernel.numbers.end());
      fallbacks.push_back("kernel '" + kernel.name + "' is taken apart into " +
                          std::to_string(kernel.numbers.size()) +
                          " ops, as a phase refuses it: " + kernel.reason);
    }
    // What no kernel names is found by taking all apart.
    if (separated.size() == known)
      for (unsigned number = 0; number < numOps; ++number)
        separated.insert(number);
    OwningOpRef<ModuleOp> next = fusions->clone();
    separate(*next, separated);
    Attempt again = attempt(*next, run);
    if (failed(again.result))
      continue;
    emitAll(module.getContext(), std::move(again.diagnostics));
    if (fallbacks.empty())
      fallbacks.push_back("all ops have kernels of their own, as a phase refuses fused ones: " +
                          getReason(first.diagnostics));
    for (const std::string &fallback : fallbacks)
      emitRemark((*fusions->getOps<FusionOp>().begin()).getLoc()) << fallback;
    module.getBodyRegion().takeBody(next->getBodyRegion());
    module->setAttrs(next.get()->getAttrs());
    return success();
  }
  fallbacks.clear();
  emitAll(module.getContext(), std::move(first.diagnostics));
  return failure();
}
