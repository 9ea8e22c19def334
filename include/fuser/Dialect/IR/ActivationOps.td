//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Activations of networks, and their gradients. PointwiseBase.td describes verification and the computation in half
// types. Parameters (slopes, thresholds) are operands, mostly scalars. Formulas are those of PyTorch, so that results
// for NaN and infinities agree.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ACTIVATION_OPS
#define FUSER_ACTIVATION_OPS

include "fuser/Dialect/IR/PointwiseBase.td"

// `names` are the op's operands, `types` their types, as the example shows them.
class Fuser_ActivationOp<string mnemonic, dag operands, string what, string text, string names, string types,
                         list<Trait> traits = []> : Fuser_PointwiseOp<mnemonic, "Float", "", traits> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # " " # names # " : " # types # [{
    ```
  }];
  let arguments = !con(operands, schedule);
}

class Fuser_ParameterlessActivationOp<string mnemonic, string what, string text, list<Trait> traits = []>
    : Fuser_ActivationOp<mnemonic, (ins Fuser_Tensor:$input), what, text, "%x", "tensor<?xbf16>", traits>;

class Fuser_OneParameterActivationOp<string mnemonic, string parameter, string what, string text>
    : Fuser_ActivationOp<mnemonic, !dag(ins, [Fuser_TensorOrScalar, Fuser_TensorOrScalar], ["input", parameter]), what, text,
                         "%x, %" # parameter, "(tensor<?xbf16>, f32) -> tensor<?xbf16>">;

// The gradient by `input` (by `output`, where that is cheaper), given the gradient by the result.
class Fuser_GradientOp<string mnemonic, string saved, string what, string text>
    : Fuser_ActivationOp<mnemonic, !dag(ins, [Fuser_TensorOrScalar, Fuser_TensorOrScalar], ["gradient", saved]), what, text,
                         "%gradient, %" # saved, "tensor<?xbf16>">;
class Fuser_OneParameterGradientOp<string mnemonic, string parameter, string what, string text>
    : Fuser_ActivationOp<mnemonic, !dag(ins, [Fuser_TensorOrScalar, Fuser_TensorOrScalar, Fuser_TensorOrScalar],
                                             ["gradient", "input", parameter]), what, text,
                         "%gradient, %x, %" # parameter, "(tensor<?xbf16>, tensor<?xbf16>, f32) -> tensor<?xbf16>">;

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

def Fuser_LeakyReluOp : Fuser_OneParameterActivationOp<"leaky_relu", "slope", "x where positive, else slope * x", [{
    With a tensor of slopes this is prelu.}]>;
def Fuser_EluOp : Fuser_OneParameterActivationOp<"elu", "alpha", "x where positive, else alpha * (exp(x) - 1)", [{
    elu(inf) = inf, elu(-inf) = -alpha.}]>;
def Fuser_CeluOp : Fuser_OneParameterActivationOp<"celu", "alpha",
  "x where positive, else alpha * (exp(x / alpha) - 1)", [{celu(inf) = inf, celu(-inf) = -alpha.}]>;
def Fuser_HardshrinkOp : Fuser_OneParameterActivationOp<"hardshrink", "lambda", "x, 0 where |x| <= lambda", [{
    NaN stays.}]>;
def Fuser_SoftshrinkOp : Fuser_OneParameterActivationOp<"softshrink", "lambda", "x nearer to 0 by lambda, 0 within it", [{
    x - lambda above lambda, x + lambda below -lambda, else 0; NaN stays.}]>;
def Fuser_SeluOp : Fuser_ParameterlessActivationOp<"selu", "scaled exponential linear unit", [{
    scale * (x where positive, else alpha * (exp(x) - 1)) with scale = 1.0507009873554805 and alpha = 1.6732632423543772.}],
  [Fuser_KeepsZero]>;
def Fuser_SoftplusOp : Fuser_ActivationOp<"softplus",
    (ins Fuser_TensorOrScalar:$input, Fuser_TensorOrScalar:$beta, Fuser_TensorOrScalar:$threshold),
    "log(1 + exp(beta * x)) / beta", [{
    x itself where beta * x is above `threshold`.}],
    "%x, %beta, %threshold", "(tensor<?xbf16>, f32, f32) -> tensor<?xbf16>">;
def Fuser_LogSigmoidOp : Fuser_ParameterlessActivationOp<"log_sigmoid", "log(1 / (1 + exp(-x)))", [{
    Computed as min(x, 0) - log1p(exp(-|x|)), which neither overflows nor cancels.}]>;
def Fuser_HardsigmoidOp : Fuser_ParameterlessActivationOp<"hardsigmoid", "clamp(x + 3, 0, 6) / 6", [{
    0 up to -3, 1 from 3 on; NaN stays.}]>;
def Fuser_HardswishOp : Fuser_ParameterlessActivationOp<"hardswish", "x * clamp(x + 3, 0, 6) / 6", [{
    hardswish(-inf) is NaN, as in PyTorch.}], [Fuser_KeepsZero]>;
def Fuser_MishOp : Fuser_ParameterlessActivationOp<"mish", "x * tanh(log(1 + exp(x)))", [{
    mish(inf) = inf, mish(-inf) is NaN, as in PyTorch.}], [Fuser_KeepsZero]>;
def Fuser_ThresholdOp : Fuser_ActivationOp<"threshold",
    (ins Fuser_TensorOrScalar:$input, Fuser_TensorOrScalar:$threshold, Fuser_TensorOrScalar:$value),
    "x where above the threshold, else the value", [{
    NaN stays.}], "%x, %threshold, %value", "(tensor<?xbf16>, f32, f32) -> tensor<?xbf16>">;

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

def Fuser_SigmoidBackwardOp : Fuser_GradientOp<"sigmoid_backward", "output", "gradient of sigmoid", [{
    gradient * (1 - output) * output; of complex numbers gradient * conj((1 - output) * output), as in PyTorch.}]> {
  let hasComplexForm = 1;
}
def Fuser_TanhBackwardOp : Fuser_GradientOp<"tanh_backward", "output", "gradient of tanh", [{
    gradient * (1 - output * output); of complex numbers gradient * conj((1 - output) * (1 + output)).}]> {
  let hasComplexForm = 1;
}
def Fuser_SiluBackwardOp : Fuser_GradientOp<"silu_backward", "input", "gradient of silu", [{
    gradient * s * (1 + x * (1 - s)) with s = sigmoid(x).}]>;
def Fuser_GeluBackwardOp : Fuser_GradientOp<"gelu_backward", "input", "gradient of gelu", [{
    gradient * (cdf(x) + x * pdf(x)) of the normal distribution; with `approximate`, the derivative of that form.}]> {
  let arguments = !con((ins Fuser_TensorOrScalar:$gradient, Fuser_TensorOrScalar:$input, UnitAttr:$approximate), schedule);
}
def Fuser_LogSigmoidBackwardOp : Fuser_GradientOp<"log_sigmoid_backward", "input", "gradient of log_sigmoid", [{
    gradient * sigmoid(-x), from exp(-|x|).}]>;
def Fuser_HardsigmoidBackwardOp : Fuser_GradientOp<"hardsigmoid_backward", "input", "gradient of hardsigmoid", [{
    gradient / 6 where -3 < x < 3, else 0, also for NaN.}]>;
def Fuser_HardswishBackwardOp : Fuser_GradientOp<"hardswish_backward", "input", "gradient of hardswish", [{
    0 where x <= -3, gradient * (x / 3 + 1/2) below 3, else the gradient itself, also for NaN.}]>;
def Fuser_MishBackwardOp : Fuser_GradientOp<"mish_backward", "input", "gradient of mish", [{
    gradient * (t + x * sigmoid(x) * (1 - t * t)) with t = tanh(log(1 + exp(x))).}]>;
def Fuser_LeakyReluBackwardOp : Fuser_OneParameterGradientOp<"leaky_relu_backward", "slope", "gradient of leaky_relu", [{
    The gradient where x is positive, else slope * gradient.}]>;
def Fuser_EluBackwardOp : Fuser_OneParameterGradientOp<"elu_backward", "alpha", "gradient of elu", [{
    gradient * alpha * exp(x) where x <= 0, else the gradient.}]>;
def Fuser_ThresholdBackwardOp : Fuser_OneParameterGradientOp<"threshold_backward", "threshold", "gradient of threshold", [{
    0 where x <= threshold, else the gradient. With a threshold of 0 this is the gradient of relu.}]>;
def Fuser_SoftplusBackwardOp : Fuser_ActivationOp<"softplus_backward",
    (ins Fuser_TensorOrScalar:$gradient, Fuser_TensorOrScalar:$input, Fuser_TensorOrScalar:$beta,
         Fuser_TensorOrScalar:$threshold), "gradient of softplus", [{
    gradient * z / (z + 1) with z = exp(beta * x); the gradient itself where beta * x is above `threshold`.}],
    "%gradient, %x, %beta, %threshold", "(tensor<?xbf16>, tensor<?xbf16>, f32, f32) -> tensor<?xbf16>">;

#endif // FUSER_ACTIVATION_OPS
