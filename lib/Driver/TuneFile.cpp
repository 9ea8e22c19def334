//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads a program, tunes it, reports, and writes the schedules.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/TuneFile.h"
#include "Report.h"
#include "Target.h"
#include "TuneReport.h"
#include "fuser/Support/OutputFile.h"
#include "mlir/IR/Diagnostics.h"

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
  return expect(options.rounds >= kLeastRounds && options.rounds <= kMostRounds, "--rounds",
                "3 to 100000", options.rounds);
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
  Outcome report(const Tuner &tuner);

  const TuneOptions &options;
  llvm::raw_ostream &out, &errors, &standardOutput;
};
} // namespace

Outcome TuneRun::report(const Tuner &tuner) {
  unsigned numChanged = 0;
  for (const TunedKernel &kernel : tuner.getKernels()) {
    printTable(out, kernel);
    numChanged += kernel.winner != 0;
  }
  if (tuner.getKernels().empty())
    printTitle(out, "kernels") << "none that the compiler schedules\n";
  if (tuner.wasCut())
    printTitle(out, "ended") << "before all schedules were measured\n";
  if (!tuner.measuresTime() && !tuner.getKernels().empty())
    printTitle(out, "time") << "not measured: times on the host device say nothing about a GPU; "
                               "schedules are ranked by "
                               "the model and checked, and its choices are kept\n";
  if (options.output.empty())
    return Outcome::Success;
  const std::string text = printSchedules(tuner);
  if (options.output == "-") {
    standardOutput << text;
    return Outcome::Success;
  }
  if (std::error_code error =
          writeFile(options.output, [&](llvm::raw_ostream &file) { file << text; }))
    return fail(Outcome::Failure,
                makeError(ErrorCode::IoError, "-o: ", options.output, ": ", error.message()));
  printTitle(out, "schedules") << options.output << ": " << tuner.getKernels().size()
                               << (tuner.getKernels().size() == 1 ? " kernel, " : " kernels, ")
                               << numChanged << " not as the model chooses\n";
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
  FailureOr<ProgramFile> file = readProgram(options.file, options.program, sources, context);
  if (failed(file))
    return Outcome::Failure;
  auto inputs = makeInputs(*file, options.inputs);
  if (!inputs)
    return fail(Outcome::BadCommand, inputs.error());
  auto device = makeDevice(options.device);
  if (!device)
    return fail(Outcome::Failure, device.error());
  printProgram(out, file->program.getName(), *inputs);
  printTitle(out, "device") << (*device)->description().name << "\n";
  Tuner tuner(options, {printProgramModule(*file), program.take(), *file, *inputs}, device.take(),
              errors);
  if (artifact::Status status = tuner.start(); !status)
    return fail(Outcome::Failure, status.error());
  printTitle(out, "target") << tuner.getTargetName() << "\n";
  // The rest takes a while.
  out.flush();
  if (artifact::Status status = tuner.run(); !status)
    return fail(Outcome::Failure, status.error());
  return report(tuner);
}

Outcome fuser::driver::tune(const TuneOptions &options, const DialectRegistry &registry,
                            llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  DialectRegistry dialects;
  registry.appendTo(dialects);
  registerCompilerDialects(dialects);
  registerImportDialects(dialects);
  MLIRContext context(dialects);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, errors);
  return TuneRun(options, out, errors).run(sources, &context);
}
