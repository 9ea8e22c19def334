//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-fuzz-schedules: random fusions with random schedules, on the host device with all checks,
// against the reference. What is illegal must be refused with a diagnostic. A case that fails is
// made smaller and written to a file. With --mutate, the texts of such cases, or of files, are
// edited at random before they are read.
//
//===----------------------------------------------------------------------===//

#include "CaseReducer.h"
#include "CaseServer.h"
#include "FuzzLoop.h"
#include "PlantedBugs.h"
#include "RandomSchedule.h"
#include "TextMutator.h"

#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

#include <random>
#include <unistd.h>

namespace cl = llvm::cl;
using namespace mlir;
using namespace fuser::fuzz;

namespace {

struct Options : LoopOptions {
  cl::opt<bool> plant{"plant",
                      cl::desc("Make mistakes in the kernels, one kind at a time, and say "
                               "after how many cases of at most --count each is found"),
                      cl::cat(category)};
  cl::opt<bool> printCase{"print-case", cl::desc("Print the first case and run nothing"),
                          cl::cat(category)};
  cl::opt<unsigned> mutate{"mutate",
                           cl::desc("Make up to this number of random edits in the text of each "
                                    "case; 1,000 cases are edited again and again"),
                           cl::init(0), cl::cat(category)};
  cl::list<std::string> files{
      cl::Positional, cl::desc("FILE... (with --mutate: programs to edit, not random ones)"),
      cl::cat(category)};
};

/// How a mistake was looked for.
struct Search {
  /// The number of the case that showed it, from 1; 0: none.
  unsigned cases = 0;
  /// What became of the last case.
  Verdict verdict = Verdict::Passed;
  /// Cases with kernels that it changed.
  unsigned places = 0;

  std::string toLine(unsigned bug) const {
    return llvm::formatv("{0} {1} {2} {3}\n", bug, cases, int(verdict), places);
  }
  static std::pair<unsigned, Search> fromLine(StringRef line) {
    unsigned numbers[4] = {};
    for (unsigned &number : numbers)
      (void)(line = line.ltrim()).consumeInteger(10, number);
    return {numbers[0], {numbers[1], static_cast<Verdict>(numbers[2]), numbers[3]}};
  }
  /// What another worker saw in other cases.
  void merge(const Search &other) {
    if (other.cases && (!cases || other.cases < cases)) {
      cases = other.cases;
      verdict = other.verdict;
    }
    places += other.places;
  }
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

/// Cases run in a child of their worker, and a process with several threads is none to make
/// children of.
class Fuzzer {
public:
  explicit Fuzzer(const Options &options)
      : options(options), registry(getRegistry()),
        server([this](StringRef request, EndRun end) { return serve(request, end); }) {}
  int run();

private:
  SmallVector<unsigned> findPlaces(const Program &program, const llvm::BitVector &open,
                                   bool launchesTwice);
  void findBugs(unsigned worker, unsigned workers, int pipe);
  int runPlanted();
  Outcome serve(StringRef request, EndRun end);
  bool lowers(ModuleOp module, StringRef sizes);
  RandomCase makeCase(uint64_t seed, MLIRContext *context);
  Report runCase(uint64_t seed, MLIRContext *context);
  Outcome runScheduled(const FuzzCase &fuzzCase, MLIRContext *context);
  void writeFailure(const FuzzCase &fuzzCase, const Outcome &outcome, MLIRContext *context);
  void printCase(uint64_t seed, llvm::raw_ostream &out);
  const Program &getUnedited(uint64_t seed, MLIRContext *context);
  Program makeEdited(uint64_t seed, MLIRContext *context);
  Report runEdited(uint64_t seed, MLIRContext *context);

