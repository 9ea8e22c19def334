//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FuzzLoop.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace fuser::fuzz;

namespace {

/// Counts over the cases that ran.
struct Statistics {
  std::map<Verdict, unsigned> verdicts;
  unsigned ran = 0, reduces = 0, shared = 0, inlines = 0, remainders = 0, vectorizes = 0,
           unrolls = 0, grid = 0, reshapes = 0, reorders = 0, pipelines = 0;
  std::vector<unsigned> sizes;
  std::vector<uint64_t> failures;
  std::map<std::string, unsigned> refusals;

  void add(const Report &report) {
    ++verdicts[report.verdict];
    if (report.verdict == Verdict::Refused)
      ++refusals[report.text];
    if (isFailure(report.verdict))
      failures.push_back(report.seed);
    if (!hasRun(report.verdict))
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
    reshapes += features.reshapes;
    reorders += features.reorders;
    pipelines += features.pipelines;
    sizes.push_back(features.numOps);
  }
  /// Prints shares and says whether all quotas are met.
  bool report(llvm::raw_ostream &out);
  void reportVerdicts(llvm::raw_ostream &out) const;
  void reportRefusals(llvm::raw_ostream &out) const;
};

} // namespace

std::string Report::toLine() const {
  std::string line;
  llvm::raw_string_ostream out(line);
  out << seed << " " << int(verdict) << " " << features.numOps;
  for (bool flag : {features.reduces, features.usesShared, features.inlines,
                    features.leavesRemainder, features.vectorizes, features.unrolls,
                    features.usesGrid, features.reshapes, features.reorders, features.pipelines})
    out << " " << flag;
  out << " " << StringRef(text).split('\n').first.take_front(2000) << "\n";
  return line;
}

Report Report::fromLine(StringRef line) {
  // The seed, the verdict, the number of ops and the flags.
  constexpr unsigned kNumbers = 13;
  SmallVector<StringRef> words;
  line.split(words, ' ', /*MaxSplit=*/kNumbers);
  SmallVector<uint64_t> numbers(kNumbers, 0);
  for (unsigned i = 0; i < kNumbers && i < words.size(); ++i)
    (void)words[i].getAsInteger(10, numbers[i]);
  Report report;
  report.seed = numbers[0];
  report.verdict = static_cast<Verdict>(numbers[1]);
  report.features = {unsigned(numbers[2]), numbers[3] != 0,  numbers[4] != 0, numbers[5] != 0,
                     numbers[6] != 0,      numbers[7] != 0,  numbers[8] != 0, numbers[9] != 0,
                     numbers[10] != 0,     numbers[11] != 0, numbers[12] != 0};
  report.text = words.size() > kNumbers ? words[kNumbers].str() : "";
  return report;
}

void Statistics::reportVerdicts(llvm::raw_ostream &out) const {
  for (auto [verdict, count] : verdicts)
    out << toString(verdict) << " " << count << "  ";
  out << "\n";
  out.flush();
}

