//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic where a CPU, a GPU and LLVM disagree: the guarantees of LowerToHost.h.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

#include <algorithm>
#include <limits>

using namespace fuser::test;

namespace {

class HostArithmetic : public HostKernelTest {
protected:
  /// z[i] = f(x[i], y[i]) with `body` the ops that make %r from %a and %b.
  template <typename Out, typename In>
  std::vector<Out> apply(const std::string &in, const std::string &out, const std::string &body,
                         const std::vector<In> &x, const std::vector<In> &y) {
    auto view = [](const std::string &element) {
      return "memref<?x" + element + ", strided<[1]>>";
    };
    auto cast = [&](const std::string &name, const std::string &element) {
      return "    %" + name + " = memref.reinterpret_cast %p" + name +
             " to offset: [0], sizes: [%n], strides: [1] : memref<" + element + "> to " +
             view(element) + "\n";
    };
    std::string text = "gpu.module @m {\n  gpu.func @apply(%px: memref<" + in + ">, %py: memref<" +
                       in + ">, %pz: memref<" + out + ">, %n: index) kernel {\n" + cast("x", in) +
                       cast("y", in) + cast("z", out);
    text += "    %i = gpu.block_id x\n    %a = memref.load %x[%i] : " + view(in) +
            "\n    %b = memref.load %y[%i] : " + view(in) + "\n" + body +
            "    memref.store %r, %z[%i] : " + view(out) + "\n    gpu.return\n  }\n}\n";
    std::vector<Out> z(x.size());
    run(text, shape(static_cast<uint32_t>(x.size()), 1),
        Parameters(x.data(), y.data(), z.data(), static_cast<int64_t>(x.size())));
    return z;
  }
  template <typename Out, typename In>
  std::vector<Out> apply(const std::string &in, const std::string &out, const std::string &body,
                         const std::vector<In> &x) {
    return apply<Out>(in, out, body, x, x);
  }
};

//===----------------------------------------------------------------------===//
// Half types
//===----------------------------------------------------------------------===//

double decodeF16(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

/// The nearest value of a half type by its definition: the ordered list of all values is searched,
/// and of two equally near ones the one with an even last bit wins.
uint16_t nearestHalf(double value, double (*decode)(uint16_t), uint16_t infinity) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  // Beyond the largest finite value lies, for rounding, the next power of two.
  const double beyond = 2 * decode(infinity - 1) - decode(infinity - 2);
  uint32_t low = 0, high = infinity;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (decode(static_cast<uint16_t>(middle)) <= magnitude ? low : high) = middle;
  }
  const double below = decode(static_cast<uint16_t>(low));
  const double above = high == infinity ? beyond : decode(static_cast<uint16_t>(high));
  const double toLow = magnitude - below, toHigh = above - magnitude;
  const bool up = toHigh < toLow || (toHigh == toLow && (low & 1) != 0);
  return static_cast<uint16_t>(sign | (up ? high : low));
}

double decodeBF16(uint16_t bits) { return fromBF16(bits); }

/// Values of a half type, halfway points between neighbors, and values next to those.
std::vector<double> hardToRound(double (*decode)(uint16_t), uint16_t infinity, bool inSingle) {
  std::vector<double> values;
  std::mt19937 generator(31);
  for (int i = 0; i < 4000; ++i) {
    const auto bits = static_cast<uint16_t>(generator() % (infinity - 1));
    const double a = decode(bits), middle = (a + decode(bits + 1)) / 2;
    for (double value : {a, middle}) {
      values.push_back(value);
      const double big = std::numeric_limits<double>::max();
      values.push_back(inSingle ? std::nextafterf(float(value), 3e38f)
                                : std::nextafter(value, big));
      values.push_back(inSingle ? std::nextafterf(float(value), -3e38f)
                                : std::nextafter(value, -big));
      values.push_back(-values.back());
    }
  }
  for (double value : {0.0, -0.0, double(std::numeric_limits<float>::max()), 65519.0, 65520.0,
                       3.4e38, std::numeric_limits<double>::infinity(), 1e-45, 1e-40})
    values.push_back(value);
  return values;
}

