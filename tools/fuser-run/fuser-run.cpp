//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-run: compiles a program (or loads an artifact), runs it on a device, checks and times it;
// or does so for each command line of a file.
//
//===----------------------------------------------------------------------===//

#include "../ProgramCommandLine.h"
#include "../ToolOutput.h"
#include "fuser/Driver/Driver.h"
#include "fuser/Support/InputFile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

namespace cl = llvm::cl;
using fuser::driver::DriverOptions;
using fuser::driver::Outcome;

namespace {

struct CommandLine : fuser::tools::ExecutionCommandLine<DriverOptions> {
  CommandLine()
      : ExecutionCommandLine(
            "fuser-run options",
            "What to schedule for: h200, sm_90, ... (default: the GPU, else sm_90)") {}

  cl::opt<bool> batch{
      "batch",
      cl::desc(
          "FILE holds command lines of fuser-run, one per line: run each, and say which failed"),
      cl::cat(category)};
  cl::opt<std::string, true> dumpAfter{
      "dump-after",
      cl::desc("Print the module after preseg, segmentation, choose, apply, a stage of lowering "
               "(loops, launched, accessed, guarded) or lowering"),
      cl::value_desc("phase"), cl::location(options.dumpAfter), cl::cat(category)};
  cl::opt<std::string, true> dumpTo{"dump-to", cl::desc("Print what --dump-after prints to a file"),
                                    cl::value_desc("file"), cl::location(options.dumpTo),
                                    cl::cat(category)};
  cl::opt<bool> noRun{"no-run", cl::desc("Stop at kernel IR: emit no code and run nothing"),
                      cl::cat(category)};
  cl::opt<std::string, true> startFrom{
      "start-from", cl::desc("The file holds what the phase before this one left"),
      cl::value_desc("phase"), cl::location(options.startFrom), cl::cat(category)};
  cl::opt<unsigned, true> repeat{"repeat", cl::desc("Calls to time on a GPU"), cl::value_desc("n"),
                                 cl::location(options.repeat), cl::cat(category)};
  cl::opt<std::string, true> profile{
      "profile",
      cl::desc("Write the time of each kernel to a JSON file, which fuser-explain --profile reads"),
      cl::value_desc("file"), cl::location(options.profile), cl::cat(category)};
  cl::opt<std::string, true> timingLock{
      "timing-lock",
      cl::desc("Use the device only while this process holds a lock on a file: several processes "
               "prepare their inputs at the same time, and run one by one"),
      cl::value_desc("file"), cl::location(options.timingLock), cl::cat(category)};
  cl::opt<bool, true> check{"check", cl::desc("Compare the outputs with the reference"),
                            cl::location(options.check), cl::cat(category)};
  cl::opt<cl::boolOrDefault> checkAccesses{
      "check-accesses",
      cl::desc(
          "On the host device, fail where a kernel leaves its memory, races, reads what was not "
          "written, or diverges at a barrier (default: with --check)"),
      cl::cat(category)};
  cl::opt<double> relative{"rtol",
                           cl::desc("Relative tolerance of --check (default: by element type)"),
                           cl::value_desc("x"), cl::cat(category)};
  cl::opt<double> absolute{"atol",
                           cl::desc("Absolute tolerance of --check (default: by element type)"),
                           cl::value_desc("x"), cl::cat(category)};
  cl::opt<std::string, true> schedules{
      "schedules", cl::desc("Read the schedules of kernels from a file of fuser-tune"),
      cl::value_desc("file"), cl::location(options.schedules), cl::cat(category)};
  cl::opt<std::string, true> saveArtifact{
      "save-artifact",
      cl::desc("Write what was compiled to a file, which runs without a compiler: fuser-run file"),
      cl::value_desc("file"), cl::location(options.saveArtifact), cl::cat(category)};
  cl::opt<std::string, true> saveOutput{
      "save-output", cl::desc("Write the outputs to a .npy file (several: NAME.0.npy, ...)"),
      cl::value_desc("file"), cl::location(options.saveOutput), cl::cat(category)};

