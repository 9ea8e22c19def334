//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-tune: measures the schedules that the kernels of a program could have.
//
//===----------------------------------------------------------------------===//

#include "../ProgramCommandLine.h"
#include "../ToolOutput.h"
#include "fuser/Driver/TuneFile.h"
#include "llvm/Support/InitLLVM.h"

#include <csignal>

namespace cl = llvm::cl;
using fuser::driver::Outcome;
using fuser::driver::TuneOptions;

namespace {

struct CommandLine : fuser::tools::ExecutionCommandLine<TuneOptions> {
  CommandLine()
      : ExecutionCommandLine(
            "fuser-tune options",
            "What to schedule for: h200, sm_90, ... (default: the GPU, else sm_90)") {}

  cl::opt<std::string, true> deviceFile{
      "device-file", cl::desc("Schedule for the device that a file of `key = value` describes"),
      cl::value_desc("file"), cl::location(options.deviceFile), cl::cat(category)};
  cl::opt<unsigned, true> top{
      "top",
      cl::desc("Schedules of each kernel to measure, the best by the model (default: 16)"),
      cl::value_desc("n"),
      cl::location(options.top),
      cl::init(16),
      cl::cat(category)};
  cl::opt<unsigned, true> rounds{
      "rounds",
      cl::desc("Calls of each schedule to time, all in turn (default: 20)"),
      cl::value_desc("n"),
      cl::location(options.rounds),
      cl::init(20),
      cl::cat(category)};
  cl::opt<unsigned, true> steps{
      "steps",
      cl::desc(
          "How often to measure what is near the winners, while there are new ones (default: 3)"),
      cl::value_desc("n"),
      cl::location(options.steps),
      cl::init(3),
      cl::cat(category)};
  cl::opt<std::string, true> schedules{
      "schedules", cl::desc("Begin with the schedules of a file of fuser-tune"),
      cl::value_desc("file"), cl::location(options.schedules), cl::cat(category)};
  cl::opt<double, true> budget{
      "budget",
      cl::desc("Begin no measurement after so many seconds (default: no limit)"),
      cl::value_desc("seconds"),
      cl::location(options.budget),
      cl::init(0),
      cl::cat(category)};
  cl::opt<std::string, true> output{
      "o",
      cl::desc("Write the schedules to a file, for fuser-run --schedules (-: standard output)"),
      cl::value_desc("file"), cl::location(options.output), cl::cat(category)};
  cl::opt<bool> quiet{"quiet", cl::desc("No progress, which only a terminal shows"),
                      cl::cat(category)};
};

/// Set by Ctrl-C.
volatile std::sig_atomic_t interrupted = 0;
/// What a process returns that a signal has ended.
constexpr int kInterrupted = 128 + SIGINT;

/// What is known is written if that takes less than a second; otherwise, or after another Ctrl-C,
/// nothing is.
void interrupt(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
  // Before that, the signal ends a crash that hangs.
  std::signal(SIGALRM, [](int) { _exit(kInterrupted); });
  alarm(1);
}

} // namespace

int main(int argc, char **argv) {
  fuser::tools::handleSignals();
  llvm::InitLLVM init(argc, argv);
  fuser::tools::exitWhenOutOfMemory();
  CommandLine commandLine;
  if (!commandLine.parse(argc, argv,
                         "Measures schedules of the kernels of a program, and writes the fastest\n",
                         llvm::errs()))
    return int(Outcome::BadCommand);
  commandLine.finishInputs();
  TuneOptions &options = commandLine.options;
  options.progress = !commandLine.quiet && llvm::errs().is_displayed();
  static_assert(sizeof(std::sig_atomic_t) == sizeof(int));
  options.interrupt = const_cast<const int *>(&interrupted);
  std::signal(SIGINT, interrupt);
  Outcome outcome =
      fuser::driver::tune(options, fuser::tools::getProgramDialects(), llvm::outs(), llvm::errs());
  alarm(0);
  const int code = fuser::tools::finish(argv[0], int(outcome));
  return interrupted ? kInterrupted : code;
}
