//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The greatest error of each function of one float, in units in the last place, against long
// double: over all values of f16 and bf16, and over values of f32 that are equally spaced in their
// bits (all exponents and signs, NaN and infinities among them).
// usage: fuser-bench-ulp [--device=host|cuda] [--approximate-math] [--op=NAME] [N]
//   2^N values of f32, 8 <= N <= 24 (20); prints a table in markdown, of one function with --op
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"
#include "fuser/Support/FloatConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

using namespace fuser;
using artifact::DType;
using Exact = long double;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static constexpr Exact kPi = 3.14159265358979323846264338327950288L;
static constexpr Exact kInfinity = std::numeric_limits<Exact>::infinity();
static constexpr Exact kNaN = std::numeric_limits<Exact>::quiet_NaN();

static Exact sigmoid(Exact x) { return 1 / (1 + std::exp(-x)); }

static Exact geluTanh(Exact x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / kPi) * (x + 0.044715L * x * x * x)));
}

/// x + 3 within [0, 6]; NaN stays.
static Exact hardRamp(Exact x) { return x <= -3 ? 0 : x >= 3 ? 6 : x + 3; }

static Exact selu(Exact x) {
  return 1.0507009873554804934193349852946L *
         (x > 0 ? x : 1.6732632423543772848170429916717L * std::expm1(x));
}

/// By Newton's method on the function that is exact where y is: erf or erfc.
static Exact erfinv(Exact x) {
  const Exact a = std::fabs(x);
  if (!(a <= 1) || a == 1 || a == 0)
    return a == 1 ? std::copysign(kInfinity, x) : a == 0 ? x : kNaN;
  const Exact w = -std::log((1 - a) * (1 + a));
  // Winitzki's approximation, to 2e-3.
  const Exact t = 2 / (kPi * 0.147L) - w / 2;
  Exact y = std::sqrt(std::sqrt(t * t + w / 0.147L) - t);
  for (int step = 0; step < 6; ++step) {
    const Exact error = a < 0.5L ? std::erf(y) - a : (1 - a) - std::erfc(y);
    y -= error * std::exp(y * y) * std::sqrt(kPi) / 2;
  }
  return std::copysign(y, x);
}

/// By Newton's method on log(erfc(y)), from the tail's first approximation.
static Exact erfcinv(Exact x) {
  if (x > 0.5L && x < 1.5L)
    return erfinv(1 - x);
  if (!(x > 0 && x < 2))
    return x == 0 ? kInfinity : x == 2 ? -kInfinity : kNaN;
  if (x > 1)
    return -erfcinv(2 - x);
  const Exact u = -std::log(x);
  Exact y = std::sqrt(std::fmax(u - std::log(kPi * std::fmax(u, Exact(1))) / 2, Exact(0.1)));
  for (int step = 0; step < 8; ++step)
    y += (std::log(std::erfc(y)) + u) * std::erfc(y) * std::exp(y * y) * std::sqrt(kPi) / 2;
  return y;
}

static Exact digammaOfPositive(Exact x) {
  Exact sum = 0;
  for (; x < 40; x += 1)
    sum -= 1 / x;
  const Exact s = 1 / (x * x);
  return sum + std::log(x) - 1 / (2 * x) -
         s * (1 / 12.0L - s * (1 / 120.0L - s * (1 / 252.0L - s * (1 / 240.0L - s / 132.0L))));
}

static Exact digamma(Exact x) {
  if (x == 0)
    return std::copysign(kInfinity, -x);
  if (x > 0 || std::isnan(x))
    return digammaOfPositive(x);
  if (x == std::trunc(x))
    return kNaN;
  return digammaOfPositive(1 - x) - kPi / std::tan(kPi * (x - std::round(x)));
}

namespace {
struct Function {
  const char *op;
  Exact (*exact)(Exact);
};
} // namespace

