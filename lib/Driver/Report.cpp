//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lines of the report: a title of fixed width, then text.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace fuser;
using namespace fuser::driver;
using reference::ElementKind;
using reference::Tensor;

raw_ostream &fuser::driver::printTitle(raw_ostream &out, StringRef title) {
  return out << left_justify(title, 12);
}

/// Prints one element: integers exactly, floats with enough digits to distinguish adjacent values.
static void printElement(raw_ostream &out, const Tensor &tensor, int64_t index) {
  switch (tensor.getKind()) {
  case ElementKind::Float:
    out << format("%.9g", tensor.floats()[index]);
    return;
  case ElementKind::Integer:
    out << tensor.integers()[index];
    return;
  case ElementKind::Complex:
    out << format("%.9g%+.9gi", tensor.complexes()[index].real(), tensor.complexes()[index].imag());
    return;
  }
}

void fuser::driver::printProgram(raw_ostream &out, StringRef name,
                                 const std::vector<Input> &inputs) {
  printTitle(out, "program") << "@" << name << "\n";
  for (auto [index, input] : enumerate(inputs)) {
    printTitle(out, index ? "" : "arguments") << input.name << ": " << describe(input.array);
    if (!input.isTensor) {
      out << " = ";
      printElement(out, toReference(input.array, input.type), 0);
    }
    out << "\n";
  }
}

/// "[3, 17]": the index of a row-major position.
static void printIndex(raw_ostream &out, ArrayRef<int64_t> shape, int64_t position) {
  SmallVector<int64_t> index(shape.size());
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    index[dim] = position % shape[dim];
    position /= shape[dim];
  }
  out << "[";
  interleaveComma(index, out);
  out << "]";
}

void fuser::driver::printComparison(raw_ostream &out, unsigned output, const Comparison &comparison,
                                    const Tolerance &tolerance, const Tensor &actual,
                                    const Tensor &expected) {
  printTitle(out, output ? "" : "check")
      << "output " << output << ": " << (comparison.passed ? "ok" : "WRONG") << ", "
      << comparison.numElements << " elements, max error "
      << format("%.3g absolute, %.3g relative; error norm %.3g", comparison.maxAbsolute,
                comparison.maxRelative, comparison.norm)
      << format(" (allowed: %.3g absolute + %.3g relative, norm %.3g)\n", tolerance.absolute,
                tolerance.relative, tolerance.norm);
  if (comparison.passed)
    return;
  if (comparison.numWrong == 0) {
    printTitle(out, "") << "every element is within its tolerance, but the error norm is not\n";
    return;
  }
  printTitle(out, "") << comparison.numWrong << " wrong, the first at ";
  printIndex(out, expected.getShape(), *comparison.worst);
  out << ": expected ";
  printElement(out, expected, *comparison.worst);
  out << ", but got ";
  printElement(out, actual, *comparison.worst);
  out << "\n";
}
