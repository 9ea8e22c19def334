//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The lines about a program and about its results, as they are printed.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using fuser::reference::Tensor;

namespace {

class ReportTest : public testing::Test {
protected:
  static Input makeInput(StringRef name, const Tensor &value, bool isTensor) {
    Type type = value.getElementType();
    return {name.str(), isTensor ? RankedTensorType::get(value.getShape(), type) : type, isTensor,
            toHostArray(value)};
  }
  static std::string print(unsigned output, const Comparison &comparison, const Tensor &actual,
                           const Tensor &expected) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printComparison(out, output, comparison, {0.5, 0.25, 0.125}, actual, expected);
    return text;
  }

  MLIRContext context;
  Builder b{&context};
};

TEST_F(ReportTest, Program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto complex = ComplexType::get(b.getF64Type());
  printProgram(
      out, "f",
      {makeInput("x", Tensor(b.getF32Type(), {2, 3}), true),
       makeInput("s", Tensor::scalar(b.getF64Type(), 1.0 / 3), false),
       makeInput("0", Tensor::scalar(b.getI64Type(), -(int64_t(1) << 62)), false),
       makeInput("z", Tensor(complex, {}, std::vector{std::complex<double>(1, -2.5)}), false),
       makeInput("y", Tensor(b.getI8Type(), {}), true)});
  EXPECT_EQ(text, "program     @f\n"
                  "arguments   x: 2x3xf32\n"
                  "            s: f64 = 0.333333333\n"
                  "            0: i64 = -4611686018427387904\n"
                  "            z: complex128 = 1-2.5i\n"
                  "            y: i8\n");
  text.clear();
  printProgram(out, "none", {});
  EXPECT_EQ(text, "program     @none\n");
}

TEST_F(ReportTest, Results) {
  Tensor expected(b.getF32Type(), {2, 3, 2},
                  std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.5});
  Tensor actual(b.getF32Type(), {2, 3, 2},
                std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, -9, 10, 11});
  Comparison comparison;
  comparison.numElements = 12;
  comparison.maxAbsolute = 18;
  comparison.maxRelative = 2;
  comparison.norm = 0.0625;
  EXPECT_EQ(print(0, comparison, actual, expected),
            "check       output 0: ok, 12 elements, max error 18 absolute, 2 relative; error norm "
            "0.0625 (allowed: 0.25 absolute + 0.5 relative, norm 0.125)\n");
  comparison.passed = false;
  EXPECT_EQ(print(1, comparison, actual, expected),
            "            output 1: WRONG, 12 elements, max error 18 absolute, 2 relative; error "
            "norm 0.0625 (allowed: 0.25 absolute + 0.5 relative, norm 0.125)\n"
            "            every element is within its tolerance, but the error norm is not\n");
  comparison.numWrong = 2;
  comparison.worst = 9;
  EXPECT_TRUE(StringRef(print(2, comparison, actual, expected))
                  .ends_with("\n            2 wrong, the first at [1, 1, 1]: expected 9, but got "
                             "-9\n"));
  comparison.worst = 11;
  EXPECT_TRUE(StringRef(print(2, comparison, actual, expected))
                  .ends_with("\n            2 wrong, the first at [1, 2, 1]: expected 11.5, but "
                             "got 11\n"));
}

TEST_F(ReportTest, ResultsWithoutDimensions) {
  Tensor expected = Tensor::scalar(b.getI32Type(), int64_t(7)),
         actual = Tensor::scalar(b.getI32Type(), int64_t(8));
  Comparison comparison = compare(actual, expected, {});
  EXPECT_EQ(print(0, comparison, actual, expected),
            "check       output 0: WRONG, 1 elements, max error 1 absolute, 0 relative; error norm "
            "0 (allowed: 0.25 absolute + 0.5 relative, norm 0.125)\n"
            "            1 wrong, the first at []: expected 7, but got 8\n");
}

} // namespace