static const Function kFunctions[] = {
    {"exp", [](Exact x) { return std::exp(x); }},
    {"exp2", [](Exact x) { return std::exp2(x); }},
    {"expm1", [](Exact x) { return std::expm1(x); }},
    {"log", [](Exact x) { return std::log(x); }},
    {"log2", [](Exact x) { return std::log2(x); }},
    {"log10", [](Exact x) { return std::log10(x); }},
    {"log1p", [](Exact x) { return std::log1p(x); }},
    {"sqrt", [](Exact x) { return std::sqrt(x); }},
    {"rsqrt", [](Exact x) { return 1 / std::sqrt(x); }},
    {"cbrt", [](Exact x) { return std::cbrt(x); }},
    {"reciprocal", [](Exact x) { return 1 / x; }},
    {"sin", [](Exact x) { return std::sin(x); }},
    {"cos", [](Exact x) { return std::cos(x); }},
    {"tan", [](Exact x) { return std::tan(x); }},
    {"asin", [](Exact x) { return std::asin(x); }},
    {"acos", [](Exact x) { return std::acos(x); }},
    {"atan", [](Exact x) { return std::atan(x); }},
    {"sinh", [](Exact x) { return std::sinh(x); }},
    {"cosh", [](Exact x) { return std::cosh(x); }},
    {"tanh", [](Exact x) { return std::tanh(x); }},
    {"asinh", [](Exact x) { return std::asinh(x); }},
    {"acosh", [](Exact x) { return std::acosh(x); }},
    {"atanh", [](Exact x) { return std::atanh(x); }},
    {"erf", [](Exact x) { return std::erf(x); }},
    {"erfc", [](Exact x) { return std::erfc(x); }},
    {"erfinv", erfinv},
    {"erfcx",
     [](Exact x) {
       // The asymptotic series where erfc has no value any more.
       const Exact s = 1 / (x * x);
       return x > 50 ? (1 - s / 2 * (1 - 3 * s / 2 * (1 - 5 * s / 2))) / (x * std::sqrt(kPi))
                     : std::exp(x * x) * std::erfc(x);
     }},
    {"erfcinv", erfcinv},
    {"logit", [](Exact x) { return std::log(x / (1 - x)); }},
    {"sinc",
     [](Exact x) {
       // From the distance to the nearest integer, which pi * x would lose; odd ones turn the sign.
       const Exact sine = std::sin(kPi * std::remainder(x, Exact(1)));
       const bool isOdd = std::fmod(std::nearbyint(x), Exact(2)) != 0;
       return x == 0 ? 1 : (isOdd ? -sine : sine) / (kPi * x);
     }},
    {"square", [](Exact x) { return x * x; }},
    {"lgamma",
     [](Exact x) {
       // std::lgamma writes a global sign.
       int sign = 0;
       return lgammal_r(x, &sign);
     }},
    {"digamma", digamma},
    {"sigmoid", sigmoid},
    {"silu", [](Exact x) { return x / (1 + std::exp(-x)); }},
    {"gelu", [](Exact x) { return x / 2 * std::erfc(-x / std::sqrt(Exact(2))); }},
    {"gelu {approximate}", geluTanh},
    {"selu", selu},
    {"hardsigmoid", [](Exact x) { return hardRamp(x) / 6; }},
    {"hardswish", [](Exact x) { return x * (hardRamp(x) / 6); }},
    {"mish", [](Exact x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"log_sigmoid",
     [](Exact x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }},
};

//===----------------------------------------------------------------------===//
// Types, values
//===----------------------------------------------------------------------===//

namespace {
struct Format {
  const char *name;
  DType dtype;
  FloatFormat bits;

  int getPrecision() const { return int(bits.mantissaBits) + 1; }
  int getMinExponent() const { return 1 - bits.bias(); }
  int getMaxExponent() const { return bits.bias(); }

  /// Distance of a value of the format from the exact one, in units of the last place of that. An
  /// infinity counts as the power of two after the largest value. Nullopt if one is NaN and the
  /// other is not, or if infinities do not agree.
  std::optional<double> getError(Exact value, Exact exact) const {
    if (std::isnan(value) || std::isnan(exact))
      return std::isnan(value) == std::isnan(exact) ? std::optional<double>(0) : std::nullopt;
    const Exact end = std::ldexp(Exact(1), getMaxExponent() + 1);
    if (std::isinf(exact))
      return value == exact ? std::optional<double>(0) : std::nullopt;
    auto clip = [&](Exact x) { return std::fabs(x) > end ? std::copysign(end, x) : x; };
    value = clip(value);
    exact = clip(exact);
    int exponent = exact == 0 ? getMinExponent() : std::ilogb(exact);
    exponent = std::min(std::max(exponent, getMinExponent()), getMaxExponent());
    return double(std::fabs(std::ldexp(value - exact, getPrecision() - 1 - exponent)));
  }
};

struct Measured {
  double error = 0;
  Exact worst = 0;
  int64_t numWrong = 0;
  Exact firstWrong = 0;

  /// Adds the error at `x`; nullopt: a NaN or an infinity does not match.
  void add(Exact x, std::optional<double> errorThere) {
    if (!errorThere) {
      if (numWrong++ == 0)
        firstWrong = x;
    } else if (*errorThere > error) {
      error = *errorThere;
      worst = x;
    }
  }

  /// Merges measurements of later values.
  void add(const Measured &next) {
    if (numWrong == 0)
      firstWrong = next.firstWrong;
    numWrong += next.numWrong;
    if (next.error > error) {
      error = next.error;
      worst = next.worst;
    }
  }
};
} // namespace

/// 2^`log2` values, equally spaced in their bits.
static std::vector<uint32_t> getInputs(const Format &format, unsigned log2) {
  const unsigned step = format.bits.bits() - std::min(log2, format.bits.bits());
  std::vector<uint32_t> bits(size_t(1) << (format.bits.bits() - step));
  for (size_t i = 0; i < bits.size(); ++i)
    // Odd offsets, so that not all values have short mantissas.
    bits[i] = uint32_t(i << step) | (step ? uint32_t(i * 2654435761u) >> (32 - step) : 0);
  return bits;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static artifact::Expected<std::vector<uint32_t>> run(const Function &function, const Format &format,
                                                     const std::vector<uint32_t> &inputs,
                                                     const std::shared_ptr<runtime::Device> &device,
                                                     bool approximate) {
  session::ProgramOptions options;
  options.approximateMath = approximate;
  auto [op, attributes] = llvm::StringRef(function.op).split(' ');
  const std::string type = std::string("tensor<?x") + format.name + ">";
  auto program = session::Program::create(("fuser.fusion @f(%x: " + type + ") -> " + type +
                                           " {\n%0 = fuser." + op + " %x " + attributes + " : " +
                                           type + "\nfuser.return %0 : " + type + "\n}")
                                              .str(),
                                          device, options);
  if (!program)
    return program.error();
  const size_t bytes = format.bits.bits() / 8;
  std::vector<unsigned char> raw(inputs.size() * bytes);
  for (size_t i = 0; i < inputs.size(); ++i)
    std::memcpy(&raw[i * bytes], &inputs[i], bytes);
  const int64_t size = inputs.size();
  auto argument = runtime::allocateTensor(device, format.dtype, {&size, 1});
  if (!argument)
    return argument.error();
  if (auto status = device->copyToDevice(argument->data, raw.data(), raw.size(), nullptr); !status)
    return status.error();
  std::vector<runtime::CallArgument> arguments = {argument->view()};
  auto results = (*program)->call({arguments.data(), arguments.size()});
  if (!results)
    return results.error();
  if (auto status = device->copyToHost(raw.data(), results->front().data, raw.size(), nullptr);
      !status)
    return status.error();
  if (auto status = device->synchronize(nullptr); !status)
    return status.error();
  std::vector<uint32_t> outputs(inputs.size(), 0);
  for (size_t i = 0; i < outputs.size(); ++i)
    std::memcpy(&outputs[i], &raw[i * bytes], bytes);
  return outputs;
}

static artifact::Expected<Measured> measure(const Function &function, const Format &format,
                                            unsigned log2,
                                            const std::shared_ptr<runtime::Device> &device,
                                            bool approximate) {
  const std::vector<uint32_t> inputs = getInputs(format, log2);
  auto outputs = run(function, format, inputs, device, approximate);
  if (!outputs)
    return outputs.error();
  // Long double takes far longer than the device: each CPU measures some parts.
  constexpr size_t kPart = 4096;
  std::vector<Measured> parts(llvm::divideCeil(inputs.size(), kPart));
  llvm::parallelFor(0, parts.size(), [&](size_t part) {
    const size_t end = std::min(inputs.size(), (part + 1) * kPart);
    for (size_t i = part * kPart; i < end; ++i) {
      const Exact x = decodeFloat(inputs[i], format.bits);
      parts[part].add(x,
                      format.getError(decodeFloat((*outputs)[i], format.bits), function.exact(x)));
    }
  });
  Measured measured;
  for (const Measured &part : parts)
    measured.add(part);
  return measured;
}

int main(int argc, char **argv) {
  bool cuda = false, approximate = false;
  unsigned log2 = 20;
  llvm::StringRef only;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--device=cuda" || argument == "--device=host") {
      cuda = argument == "--device=cuda";
    } else if (argument == "--approximate-math") {
      approximate = true;
    } else if (argument.consume_front("--op=")) {
      only = argument;
    } else if (argument.getAsInteger(10, log2) || log2 < 8 || log2 > 24) {
      llvm::errs() << "fuser-bench-ulp: expected --device=host, --device=cuda, --approximate-math, "
                      "--op=NAME "
                      "or a number between 8 and 24, but got '"
                   << argument << "'\n";
      return 2;
    }
  }
  if (!only.empty() &&
      llvm::none_of(kFunctions, [&](const Function &function) { return function.op == only; })) {
    llvm::errs() << "fuser-bench-ulp: --op: expected a function of one float, but got '" << only
                 << "'\n";
    return 2;
  }
  auto made = cuda ? runtime::createCudaDevice() : runtime::createHostDevice();
  if (!made) {
    llvm::errs() << "fuser-bench-ulp: " << made.error().str() << "\n";
    return 1;
  }
  std::shared_ptr<runtime::Device> device(made.take());
  const Format formats[] = {
      {"f32", DType::F32, kF32}, {"f16", DType::F16, kF16}, {"bf16", DType::BF16, kBF16}};
  llvm::outs()
      << "| op | f32 | at | f16 | bf16 | NaN or infinity missed |\n|---|---|---|---|---|---|\n";
  for (const Function &function : kFunctions) {
    if (!only.empty() && function.op != only)
      continue;
    llvm::outs() << "| `" << function.op << "` |";
    std::string missed;
    llvm::raw_string_ostream out(missed);
    for (const Format &format : formats) {
      auto measured = measure(function, format, log2, device, approximate);
      if (!measured) {
        llvm::errs() << "fuser-bench-ulp: " << function.op << " of " << format.name << ": "
                     << measured.error().str() << "\n";
        return 1;
      }
      llvm::outs() << llvm::format(" %.3f |", measured->error);
      if (format.dtype == DType::F32)
        llvm::outs() << llvm::format(" %.9Lg |", measured->worst);
      if (measured->numWrong)
        out << format.name << ": " << measured->numWrong << ", first at "
            << llvm::format("%.9Lg", measured->firstWrong) << " ";
    }
    llvm::outs() << " " << (missed.empty() ? "none" : missed) << " |\n";
    llvm::outs().flush();
  }
  return 0;
}
