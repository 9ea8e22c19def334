//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Activations and their gradients: one C++ function of elements for each.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "PointwiseTable.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

static const double kPi = 3.14159265358979323846;

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

static double selu(double x) {
  const double alpha = 1.6732632423543772, scale = 1.0507009873554805;
  return x > 0 ? scale * x : scale * alpha * std::expm1(x);
}

static double softplus(double x, double beta, double threshold) {
  return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta;
}

static double hardRamp(double x) { return minimum(maximum(x + 3, 0), 6); }

static double tanhOfSoftplus(double x) { return std::tanh(std::log1p(std::exp(x))); }

static void addForward(OpTable &table) {
  addFloat<2>(table, "fuser.leaky_relu",
              [](double x, double slope) { return x > 0 ? x : slope * x; });
  addFloat<2>(table, "fuser.elu",
              [](double x, double alpha) { return x > 0 ? x : alpha * std::expm1(x); });
  addFloat<2>(table, "fuser.celu",
              [](double x, double alpha) { return x > 0 ? x : alpha * std::expm1(x / alpha); });
  addFloat<1>(table, "fuser.selu", selu);
  addFloat<3>(table, "fuser.softplus", softplus);
  addFloat<1>(table, "fuser.log_sigmoid",
              [](double x) { return minimum(x, 0) - std::log1p(std::exp(-std::fabs(x))); });
  addFloat<1>(table, "fuser.hardsigmoid", [](double x) { return hardRamp(x) / 6; });
  addFloat<1>(table, "fuser.hardswish", [](double x) { return x * hardRamp(x) / 6; });
  addFloat<1>(table, "fuser.mish", [](double x) { return x * tanhOfSoftplus(x); });
  addFloat<3>(table, "fuser.threshold",
              [](double x, double threshold, double value) { return x <= threshold ? value : x; });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

static double siluBackward(double gradient, double x) {
  double s = sigmoid(x);
  return gradient * s * (1 + x * (1 - s));
}

static double geluBackward(double gradient, double x) {
  double cdf = (1 + std::erf(x / std::sqrt(2.0))) / 2;
  return gradient * (cdf + x * std::exp(-x * x / 2) / std::sqrt(2 * kPi));
}

static double geluByTanhBackward(double gradient, double x) {
  double scale = std::sqrt(2 / kPi), t = std::tanh(scale * (x + 0.044715 * x * x * x));
  double slope = scale * (1 + 3 * 0.044715 * x * x);
  return gradient * ((1 + t) / 2 + x / 2 * (1 - t * t) * slope);
}

static LogicalResult evaluateGeluBackward(OpContext &context) {
  if (context.getOp()->hasAttr("approximate"))
    return mapElements<2, double, double>(context, geluByTanhBackward);
  return mapElements<2, double, double>(context, geluBackward);
}

static double hardswishBackward(double gradient, double x) {
  if (x <= -3)
    return 0;
  return x < 3 ? gradient * (x / 3 + 0.5) : gradient;
}

static double mishBackward(double gradient, double x) {
  double t = tanhOfSoftplus(x);
  return gradient * (t + x * sigmoid(x) * (1 - t * t));
}

static double softplusBackward(double gradient, double x, double beta, double threshold) {
  double z = std::exp(x * beta);
  return x * beta > threshold ? gradient : gradient * z / (z + 1);
}

static void addGradients(OpTable &table) {
  addFloat<2>(table, "fuser.sigmoid_backward",
              [](double gradient, double y) { return gradient * (1 - y) * y; });
  addFloat<2>(table, "fuser.tanh_backward",
              [](double gradient, double y) { return gradient * (1 - y * y); });
  addFloat<2>(table, "fuser.silu_backward", siluBackward);
  table["fuser.gelu_backward"] = evaluateGeluBackward;
  addFloat<2>(table, "fuser.log_sigmoid_backward",
              [](double gradient, double x) { return gradient * sigmoid(-x); });
  addFloat<2>(table, "fuser.hardsigmoid_backward",
              [](double gradient, double x) { return std::fabs(x) < 3 ? gradient / 6 : 0; });
  addFloat<2>(table, "fuser.hardswish_backward", hardswishBackward);
  addFloat<2>(table, "fuser.mish_backward", mishBackward);
  addFloat<3>(table, "fuser.leaky_relu_backward", [](double gradient, double x, double slope) {
    return x > 0 ? gradient : slope * gradient;
  });
  addFloat<3>(table, "fuser.elu_backward", [](double gradient, double x, double alpha) {
    return x <= 0 ? gradient * alpha * std::exp(x) : gradient;
  });
  addFloat<3>(table, "fuser.threshold_backward", [](double gradient, double x, double threshold) {
    return x <= threshold ? 0 : gradient;
  });
  addFloat<4>(table, "fuser.softplus_backward", softplusBackward);
}

void fuser::reference::addActivations(OpTable &table) {
  addFloat<2>(table, "fuser.hardshrink",
              [](double x, double lambda) { return std::fabs(x) <= lambda ? 0.0 : x; });
  addFloat<2>(table, "fuser.softshrink", [](double x, double lambda) {
    return x > lambda ? x - lambda : x < -lambda ? x + lambda : std::isnan(x) ? x : 0.0;
  });
  addForward(table);
  addGradients(table);
}