  static std::optional<double> getIfGiven(const cl::opt<double> &option) {
    return option.getNumOccurrences() ? std::optional<double>(option) : std::nullopt;
  }

  /// A comparison with NaN or a negative number never fails or never passes.
  bool checkTolerances(llvm::raw_ostream &errors) {
    for (const cl::opt<double> *option : {&relative, &absolute})
      if (option->getNumOccurrences() && !(double(*option) >= 0)) {
        errors << "fuser-run: --" << option->ArgStr << ": expected a number of at least 0, but got "
               << double(*option) << "\n";
        return false;
      }
    return true;
  }

  /// The options with what has no location of its own.
  const DriverOptions &finish() {
    finishInputs();
    options.checkAccesses =
        checkAccesses == cl::BOU_UNSET ? options.check : checkAccesses == cl::BOU_TRUE;
    options.run = !noRun;
    options.relativeTolerance = getIfGiven(relative);
    options.absoluteTolerance = getIfGiven(absolute);
    return options;
  }
};

constexpr llvm::StringLiteral kOverview = "Compiles a program, runs it, checks and times it\n";

/// Runs one line of a batch; what the run prints goes to `report`.
Outcome runLine(CommandLine &commandLine, llvm::StringRef line, llvm::raw_ostream &report) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words{"fuser-run"};
  cl::TokenizeGNUCommandLine(line, saver, words);
  cl::ResetAllOptionOccurrences();
  if (!commandLine.parse(words.size(), words.data(), kOverview, report) ||
      !commandLine.checkTolerances(report))
    return Outcome::BadCommand;
  const DriverOptions &options = commandLine.finish();
  if (commandLine.batch) {
    report << "fuser-run: expected a command line without --batch in a batch\n";
    return Outcome::BadCommand;
  }
  return fuser::driver::run(options, fuser::tools::getProgramDialects(), report, report);
}

/// Runs each line of `file`. Prints "ok" or "FAIL" and the line after each run, the output of a
/// failed run, and the number of passed runs.
Outcome runBatch(CommandLine &commandLine, const std::string &file) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> lines =
      fuser::readInput(file, /*isText=*/true);
  if (!lines) {
    llvm::errs() << "fuser-run: " << file << ": " << llvm::toString(lines.takeError()) << "\n";
    return Outcome::BadCommand;
  }
  // Creating the context takes longer than most runs.
  std::shared_ptr<void> gpu = fuser::driver::holdGpu();
  unsigned passed = 0, failed = 0;
  for (llvm::line_iterator line(**lines, /*SkipBlanks=*/true); !line.is_at_end(); ++line) {
    std::string text;
    llvm::raw_string_ostream report(text);
    bool good = runLine(commandLine, *line, report) == Outcome::Success;
    ++(good ? passed : failed);
    llvm::outs() << (good ? "ok " : "FAIL ") << *line << "\n";
    llvm::SmallVector<llvm::StringRef> printed;
    if (!good)
      llvm::StringRef(text).rtrim().split(printed, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef each : printed)
      llvm::outs() << "  " << each << "\n";
    // Flush, so that the output is complete if the next line crashes.
    llvm::outs().flush();
  }
  llvm::outs() << passed << " passed, " << failed << " failed\n";
  return failed ? Outcome::Failure : Outcome::Success;
}

} // namespace

int main(int argc, char **argv) {
  fuser::tools::handleSignals();
  llvm::InitLLVM init(argc, argv);
  CommandLine commandLine;
  fuser::tools::exitWhenOutOfMemory();
  if (!commandLine.parse(argc, argv, kOverview, llvm::errs()) ||
      !commandLine.checkTolerances(llvm::errs()))
    return int(Outcome::BadCommand);
  const DriverOptions &options = commandLine.finish();
  if (commandLine.batch)
    return fuser::tools::finish(argv[0], int(runBatch(commandLine, std::string(options.file))));
  Outcome outcome =
      fuser::driver::run(options, fuser::tools::getProgramDialects(), llvm::outs(), llvm::errs());
  return fuser::tools::finish(argv[0], int(outcome));
}
