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
#include "CaseRunner.h"
#include "PlantedBugs.h"
#include "RandomSchedule.h"

#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <cstdio>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cl = llvm::cl;
using namespace mlir;
using namespace fuser::fuzz;

namespace {

struct Options {
  cl::opt<unsigned> count{"count", cl::desc("Cases to run"), cl::init(500)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Seed of the first case; the next has the next"),
                         cl::init(1)};
  cl::opt<unsigned> jobs{"jobs", cl::desc("Cases at a time (default: one for each CPU)"),
                         cl::init(0)};
  cl::opt<unsigned> timeout{"timeout", cl::desc("Seconds that a case may take"), cl::init(20)};
  cl::opt<std::string> output{"output", cl::desc("Folder of cases that fail"), cl::init(".")};
  cl::opt<bool> reduce{"reduce", cl::desc("Make cases that fail smaller"), cl::init(true)};
  cl::opt<bool> quotas{"quotas", cl::desc("Fail where a quota is missed"), cl::init(true)};
  cl::opt<bool> printRefusals{"print-refusals", cl::desc("Say why cases were refused")};
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

/// What became of a case, as one worker tells it the others: a line of at most PIPE_BUF bytes,
/// which is written at once.
struct Report {
  uint64_t seed = 0;
  Verdict verdict = Verdict::Passed;
  Features features;
  std::string text;

  std::string toLine() const;
  static Report fromLine(StringRef line);
};

/// Counts over the cases that ran.
struct Statistics {
  std::map<Verdict, unsigned> verdicts;
  unsigned ran = 0, reduces = 0, shared = 0, inlines = 0, remainders = 0, vectorizes = 0,
           unrolls = 0, grid = 0;
  std::vector<unsigned> sizes;
  std::vector<uint64_t> failures;
  std::map<std::string, unsigned> refusals;

