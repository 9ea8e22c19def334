//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-fuzz-fusions: random fusions through the whole pipeline, on the host device with all checks
// or on a GPU, against the reference. Each must compile. A case that fails is made smaller and
// written to a file.
//
//===----------------------------------------------------------------------===//

#include "CaseReducer.h"
#include "CaseServer.h"
#include "FuzzLoop.h"
#include "RandomGraph.h"

#include "fuser/Ids/Extents.h"
#include "fuser/InitAllDialects.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Scheduling/SizeHints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

struct Options : LoopOptions {
  cl::opt<bool> cuda{"cuda", cl::desc("Run on the GPU (default: on the host device)"),
                     cl::cat(category)};
  cl::opt<int64_t> maxElements{"max-elements", cl::desc("Elements of the largest tensor"),
                               cl::init(20000), cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::desc("What kernels on the host device are scheduled for (default: sm_90)"),
      cl::init("sm_90"), cl::cat(category)};
  cl::opt<int64_t> multiprocessors{
      "multiprocessors",
      cl::desc("Multiprocessors of the target, in place of its own: with few of them, threads have "
               "the work that they otherwise have in large tensors only"),
      cl::init(0), cl::cat(category)};
  cl::opt<unsigned> liveThreads{
      "live-threads",
      cl::desc("Threads that a cooperative launch on the host device may have: more than the "
               "default need a larger vm.max_map_count"),
      cl::init(runtime::HostDeviceOptions().maxLiveThreads), cl::cat(category)};
  cl::opt<bool> strict{
      "strict", cl::desc("Fail where a kernel is split because its schedule cannot be lowered"),
      cl::cat(category)};
  cl::opt<bool> forceStreams{
      "force-streams", cl::desc("Distribute launches over streams wherever dependences permit it"),
      cl::cat(category)};
  cl::opt<bool> dependentLaunches{
      "dependent-launches",
      cl::desc("Launches begin before the launches before them have ended, where they can"),
      cl::cat(category)};
  cl::opt<bool> printCase{"print-case", cl::desc("Print the first case and run nothing"),
                          cl::cat(category)};
};

/// Runs cases, one after the other.
class Worker {
public:
  Worker(const Options &options, const DialectRegistry &registry,
         const artifact::DeviceDescription &target)
      : options(options), registry(registry), target(target),
        server([this](StringRef request, EndRun end) { return serve(request, end); }) {}

  Report runCase(uint64_t seed);

private:
  Outcome run(const Program &program, Features *features);
  Outcome serve(StringRef request, EndRun end);
  Outcome runWatched(const Program &program, Features *features);
  void judge(Outcome &outcome) const;
  void fail(uint64_t seed, const Program &program, const Outcome &outcome);

  const Options &options;
  const DialectRegistry &registry;
  const artifact::DeviceDescription &target;
  /// The GPU, of the server's process.
  std::shared_ptr<runtime::Device> device;
  CaseServer server;
};

} // namespace

/// What scheduled kernels have.
static void addFeatures(KernelOp kernel, Features &features) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  FailureOr<SizeHints> sizes = SizeHints::fromAttribute(kernel);
  for (TensorViewOpInterface op : kernel.getBody().front().getOps<TensorViewOpInterface>()) {
    DomainAttr domain = op.getDomain();
    features.reduces |= llvm::is_contained(domain.getKinds(), IdKind::Reduction);
    features.inlines |= op.getInlinePosition() > 0;
    features.vectorizes |= llvm::is_contained(domain.getParallel(), ParallelType::Vectorize);
    features.unrolls |= llvm::is_contained(domain.getParallel(), ParallelType::Unroll);
    features.usesGrid |= llvm::any_of(domain.getParallel(), isBlockType);
    if (failed(extents) || failed(sizes))
      continue;
    for (const DomainTransform &step : domain.getTransforms()) {
      if (step.kind != TransformKind::Split)
        continue;
      AffineExpr extent = extents->getIdExtent(op->getResult(0), step.inputs[0]);
      std::optional<int64_t> size = sizes->evaluate(extent, *extents);
      features.leavesRemainder |= size && *size % step.value != 0;
    }
  }
}

Outcome Worker::run(const Program &program, Features *features) {
  RunOptions run;
  run.device = device;
  run.target = target;
  run.forceStreams = options.forceStreams;
  run.dependentLaunches = options.dependentLaunches;
  run.maxLiveThreads = options.liveThreads;
  run.afterPhase = [&](Phase phase, ModuleOp module) {
    if (!features)
      return;
    // Of what the outputs need, on the host as well as in kernels.
    if (phase == Phase::Segmentation)
      module.walk([&](Operation *op) { features->addShapeOp(*op); });
    if (phase == Phase::Segmentation)
      for (KernelOp kernel : module.getOps<KernelOp>())
        features->numOps += llvm::range_size(kernel.getBody().front().without_terminator());
    if (phase == Phase::Apply)
      for (KernelOp kernel : module.getOps<KernelOp>())
        addFeatures(kernel, *features);
    if (phase == Phase::Lowering)
      module.walk([&](gpu::DynamicSharedMemoryOp) { features->usesShared = true; });
  };
  return runHere(program, registry, run);
}