TEST_F(HostArithmetic, HalvesRoundOnceToNearestEven) {
  struct Case {
    const char *name;
    double (*decode)(uint16_t);
    uint16_t infinity;
  };
  for (Case half : {Case{"bf16", decodeBF16, 0x7F80}, Case{"f16", decodeF16, 0x7C00}}) {
    std::vector<double> wide = hardToRound(half.decode, half.infinity, /*inSingle=*/false);
    const std::string fromDouble =
        std::string("    %r = arith.truncf %a : f64 to ") + half.name + "\n";
    std::vector<uint16_t> got = apply<uint16_t>("f64", half.name, fromDouble, wide);
    for (size_t i = 0; i < wide.size(); ++i)
      ASSERT_EQ(got[i], nearestHalf(wide[i], half.decode, half.infinity))
          << "f64 " << wide[i] << " to " << half.name;

    std::vector<float> single;
    for (double value : hardToRound(half.decode, half.infinity, /*inSingle=*/true))
      single.push_back(static_cast<float>(value));
    const std::string fromSingle =
        std::string("    %r = arith.truncf %a : f32 to ") + half.name + "\n";
    got = apply<uint16_t>("f32", half.name, fromSingle, single);
    for (size_t i = 0; i < single.size(); ++i)
      ASSERT_EQ(got[i], nearestHalf(single[i], half.decode, half.infinity))
          << "f32 " << single[i] << " to " << half.name;

    const float nan = std::numeric_limits<float>::quiet_NaN();
    got = apply<uint16_t>("f32", half.name, fromSingle, std::vector<float>{nan, -nan});
    EXPECT_TRUE(std::isnan(half.decode(got[0])) && std::isnan(half.decode(got[1])));
  }
}

TEST_F(HostArithmetic, EveryHalfWidensExactly) {
  std::vector<uint16_t> all(65536);
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<uint16_t>(i);
  std::vector<float> f16 = apply<float>("f16", "f32", "    %r = arith.extf %a : f16 to f32\n", all);
  std::vector<float> bf16 =
      apply<float>("bf16", "f32", "    %r = arith.extf %a : bf16 to f32\n", all);
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (std::isnan(decodeF16(all[i])))
      ASSERT_TRUE(std::isnan(f16[i]));
    else
      ASSERT_EQ(f16[i], decodeF16(all[i])) << i;
    if (std::isnan(fromBF16(all[i])))
      ASSERT_TRUE(std::isnan(bf16[i]));
    else
      ASSERT_EQ(bf16[i], fromBF16(all[i])) << i;
  }
}

