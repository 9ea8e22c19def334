//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OutputCheck.h"

#include "fuser/Driver/Compare.h"
#include "fuser/Reference/Evaluate.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {
/// Tells differences that rounding explains.
class RoundingJudge {
public:
  RoundingJudge(FunctionOpInterface program, ArrayRef<reference::Tensor> arguments)
      : program(program), arguments(arguments) {}

  /// True where each element that differs is one that rounding alone moves as far: sums of what has
  /// been centred, say.
  bool explains(unsigned output, const reference::Tensor &actual, const reference::Tensor &wanted,
                const driver::Tolerance &tolerance);

private:
  bool evaluateNoisy(unsigned numSamples);
  bool isWithinSpread(unsigned output, const reference::Tensor &actual,
                      const reference::Tensor &wanted, const driver::Tolerance &tolerance) const;

  FunctionOpInterface program;
  ArrayRef<reference::Tensor> arguments;
  /// Outputs of evaluations in which every op rounds otherwise.
  std::vector<SmallVector<reference::Tensor>> noisy;
};
} // namespace

bool RoundingJudge::evaluateNoisy(unsigned numSamples) {
  for (unsigned sample = noisy.size(); sample < numSamples; ++sample) {
    reference::EvaluateOptions options;
    options.noiseSeed = sample;
    auto outputs = reference::evaluate(program, arguments, options);
    if (failed(outputs))
      return false;
    noisy.push_back(std::move(*outputs));
  }
  return true;
}

bool RoundingJudge::explains(unsigned output, const reference::Tensor &actual,
                             const reference::Tensor &wanted, const driver::Tolerance &tolerance) {
  // An element beside a tie of its rounding moves in half of the samples: in none of 16, one of
  // 65,536. One that moves with two ties, as a quotient of a sum, moves in a quarter of them.
  for (unsigned numSamples : {16, 128})
    if (wanted.getKind() != reference::ElementKind::Integer && evaluateNoisy(numSamples) &&
        isWithinSpread(output, actual, wanted, tolerance))
      return true;
  return false;
}

bool RoundingJudge::isWithinSpread(unsigned output, const reference::Tensor &actual,
                                   const reference::Tensor &wanted,
                                   const driver::Tolerance &tolerance) const {
  constexpr double kUnits = 16; // a kernel rounds more than once in an op, and sums in any order
  for (int64_t i = 0, n = wanted.getNumElements(); i < n; ++i) {
    const std::complex<double> a = actual.asComplex(i), w = wanted.asComplex(i);
    double spread = 0;
    bool isUncertain = false;
    for (const SmallVector<reference::Tensor> &sample : noisy) {
      const double distance = std::abs(sample[output].asComplex(i) - w);
      isUncertain |= !std::isfinite(distance);
      spread = std::max(spread, distance);
    }
    const double distance = std::abs(a - w);
    const bool isSame = a == w || (std::isnan(std::abs(a)) && std::isnan(std::abs(w)));
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(w) + kUnits * spread;
    if (!isSame && !isUncertain && !(distance <= allowed))
      return false;
  }
  return true;
}

Outcome fuser::fuzz::checkOutputs(FunctionOpInterface program,
                                  ArrayRef<reference::Tensor> arguments,
                                  ArrayRef<reference::Tensor> outputs) {
  FailureOr<SmallVector<reference::Tensor>> expected = reference::evaluate(program, arguments);
  if (failed(expected))
    return {Verdict::Wrong, "the reference fails"};
  RoundingJudge judge(program, arguments);
  Outcome outcome{Verdict::Passed, ""};
  for (auto [index, actual, type] : llvm::enumerate(outputs, program.getResultTypes())) {
    reference::Tensor &wanted = (*expected)[index];
    roundElements(wanted, /*roundF32=*/true);
    // Element by element: of outputs that are all rounding the norm says nothing.
    const driver::Tolerance tolerance = driver::getDefaultTolerance(getElementTypeOrSelf(type));
    driver::Comparison comparison = compare(actual, wanted, tolerance);
    if (comparison.numWrong == 0)
      continue;
    std::string text = "output " + std::to_string(index) + ": " +
                       std::to_string(comparison.numWrong) + " of " +
                       std::to_string(comparison.numElements) + " elements differ, by " +
                       std::to_string(comparison.maxAbsolute) + " at most";
    if (comparison.worst) {
      const std::complex<double> a = actual.asComplex(*comparison.worst),
                                 w = wanted.asComplex(*comparison.worst);
      llvm::raw_string_ostream(text) << " (element " << *comparison.worst << ": "
                                     << llvm::format("%.9g instead of %.9g)", a.real(), w.real());
    }
    if (!judge.explains(index, actual, wanted, tolerance))
      return {Verdict::Wrong, text};
    outcome = {Verdict::Rounding, text};
  }
  return outcome;
}