/// Runs a program and tells its features in front of the outcome's text. A fault leaves a GPU in a
/// state that only the end of the process clears.
Outcome Worker::serve(StringRef request, EndRun end) {
  if (options.cuda && !device) {
    auto made = runtime::createCudaDevice();
    if (!made)
      llvm::report_fatal_error(llvm::StringRef(made.error().str()));
    device = made.take();
  }
  Report report;
  Outcome outcome = run(Program::fromRequest(request), &report.features);
  outcome.text = report.toLine() + outcome.text;
  if (options.cuda && outcome.verdict == Verdict::Fault)
    end(outcome);
  return outcome;
}

/// In a process of its own, which ends where the program hangs.
Outcome Worker::runWatched(const Program &program, Features *features) {
  Outcome outcome = server.call(program.toRequest(), options.timeout);
  auto [line, text] = StringRef(outcome.text).split('\n');
  if (features)
    *features = Report::fromLine(line).features;
  if (outcome.verdict < Verdict::Crash)
    outcome.text = text.str();
  return outcome;
}

/// Each op has a scheduler: what is refused is a mistake as well.
void Worker::judge(Outcome &outcome) const {
  if (outcome.verdict == Verdict::Refused ||
      (outcome.verdict == Verdict::Fallback && options.strict))
    outcome.verdict = Verdict::Internal;
}

Report Worker::runCase(uint64_t seed) {
  Program program = makeRandomGraph(seed, options.maxElements);
  Report report;
  report.seed = seed;
  Outcome outcome = runWatched(program, &report.features);
  judge(outcome);
  report.verdict = outcome.verdict;
  report.text = outcome.text;
  if (isFailure(outcome.verdict))
    fail(seed, program, outcome);
  else if (outcome.verdict > Verdict::Passed)
    llvm::outs() << "seed " << seed << ": " << toString(outcome.verdict) << ": " << outcome.text
                 << "\n";
  return report;
}

/// The case as `fuser-run` takes it.
static void printCase(const Program &program, llvm::raw_ostream &out) {
  out << "// --sizes=" << program.sizes;
  for (const std::string &range : program.ranges)
    out << " --range=" << range;
  out << "\n" << program.text;
}

/// The beginning of what a diagnostic says, without its place.
static StringRef getMessage(StringRef text) {
  constexpr size_t kBeginning = 40;
  return text.substr(text.find("expected")).take_front(kBeginning);
}

void Worker::fail(uint64_t seed, const Program &program, const Outcome &outcome) {
  llvm::outs() << "seed " << seed << ": " << toString(outcome.verdict) << ": " << outcome.text
               << "\n";
  // Reducing takes long.
  llvm::outs().flush();
  Program small = program;
  if (options.reduce && outcome.verdict != Verdict::Crash && outcome.verdict != Verdict::Hang) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    FuzzCase fuzzCase;
    fuzzCase.program = program.text;
    fuzzCase = reduce(fuzzCase, &context, [&](const FuzzCase &smaller) {
      Program tried = program;
      tried.text = smaller.program;
      Outcome smallOutcome = runWatched(tried, nullptr);
      judge(smallOutcome);
      return smallOutcome.verdict == outcome.verdict &&
             (outcome.verdict != Verdict::Internal ||
              getMessage(smallOutcome.text) == getMessage(outcome.text));
    });
    small.text = fuzzCase.program;
  }
  std::unique_ptr<llvm::raw_ostream> file = openFailure(options, seed, outcome);
  if (!file)
    return;
  *file << "// fuser-run FILE --device=" << (options.cuda ? "cuda" : "host")
        << " --check --sizes=" << program.sizes;
  for (const std::string &range : program.ranges)
    *file << " --range=" << range;
  *file << "\n" << small.text;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Runs random fusions through the whole pipeline\n");
  if (options.printCase) {
    printCase(makeRandomGraph(options.seed, options.maxElements), llvm::outs());
    return 0;
  }
  if (!options.writeCases.empty())
    return writeCases(options, [&](uint64_t seed, llvm::raw_ostream &out) {
      printCase(makeRandomGraph(seed, options.maxElements), out);
    });
  auto target = artifact::lookupDevice(options.target);
  if (!target) {
    llvm::errs() << "--target: " << target.error().str() << "\n";
    return 1;
  }
  if (options.multiprocessors > 0)
    target->multiprocessors = options.multiprocessors;
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  return runLoop(options, [&]() -> std::function<Report(uint64_t)> {
    auto worker = std::make_shared<Worker>(options, registry, *target);
    return [worker](uint64_t seed) { return worker->runCase(seed); };
  });
}