/// (a + b) + a: each sum in f32, each rounded.
TEST_F(HostArithmetic, HalfArithmeticRoundsEveryOp) {
  std::vector<uint16_t> a = randomBF16(5000, 32), b = randomBF16(5000, 33, -300, 300);
  std::vector<uint16_t> got = apply<uint16_t>(
      "bf16", "bf16", "    %s = arith.addf %a, %b : bf16\n    %r = arith.addf %s, %a : bf16\n", a,
      b);
  for (size_t i = 0; i < a.size(); ++i) {
    const uint16_t sum = toBF16(double(fromBF16(a[i])) + fromBF16(b[i]));
    ASSERT_EQ(got[i], toBF16(double(fromBF16(sum)) + fromBF16(a[i]))) << i;
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

TEST_F(HostArithmetic, DivisionNeverTraps) {
  const int32_t least = std::numeric_limits<int32_t>::min();
  const std::vector<int32_t> a = {7, -7, 0, least, least, 5, least, -1};
  const std::vector<int32_t> b = {0, 0, 0, -1, 0, -1, 3, least};
  auto divide = [&](const char *op) {
    return apply<int32_t>("i32", "i32", std::string("    %r = arith.") + op + " %a, %b : i32\n", a,
                          b);
  };
  using Numbers = std::vector<int32_t>;
  EXPECT_EQ(divide("divsi"), (Numbers{-1, -1, -1, least, -1, -5, least / 3, 0}));
  EXPECT_EQ(divide("remsi"), (Numbers{7, -7, 0, 0, least, 0, least % 3, -1}));
  EXPECT_EQ(divide("divui"), (Numbers{-1, -1, -1, 0, -1, 0, 715827882, 1}));
  EXPECT_EQ(divide("remui"), (Numbers{7, -7, 0, least, least, 5, 2, 0x7FFFFFFF}));
  // Rounding divisions are made of truncating ones; only the defined cases have a value.
  const Numbers c = {7, -7, 7, -7}, d = {2, 2, -2, -2};
  auto rounded = [&](const char *op) {
    return apply<int32_t>("i32", "i32", std::string("    %r = arith.") + op + " %a, %b : i32\n", c,
                          d);
  };
  EXPECT_EQ(rounded("floordivsi"), (Numbers{3, -4, -4, 3}));
  EXPECT_EQ(rounded("ceildivsi"), (Numbers{4, -3, -3, 4}));
}

TEST_F(HostArithmetic, DivisionOfNarrowAndWideIntegers) {
  const std::vector<int8_t> a = {-128, 127, 3}, b = {-1, 0, 2};
  EXPECT_EQ((apply<int8_t>("i8", "i8", "    %r = arith.divsi %a, %b : i8\n", a, b)),
            (std::vector<int8_t>{-128, -1, 1}));
  const int64_t least = std::numeric_limits<int64_t>::min();
  const std::vector<int64_t> c = {least, 9, -9}, d = {-1, 0, 2};
  EXPECT_EQ((apply<int64_t>("i64", "i64", "    %r = arith.divsi %a, %b : i64\n", c, d)),
            (std::vector<int64_t>{least, -1, -4}));
}

TEST_F(HostArithmetic, ShiftsByTheWidthAndMore) {
  const std::vector<int32_t> a = {-5, -5, -5, 5, 1}, b = {31, 32, 1000, 33, -1};
  auto shifted = [&](const char *op) {
    return apply<int32_t>("i32", "i32", std::string("    %r = arith.") + op + " %a, %b : i32\n", a,
                          b);
  };
  using Numbers = std::vector<int32_t>;
  EXPECT_EQ(shifted("shli"), (Numbers{std::numeric_limits<int32_t>::min(), 0, 0, 0, 0}));
  EXPECT_EQ(shifted("shrui"), (Numbers{1, 0, 0, 0, 0}));
  EXPECT_EQ(shifted("shrsi"), (Numbers{-1, -1, -1, 0, 0}));
}

TEST_F(HostArithmetic, FloatToIntegerSaturates) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {1.9f, -1.9f, 3e9f, -3e9f, infinity, -infinity, std::nanf("")};
  const int32_t least = std::numeric_limits<int32_t>::min(), most = ~least;
  EXPECT_EQ((apply<int32_t>("f32", "i32", "    %r = arith.fptosi %a : f32 to i32\n", x)),
            (std::vector<int32_t>{1, -1, most, least, most, least, 0}));
  EXPECT_EQ((apply<uint32_t>("f32", "i32", "    %r = arith.fptoui %a : f32 to i32\n", x)),
            (std::vector<uint32_t>{1, 0, 3000000000u, 0, ~0u, 0, 0}));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

TEST_F(HostArithmetic, MaximumPropagatesNaNAndOrdersZeros) {
  const float nan = std::nanf("");
  const std::vector<float> a = {nan, 1, 0.0f, -0.0f, 2}, b = {1, nan, -0.0f, 0.0f, 3};
  std::vector<float> most =
      apply<float>("f32", "f32", "    %r = arith.maximumf %a, %b : f32\n", a, b);
  std::vector<float> least =
      apply<float>("f32", "f32", "    %r = arith.minimumf %a, %b : f32\n", a, b);
  for (int i : {0, 1})
    EXPECT_TRUE(std::isnan(most[i]) && std::isnan(least[i]));
  for (int i : {2, 3}) {
    EXPECT_FALSE(std::signbit(most[i]));
    EXPECT_TRUE(std::signbit(least[i]));
  }
  EXPECT_EQ(most[4], 3);
  EXPECT_EQ(least[4], 2);
  std::vector<float> number =
      apply<float>("f32", "f32", "    %r = arith.maxnumf %a, %b : f32\n", a, b);
  EXPECT_EQ(number[0], 1);
  EXPECT_EQ(number[1], 1);
}

struct MathFunction {
  const char *op;
  double (*exact)(double);
  float low, high;
};

TEST_F(HostArithmetic, MathFunctionsAreAccurate) {
  const MathFunction functions[] = {
      {"exp", std::exp, -20, 20},
      {"exp2", std::exp2, -20, 20},
      {"expm1", std::expm1, -1e-3f, 1e-3f},
      {"log", std::log, 1e-6f, 100},
      {"log2", std::log2, 1e-6f, 100},
      {"log10", std::log10, 1e-6f, 100},
      {"log1p", std::log1p, -1e-3f, 1e-3f},
      {"sin", std::sin, -100, 100},
      {"cos", std::cos, -100, 100},
      {"tan", std::tan, -1.5f, 1.5f},
      {"tanh", std::tanh, -5, 5},
      {"sinh", std::sinh, -5, 5},
      {"cosh", std::cosh, -5, 5},
      {"asin", std::asin, -1, 1},
      {"acos", std::acos, -1, 1},
      {"atan", std::atan, -5, 5},
      {"asinh", std::asinh, -5, 5},
      {"acosh", std::acosh, 1, 5},
      {"atanh", std::atanh, -0.9f, 0.9f},
      {"erf", std::erf, -4, 4},
      {"erfc", std::erfc, -4, 4},
      {"cbrt", std::cbrt, -5, 5},
      {"sqrt", std::sqrt, 0, 100},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-6f, 100},
  };
  for (const MathFunction &function : functions) {
    std::vector<float> x = randomFloats(2000, 41, function.low, function.high);
    std::vector<float> got =
        apply<float>("f32", "f32", std::string("    %r = math.") + function.op + " %a : f32\n", x);
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = function.exact(x[i]);
      const double ulp = std::nextafter(std::fabs(float(exact)), 1e38f) - std::fabs(float(exact));
      ASSERT_LE(std::fabs(got[i] - exact), 3 * ulp) << function.op << "(" << x[i] << ")";
    }
  }
}

