//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What fuzzers share: cases of consecutive seeds, shared by some processes, and counts over them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_FUZZLOOP_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_FUZZLOOP_H

#include "CaseRunner.h"
#include "FuzzCase.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace fuser::fuzz {

/// Options of every fuzzer.
struct LoopOptions {
  llvm::cl::OptionCategory category{"Options of fuzzers"};
  llvm::cl::opt<unsigned> count{"count", llvm::cl::desc("Cases to run"), llvm::cl::init(500),
                                llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{"seed",
                               llvm::cl::desc("Seed of the first case; the next has the next"),
                               llvm::cl::init(1), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> jobs{"jobs",
                               llvm::cl::desc("Cases at a time (default: one for each CPU)"),
                               llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> timeout{"timeout",
                                  llvm::cl::desc("Seconds of CPU time that a case may take"),
                                  llvm::cl::init(20), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> timeLimit{"time-limit",
                                    llvm::cl::desc("Seconds after which no case begins (0: all of "
                                                   "--count run)"),
                                    llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> slow{"slow",
                               llvm::cl::desc("Name cases that take more seconds (0: none)"),
                               llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> output{"output", llvm::cl::desc("Folder of cases that fail"),
                                    llvm::cl::init("."), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> writeCases{
      "write-cases",
      llvm::cl::desc("Write the cases to this folder, one SEED.mlir each, and run none"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> reduce{"reduce", llvm::cl::desc("Make cases that fail smaller"),
                             llvm::cl::init(true), llvm::cl::cat(category)};
  llvm::cl::opt<bool> quotas{"quotas", llvm::cl::desc("Fail where a quota is missed"),
                             llvm::cl::init(true), llvm::cl::cat(category)};
  llvm::cl::opt<bool> printRefusals{"print-refusals", llvm::cl::desc("Say why cases were refused"),
                                    llvm::cl::cat(category)};
};

/// What became of a case, as one worker tells it the others: a line of at most PIPE_BUF bytes,
/// which is written at once.
struct Report {
  uint64_t seed = 0;
  Verdict verdict = Verdict::Passed;
  Features features;
  std::string text;

  std::string toLine() const;
  static Report fromLine(llvm::StringRef line);
};

/// Lets worker i of n call `work(i, n, pipe)` in a process of its own, and `read` all lines that
/// they write.
bool shareWork(unsigned jobs, llvm::function_ref<void(unsigned, unsigned, int)> work,
               llvm::function_ref<void(llvm::StringRef)> read);

/// Runs the case of each seed in one of several processes and prints what became of them. Returns
/// what the program exits with: 0 where nothing failed, all reported, and quotas are met.
/// `makeWork` is called in each process.
int runLoop(const LoopOptions &options,
            llvm::function_ref<std::function<Report(uint64_t)>()> makeWork);

/// Lets `print` write the case of each seed to a file of the folder `writeCases`, in several
/// processes. Returns what the program exits with.
int writeCases(const LoopOptions &options,
               llvm::function_ref<void(uint64_t, llvm::raw_ostream &)> print);

/// The folder's file for a case that failed; null, after a message, where it cannot be written.
std::unique_ptr<llvm::raw_ostream> openFailure(const LoopOptions &options, uint64_t seed,
                                               const Outcome &outcome);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_FUZZLOOP_H
