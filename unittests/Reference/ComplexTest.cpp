//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops on complex numbers against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;
using Complex = std::complex<double>;

namespace {

class ComplexTest : public ReferenceTest {
protected:
  Tensor make(std::vector<Complex> values) {
    int64_t size = values.size();
    return Tensor(type("complex<f64>"), {size}, std::move(values));
  }

  /// `fuser.<op>` of one or two tensors of equal size; the result's elements are of `result`.
  Tensor apply(llvm::StringRef op, std::vector<std::vector<Complex>> operands,
               llvm::StringRef result = "complex<f64>") {
    const std::string size = std::to_string(operands[0].size());
    const std::string in = "tensor<" + size + "xcomplex<f64>>",
                      out = "tensor<" + size + "x" + result.str() + ">";
    llvm::SmallVector<llvm::StringRef> types(operands.size(), in);
    llvm::SmallVector<Tensor> args;
    for (std::vector<Complex> &values : operands)
      args.push_back(make(std::move(values)));
    const bool one = args.size() == 1;
    auto outputs = runBody(types,
                           "%0 = fuser." + op.str() + (one ? " %a : (" : " %a, %b : (") + in +
                               (one ? "" : ", " + in) + ") -> " + out,
                           out, args);
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0] : Tensor(type(result), {0});
  }

  void expectParts(const Tensor &actual, std::vector<double> real, std::vector<double> imaginary,
                   double tolerance = 1e-15) {
    std::vector<double> re, im;
    for (Complex z : actual.complexes()) {
      re.push_back(z.real());
      im.push_back(z.imag());
    }
    expectValues(real, re, tolerance);
    expectValues(imaginary, im, tolerance);
  }
};

TEST_F(ComplexTest, Arithmetic) {
  expectParts(apply("add", {{{1, 2}}, {{3, -5}}}), {4}, {-3}, 0);
  expectParts(apply("mul", {{{1, 2}}, {{3, -5}}}), {13}, {1}, 0);
  expectParts(apply("div", {{{13, 1}}, {{3, -5}}}), {1}, {2});
  expectParts(apply("conj", {{{1, 2}, {1, -0.0}}}), {1, 1}, {-2, 0.0}, 0);
  expectParts(apply("square", {{{1, 2}}}), {-3}, {4}, 0);
}

TEST_F(ComplexTest, DivisionByZeroAndInfinity) {
  expectParts(
      apply("div", {{{1, -1}, {0, 0}, {1, 1}, {1, 1}}, {{0, 0}, {0, 0}, {kInf, 1}, {kInf, kInf}}}),
      {kInf, kNaN, 0, kNaN}, {-kInf, kNaN, 0, kNaN});
}

TEST_F(ComplexTest, CutsFollowTheSignOfZero) {
  expectParts(apply("sqrt", {{{-4, 0.0}, {-4, -0.0}}}), {0, 0}, {2, -2});
  expectValues({M_PI, -M_PI}, apply("angle", {{{-1, 0.0}, {-1, -0.0}}}, "f64").floats(), 1e-15);
}

TEST_F(ComplexTest, PowersOfAndToZero) {
  expectParts(apply("pow", {{{0, 0}, {0, 0}, {0, 0}, {kNaN, 1}, {0, 2}},
                            {{0, 0}, {1, 5}, {-1, 0}, {0, 0}, {2, 0}}}),
              {1, 0, kNaN, 1, -4}, {0, 0, kNaN, 0, 4.8985871965894128e-16});
}

TEST_F(ComplexTest, InverseFunctions) {
  // Next to the branch cuts, whose side the sign of zero selects.
  const double acosh2 = std::acosh(2.0), halfPi = M_PI / 2;
  std::vector<Complex> cut = {{2, 0.0}, {2, -0.0}};
  expectParts(apply("asin", {cut}), {halfPi, halfPi}, {acosh2, -acosh2});
  expectParts(apply("acos", {cut}), {0, 0}, {-acosh2, acosh2});
  expectParts(apply("acosh", {cut}), {acosh2, acosh2}, {0.0, -0.0});
  const double atanh2 = std::log(3.0) / 2;
  expectParts(apply("atanh", {cut}), {atanh2, atanh2}, {halfPi, -halfPi});
  std::vector<Complex> upright = {{0.0, 2}, {-0.0, 2}};
  expectParts(apply("atan", {upright}), {halfPi, -halfPi}, {atanh2, atanh2});
  expectParts(apply("asinh", {upright}), {acosh2, -acosh2}, {halfPi, halfPi});
}

