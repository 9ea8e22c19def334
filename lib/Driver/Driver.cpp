//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a program file and reports.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/Driver.h"
#include "ArtifactRun.h"
#include "ProgramContext.h"
#include "Report.h"
#include "TimingLock.h"
#include "fuser/Driver/NumPy.h"
#include "fuser/Reference/Evaluate.h"
#include "fuser/Runtime/ArtifactFile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::Error;
using reference::Tensor;

namespace {

/// The state of one run.
class Run {
public:
  Run(const DriverOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &errors)
      : options(options), out(options.dumpAfter.empty() || !options.dumpTo.empty() ? out : errors),
        errors(errors), dump(out) {}

  Outcome run(llvm::SourceMgr &sources, MLIRContext *context);
  Outcome runArtifact(MLIRContext *context);

private:
  Outcome fail(Outcome outcome, const Error &error) {
    errors << "fuser-run: " << error.message << "\n";
    return outcome;
  }
  /// The outputs that the reference computes; its diagnostics are errors of the run.
  FailureOr<SmallVector<Tensor>> evaluateReference();
  /// Checks that the options about phases are consistent, and that the file is at the phase
  /// `startFrom`.
  Outcome checkPhases();
  Outcome runReference(DeviceResult &result);
  using RunOnDevice = llvm::function_ref<artifact::Expected<DeviceResult>(const RunDevice &)>;
  /// Makes the device and calls `run` with it, both while it holds the lock of the options.
  Outcome runDevice(DeviceChoice choice, RunOnDevice run, DeviceResult &result);
  Outcome makeArguments(const InputOptions &inputOptions);
  /// Prints the outputs, and compares and saves them where the options ask for it.
  Outcome finish(const DeviceResult &result, ArrayRef<Type> types);
  Outcome check(ArrayRef<Tensor> actual);
  Outcome save(ArrayRef<HostArray> outputs);

  const DriverOptions &options;
  /// Streams for the report, for errors, and for the module of `dumpAfter`.
  llvm::raw_ostream &out, &errors, &dump;
  ProgramFile file;
  std::vector<Input> inputs;
};

} // namespace

FailureOr<SmallVector<Tensor>> Run::evaluateReference() {
  SmallVector<Tensor> args;
  for (const Input &input : inputs)
    args.push_back(toReference(input.array, getElementTypeOrSelf(input.type)));
  return reference::evaluate(file.program, args);
}

Outcome Run::checkPhases() {
  for (auto [option, name] :
       {std::pair("--dump-after", options.dumpAfter), std::pair("--start-from", options.startFrom)})
    if (!name.empty() && !symbolizeStep(name))
      return fail(Outcome::BadCommand, artifact::makeError(artifact::ErrorCode::ParseError, option,
                                                           ": expected a phase (", listSteps(),
                                                           "), but got '", name, "'"));
  auto failAs = [&](const auto &...text) {
    return fail(Outcome::BadCommand,
                artifact::makeError(artifact::ErrorCode::Unsupported, text...));
  };
  if ((!options.dumpAfter.empty() || !options.run) && options.device == DeviceChoice::Reference)
    return failAs(options.run ? "--dump-after" : "--no-run",
                  ": expected a device that programs are compiled for, but got the reference");
  if (!options.dumpTo.empty() && options.dumpAfter.empty())
    return failAs("--dump-to: expected --dump-after with it, but got none");
  if (!options.run && (options.check || !options.saveOutput.empty()))
    return failAs("--no-run: expected outputs to be neither checked nor saved, but got ",
                  options.check ? "--check" : "--save-output");
  if (!options.saveArtifact.empty() && (!options.run || options.device == DeviceChoice::Reference))
    return failAs("--save-artifact: expected a program that runs on a device, but got ",
                  options.run ? "--device=reference" : "--no-run");
  if (!options.schedules.empty() && options.device == DeviceChoice::Reference)
    return failAs("--schedules: expected a program that is compiled, but got --device=reference");
  if (!options.profile.empty() && (!options.run || options.device == DeviceChoice::Reference))
    return failAs("--profile: expected a program that runs on a device, but got ",
                  options.run ? "--device=reference" : "--no-run");
  if (!options.timingLock.empty() && (!options.run || options.device == DeviceChoice::Reference))
    return failAs("--timing-lock: expected a program that runs on a device, but got ",
                  options.run ? "--device=reference" : "--no-run");
  if (options.startFrom.empty())
    return Outcome::Success;
  if (symbolizeStep(options.startFrom)->phase > Phase::Segmentation &&
      !file.module->getOps<FusionOp>().empty())
    return fail(Outcome::BadCommand,
                artifact::makeError(artifact::ErrorCode::InvalidProgram,
                                    "--start-from: expected a file at phase '", options.startFrom,
                                    "', but it still holds a fuser.fusion"));
  return Outcome::Success;
}

Outcome Run::runReference(DeviceResult &result) {
  printTitle(out, "device") << "reference (double precision)\n";
  FailureOr<SmallVector<Tensor>> results = evaluateReference();
  if (failed(results))
    return Outcome::Failure;
  for (const Tensor &tensor : *results)
    result.outputs.push_back(toHostArray(tensor));
  return Outcome::Success;
}

Outcome Run::runDevice(DeviceChoice choice, RunOnDevice run, DeviceResult &result) {
  auto lock = TimingLock::acquire(options.timingLock);
  if (!lock)
    return fail(Outcome::Failure, lock.error());
  auto device = makeDevice(choice);
  if (!device)
    return fail(Outcome::Failure, device.error());
  printTitle(out, "device") << (*device)->description().name << "\n";
  // A reader sees that the process no longer waits.
  if (!options.timingLock.empty())
    out.flush();
  auto ran = run(RunDevice(device.take(), options.check));
  if (!ran)
    return fail(Outcome::Failure, ran.error());
  result = ran.take();
  return Outcome::Success;
}

