//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-fuzz-schedules: random fusions with random schedules, on the host device with all checks,
// against the reference. What is illegal must be refused with a diagnostic. A case that fails is
// made smaller and written to a file.
//
//===----------------------------------------------------------------------===//

#include "CaseReducer.h"
#include "FuzzLoop.h"
#include "PlantedBugs.h"
#include "RandomSchedule.h"

#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/InitLLVM.h"

#include <unistd.h>

namespace cl = llvm::cl;
using namespace mlir;
using namespace fuser::fuzz;

namespace {

struct Options : LoopOptions {
  cl::opt<bool> plant{
      "plant", cl::desc("Make mistakes in the kernels, one kind after the other, and say after how "
                        "many cases of at most --count each is found")};
  cl::opt<bool> printCase{"print-case", cl::desc("Print the first case and run nothing")};
};

DialectRegistry getRegistry() {
  DialectRegistry registry;
  fuser::registerAllDialects(registry);
  registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  return registry;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Each case runs in a child of its worker, and a process with several threads is none to make
/// children of.
class Fuzzer {
public:
  explicit Fuzzer(const Options &options) : options(options), registry(getRegistry()) {}
  int run();

private:
  void findBugs(unsigned worker, unsigned workers, int pipe);
  int runPlanted();
  Report runCase(uint64_t seed, MLIRContext *context);
  Outcome runScheduled(const FuzzCase &fuzzCase, MLIRContext *context);
  void writeFailure(const FuzzCase &fuzzCase, const Outcome &outcome, MLIRContext *context);
  void printCase();

  const Options &options;
  const DialectRegistry registry;
};

} // namespace

Outcome Fuzzer::runScheduled(const FuzzCase &fuzzCase, MLIRContext *context) {
  OwningOpRef<ModuleOp> module = schedule(fuzzCase, context);
  if (!module)
    return {Verdict::Refused, "refused by a primitive"};
  return runApart({print(*module), fuzzCase.sizes}, registry, options.timeout);
}

void Fuzzer::writeFailure(const FuzzCase &fuzzCase, const Outcome &outcome, MLIRContext *context) {
  std::unique_ptr<llvm::raw_ostream> file = openFailure(options, fuzzCase.seed, outcome);
  if (!file)
    return;
  *file << "// fuser-run FILE --device=host --check --sizes=" << fuzzCase.sizes << "\n";
  for (const Step &step : fuzzCase.steps)
    *file << "// step: " << describe(step) << "\n";
  if (OwningOpRef<ModuleOp> module = schedule(fuzzCase, context))
    *file << *module;
}

Report Fuzzer::runCase(uint64_t seed, MLIRContext *context) {
  RandomCase made = makeRandomCase(seed, context);
  Report report;
  report.seed = seed;
  if (OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, context))
    report.features = getFeatures(*module, made.dynamicSize);
  Outcome outcome = runScheduled(made.fuzzCase, context);
  report.verdict = outcome.verdict;
  report.text = outcome.text;
  if (!isFailure(outcome.verdict))
    return report;
  llvm::outs() << "seed " << seed << ": " << toString(outcome.verdict) << ": " << outcome.text
               << "\n";
  FuzzCase small = made.fuzzCase;
  if (options.reduce)
    small = reduce(made.fuzzCase, context, [&](const FuzzCase &smaller) {
      return runScheduled(smaller, context).verdict == outcome.verdict;
    });
  writeFailure(small, outcome, context);
  return report;
}

void Fuzzer::findBugs(unsigned worker, unsigned workers, int pipe) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  ArrayRef<PlantedBug> bugs = getPlantedBugs();
  for (unsigned number = worker; number < bugs.size(); number += workers) {
    const PlantedBug &bug = bugs[number];
    std::string line = std::string(bug.name) + ": NOT FOUND\n";
    for (unsigned index = 0; index < options.count; ++index) {
      RandomCase made = makeRandomCase(options.seed + index, &context);
      OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, &context);
      if (!module)
        continue;
      Outcome outcome = runApart({print(*module), made.fuzzCase.sizes}, registry, options.timeout,
                                 [&](ModuleOp kernels) { plant(bug, kernels); });
      // What fails without the mistake as well has not found it.
      if (!isFailure(outcome.verdict) ||
          isFailure(
              runApart({print(*module), made.fuzzCase.sizes}, registry, options.timeout).verdict))
        continue;
      line = std::string(bug.name) + ": " + toString(outcome.verdict) + " after " +
             std::to_string(index + 1) + " cases\n";
      break;
    }
    if (write(pipe, line.data(), line.size()) < 0)
      return;
  }
}

void Fuzzer::printCase() {
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  RandomCase made = makeRandomCase(options.seed, &context);
  for (const Step &step : made.fuzzCase.steps)
    llvm::outs() << "// step: " << describe(step) << "\n";
  llvm::outs() << "// --sizes=" << made.fuzzCase.sizes << "\n";
  if (OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, &context))
    llvm::outs() << *module;
}

int Fuzzer::run() {
  if (options.printCase) {
    printCase();
    return 0;
  }
  if (options.plant)
    return runPlanted();
  return runLoop(options, [&]() -> std::function<Report(uint64_t)> {
    auto context = std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return [this, context](uint64_t seed) { return runCase(seed, context.get()); };
  });
}

int Fuzzer::runPlanted() {
  unsigned found = 0;
  bool shared = shareWork(
      options.jobs, [&](unsigned i, unsigned n, int pipe) { findBugs(i, n, pipe); },
      [&](StringRef line) {
        llvm::outs() << line << "\n";
        found += !line.ends_with("NOT FOUND");
      });
  const size_t wanted = getPlantedBugs().size();
  llvm::outs() << found << " of " << wanted << " planted mistakes found\n";
  return shared && found == wanted ? 0 : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(argc, argv, "Runs random fusions with random schedules\n");
  return Fuzzer(options).run();
}