  void add(const Report &report) {
    ++verdicts[report.verdict];
    if (report.verdict == Verdict::Refused)
      ++refusals[report.text];
    if (isFailure(report.verdict))
      failures.push_back(report.seed);
    if (report.verdict != Verdict::Passed)
      return;
    const Features &features = report.features;
    ++ran;
    reduces += features.reduces;
    shared += features.usesShared;
    inlines += features.inlines;
    remainders += features.leavesRemainder;
    vectorizes += features.vectorizes;
    unrolls += features.unrolls;
    grid += features.usesGrid;
    sizes.push_back(features.numOps);
  }
  /// Prints shares and says whether all quotas are met.
  bool report(llvm::raw_ostream &out);
  void reportRefusals(llvm::raw_ostream &out) const;
};

/// Cases of consecutive seeds, shared by some processes: each case runs in a child of its worker,
/// and a process with several threads is none to make children of.
class Fuzzer {
public:
  explicit Fuzzer(const Options &options) : options(options), registry(getRegistry()) {}
  int run();

private:
  /// Lets worker i of n call `work(i, n, pipe)` in a process of its own, and `read` all lines that
  /// they write.
  bool share(llvm::function_ref<void(unsigned, unsigned, int)> work,
             llvm::function_ref<void(StringRef)> read);
  void runCases(unsigned worker, unsigned workers, int pipe);
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

std::string Report::toLine() const {
  std::string line;
  llvm::raw_string_ostream out(line);
  out << seed << " " << int(verdict) << " " << features.numOps;
  for (bool flag :
       {features.reduces, features.usesShared, features.inlines, features.leavesRemainder,
        features.vectorizes, features.unrolls, features.usesGrid})
    out << " " << flag;
  out << " " << StringRef(text).split('\n').first.take_front(2000) << "\n";
  return line;
}

Report Report::fromLine(StringRef line) {
  SmallVector<StringRef> words;
  line.split(words, ' ', /*MaxSplit=*/10);
  SmallVector<uint64_t> numbers(11, 0);
  for (unsigned i = 0; i < 10 && i < words.size(); ++i)
    (void)words[i].getAsInteger(10, numbers[i]);
  Report report;
  report.seed = numbers[0];
  report.verdict = static_cast<Verdict>(numbers[1]);
  report.features = {unsigned(numbers[2]), numbers[3] != 0, numbers[4] != 0, numbers[5] != 0,
                     numbers[6] != 0,      numbers[7] != 0, numbers[8] != 0, numbers[9] != 0};
  report.text = words.size() > 10 ? words[10].str() : "";
  return report;
}

bool Statistics::report(llvm::raw_ostream &out) {
  for (auto [verdict, count] : verdicts)
    out << toString(verdict) << " " << count << "  ";
  out << "\n";
  if (ran == 0)
    return false;
  bool good = true;
  auto share = [&](const char *what, unsigned count, unsigned wanted) {
    double percent = 100.0 * count / ran;
    out << llvm::format("  %-28s %5.1f %%", what, percent);
    if (wanted != 0)
      out << " (at least " << wanted << " %)" << (percent < wanted ? " MISSED" : "");
    out << "\n";
    good &= percent >= wanted;
  };
  out << "of the " << ran << " cases that ran:\n";
  share("with a reduction", reduces, 40);
  share("with shared memory", shared, 30);
  share("with an inline position > 0", inlines, 30);
  share("with a split that leaves a rest", remainders, 20);
  share("with vectors", vectorizes, 0);
  share("with unrolled loops", unrolls, 0);
  share("with blocks", grid, 0);
  llvm::sort(sizes);
  const unsigned median = sizes[sizes.size() / 2];
  out << "  ops: median " << median << " (at least 8), most " << sizes.back() << "\n";
  return good && median >= 8;
}

void Statistics::reportRefusals(llvm::raw_ostream &out) const {
  std::vector<std::pair<unsigned, std::string>> byCount;
  for (const auto &[text, count] : refusals)
    byCount.emplace_back(count, text);
  llvm::sort(byCount, std::greater<>());
  for (const auto &[count, text] : byCount)
    out << count << " x " << text << "\n";
}

Outcome Fuzzer::runScheduled(const FuzzCase &fuzzCase, MLIRContext *context) {
  OwningOpRef<ModuleOp> module = schedule(fuzzCase, context);
  if (!module)
    return {Verdict::Refused, "refused by a primitive"};
  return runApart({print(*module), fuzzCase.sizes}, registry, options.timeout);
}

void Fuzzer::writeFailure(const FuzzCase &fuzzCase, const Outcome &outcome, MLIRContext *context) {
  llvm::SmallString<128> path(options.output.getValue());
  llvm::sys::path::append(path, "fuzz-" + std::to_string(fuzzCase.seed) + ".mlir");
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    llvm::errs() << path << ": " << error.message() << "\n";
    return;
  }
  file << "// Seed " << fuzzCase.seed << ": " << toString(outcome.verdict) << "\n";
  for (StringRef line : llvm::split(outcome.text, '\n'))
    file << "// " << line << "\n";
  file << "// fuser-run " << llvm::sys::path::filename(path)
       << " --device=host --check --sizes=" << fuzzCase.sizes << "\n";
  for (const Step &step : fuzzCase.steps)
    file << "// step: " << describe(step) << "\n";
  if (OwningOpRef<ModuleOp> module = schedule(fuzzCase, context))
    file << *module;
  llvm::outs() << "written to " << path << "\n";
  llvm::outs().flush();
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

void Fuzzer::runCases(unsigned worker, unsigned workers, int pipe) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  for (unsigned index = worker; index < options.count; index += workers) {
    std::string line = runCase(options.seed + index, &context).toLine();
    if (write(pipe, line.data(), line.size()) < 0)
      return;
  }
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
  llvm::outs() << "seeds " << options.seed << " to " << options.seed + options.count - 1 << "\n";
  Statistics statistics;
  unsigned total = 0;
  bool shared = share([&](unsigned i, unsigned n, int pipe) { runCases(i, n, pipe); },
                      [&](StringRef line) {
                        statistics.add(Report::fromLine(line));
                        ++total;
                      });
  bool good = statistics.report(llvm::outs());
  if (options.printRefusals)
    statistics.reportRefusals(llvm::outs());
  if (total != options.count)
    llvm::outs() << "expected " << options.count << " reports, but got " << total << "\n";
  const bool allRan = shared && total == options.count && statistics.failures.empty();
  return allRan && (good || !options.quotas) ? 0 : 1;
}

int Fuzzer::runPlanted() {
  unsigned found = 0;
  bool shared = share([&](unsigned i, unsigned n, int pipe) { findBugs(i, n, pipe); },
                      [&](StringRef line) {
                        llvm::outs() << line << "\n";
                        found += !line.ends_with("NOT FOUND");
                      });
  const size_t wanted = getPlantedBugs().size();
  llvm::outs() << found << " of " << wanted << " planted mistakes found\n";
  return shared && found == wanted ? 0 : 1;
}

bool Fuzzer::share(llvm::function_ref<void(unsigned, unsigned, int)> work,
                   llvm::function_ref<void(StringRef)> read) {
  llvm::outs().flush();
  const unsigned jobs =
      options.jobs ? unsigned(options.jobs) : std::max(1u, std::thread::hardware_concurrency());
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  for (unsigned worker = 0; worker < jobs; ++worker) {
    pid_t child = fork();
    if (child < 0)
      return false;
    if (child == 0) {
      close(ends[0]);
      work(worker, jobs, ends[1]);
      llvm::outs().flush();
      _exit(0);
    }
  }
  close(ends[1]);
  std::FILE *reports = fdopen(ends[0], "r");
  char line[4096];
  while (reports && std::fgets(line, sizeof(line), reports))
    read(StringRef(line).rtrim('\n'));
  if (reports)
    std::fclose(reports);
  while (wait(nullptr) > 0) {
  }
  return reports != nullptr;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(argc, argv, "Runs random fusions with random schedules\n");
  return Fuzzer(options).run();
}