Outcome Run::check(ArrayRef<Tensor> actual) {
  FailureOr<SmallVector<Tensor>> expected = evaluateReference();
  if (failed(expected))
    return Outcome::Failure;
  Outcome outcome = Outcome::Success;
  for (auto [index, have, want] : llvm::enumerate(actual, *expected)) {
    // The program returns values in the precision of their type.
    roundElements(want, /*roundF32=*/true);
    if (have.getShape() != want.getShape()) {
      printTitle(out, index ? "" : "check") << "output " << index << ": WRONG, expected ";
      printShape(out, want);
      out << ", but got ";
      printShape(out, have);
      out << "\n";
      outcome = Outcome::Failure;
      continue;
    }
    Tolerance tolerance = getDefaultTolerance(want.getElementType());
    if (options.relativeTolerance)
      tolerance.relative = *options.relativeTolerance;
    if (options.absoluteTolerance)
      tolerance.absolute = *options.absoluteTolerance;
    if (options.relativeTolerance || options.absoluteTolerance)
      tolerance.norm = std::max(tolerance.norm, std::max(tolerance.relative, tolerance.absolute));
    Comparison comparison = compare(have, want, tolerance);
    printComparison(out, index, comparison, tolerance, have, want);
    if (!comparison.passed)
      outcome = Outcome::Failure;
  }
  return outcome;
}

Outcome Run::save(ArrayRef<HostArray> outputs) {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    llvm::SmallString<128> path(options.saveOutput);
    if (outputs.size() > 1)
      llvm::sys::path::replace_extension(path, "." + std::to_string(index) + ".npy");
    artifact::Status status = writeNumPy(path.str().str(), output);
    if (!status)
      return fail(Outcome::Failure, status.error());
    printTitle(out, index ? "" : "saved") << path << "\n";
  }
  return Outcome::Success;
}

Outcome Run::makeArguments(const InputOptions &inputOptions) {
  artifact::Expected<std::vector<Input>> made = makeInputs(file, inputOptions);
  if (!made)
    return fail(Outcome::BadCommand, made.error());
  inputs = made.take();
  printProgram(out, file.program.getName(), inputs);
  return Outcome::Success;
}

Outcome Run::finish(const DeviceResult &result, ArrayRef<Type> types) {
  SmallVector<Tensor> values;
  for (auto [index, output, type] : llvm::enumerate(result.outputs, types)) {
    if (options.check)
      values.push_back(toReference(output, getElementTypeOrSelf(type)));
    printTitle(out, index ? "" : "outputs") << index << ": " << describe(output);
    // The reference has no strides.
    if (index < result.strides.size())
      out << ", strides [" << llvm::interleaved(result.strides[index]) << "]";
    out << "\n";
  }
  Outcome outcome = options.check ? check(values) : Outcome::Success;
  if (!options.saveOutput.empty()) {
    Outcome saved = save(result.outputs);
    if (outcome == Outcome::Success)
      outcome = saved;
  }
  return outcome;
}

Outcome Run::run(llvm::SourceMgr &sources, MLIRContext *context) {
  FailureOr<ProgramFile> read = readProgram(options.file, options.program, sources, context);
  if (failed(read))
    return Outcome::Failure;
  file = std::move(*read);
  if (Outcome outcome = checkPhases(); outcome != Outcome::Success)
    return outcome;
  InputOptions inputOptions = options.inputs;
  inputOptions.shapesOnly = !options.run && options.device != DeviceChoice::Reference;
  if (Outcome outcome = makeArguments(inputOptions); outcome != Outcome::Success)
    return outcome;

  DeviceResult result;
  auto runIt = [&](const RunDevice &device) {
    return runOnDevice(options, file, inputs, device, out, errors, dump);
  };
  Outcome ran = options.device == DeviceChoice::Reference
                    ? runReference(result)
                    : runDevice(options.device, runIt, result);
  if (ran != Outcome::Success || !options.run)
    return ran;
  return finish(result, file.program.getResultTypes());
}

Outcome Run::runArtifact(MLIRContext *context) {
  if (artifact::Status status = checkArtifactOptions(options); !status)
    return fail(Outcome::BadCommand, status.error());
  artifact::Expected<artifact::Artifact> artifact = runtime::readArtifact(options.file);
  if (!artifact)
    return fail(Outcome::Failure, artifact.error());
  artifact::Expected<ProgramFile> declared = declareProgram(*artifact, context);
  if (!declared)
    return fail(Outcome::Failure, declared.error());
  file = declared.take();
  if (Outcome outcome = makeArguments(options.inputs); outcome != Outcome::Success)
    return outcome;
  SmallVector<Type> types;
  for (const artifact::OutputSpec &output : artifact->outputs)
    types.push_back(getElementType(output.dtype, context));
  DeviceResult result;
  auto runIt = [&](const RunDevice &device) {
    return runArtifactOnDevice(options, artifact.take(), inputs, device, out);
  };
  Outcome outcome = runDevice(chooseDevice(*artifact, options.device), runIt, result);
  if (outcome != Outcome::Success)
    return outcome;
  return finish(result, types);
}

Outcome fuser::driver::run(const DriverOptions &options, const DialectRegistry &registry,
                           llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  ProgramContext program(registry, errors);
  Run run(options, out, errors);
  return isArtifactFile(options.file) ? run.runArtifact(&program.context)
                                      : run.run(program.sources, &program.context);
}
