//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads a program, tunes it, reports, and writes the schedules.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/TuneFile.h"
#include "ProgramContext.h"
#include "Report.h"
#include "Target.h"
#include "TuneReport.h"
#include "fuser/Support/OutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::Error;
using artifact::ErrorCode;
using artifact::makeError;

static artifact::Status checkOptions(const TuneOptions &options) {
  auto expect = [&](bool holds, const char *option, const char *expected, auto got) {
    return holds ? artifact::Status()
                 : makeError(ErrorCode::ParseError, option, ": expected ", expected, ", but got ",
                             got);
  };
  if (options.device == DeviceChoice::Reference)
    return makeError(ErrorCode::Unsupported,
                     "--device: expected a device that programs are compiled for, but got the "
                     "reference");
  if (!options.deviceFile.empty() && !options.target.empty())
    return makeError(ErrorCode::ParseError,
                     "--device-file: expected no --target with it, but got '", options.target, "'");
  // Both fail for NaN.
  if (artifact::Status status =
          expect(options.budget >= 0, "--budget", "a number of at least 0", options.budget);
      !status)
    return status;
  constexpr unsigned kMostSchedules = 1024, kLeastRounds = 3, kMostRounds = 100000;
  if (artifact::Status status = expect(options.top >= 1 && options.top <= kMostSchedules, "--top",
                                       "1 to 1024", options.top);
      !status)
    return status;
  constexpr unsigned kMostSteps = 100;
  if (artifact::Status status = expect(options.steps >= 1 && options.steps <= kMostSteps, "--steps",
                                       "1 to 100", options.steps);
      !status)
    return status;
  return expect(options.rounds >= kLeastRounds && options.rounds <= kMostRounds, "--rounds",
                "3 to 100000", options.rounds);
}

/// Fails where the file cannot be created: before minutes of measuring, not after.
static std::error_code checkOutput(const std::string &path) {
  std::optional<PendingFile> file;
  return path.empty() || path == "-" ? std::error_code() : PendingFile::create(path, file);
}

namespace {
/// The state of one run of the tool.
class TuneRun {
public:
  TuneRun(const TuneOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &errors)
      : options(options), out(options.output == "-" ? errors : out), errors(errors),
        standardOutput(out) {}

  Outcome run(llvm::SourceMgr &sources, MLIRContext *context);

private:
  Outcome fail(Outcome outcome, const Error &error) {
    errors << "fuser-tune: " << error.message << "\n";
    return outcome;
  }
  /// Measures what is near the schedules (text; empty: the model's choices), then what is near the
  /// winners.
  Outcome tuneInSteps(Tuner &tuner, std::string schedules);
  Outcome write(size_t numKernels);

  const TuneOptions &options;
  llvm::raw_ostream &out, &errors, &standardOutput;
  /// The schedules so far, and how many kernels have others than before.
  std::string text;
  unsigned numChanged = 0;
};
} // namespace

Outcome TuneRun::tuneInSteps(Tuner &tuner, std::string schedules) {
  llvm::StringSet<> changed;
  for (unsigned step = 0; step < options.steps; ++step) {
    if (artifact::Status status = tuner.enumerate(schedules); !status)
      // What was found before counts.
      return step == 0 ? fail(Outcome::Failure, status.error()) : Outcome::Success;
    if (step == 0) {
      printTitle(out, "target") << tuner.getTargetName() << "\n";
      // The rest takes a while.
      out.flush();
    }
    auto isTuned = [&](const TuningKernel &kernel) {
      return step == 0 || changed.contains(kernel.names.front());
    };
    if (artifact::Status status = tuner.run(isTuned); !status)
      return fail(Outcome::Failure, status.error());
    llvm::StringSet<> winners;
    for (const TunedKernel &kernel : tuner.getKernels()) {
      if (isTuned(*kernel.kernel))
        printTable(out, kernel);
      if (kernel.winner != 0)
        winners.insert(kernel.kernel->names.front());
    }
    numChanged +=
        llvm::count_if(winners, [&](const auto &each) { return !changed.contains(each.getKey()); });
    changed = std::move(winners);
    text = printSchedules(tuner);
    if (changed.empty() || tuner.wasCut())
      break;
    schedules = text;
  }
  return Outcome::Success;
}

Outcome TuneRun::write(size_t numKernels) {
  if (options.output.empty())
    return Outcome::Success;
  if (options.output == "-") {
    standardOutput << text;
    return Outcome::Success;
  }
  if (std::error_code error =
          writeFile(options.output, [&](llvm::raw_ostream &file) { file << text; }))
    return fail(Outcome::Failure,
                makeError(ErrorCode::IoError, "-o: ", options.output, ": ", error.message()));
  printTitle(out, "schedules") << options.output << ": " << numKernels
                               << (numKernels == 1 ? " kernel, " : " kernels, ") << numChanged
                               << " changed\n";
  return Outcome::Success;
}

Outcome TuneRun::run(llvm::SourceMgr &sources, MLIRContext *context) {
  if (artifact::Status status = checkOptions(options); !status)
    return fail(Outcome::BadCommand, status.error());
  auto program = makeProgramOptions(options);
  if (!program)
    return fail(Outcome::BadCommand, program.error());
  if (!options.deviceFile.empty()) {
    auto target = readDeviceFile("--device-file", options.deviceFile);
    if (!target)
      return fail(Outcome::BadCommand, target.error());
    program->target = target.take();
  }
  auto schedules = readSchedules("--schedules", options.schedules);
  if (!schedules)
    return fail(Outcome::BadCommand, schedules.error());
  FailureOr<ProgramFile> file = readProgram(options.file, options.program, sources, context);
  if (failed(file))
    return Outcome::Failure;
  auto inputs = makeInputs(*file, options.inputs);
  if (!inputs)
    return fail(Outcome::BadCommand, inputs.error());
  if (std::error_code error = checkOutput(options.output))
    return fail(Outcome::Failure,
                makeError(ErrorCode::IoError, "-o: ", options.output, ": ", error.message()));
  auto device = makeDevice(options.device);
  if (!device)
    return fail(Outcome::Failure, device.error());
  printProgram(out, file->program.getName(), *inputs);
  printTitle(out, "device") << (*device)->description().name << "\n";
  Tuner tuner(options, {printProgramModule(*file), program.take(), *file, *inputs}, device.take(),
              errors);
  if (artifact::Status status = tuner.start(); !status)
    return fail(Outcome::Failure, status.error());
  if (Outcome outcome = tuneInSteps(tuner, schedules.take()); outcome != Outcome::Success)
    return outcome;
  const bool hasKernels = !tuner.getKernels().empty();
  if (!hasKernels)
    printTitle(out, "kernels") << "none that the compiler schedules\n";
  if (tuner.wasCut())
    printTitle(out, "ended") << "before all schedules were measured\n";
  if (!tuner.measuresTime() && hasKernels)
    printTitle(out, "time") << "not measured: times on the host device say nothing about a GPU; "
                               "schedules are ranked by "
                               "the model and checked, and none is replaced\n";
  return write(tuner.getKernels().size());
}

Outcome fuser::driver::tune(const TuneOptions &options, const DialectRegistry &registry,
                            llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  ProgramContext program(registry, errors);
  return TuneRun(options, out, errors).run(program.sources, &program.context);
}