TEST_F(ComplexTest, NothingCancelsBesideZero) {
  std::vector<Complex> tiny = {{1e-20, -2e-20}, {0, 1e-9}};
  auto expectDigits = [](const Tensor &actual, const std::vector<Complex> &expected) {
    for (auto [got, want] : llvm::zip_equal(actual.complexes(), expected)) {
      EXPECT_NEAR(got.real() / want.real(), 1, 1e-9) << got.real();
      EXPECT_NEAR(got.imag() / want.imag(), 1, 1e-9) << got.imag();
    }
  };
  expectDigits(apply("expm1", {tiny}), {{1e-20, -2e-20}, {-5e-19, 1e-9}});
  expectDigits(apply("log1p", {tiny}), {{1e-20, -2e-20}, {5e-19, 1e-9}});
  // d sinc(z) / dz is -1 / 3 at 3.
  expectDigits(apply("sinc", {{{3 + 0x1p-40, -0x1p-40}}}), {{-0x1p-40 / 3, 0x1p-40 / 3}});
  EXPECT_EQ(apply("sinc", {{{3, 0}}}).complexes()[0], Complex(0));
  EXPECT_EQ(apply("sinc", {{{0, 0}}}).complexes()[0], Complex(1));
}

TEST_F(ComplexTest, GradientsAreConjugated) {
  // 1 - (1 + 2i)^2 = 4 - 4i; (1 - (1 + 2i)) (1 + 2i) = 4 - 2i
  expectParts(apply("tanh_backward", {{{0, 1}}, {{1, 2}}}), {-4}, {4}, 0);
  expectParts(apply("sigmoid_backward", {{{0, 1}}, {{1, 2}}}), {-2}, {4}, 0);
}

TEST_F(ComplexTest, LogOfSumsOfExponentials) {
  expectParts(apply("logaddexp", {{{1000, 1}, {-kInf, 1}, {kInf, 5}, {kNaN, 1}},
                                  {{1000, 1}, {2, 3}, {4, 6}, {1, 1}}}),
              {1000 + std::log(2.0), 2, kInf, kNaN}, {1, 3, 5, kNaN});
}

TEST_F(ComplexTest, PartsAndTests) {
  expectValues({5, kInf, 0}, apply("abs", {{{3, -4}, {kNaN, -kInf}, {0, 0}}}, "f64").floats());
  expectValues({0, 1, 0}, apply("isreal", {{{1, 2}, {1, -0.0}, {1, kNaN}}}, "i1").integers());
  expectValues({1, 0}, apply("eq", {{{1, 0.0}, {1, 2}}, {{1, -0.0}, {1, 3}}}, "i1").integers());
}

TEST_F(ComplexTest, CastsToBoolAskBothParts) {
  auto outputs = runBody({"tensor<3xcomplex<f64>>"},
                         "%0 = fuser.cast %a : tensor<3xcomplex<f64>> to tensor<3xi1>",
                         "tensor<3xi1>", {make({{0, 2}, {kNaN, 0}, {0, 0}})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1, 1, 0}, (*outputs)[0].integers());
}

TEST_F(ComplexTest, CastsKeepTheRealPart) {
  auto outputs = runBody({"tensor<2xcomplex<f64>>"},
                         "%0 = fuser.cast %a : tensor<2xcomplex<f64>> to tensor<2xi32>",
                         "tensor<2xi32>", {make({{2.75, 9}, {-1e300, 0}})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({2, -2147483647 - 1}, (*outputs)[0].integers());
}

TEST_F(ComplexTest, SumsProductsAndMeans) {
  auto reduce = [&](const std::string &op) {
    auto outputs = runBody({"tensor<3xcomplex<f64>>"},
                           "%0 = fuser." + op +
                               " %a dims [0] : tensor<3xcomplex<f64>> -> tensor<complex<f64>>",
                           "tensor<complex<f64>>", {make({{1, 2}, {3, -1}, {0, 1}})});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0].complexes()[0] : Complex(kNaN);
  };
  EXPECT_EQ(reduce("sum"), Complex(4, 2));
  EXPECT_EQ(reduce("prod"), Complex(-5, 5));
  EXPECT_EQ(reduce("mean"), Complex(4 / 3.0, 2 / 3.0));
}

TEST_F(ComplexTest, VarianceIsReal) {
  auto moments = [&](const std::string &correction) {
    const std::string results = "tensor<f64>, tensor<complex<f64>>";
    return run("fuser.fusion @f(%a: tensor<3xcomplex<f64>>) -> (" + results +
                   ") {\n%0, %1 = fuser.var_mean %a dims [0] correction " + correction +
                   " : tensor<3xcomplex<f64>> -> " + results +
                   "\nfuser.return %0, %1 : " + results + "\n}",
               {make({{1, 2}, {3, -1}, {2, 2}})});
  };
  for (auto [correction, variance] : {std::pair{"0", 8 / 3.0}, {"1", 4.0}, {"4", kInf}}) {
    auto outputs = moments(correction);
    ASSERT_TRUE(succeeded(outputs)) << diagnostics;
    expectValues({variance}, (*outputs)[0].floats(), 1e-15);
    EXPECT_EQ((*outputs)[1].complexes()[0], Complex(2, 1));
  }
}

} // namespace
