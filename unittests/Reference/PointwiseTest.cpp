//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

class PointwiseTest : public ReferenceTest {
protected:
  // The result of `fuser.<op>` (a mnemonic, then attributes) on tensors of one dimension.
  std::vector<double> onFloats(llvm::StringRef op, std::vector<std::vector<double>> operands,
                               llvm::StringRef element = "f32") {
    return evaluateOp(op, std::move(operands), element, element).floats();
  }
  std::vector<int64_t> onIntegers(llvm::StringRef op, std::vector<std::vector<int64_t>> operands,
                                  llvm::StringRef element = "i32") {
    return evaluateOp(op, std::move(operands), element, element).integers();
  }
  std::vector<int64_t> testFloats(llvm::StringRef op, std::vector<std::vector<double>> operands) {
    return evaluateOp(op, std::move(operands), "f32", "i1").integers();
  }
  std::vector<int64_t> testIntegers(llvm::StringRef op,
                                    std::vector<std::vector<int64_t>> operands) {
    return evaluateOp(op, std::move(operands), "i32", "i1").integers();
  }
  /// fuser.cast of one tensor.
  template <typename T>
  Tensor cast(llvm::StringRef from, llvm::StringRef to, std::vector<T> values) {
    std::string fromType = tensorType(from, values.size()), toType = tensorType(to, values.size());
    int64_t size = values.size();
    auto outputs = runBody({fromType}, "%0 = fuser.cast %a : " + fromType + " to " + toType, toType,
                           {Tensor(type(from), {size}, std::move(values))});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0] : Tensor(type(to), {0});
  }

private:
  static std::string tensorType(llvm::StringRef element, size_t size) {
    return "tensor<" + std::to_string(size) + "x" + element.str() + ">";
  }

  template <typename T>
  Tensor evaluateOp(llvm::StringRef op, std::vector<std::vector<T>> operands,
                    llvm::StringRef element, llvm::StringRef resultElement) {
    const int64_t size = operands[0].size();
    std::string argType = tensorType(element, size), resultType = tensorType(resultElement, size);
    std::string names, types;
    llvm::SmallVector<llvm::StringRef> argTypes;
    llvm::SmallVector<Tensor> args;
    for (size_t k = 0; k < operands.size(); ++k) {
      names += (k ? ", %" : "%") + std::string(1, char('a' + k));
      types += (k ? ", " : "") + argType;
      argTypes.push_back(argType);
      args.push_back(Tensor(type(element), {size}, operands[k]));
    }
    auto [mnemonic, attributes] = op.split(' ');
    std::string body = "%0 = fuser." + mnemonic.str() + " " + names + " " + attributes.str() +
                       " : (" + types + ") -> " + resultType;
    auto outputs = runBody(argTypes, body, resultType, args);
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0] : Tensor(type(resultElement), {0});
  }
};