  const Options &options;
  const DialectRegistry registry;
  /// Of this process, and what its child parses modules in.
  CaseServer server;
  std::unique_ptr<MLIRContext> serverContext;
  /// Cases to edit, by the seed or the number of the file; without a text where a step is refused.
  std::map<uint64_t, Program> unedited;
};

} // namespace

/// The requests of a server begin with a letter.
static constexpr char kLower = 'L', kRun = 'R';

/// Lowers or runs a program.
Outcome Fuzzer::serve(StringRef request, EndRun end) {
  const Program program = Program::fromRequest(request.drop_front());
  if (request.front() == kRun)
    return runLimited(program, registry, end);
  if (!serverContext)
    serverContext = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(serverContext.get(), [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program.text, serverContext.get());
  return module ? lower(*module, program.sizes) : Outcome{Verdict::Internal, "expected a module"};
}

/// What goes wrong there is no refusal.
bool Fuzzer::lowers(ModuleOp module, StringRef sizes) {
  constexpr unsigned kSeconds = 20;
  const Program program = {print(module), sizes.str()};
  return server.call(kLower + program.toRequest(), kSeconds).verdict != Verdict::Refused;
}

RandomCase Fuzzer::makeCase(uint64_t seed, MLIRContext *context) {
  return makeRandomCase(seed, context,
                        [this](ModuleOp module, StringRef sizes) { return lowers(module, sizes); });
}

Outcome Fuzzer::runScheduled(const FuzzCase &fuzzCase, MLIRContext *context) {
  OwningOpRef<ModuleOp> module = schedule(fuzzCase, context);
  if (!module)
    return {Verdict::Refused, "refused by a primitive"};
  const Program program = {print(*module), fuzzCase.sizes};
  return server.call(kRun + program.toRequest(), options.timeout);
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
  RandomCase made = makeCase(seed, context);
  Report report;
  report.seed = seed;
  if (OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, context))
    report.features = getFeatures(*module, made.dynamicSizes);
  Outcome outcome = runScheduled(made.fuzzCase, context);
  report.verdict = outcome.verdict;
  report.text = outcome.text;
  if (!isFailure(outcome.verdict))
    return report;
  llvm::outs() << "seed " << seed << ": " << toString(outcome.verdict) << ": " << outcome.text
               << "\n";
  llvm::outs().flush();
  FuzzCase small = made.fuzzCase;
  // Each smaller case that hangs, too, would take as long as the first one.
  if (options.reduce && outcome.verdict != Verdict::Hang)
    small = reduce(made.fuzzCase, context, [&](const FuzzCase &smaller) {
      return runScheduled(smaller, context).verdict == outcome.verdict;
    });
  writeFailure(small, outcome, context);
  return report;
}

//===----------------------------------------------------------------------===//
// Edited texts
//===----------------------------------------------------------------------===//

/// The program of a file with the sizes and ranges that a file of `writeCases` states in a comment.
static Program readProgram(StringRef text) {
  Program program;
  program.text = text.str();
  StringRef options = text.split("// --sizes=").second.split('\n').first;
  program.sizes = options.split(' ').first.str();
  for (StringRef word : llvm::split(options, ' '))
    if (word.consume_front("--range="))
      program.ranges.push_back(word.str());
  return program;
}

const Program &Fuzzer::getUnedited(uint64_t seed, MLIRContext *context) {
  constexpr uint64_t kCases = 1000;
  const uint64_t number = seed % (options.files.empty() ? kCases : options.files.size());
  auto [it, isNew] = unedited.try_emplace(number);
  Program &program = it->second;
  if (!isNew)
    return program;
  if (!options.files.empty()) {
    if (auto file = llvm::MemoryBuffer::getFile(options.files[number], /*IsText=*/true))
      program = readProgram((*file)->getBuffer());
    return program;
  }
  RandomCase made = makeCase(number + 1, context);
  if (OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, context))
    program = {print(*module), made.fuzzCase.sizes};
  return program;
}

Program Fuzzer::makeEdited(uint64_t seed, MLIRContext *context) {
  Program program = getUnedited(seed, context);
  program.text = mutateText(program.text, 1 + seed % options.mutate, seed);
  return program;
}

/// True for a diagnostic about what the text says: all but those about ops that only lowering
/// makes.
static bool isAboutText(const Outcome &outcome, const Program &program) {
  if (outcome.text.empty())
    return false;
  for (StringRef dialect : {"memref", "scf", "vector", "gpu", "llvm", "cf", "fuser_gpu", "affine"})
    if (StringRef(outcome.text).contains("'" + dialect.str() + ".") &&
        !StringRef(program.text).contains(dialect.str() + "."))
      return false;
  return true;
}

Report Fuzzer::runEdited(uint64_t seed, MLIRContext *context) {
  const Program program = makeEdited(seed, context);
  Report report;
  report.seed = seed;
  Outcome outcome = server.call(kRun + program.toRequest(), options.timeout);
  // Parsers state what is wrong in other words than "expected".
  if (outcome.verdict == Verdict::Internal && isAboutText(outcome, program))
    outcome.verdict = Verdict::Refused;
  report.verdict = outcome.verdict;
  report.text = outcome.text;
  if (!isFailure(outcome.verdict))
    return report;
  llvm::outs() << "seed " << seed << ": " << toString(outcome.verdict) << ": " << outcome.text
               << "\n";
  if (std::unique_ptr<llvm::raw_ostream> file = openFailure(options, seed, outcome))
    *file << "// fuser-run FILE --device=host --check --sizes=" << program.sizes << "\n"
          << program.text;
  return report;
}

//===----------------------------------------------------------------------===//
// Planted mistakes
//===----------------------------------------------------------------------===//

