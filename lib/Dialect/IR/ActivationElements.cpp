//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Activations and their gradients: scalar forms. Formulas use the same order of operations as
// PyTorch, so that they overflow for the same inputs.
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "fuser/Dialect/IR/Fuser.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ActivationOps.cpp.inc"

using Operands = ArrayRef<Real>;

static constexpr double kSeluAlpha = 1.6732632423543772;
static constexpr double kSeluScale = 1.0507009873554805;

/// clamp(x + 3, 0, 6), NaN stays.
static Real hardRamp(Real x) { return minimum(maximum(x + 3, x.constant(0)), x.constant(6)); }

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

Value LeakyReluOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[0] > 0, x[0], x[0] * x[1]); });
}

Value EluOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[0] > 0, x[0], expm1(x[0]) * x[1]); });
}

Value CeluOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[0] > 0, x[0], expm1(x[0] / x[1]) * x[1]); });
}

Value HardshrinkOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(abs(x[0]) <= x[1], x[0].constant(0), x[0]); });
}

Value SoftshrinkOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real within = select(x[0] == x[0], x[0].constant(0), x[0]);
    return select(x[0] > x[1], x[0] - x[1], select(x[0] < -x[1], x[0] + x[1], within));
  });
}

Value SeluOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    return select(x[0] > 0, x[0] * kSeluScale, expm1(x[0]) * (kSeluAlpha * kSeluScale));
  });
}

Value SoftplusOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real scaled = x[0] * x[1];
    return select(scaled > x[2], x[0], log1p(exp(scaled)) / x[1]);
  });
}

Value LogSigmoidOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    return minimum(x[0], x[0].constant(0)) - log1p(exp(-abs(x[0])));
  });
}

Value HardsigmoidOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return hardRamp(x[0]) / 6; });
}

Value HardswishOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return x[0] * (hardRamp(x[0]) / 6); });
}

Value MishOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return x[0] * tanh(log1p(exp(x[0]))); });
}

Value ThresholdOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[0] <= x[1], x[2], x[0]); });
}

//===----------------------------------------------------------------------===//
// Gradients: x[0] is the gradient by the result
//===----------------------------------------------------------------------===//

Value SigmoidBackwardOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return x[0] * (1 - x[1]) * x[1]; });
}

Value TanhBackwardOp::buildRealElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return x[0] * (1 - x[1] * x[1]); });
}

Value SiluBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real s = sigmoid(x[1]);
    return x[0] * s * (x[1] * (1 - s) + 1);
  });
}

/// d/dx of x * cdf(x) of the normal distribution.
static Real geluSlope(Real x) {
  Real cdf = (erf(x * std::sqrt(0.5)) + 1) * 0.5;
  Real density = exp(x * x * -0.5) * (1 / std::sqrt(2 * kPi));
  return cdf + x * density;
}

/// d/dx of x / 2 * (1 + tanh(u)) with u = sqrt(2 / pi) * (x + 0.044715 * x^3).
static Real geluByTanhSlope(Real x) {
  const double scale = std::sqrt(2 / kPi), cubic = 0.044715;
  Real t = tanh((x + x * x * x * cubic) * scale);
  Real slopeOfInner = (x * x * (3 * cubic) + 1) * scale;
  return (t + 1) * 0.5 + x * 0.5 * (1 - t * t) * slopeOfInner;
}

Value GeluBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [this](Operands x) {
    return x[0] * (getApproximate() ? geluByTanhSlope(x[1]) : geluSlope(x[1]));
  });
}

Value LogSigmoidBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    // sigmoid(-x) from z <= 1, which does not overflow.
    Real z = exp(-abs(x[1]));
    Real small = z / (z + 1);
    return x[0] * select(x[1] < 0, 1 - small, small);
  });
}

Value HardsigmoidBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(abs(x[1]) < 3, x[0] / 6, x[0].constant(0)); });
}

Value HardswishBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real ramp = select(x[1] < 3, x[0] * (x[1] / 3 + 0.5), x[0]);
    return select(x[1] <= -3, x[0].constant(0), ramp);
  });
}

Value MishBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real t = tanh(log1p(exp(x[1])));
    return x[0] * (t + x[1] * sigmoid(x[1]) * (1 - t * t));
  });
}

Value LeakyReluBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[1] > 0, x[0], x[0] * x[2]); });
}

Value EluBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[1] <= 0, x[0] * x[2] * exp(x[1]), x[0]); });
}

Value ThresholdBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands,
                      [](Operands x) { return select(x[1] <= x[2], x[0].constant(0), x[0]); });
}

Value SoftplusBackwardOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildFormula(builder, loc, getType(), operands, [](Operands x) {
    Real scaled = x[1] * x[2];
    Real z = exp(scaled);
    return select(scaled > x[3], x[0], x[0] * z / (z + 1));
  });
}