TEST_F(PointwiseTest, BroadcastsDimensionsOfSizeOne) {
  auto outputs = runBody(
      {"tensor<?x1xf32>", "tensor<1x?xf32>"},
      "%0 = fuser.add %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>",
      "tensor<?x?xf32>", {floats("f32", {2, 1}, {10, 20}), floats("f32", {1, 3}, {1, 2, 3})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  EXPECT_EQ((*outputs)[0].getShape(), llvm::ArrayRef<int64_t>({2, 3}));
  expectValues({11, 12, 13, 21, 22, 23}, (*outputs)[0].floats());
}

TEST_F(PointwiseTest, IntegersWrapToTheirWidth) {
  auto outputs = runBody(
      {"tensor<2xi32>", "tensor<2xi32>"}, "%0 = fuser.add %a, %b : tensor<2xi32>", "tensor<2xi32>",
      {integers("i32", {2}, {2147483647, -2147483648}), integers("i32", {2}, {1, -1})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({-2147483648, 2147483647}, (*outputs)[0].integers());
}

TEST_F(PointwiseTest, FunctionsOfOneFloatAtTheirEdges) {
  expectValues({1, 0, kInf, kInf, kNaN}, onFloats("exp", {{0, -kInf, kInf, 1000, kNaN}}));
  expectValues({8, 0.25}, onFloats("exp2", {{3, -2}}));
  expectValues({-1, -0.0, 1e-10}, onFloats("expm1", {{-kInf, -0.0, 1e-10}}), 1e-19);
  expectValues({-kInf, -kInf, kNaN, 0, kInf}, onFloats("log", {{0, -0.0, -1, 1, kInf}}));
  expectValues({3, -1}, onFloats("log2", {{8, 0.5}}));
  expectValues({-kInf, -0.0, kNaN}, onFloats("log1p", {{-1, -0.0, -2}}));
  expectValues({3, -0.0, kNaN}, onFloats("sqrt", {{9, -0.0, -1}}));
  expectValues({0.5, kInf, -kInf, 0, kNaN}, onFloats("rsqrt", {{4, 0, -0.0, kInf, -1}}));
  expectValues({0.5, kInf, -kInf, -0.0}, onFloats("reciprocal", {{2, 0, -0.0, -kInf}}));
  expectValues({0, kNaN}, onFloats("sin", {{0, kInf}}));
  expectValues({1, kNaN}, onFloats("cos", {{0, kInf}}));
  expectValues({-0.0, kNaN}, onFloats("tan", {{-0.0, kInf}}));
  expectValues({1.5707963267948966, -1.5707963267948966, -0.0},
               onFloats("atan", {{kInf, -kInf, -0.0}}), 1e-15);
  expectValues({1.5707963267948966, kNaN, -0.0}, onFloats("asin", {{1, 1.5, -0.0}}), 1e-15);
  expectValues({0, 3.141592653589793, kNaN}, onFloats("acos", {{1, -1, -1.5}}), 1e-15);
  expectValues({kInf, -kInf, -0.0}, onFloats("sinh", {{kInf, -kInf, -0.0}}));
  expectValues({kInf, kInf, 1}, onFloats("cosh", {{kInf, -kInf, 0}}));
  expectValues({kInf, -kInf, -0.0}, onFloats("asinh", {{kInf, -kInf, -0.0}}));
  expectValues({kInf, 0, kNaN}, onFloats("acosh", {{kInf, 1, 0.5}}));
  expectValues({kInf, -kInf, kNaN}, onFloats("atanh", {{1, -1, 2}}));
  expectValues({1, -1, -0.0}, onFloats("tanh", {{kInf, -kInf, -0.0}}));
  expectValues({1, -1, -0.0, 0.8427007929497149}, onFloats("erf", {{kInf, -kInf, -0.0, 1}}), 1e-15);
  expectValues({-2, 1, kInf, -0.0}, onFloats("floor", {{-1.5, 1.5, kInf, -0.0}}));
  expectValues({-1, 2, -0.0}, onFloats("ceil", {{-1.5, 1.5, -0.5}}));
  expectValues({-1, 1, -0.0}, onFloats("trunc", {{-1.5, 1.5, -0.5}}));
  expectValues({0, 2, 2, -2, -0.0}, onFloats("round", {{0.5, 1.5, 2.5, -2.5, -0.5}}));
  expectValues({0, 1, 0.5}, onFloats("sigmoid", {{-kInf, kInf, 0}}));
  expectValues({kInf, kNaN, 0, 0.7310585786300049}, onFloats("silu", {{kInf, -kInf, 0, 1}}), 1e-15);
  expectValues({kInf, kNaN, 0.8413447460685429}, onFloats("gelu", {{kInf, -kInf, 1}}), 1e-15);
  expectValues({kInf, kNaN, 0.8411919906082768}, onFloats("gelu {approximate}", {{kInf, -kInf, 1}}),
               1e-15);
}

TEST_F(PointwiseTest, FunctionsOfOneNumber) {
  expectValues({-1, 0, -0.0, kNaN}, onFloats("neg", {{1, -0.0, 0, kNaN}}));
  expectValues({-2147483648, -5}, onIntegers("neg", {{-2147483648, 5}}));
  expectValues({0, kInf, kNaN}, onFloats("abs", {{-0.0, -kInf, kNaN}}));
  expectValues({-2147483648, 5}, onIntegers("abs", {{-2147483648, -5}}));
  expectValues({0, 0, 2, kNaN, kInf}, onFloats("relu", {{-1, -0.0, 2, kNaN, kInf}}));
  expectValues({0, 7}, onIntegers("relu", {{-7, 7}}));
  expectValues({-1, 0, 0, 1}, onFloats("sign", {{-kInf, -0.0, kNaN, 5}}));
  expectValues({-1, 0, 1}, onIntegers("sign", {{-9, 0, 9}}));
  expectValues({-1, 4}, onIntegers("bitwise_not", {{0, -5}}));
  expectValues({1, 0}, onIntegers("bitwise_not", {{0, 1}}, "i1"));
}

TEST_F(PointwiseTest, TestsGiveBools) {
  std::vector<double> odd = {0, -0.0, 1, kNaN, -kInf};
  expectValues({0, 0, 0, 1, 0}, testFloats("isnan", {odd}));
  expectValues({0, 0, 0, 0, 1}, testFloats("isinf", {odd}));
  expectValues({1, 1, 1, 0, 0}, testFloats("isfinite", {odd}));
  expectValues({1, 1, 0, 0, 0}, testFloats("logical_not", {odd}));
  std::vector<std::vector<double>> pairs = {{0, 1, 2, kNaN, kNaN}, {-0.0, 2, 1, 1, kNaN}};
  expectValues({1, 0, 0, 0, 0}, testFloats("eq", pairs));
  expectValues({0, 1, 1, 1, 1}, testFloats("ne", pairs));
  expectValues({0, 1, 0, 0, 0}, testFloats("lt", pairs));
  expectValues({1, 1, 0, 0, 0}, testFloats("le", pairs));
  expectValues({0, 0, 1, 0, 0}, testFloats("gt", pairs));
  expectValues({1, 0, 1, 0, 0}, testFloats("ge", pairs));
  expectValues({0, 1, 1, 1, 1}, testFloats("logical_and", pairs));
  expectValues({1, 0, 0, 0}, testIntegers("lt", {{-3, 3, 3, 2147483647}, {3, 3, -3, -1}}));
  expectValues({0, 1, 1}, testIntegers("logical_or", {{0, 0, 5}, {0, -1, 7}}));
  expectValues({0, 1, 0}, testIntegers("logical_xor", {{0, 0, 5}, {0, -1, 7}}));
}

TEST_F(PointwiseTest, DivisionsAndRemainders) {
  std::vector<std::vector<double>> pairs = {{7, -7, 7, -7, 1, 0, kInf, 1},
                                            {2, 2, -2, -2, 0, 0, 2, kInf}};
  expectValues({3.5, -3.5, -3.5, 3.5, kInf, kNaN, kInf, 0}, onFloats("div", pairs));
  expectValues({3, -4, -4, 3, kInf, kNaN, kNaN, 0}, onFloats("floor_div", pairs));
  expectValues({3, -3, -3, 3, kInf, kNaN, kInf, 0}, onFloats("trunc_div", pairs));
  expectValues({1, 1, -1, -1, kNaN, kNaN, kNaN, 1}, onFloats("remainder", pairs));
  expectValues({1, -1, 1, -1, kNaN, kNaN, kNaN, 1}, onFloats("fmod", pairs));
  std::vector<std::vector<int64_t>> integers = {{7, -7, 7, -7, 9, -2147483648},
                                                {2, 2, -2, -2, 0, -1}};
  expectValues({3, -4, -4, 3, 0, -2147483648}, onIntegers("floor_div", integers));
  expectValues({3, -3, -3, 3, 0, -2147483648}, onIntegers("trunc_div", integers));
  expectValues({1, 1, -1, -1, 9, 0}, onIntegers("remainder", integers));
  expectValues({1, -1, 1, -1, 9, 0}, onIntegers("fmod", integers));
}

TEST_F(PointwiseTest, FloorDivisionByInfinity) {
  std::vector<std::vector<double>> pairs = {{-1, 1, -1, 1}, {kInf, kInf, -kInf, -kInf}};
  expectValues({-1, 0, 0, -1}, onFloats("floor_div", pairs));
  expectValues({-0.0, 1, 1, -0.0}, onFloats("ceil_div", pairs));
}

TEST_F(PointwiseTest, FloorDivisionDoesNotCrossAnInteger) {
  // 1 / 0.1 rounds to 10, but 0.1 (as a double) fits only 9 times into 1.
  expectValues({9}, onFloats("floor_div", {{1}, {0.1}}, "f64"));
  expectValues({0.09999999999999995}, onFloats("remainder", {{1}, {0.1}}, "f64"));
}

TEST_F(PointwiseTest, ArithmeticOfTwo) {
  expectValues({kNaN, kInf}, onFloats("add", {{kInf, kInf}, {-kInf, 1}}));
  expectValues({1, 1, 0}, onIntegers("add", {{1, 1, 0}, {1, 0, 0}}, "i1"));
  expectValues({kNaN, -kInf}, onFloats("mul", {{0, kInf}, {kInf, -2}}));
  expectValues({1, 0, 0}, onIntegers("mul", {{1, 1, 0}, {1, 0, 0}}, "i1"));
  expectValues({-2147483648}, onIntegers("sub", {{2147483647}, {-1}}));
  expectValues({1, 1, kNaN, 8}, onFloats("pow", {{kNaN, 1, -1, 2}, {0, kNaN, 0.5, 3}}));
  expectValues({3.141592653589793, -3.141592653589793}, onFloats("atan2", {{0, -0.0}, {-1, -1}}),
               1e-15);
  expectValues({kNaN, 0, 2}, onFloats("maximum", {{kNaN, -0.0, 1}, {1, 0, 2}}));
  expectValues({kNaN, -0.0, 1}, onFloats("minimum", {{1, 0, 1}, {kNaN, -0.0, 2}}));
  expectValues({1, 1, kNaN}, onFloats("fmax", {{kNaN, 1, kNaN}, {1, kNaN, kNaN}}));
  expectValues({1, 1, kNaN}, onFloats("fmin", {{kNaN, 1, kNaN}, {1, kNaN, kNaN}}));
  expectValues({5}, onIntegers("maximum", {{-5}, {5}}));
}

TEST_F(PointwiseTest, Bits) {
  expectValues({4}, onIntegers("bitwise_and", {{12}, {6}}));
  expectValues({14}, onIntegers("bitwise_or", {{12}, {6}}));
  expectValues({10}, onIntegers("bitwise_xor", {{12}, {6}}));
  expectValues({8, 0, 0, -2147483648}, onIntegers("shift_left", {{1, 1, 1, 1}, {3, 32, -1, 31}}));
  expectValues({-2, -1, 0, -1}, onIntegers("shift_right", {{-8, -8, 8, -8}, {2, 32, 40, -1}}));
}

TEST_F(PointwiseTest, FunctionsOfThreeAndMore) {
  expectValues({1, 0, kNaN, 0}, onFloats("clamp", {{5, -5, kNaN, 7}, {0, 0, 0, 2}, {1, 1, 1, 0}}));
  expectValues({3, 1, 1.5}, onFloats("lerp", {{1, 1, 1}, {3, 3, 3}, {1, 0, 0.25}}));
  expectValues({7, kNaN}, onFloats("fma", {{2, 0}, {3, kInf}, {1, 1}}));
  expectValues({13}, onFloats("addcmul", {{1}, {2}, {3}, {2}}));
  expectValues({13}, onIntegers("addcmul", {{1}, {2}, {3}, {2}}));
}

TEST_F(PointwiseTest, Activations) {
  std::vector<double> edges = {1, -1, kInf, -kInf, kNaN};
  std::vector<double> half(5, 0.5), two(5, 2), many(5, 20);
  expectValues({1, -0.5, kInf, -kInf, kNaN}, onFloats("leaky_relu", {edges, half}));
  expectValues({1, -1.2642411176571153, kInf, -2, kNaN}, onFloats("elu", {edges, two}), 1e-15);
  expectValues({1, -0.7869386805747332, kInf, -2, kNaN}, onFloats("celu", {edges, two}), 1e-15);
  expectValues({1.0507009873554805, -1.1113307378125628, kInf, -1.7580993408473766, kNaN},
               onFloats("selu", {edges}), 1e-15);
  expectValues({1.3132616875182228, 0.31326168751822286, kInf, 0, kNaN},
               onFloats("softplus", {edges, std::vector<double>(5, 1), many}), 1e-15);
  expectValues({-0.31326168751822286, -1.3132616875182228, 0, -kInf, kNaN},
               onFloats("log_sigmoid", {edges}), 1e-15);
  expectValues({2 / 3.0, 1 / 3.0, 1, 0, kNaN}, onFloats("hardsigmoid", {edges}), 1e-15);
  expectValues({2 / 3.0, -1 / 3.0, kInf, kNaN, kNaN}, onFloats("hardswish", {edges}), 1e-15);
  expectValues({0.8650983882673103, -0.30340146137410895, kInf, kNaN, kNaN},
               onFloats("mish", {edges}), 1e-15);
  expectValues({1, 20, kInf, 20, kNaN}, onFloats("threshold", {edges, half, many}));
}

TEST_F(PointwiseTest, GradientsAreDifferenceQuotients) {
  // At points where each function is smooth; h^2 is far below the tolerance.
  const double h = 1e-5;
  const std::vector<double> x = {-4, -2.5, -0.7, 0.3, 1.1, 2.5, 5}, gradient(x.size(), 3);
  const std::vector<double> one(x.size(), 1), many(x.size(), 20);
  std::vector<double> above, below;
  for (double at : x) {
    above.push_back(at + h);
    below.push_back(at - h);
  }
  auto quotients = [&](llvm::StringRef op, std::vector<std::vector<double>> parameters) {
    std::vector<std::vector<double>> upper = {above}, lower = {below};
    upper.insert(upper.end(), parameters.begin(), parameters.end());
    lower.insert(lower.end(), parameters.begin(), parameters.end());
    std::vector<double> high = onFloats(op, upper, "f64"), low = onFloats(op, lower, "f64");
    for (size_t i = 0; i < high.size(); ++i)
      high[i] = 3 * (high[i] - low[i]) / (2 * h);
    return high;
  };
  expectValues(quotients("sigmoid", {}),
               onFloats("sigmoid_backward", {gradient, onFloats("sigmoid", {x}, "f64")}, "f64"),
               1e-8);
  expectValues(quotients("tanh", {}),
               onFloats("tanh_backward", {gradient, onFloats("tanh", {x}, "f64")}, "f64"), 1e-8);
  for (const char *op : {"silu", "log_sigmoid", "hardsigmoid", "hardswish", "mish"})
    expectValues(quotients(op, {}), onFloats(std::string(op) + "_backward", {gradient, x}, "f64"),
                 1e-8);
  expectValues(quotients("gelu", {}), onFloats("gelu_backward", {gradient, x}, "f64"), 1e-8);
  expectValues(quotients("gelu {approximate}", {}),
               onFloats("gelu_backward {approximate}", {gradient, x}, "f64"), 1e-8);
  for (const char *op : {"leaky_relu", "elu"})
    expectValues(quotients(op, {one}),
                 onFloats(std::string(op) + "_backward", {gradient, x, one}, "f64"), 1e-8);
  expectValues(quotients("threshold", {one, one}),
               onFloats("threshold_backward", {gradient, x, one}, "f64"), 1e-8);
  expectValues(quotients("softplus", {one, many}),
               onFloats("softplus_backward", {gradient, x, one, many}, "f64"), 1e-8);
}

TEST_F(PointwiseTest, LessCommonFunctionsAtTheirEdges) {
  expectValues({3, -kInf, kNaN}, onFloats("log10", {{1000, -0.0, -1}}));
  expectValues({0, 2, 1, 2.0884875837625446e-45}, onFloats("erfc", {{kInf, -kInf, 0, 10}}, "f64"),
               1e-59);
  expectValues({-2, kInf, -0.0}, onFloats("cbrt", {{-8, kInf, -0.0}}));
  expectValues({kInf, -kInf, kNaN, -0.0, 0.4769362762044699, 0.8862269254527579e-30},
               onFloats("erfinv", {{1, -1, 1.5, -0.0, 0.5, 1e-30}}, "f64"), 1e-15);
  expectValues(
      {0, 0, std::log(24), 0.5723649429247001, 1.2655121234846454, kInf, kInf, kInf, kInf, kNaN},
      onFloats("lgamma", {{1, 2, 5, 0.5, -0.5, 0, -3, kInf, -kInf, kNaN}}, "f64"), 1e-15);
  expectValues({-0.5772156649015329, 0.42278433509846714, -1.9635100260214235, 0.03648997397857652,
                2.251752589066721, -kInf, kInf, kNaN, kInf, kNaN, kNaN},
               onFloats("digamma", {{1, 2, 0.5, -0.5, 10, 0, -0.0, -3, kInf, -kInf, kNaN}}, "f64"),
               1e-15);
  expectValues({0.5, -0.5, -0.0, kNaN}, onFloats("frac", {{1.5, -1.5, -2, kInf}}));
  expectValues({1, 1, 0, 0}, testFloats("signbit", {{-1, -0.0, 0, kInf}}));
  expectValues({1, 0, 0}, testFloats("isposinf", {{kInf, -kInf, kNaN}}));
  expectValues({0, 1, 0}, testFloats("isneginf", {{kInf, -kInf, kNaN}}));
  expectValues({-1, 0}, onFloats("copysign", {{1, -0.0}, {-0.0, 2}}));
  expectValues({5, kInf, kNaN, 5e30, 0},
               onFloats("hypot", {{3, kInf, kNaN, 3e30, 0}, {4, kNaN, 1, 4e30, 0}}), 1e24);
  expectValues({kInf, -kInf, kNaN, 1000.6931471805599, kInf},
               onFloats("logaddexp",
                        {{kInf, -kInf, kNaN, 1000, -kInf}, {kInf, -kInf, 1, 1000, kInf}}, "f64"));
  expectValues({0, kNaN, 0, -kInf}, onFloats("xlogy", {{0, 0, 0, 1}, {-1, kNaN, kInf, 0}}));
  expectValues({1 + 0x1p-23, 1 - 0x1p-24, -0x1p-149, 2, kNaN},
               onFloats("nextafter", {{1, 1, 0, 2, kNaN}, {2, 0, -1, 2, 1}}));
  expectValues({1 + 0x1p-7, -1 + 0x1p-8}, onFloats("nextafter", {{1, -1}, {2, 0}}, "bf16"));
  expectValues({4}, onFloats("addcdiv", {{1}, {6}, {4}, {2}}));
}

TEST_F(PointwiseTest, DivisorsAndLogicalShifts) {
  const int64_t least = -2147483648;
  expectValues({6, 6, 5, 0, 1, least},
               onIntegers("gcd", {{12, -18, 0, 0, 7, least}, {18, 24, 5, 0, 1, 0}}));
  expectValues({36, 72, 0, 0, 7}, onIntegers("lcm", {{12, -18, 0, 0, 7}, {18, 24, 5, 0, -1}}));
  // 200 does not fit.
  expectValues({-56}, onIntegers("lcm", {{100}, {-40}}, "i8"));
  expectValues({1, 1}, onIntegers("gcd", {{1, 0}, {0, 1}}, "i1"));
  expectValues({3, 0x7fffffff, 1, 0, 0},
               onIntegers("logical_shift_right", {{12, -1, -1, -1, -1}, {2, 1, 31, 32, -1}}));
  expectValues({0x7f}, onIntegers("logical_shift_right", {{-1}, {1}}, "i8"));
}

TEST_F(PointwiseTest, WhereIgnoresWhatIsNotChosen) {
  auto outputs = runBody(
      {"tensor<2x1xi1>", "tensor<1x2xf32>", "f32"},
      "%0 = fuser.where %a, %b, %c : (tensor<2x1xi1>, tensor<1x2xf32>, f32) -> tensor<2x2xf32>",
      "tensor<2x2xf32>",
      {integers("i1", {2, 1}, {1, 0}), floats("f32", {1, 2}, {3, kNaN}),
       Tensor::scalar(type("f32"), -kInf)});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({3, kNaN, -kInf, -kInf}, (*outputs)[0].floats());
}

TEST_F(PointwiseTest, CastsRoundTruncateAndWrap) {
  expectValues({1, kInf, kNaN, -0.0},
               cast<double>("f64", "bf16", {1.001, 3.4e38, kNaN, -0.0}).floats());
  expectValues({65504, kInf}, cast<double>("f32", "f16", {65519, 65520}).floats());
  expectValues({448, kNaN}, cast<double>("f32", "f8E4M3FN", {450, 1000}).floats());
  expectValues({16777216}, cast<double>("f64", "f32", {16777217}).floats());
  // Through f32: 1 + 2^-8 + 2^-40 first becomes the tie 1 + 2^-8, which goes to even.
  expectValues({1}, cast<double>("f64", "bf16", {1 + 0x1p-8 + 0x1p-40}).floats());
  expectValues({-1, 2147483647, -2147483648, 0},
               cast<double>("f32", "i32", {-1.9, 1e20, -kInf, kNaN}).integers());
  expectValues({0, 0, 1, 1}, cast<double>("f32", "i1", {0, -0.0, kNaN, 0.5}).integers());
  expectValues({-1, 0}, cast<int64_t>("i32", "i8", {255, 256}).integers());
  expectValues({1, 0}, cast<int64_t>("i1", "i64", {1, 0}).integers());
  expectValues({1}, cast<int64_t>("i1", "f32", {1}).floats());
  // One rounding, not one to double and one to f32: this is just above a tie.
  expectValues({0x1.000002p60},
               cast<int64_t>("i64", "f32", {(1LL << 60) + (1LL << 36) + 1}).floats());
}

TEST_F(PointwiseTest, ScalarsBecomeF32) {
  // 0.1 as f64 is not 0.1 as f32, to which it is converted.
  auto outputs = runBody(
      {"tensor<1xf32>", "f64"}, "%0 = fuser.eq %a, %b : (tensor<1xf32>, f64) -> tensor<1xi1>",
      "tensor<1xi1>", {floats("f32", {1}, {double(0.1f)}), Tensor::scalar(type("f64"), 0.1)});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1}, (*outputs)[0].integers());
}

} // namespace