/// The open mistakes that change kernels of the program; none where it fails without them.
SmallVector<unsigned> Fuzzer::findPlaces(const Program &program, const llvm::BitVector &open,
                                         bool launchesTwice) {
  const std::vector<PlantedBug> bugs = getPlantedBugs();
  Outcome outcome = runApart(options.timeout, [&](EndRun) {
    std::string places;
    RunOptions run;
    run.launchesTwice = launchesTwice;
    run.afterPhase = [&](fuser::Phase phase, ModuleOp module) {
      if (phase != fuser::Phase::Lowering)
        return;
      const std::string before = print(module);
      for (unsigned number : open.set_bits()) {
        OwningOpRef<ModuleOp> kernels = module.clone();
        plant(bugs[number], *kernels);
        if (print(*kernels) != before)
          places += std::to_string(number) + " ";
      }
    };
    Outcome plain = runHere(program, registry, run);
    plain.text = places;
    return plain;
  });
  SmallVector<unsigned> numbers;
  if (outcome.verdict == Verdict::Refused || isFailure(outcome.verdict))
    return numbers;
  for (StringRef word : llvm::split(StringRef(outcome.text).rtrim(), ' '))
    if (unsigned number = 0; !word.getAsInteger(10, number))
      numbers.push_back(number);
  return numbers;
}

/// True where a case shows the mistake. A kernel that does not compile shows nothing of the
/// compiler's mistakes, but for those of which the compiler says so.
static bool isFound(const PlantedBug &bug, const Outcome &outcome) {
  if (outcome.verdict == Verdict::Refused)
    return bug.refusal && StringRef(outcome.text).contains(bug.refusal);
  return isFailure(outcome.verdict) && outcome.verdict != Verdict::Internal;
}

/// Looks for all mistakes in this worker's cases, and writes a line for each that it finds, and in
/// the end for each that it has not found.
void Fuzzer::findBugs(unsigned worker, unsigned workers, int pipe) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  const std::vector<PlantedBug> bugs = getPlantedBugs();
  std::vector<Search> searches(bugs.size());
  llvm::BitVector open(bugs.size(), true);
  auto tell = [&](unsigned number) {
    std::string line = searches[number].toLine(number);
    return write(pipe, line.data(), line.size()) >= 0;
  };
  for (unsigned index = worker; index < options.count && open.any(); index += workers) {
    RandomCase made = makeCase(options.seed + index, &context);
    OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, &context);
    if (!module)
      continue;
    const Program program = {print(*module), made.fuzzCase.sizes};
    // A second launch of a kernel depends on the first one.
    const bool launchesTwice = std::mt19937_64(~made.fuzzCase.seed)() % 8 == 0;
    for (unsigned number : findPlaces(program, open, launchesTwice)) {
      Search &search = searches[number];
      ++search.places;
      const Outcome outcome = runApart(
          program, registry, options.timeout,
          [&](ModuleOp kernels) { plant(bugs[number], kernels); }, launchesTwice);
      search.verdict = outcome.verdict;
      if (!isFound(bugs[number], outcome))
        continue;
      search.cases = index + 1;
      open.reset(number);
      if (!tell(number))
        return;
    }
  }
  for (unsigned number : open.set_bits())
    if (!tell(number))
      return;
}

void Fuzzer::printCase(uint64_t seed, llvm::raw_ostream &out) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  if (options.mutate) {
    const Program program = makeEdited(seed, &context);
    out << "// --sizes=" << program.sizes << "\n" << program.text;
    return;
  }
  RandomCase made = makeCase(seed, &context);
  for (const Step &step : made.fuzzCase.steps)
    out << "// step: " << describe(step) << "\n";
  out << "// --sizes=" << made.fuzzCase.sizes << "\n";
  if (OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, &context))
    out << *module;
}

int Fuzzer::run() {
  if (options.printCase) {
    printCase(options.seed, llvm::outs());
    return 0;
  }
  if (!options.writeCases.empty())
    return writeCases(options,
                      [&](uint64_t seed, llvm::raw_ostream &out) { printCase(seed, out); });
  if (options.plant)
    return runPlanted();
  return runLoop(options, [&]() -> std::function<Report(uint64_t)> {
    auto context = std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return [this, context](uint64_t seed) {
      return options.mutate ? runEdited(seed, context.get()) : runCase(seed, context.get());
    };
  });
}

int Fuzzer::runPlanted() {
  const std::vector<PlantedBug> bugs = getPlantedBugs();
  std::vector<Search> searches(bugs.size());
  bool shared = shareWork(
      options.jobs, [&](unsigned i, unsigned n, int pipe) { findBugs(i, n, pipe); },
      [&](StringRef line) {
        auto [number, search] = Search::fromLine(line);
        searches[number].merge(search);
      });
  unsigned found = 0;
  for (auto [bug, search] : llvm::zip(bugs, searches)) {
    found += search.cases != 0;
    llvm::outs() << bug.name << ": ";
    if (search.cases)
      llvm::outs() << toString(search.verdict) << " after " << search.cases << " cases\n";
    else
      llvm::outs() << "NOT FOUND in " << search.places << " cases with a place for it\n";
  }
  llvm::outs() << found << " of " << bugs.size() << " planted mistakes found\n";
  return shared && found == bugs.size() ? 0 : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Runs random fusions with random schedules\n");
  return Fuzzer(options).run();
}