bool Statistics::report(llvm::raw_ostream &out) {
  reportVerdicts(out);
  if (ran == 0)
    return false;
  llvm::sort(sizes);
  // Programs that are not made at random have no features.
  if (sizes.back() == 0)
    return true;
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
  share("with reshapes", reshapes, 20);
  share("with reshapes, views or repeats", reorders, 30);
  share("with vectors", vectorizes, 0);
  share("with unrolled loops", unrolls, 0);
  share("with blocks", grid, 0);
  share("with circular buffers", pipelines, 0);
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

bool fuser::fuzz::shareWork(unsigned jobs, llvm::function_ref<void(unsigned, unsigned, int)> work,
                            llvm::function_ref<void(StringRef)> read) {
  llvm::outs().flush();
  if (jobs == 0)
    jobs = std::max(1u, std::thread::hardware_concurrency());
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

/// Slow cases that pass show what takes compilers or checks too long.
static void sayIfSlow(const LoopOptions &options, uint64_t seed,
                      std::chrono::duration<double> taken) {
  if (options.slow == 0 || taken.count() <= options.slow)
    return;
  llvm::outs() << "seed " << seed << ": slow: " << llvm::format("%.0f s\n", taken.count());
  llvm::outs().flush();
}

namespace {

/// A value that processes made by `fork` share.
template <typename T> class SharedValue {
public:
  SharedValue()
      : memory(mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                    /*fd=*/-1, /*offset=*/0)) {
    if (*this)
      new (memory) T();
  }
  SharedValue(const SharedValue &) = delete;
  SharedValue &operator=(const SharedValue &) = delete;
  ~SharedValue() {
    if (*this)
      munmap(memory, sizeof(T));
  }
  /// False where there is no memory.
  explicit operator bool() const { return memory != MAP_FAILED; }
  T &operator*() const { return *static_cast<T *>(memory); }
  T *operator->() const { return static_cast<T *>(memory); }

private:
  void *memory;
};

/// The cases that no worker has begun: all from `next` on, and none when the time is over.
class OpenCases {
public:
  explicit OpenCases(const LoopOptions &options) : options(options) {}

  explicit operator bool() const { return bool(next); }
  /// The seed of the next case, which counts as begun.
  std::optional<uint64_t> begin() {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (options.timeLimit != 0 && taken.count() >= options.timeLimit)
      return std::nullopt;
    const uint64_t index = (*next)++;
    return index < options.count ? std::optional<uint64_t>(options.seed + index) : std::nullopt;
  }
  uint64_t getNumBegun() const { return std::min<uint64_t>(*next, options.count); }

private:
  const LoopOptions &options;
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  SharedValue<std::atomic<uint64_t>> next;
};

/// The last case that a worker began.
struct CaseInHand {
  uint64_t seed = 0;
  bool isReported = false;
};

} // namespace

/// Runs cases in a process of its own. Where that ends early, the case in hand crashed, or left a
/// device that cannot be used any more, and another process goes on with the next case.
static void runRestarted(OpenCases &cases, const LoopOptions &options,
                         llvm::function_ref<std::function<Report(uint64_t)>()> makeWork, int pipe) {
  SharedValue<CaseInHand> inHand;
  if (!inHand)
    return;
  auto tell = [&](const Report &report) {
    std::string line = report.toLine();
    if (write(pipe, line.data(), line.size()) < 0)
      _exit(1);
  };
  while (std::optional<uint64_t> seed = cases.begin()) {
    *inHand = {*seed};
    const pid_t child = fork();
    if (child < 0)
      return;
    if (child == 0) {
      std::function<Report(uint64_t)> runCase = makeWork();
      for (bool isUsable = true; seed; seed = isUsable ? cases.begin() : std::nullopt) {
        *inHand = {*seed};
        const auto start = std::chrono::steady_clock::now();
        const Report report = runCase(*seed);
        sayIfSlow(options, report.seed, std::chrono::steady_clock::now() - start);
        tell(report);
        inHand->isReported = true;
        isUsable = report.verdict != Verdict::Fault;
      }
      llvm::outs().flush();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (inHand->isReported)
      continue;
    Report report;
    report.seed = inHand->seed;
    report.verdict = Verdict::Crash;
    report.text = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                      : "exit status " + std::to_string(WEXITSTATUS(status));
    llvm::outs() << "seed " << report.seed << ": crash: " << report.text << "\n";
    llvm::outs().flush();
    tell(report);
  }
}

int fuser::fuzz::runLoop(const LoopOptions &options,
                         llvm::function_ref<std::function<Report(uint64_t)>()> makeWork) {
  llvm::outs() << "seeds " << options.seed << " to " << options.seed + options.count - 1 << "\n";
  Statistics statistics;
  uint64_t total = 0;
  OpenCases cases(options);
  auto work = [&](unsigned, unsigned, int pipe) { runRestarted(cases, options, makeWork, pipe); };
  const bool shared = cases && shareWork(options.jobs, work, [&](StringRef line) {
                        statistics.add(Report::fromLine(line));
                        // What a run that is ended from outside has done.
                        constexpr uint64_t kReportsOfProgress = 10000;
                        if (++total % kReportsOfProgress == 0)
                          statistics.reportVerdicts(llvm::outs() << total << " cases: ");
                      });
  const uint64_t begun = shared ? cases.getNumBegun() : options.count;
  if (begun != options.count)
    llvm::outs() << "--time-limit: seeds " << options.seed << " to " << options.seed + begun - 1
                 << " only\n";
  const bool good = statistics.report(llvm::outs());
  if (options.printRefusals)
    statistics.reportRefusals(llvm::outs());
  if (total != begun)
    llvm::outs() << "expected " << begun << " reports, but got " << total << "\n";
  const bool allRan = shared && total == begun && statistics.failures.empty();
  return allRan && (good || !options.quotas) ? 0 : 1;
}

int fuser::fuzz::writeCases(const LoopOptions &options,
                            llvm::function_ref<void(uint64_t, llvm::raw_ostream &)> print) {
  unsigned written = 0;
  auto work = [&](unsigned worker, unsigned workers, int pipe) {
    for (unsigned index = worker; index < options.count; index += workers) {
      const uint64_t seed = options.seed + index;
      std::error_code error = llvm::sys::fs::create_directories(options.writeCases);
      llvm::SmallString<128> path(options.writeCases.getValue());
      llvm::sys::path::append(path, std::to_string(seed) + ".mlir");
      if (!error) {
        llvm::raw_fd_ostream file(path, error);
        if (!error)
          print(seed, file);
      }
      if (error)
        llvm::errs() << path << ": " << error.message() << "\n";
      else if (write(pipe, "\n", 1) < 0)
        return;
    }
  };
  const bool shared = shareWork(options.jobs, work, [&](StringRef) { ++written; });
  return shared && written == options.count ? 0 : 1;
}

std::unique_ptr<llvm::raw_ostream> fuser::fuzz::openFailure(const LoopOptions &options,
                                                            uint64_t seed, const Outcome &outcome) {
  llvm::SmallString<128> path(options.output.getValue());
  llvm::sys::path::append(path, "fuzz-" + std::to_string(seed) + ".mlir");
  std::error_code error = llvm::sys::fs::create_directories(options.output);
  auto file = error ? nullptr : std::make_unique<llvm::raw_fd_ostream>(path, error);
  if (error) {
    llvm::errs() << path << ": " << error.message() << "\n";
    return nullptr;
  }
  *file << "// Seed " << seed << ": " << toString(outcome.verdict) << "\n";
  for (StringRef line : llvm::split(outcome.text, '\n'))
    *file << "// " << line << "\n";
  llvm::outs() << "written to " << path << "\n";
  llvm::outs().flush();
  return file;
}