TEST_F(HostArithmetic, MathInDoubleStaysInDouble) {
  std::vector<double> x;
  for (float value : randomFloats(500, 46, 0.1f, 4))
    x.push_back(value);
  for (auto [op, exact] : {std::pair<const char *, double (*)(double)>{"exp", std::exp},
                           {"log1p", std::log1p},
                           {"erf", std::erf},
                           {"tanh", std::tanh}}) {
    std::vector<double> got =
        apply<double>("f64", "f64", std::string("    %r = math.") + op + " %a : f64\n", x);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_NEAR(got[i], exact(x[i]), std::fabs(exact(x[i])) * 1e-15) << op << "(" << x[i] << ")";
  }
}

/// The same functions on half types go through f32, on vectors through their lanes.
TEST_F(HostArithmetic, MathOnHalvesAndVectors) {
  std::vector<uint16_t> x = randomBF16(500, 42);
  std::vector<uint16_t> got = apply<uint16_t>("bf16", "bf16", "    %r = math.erf %a : bf16\n", x);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(fromBF16(got[i]), std::erf(fromBF16(x[i])), 0.004) << fromBF16(x[i]);
  std::vector<float> y = randomFloats(500, 43);
  std::vector<float> lanes = apply<float>("f32", "f32", R"mlir(
    %v = vector.from_elements %a, %b, %b, %a : vector<4xf32>
    %m = math.erf %v : vector<4xf32>
    %e = math.exp %m : vector<4xf32>
    %r = vector.reduction <add>, %e : vector<4xf32> into f32
)mlir",
                                          y);
  for (size_t i = 0; i < y.size(); ++i) {
    const double exact = 4 * std::exp(std::erf(double(y[i])));
    ASSERT_NEAR(lanes[i], exact, exact * 1e-6);
  }
}

TEST_F(HostArithmetic, PowersAndRemainders) {
  std::vector<float> x = randomFloats(1000, 44, 0.1f, 10), y = randomFloats(1000, 45, -5, 5);
  std::vector<float> power = apply<float>("f32", "f32", "    %r = math.powf %a, %b : f32\n", x, y);
  std::vector<float> rest = apply<float>("f32", "f32", "    %r = arith.remf %b, %a : f32\n", x, y);
  std::vector<float> cube = apply<float>(
      "f32", "f32", "    %k = arith.constant 3 : i32\n    %r = math.fpowi %b, %k : f32, i32\n", x,
      y);
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::pow(double(x[i]), double(y[i]));
    ASSERT_NEAR(power[i], exact, exact * 4e-7);
    ASSERT_EQ(rest[i], std::fmod(y[i], x[i]));
    const double third = double(y[i]) * y[i] * y[i];
    ASSERT_NEAR(cube[i], third, std::fabs(third) * 4e-7);
  }
}

TEST_F(HostArithmetic, ApproximateOpsAndFlushing) {
  const float tiny = 1e-40f;
  std::vector<float> x = {0.5f, 3, tiny, -tiny};
  std::vector<float> plain =
      apply<float>("f32", "f32", "    %r = fuser_gpu.approx rcp %a : f32\n", x);
  std::vector<float> flushed =
      apply<float>("f32", "f32", "    %r = fuser_gpu.approx rcp %a ftz : f32\n", x);
  EXPECT_EQ(plain[0], 2);
  EXPECT_NEAR(flushed[1], 1 / 3.0, 1e-7);
  EXPECT_EQ(flushed[2], std::numeric_limits<float>::infinity());
  EXPECT_EQ(flushed[3], -std::numeric_limits<float>::infinity());
  // 2^-140 is a denormal.
  std::vector<float> power = apply<float>("f32", "f32", "    %r = fuser_gpu.approx exp2 %a : f32\n",
                                          std::vector<float>{-140, 3});
  std::vector<float> none = apply<float>(
      "f32", "f32", "    %r = fuser_gpu.approx exp2 %a ftz : f32\n", std::vector<float>{-140, 3});
  EXPECT_GT(power[0], 0);
  EXPECT_EQ(none[0], 0);
  EXPECT_EQ(none[1], 8);
}

} // namespace
