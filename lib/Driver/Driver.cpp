//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One run from the file to the report.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/Driver.h"
#include "Report.h"
#include "fuser/Driver/NumPy.h"
#include "fuser/Reference/Evaluate.h"
#include "mlir/IR/Diagnostics.h"
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
      : options(options), out(out), errors(errors) {}

  Outcome run(llvm::SourceMgr &sources, MLIRContext *context);

private:
  Outcome fail(Outcome outcome, const Error &error) {
    errors << "fuser-run: " << error.message << "\n";
    return outcome;
  }
  /// The outputs that the reference computes; its diagnostics are errors of the run.
  FailureOr<SmallVector<Tensor>> evaluateReference();
  Outcome check(ArrayRef<Tensor> actual);
  Outcome save(ArrayRef<HostArray> outputs);

  const DriverOptions &options;
  llvm::raw_ostream &out, &errors;
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

Outcome Run::check(ArrayRef<Tensor> actual) {
  FailureOr<SmallVector<Tensor>> expected = evaluateReference();
  if (failed(expected))
    return Outcome::Failure;
  Outcome outcome = Outcome::Success;
  for (auto [index, have, want] : llvm::enumerate(actual, *expected)) {
    // What the program returns, so in the precision of its type.
    roundElements(want, /*roundF32=*/true);
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

Outcome Run::run(llvm::SourceMgr &sources, MLIRContext *context) {
  FailureOr<ProgramFile> read = readProgram(options.file, options.program, sources, context);
  if (failed(read))
    return Outcome::Failure;
  file = std::move(*read);
  artifact::Expected<std::vector<Input>> made = makeInputs(file, options.inputs);
  if (!made)
    return fail(Outcome::BadCommand, made.error());
  inputs = made.take();
  printProgram(out, file.program.getName(), inputs);

  printTitle(out, "device") << "reference (double precision)\n";
  FailureOr<SmallVector<Tensor>> results = evaluateReference();
  if (failed(results))
    return Outcome::Failure;
  std::vector<HostArray> outputs;
  SmallVector<Tensor> values;
  for (auto [index, result] : llvm::enumerate(*results)) {
    outputs.push_back(toHostArray(result));
    values.push_back(toReference(outputs.back(), result.getElementType()));
    printTitle(out, index ? "" : "outputs") << index << ": " << describe(outputs.back()) << "\n";
  }
  Outcome outcome = options.check ? check(values) : Outcome::Success;
  if (!options.saveOutput.empty()) {
    Outcome saved = save(outputs);
    if (outcome == Outcome::Success)
      outcome = saved;
  }
  return outcome;
}

Outcome fuser::driver::run(const DriverOptions &options, const DialectRegistry &registry,
                           llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, errors);
  return Run(options, out, errors).run(sources, &context);
}
