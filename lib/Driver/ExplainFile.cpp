//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Driver/ExplainFile.h"
#include "DeviceRun.h"
#include "Profile.h"
#include "ProgramContext.h"
#include "Target.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Explain/Explanation.h"
#include "fuser/Support/OutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::DeviceDescription;
using artifact::Expected;

static Expected<DeviceDescription> findTarget(const ExplainOptions &options) {
  if (options.deviceFile.empty())
    return artifact::lookupDevice(options.target);
  return readDeviceFile("--device-file", options.deviceFile);
}

static void print(const explain::Explanation &explanation, const ExplainOptions &options,
                  llvm::raw_ostream &out) {
  if (options.remarks) {
    explain::emitRemarks(explanation);
    return;
  }
  switch (options.format) {
  case ExplainFormat::Text:
    return explain::printText(out, explanation);
  case ExplainFormat::Json:
    return explain::printJson(out, explanation);
  case ExplainFormat::Svg:
    return explain::printSvg(out, explanation);
  case ExplainFormat::Html:
    return explain::printHtml(out, explanation);
  }
}

/// Adds measured times to an explanation. Fails where the profile is of another program.
static artifact::Status addProfile(const Profile &profile, const std::string &path,
                                   explain::Explanation &explanation) {
  auto fail = [&](const auto &...text) {
    return artifact::makeError(artifact::ErrorCode::InvalidProgram, "--profile: ", path, ": ",
                               text...);
  };
  if (profile.program != explanation.program)
    return fail("expected a profile of '", explanation.program, "', but got one of '",
                profile.program, "'");
  if (profile.sizes != explanation.sizes)
    return fail("expected a profile of sizes '", explanation.sizes, "', but got one of '",
                profile.sizes, "'");
  llvm::StringSet<> known;
  for (const explain::Launch &launch : explanation.launches)
    known.insert(launch.kernel);
  for (const explain::KernelTrace &kernel : explanation.kernels)
    known.insert(kernel.name);
  // Only stages tell the names of kernels that several launches became.
  const bool isComplete = explanation.batches.empty() || !explanation.kernels.empty();
  for (const auto &[kernel, time] : profile.kernels)
    if (isComplete && !known.contains(kernel))
      return fail("expected kernels of the program, but got '", kernel,
                  "': it may be of another target");
  explanation.measured = profile.kernels;
  explanation.measuredOn = profile.device;
  return artifact::Status();
}

Outcome fuser::driver::explain(const ExplainOptions &options, const DialectRegistry &registry,
                               llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  ProgramContext read(registry, errors);
  MLIRContext &context = read.context;
  llvm::SourceMgr &sources = read.sources;
  auto fail = [&](Outcome outcome, const artifact::Error &error) {
    errors << "fuser-explain: " << error.message << "\n";
    return outcome;
  };

  Expected<DeviceDescription> device = findTarget(options);
  if (!device)
    return fail(Outcome::BadCommand, device.error());
  FailureOr<ProgramFile> file = readProgram(options.file, options.program, sources, &context);
  if (failed(file))
    return Outcome::Failure;
  Expected<std::string> sizes = describeRequestedSizes(*file, options.inputs);
  if (!sizes)
    return fail(Outcome::BadCommand, sizes.error());
  Expected<std::string> schedules = readSchedules("--schedules", options.schedules);
  if (!schedules)
    return fail(Outcome::BadCommand, schedules.error());
  std::optional<Profile> profile;
  if (!options.profile.empty()) {
    Expected<Profile> read = readProfile(options.profile);
    if (!read)
      return fail(Outcome::BadCommand, read.error());
    profile = read.take();
    if (sizes->empty())
      *sizes = profile->sizes;
  }
  if (!isa<FusionOp>(file->program.getOperation())) {
    file->program.emitError("expected a fuser.fusion to explain, but got ")
        << file->program->getName() << ": its decisions are taken";
    return Outcome::Failure;
  }
  // The sizes are for this program and would not fit other ones.
  std::string name = file->program.getName().str();
  for (auto other : llvm::make_early_inc_range(file->module->getOps<FusionOp>()))
    if (other.getSymName() != name)
      other.erase();

  explain::ExplainOptions explain;
  explain.pipeline.target = *device;
  explain.pipeline.sizes = *sizes;
  explain.pipeline.markBoundaries = options.markBoundaries;
  explain.schedules = schedules.take();
  explain.stages = !options.remarks &&
                   (options.format == ExplainFormat::Json || options.format == ExplainFormat::Html);
  FailureOr<explain::Explanation> explanation =
      explain::explainFusion(*file->module, name, *device, explain);
  if (failed(explanation))
    return Outcome::Failure;
  if (profile)
    if (artifact::Status status = addProfile(*profile, options.profile, *explanation); !status)
      return fail(Outcome::BadCommand, status.error());
  if (options.output.empty() || options.output == "-") {
    print(*explanation, options, out);
    return Outcome::Success;
  }
  std::error_code error = writeFile(
      options.output, [&](llvm::raw_ostream &file) { print(*explanation, options, file); });
  if (error)
    return fail(Outcome::Failure, artifact::makeError(artifact::ErrorCode::IoError, "-o: ",
                                                      options.output, ": ", error.message()));
  return Outcome::Success;
}
