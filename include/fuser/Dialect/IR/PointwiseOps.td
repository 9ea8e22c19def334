//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops. PointwiseBase.td describes verification and computation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_POINTWISE_OPS
#define FUSER_POINTWISE_OPS

include "fuser/Dialect/IR/PointwiseBase.td"

//===----------------------------------------------------------------------===//
// Functions of one float
//===----------------------------------------------------------------------===//

def Fuser_ExpOp : Fuser_FloatFunctionOp<"exp", "::mlir::math::ExpOp", "e to the power of x", [{
    exp(-inf) = 0, exp(inf) = inf; overflow gives inf, underflow 0.
    exp(x + yi) = exp(x) * (cos(y) + sin(y)i), also if exp(x) overflows; real for real operands.}]> {
  let hasComplexForm = 1;
}
def Fuser_Exp2Op : Fuser_FloatFunctionOp<"exp2", "::mlir::math::Exp2Op", "2 to the power of x", [{
    exp2(-inf) = 0, exp2(inf) = inf; overflow gives inf, underflow 0.
    Of complex numbers exp(log(2) * z).}]> {
  let hasComplexForm = 1;
}
def Fuser_Expm1Op : Fuser_FloatFunctionOp<"expm1", "::mlir::math::ExpM1Op", "exp(x) - 1, exact near 0", [{
    expm1(-inf) = -1, expm1(-0) = -0.
    expm1(x + yi) = expm1(x) * cos(y) - 2 * sin(y / 2)^2 + exp(x) * sin(y)i, also if exp(x) overflows.}],
    [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_LogOp : Fuser_FloatFunctionOp<"log", "::mlir::math::LogOp", "natural logarithm", [{
    log(0) = log(-0) = -inf, log of a negative number is NaN.
    Of complex numbers log|z| + angle(z)i, with |z| by hypot and exact near 1; the cut is along the negative real axis.}]> {
  let hasComplexForm = 1;
}
def Fuser_Log2Op : Fuser_FloatFunctionOp<"log2", "::mlir::math::Log2Op", "logarithm to base 2", [{
    log2(0) = log2(-0) = -inf, log2 of a negative number is NaN.
    Of complex numbers log(z) / log(2).}]> {
  let hasComplexForm = 1;
}
def Fuser_Log1pOp : Fuser_FloatFunctionOp<"log1p", "::mlir::math::Log1pOp", "log(1 + x), exact near 0", [{
    log1p(-1) = -inf, log1p(-0) = -0, below -1 it is NaN.
    Of complex numbers log|1 + z| + angle(1 + z)i, exact near 0; the cut is along the real axis below -1.}],
    [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_SqrtOp : Fuser_FloatFunctionOp<"sqrt", "::mlir::math::SqrtOp", "square root", [{
    sqrt(-0) = -0, sqrt of a negative number is NaN.
    Of complex numbers the root whose real part is not negative, without overflow; the cut is along the negative real axis,
    where the sign of the imaginary part (also of -0) chooses the side.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_RsqrtOp : Fuser_FloatFunctionOp<"rsqrt", "::mlir::math::RsqrtOp", "1 / sqrt(x)", [{
    rsqrt(0) = inf, rsqrt(-0) = -inf, rsqrt(inf) = 0, rsqrt of a negative number is NaN.
    Of complex numbers 1 / sqrt(z).}]> {
  let hasComplexForm = 1;
}
def Fuser_SinOp : Fuser_FloatFunctionOp<"sin", "::mlir::math::SinOp", "sine", [{
    x in radians; sin(inf) is NaN.
    sin(x + yi) = sin(x) * cosh(y) + cos(x) * sinh(y)i.}], [Fuser_KeepsZero, Fuser_LongElement]> {
  let hasComplexForm = 1;
}
def Fuser_CosOp : Fuser_FloatFunctionOp<"cos", "::mlir::math::CosOp", "cosine", [{
    x in radians; cos(inf) is NaN.
    cos(x + yi) = cos(x) * cosh(y) - sin(x) * sinh(y)i.}], [Fuser_LongElement]> {
  let hasComplexForm = 1;
}
def Fuser_TanOp : Fuser_FloatFunctionOp<"tan", "::mlir::math::TanOp", "tangent", [{
    x in radians; tan(inf) is NaN.
    Of complex numbers by tanh(zi) = tan(z)i.}], [Fuser_KeepsZero, Fuser_LongElement]> {
  let hasComplexForm = 1;
}
def Fuser_AtanOp : Fuser_FloatFunctionOp<"atan", "::mlir::math::AtanOp", "inverse tangent", [{
    In radians between -pi / 2 and pi / 2; atan(inf) = pi / 2, atan(-0) = -0.
    Of complex numbers by atanh(zi) = atan(z)i; the cuts are along the imaginary axis beyond i and -i.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_AsinOp : Fuser_FloatFunctionOp<"asin", "::mlir::math::AsinOp", "inverse sine", [{
    In radians between -pi / 2 and pi / 2; NaN outside of [-1, 1], asin(-0) = -0.
    Of complex numbers after Kahan, without overflow or cancellation; the cuts are along the real axis beyond 1 and -1, where
    the sign of the imaginary part (also of -0) chooses the side.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_AcosOp : Fuser_FloatFunctionOp<"acos", "::mlir::math::AcosOp", "inverse cosine", [{
    In radians between 0 and pi; NaN outside of [-1, 1], acos(1) = 0.
    Of complex numbers pi / 2 - asin(z), without the cancellation where that is near 0.}]> {
  let hasComplexForm = 1;
}
def Fuser_SinhOp : Fuser_FloatFunctionOp<"sinh", "::mlir::math::SinhOp", "hyperbolic sine", [{
    sinh(-0) = -0; infinite arguments and overflow give an infinity of the sign of x.
    sinh(x + yi) = sinh(x) * cos(y) + cosh(x) * sin(y)i, also if cosh(x) overflows.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_CoshOp : Fuser_FloatFunctionOp<"cosh", "::mlir::math::CoshOp", "hyperbolic cosine", [{
    cosh(0) = 1; infinite arguments and overflow give inf.
    cosh(x + yi) = cosh(x) * cos(y) + sinh(x) * sin(y)i, also if cosh(x) overflows.}]> {
  let hasComplexForm = 1;
}
def Fuser_AsinhOp : Fuser_FloatFunctionOp<"asinh", "::mlir::math::AsinhOp", "inverse hyperbolic sine", [{
    asinh(inf) = inf, asinh(-inf) = -inf, asinh(-0) = -0.
    Of complex numbers by asin(zi) = asinh(z)i; the cuts are along the imaginary axis beyond i and -i.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_AcoshOp : Fuser_FloatFunctionOp<"acosh", "::mlir::math::AcoshOp", "inverse hyperbolic cosine", [{
    NaN below 1, acosh(1) = 0, acosh(inf) = inf.
    Of complex numbers acos(z) times i or -i, whichever has no negative real part; the cut is along the real axis below 1.}]> {
  let hasComplexForm = 1;
}
def Fuser_AtanhOp : Fuser_FloatFunctionOp<"atanh", "::mlir::math::AtanhOp", "inverse hyperbolic tangent", [{
    atanh(1) = inf, atanh(-1) = -inf, NaN outside of [-1, 1], atanh(-0) = -0.
    Of complex numbers after Kahan, without overflow; the cuts are along the real axis beyond 1 and -1.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_TanhOp : Fuser_FloatFunctionOp<"tanh", "::mlir::math::TanhOp", "hyperbolic tangent", [{
    tanh(inf) = 1, tanh(-inf) = -1, tanh(-0) = -0.
    Of complex numbers after Kahan, so that it neither overflows nor cancels; far from the imaginary axis it is 1 or -1 but for
    a small imaginary part.}], [Fuser_KeepsZero]> {
  let hasComplexForm = 1;
}
def Fuser_ErfOp : Fuser_FloatFunctionOp<"erf", "::mlir::math::ErfOp", "error function", [{
    erf(inf) = 1, erf(-inf) = -1, erf(-0) = -0.}], [Fuser_KeepsZero]>;
def Fuser_FloorOp : Fuser_FloatFunctionOp<"floor", "::mlir::math::FloorOp", "largest integer not above x", [{
    Stays a float; infinities and -0 are kept.}], [Fuser_KeepsZero, Fuser_CheapElement]>;
def Fuser_CeilOp : Fuser_FloatFunctionOp<"ceil", "::mlir::math::CeilOp", "smallest integer not below x", [{
    Stays a float; infinities and -0 are kept, ceil(-0.5) = -0.}], [Fuser_KeepsZero, Fuser_CheapElement]>;
def Fuser_TruncOp : Fuser_FloatFunctionOp<"trunc", "::mlir::math::TruncOp", "x without its fraction", [{
    Stays a float; infinities and the sign of zero are kept.}], [Fuser_KeepsZero, Fuser_CheapElement]>;
def Fuser_RoundOp : Fuser_FloatFunctionOp<"round", "::mlir::math::RoundEvenOp", "nearest integer, ties to even", [{
    Stays a float; round(0.5) = 0, round(1.5) = 2, infinities and the sign of zero are kept.}], [Fuser_KeepsZero, Fuser_CheapElement]>;

def Fuser_ReciprocalOp : Fuser_UnaryOp<"reciprocal", "Float", ""> {
  let summary = "1 / x";
  let description = [{
    The reciprocal of 0 is inf, of -0 is -inf, of an infinity is a zero of its sign.
    Of complex numbers as `fuser.div` divides.

    ```mlir
    %0 = fuser.reciprocal %x : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_SigmoidOp : Fuser_UnaryOp<"sigmoid", "Float", ""> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    sigmoid(-inf) = 0, sigmoid(inf) = 1.
    Of complex numbers too, without overflow of exp(-z).

    ```mlir
    %0 = fuser.sigmoid %x : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_SiluOp : Fuser_UnaryOp<"silu", "Float", "", [Fuser_KeepsZero]> {
  let summary = "x * sigmoid(x)";
  let description = [{
    Computed as x / (1 + exp(-x)), as PyTorch does: silu(inf) = inf, silu(-inf) is NaN.
    Of complex numbers z * sigmoid(z).

    ```mlir
    %0 = fuser.silu %x : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_GeluOp : Fuser_UnaryOp<"gelu", "Float", "", [Fuser_KeepsZero]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    x / 2 * (1 + erf(x / sqrt(2))); with `approximate`, x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
    gelu(inf) = inf, gelu(-inf) is NaN, as in PyTorch.

    ```mlir
    %0 = fuser.gelu %x : tensor<?xf32>
    %1 = fuser.gelu %x {approximate} : tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, UnitAttr:$approximate), schedule);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, CArg<"bool", "false">:$approximate), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType({input}));
    $_state.addOperands(input);
    if (approximate)
      $_state.addAttribute("approximate", $_builder.getUnitAttr());
  }]>];
}

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

def Fuser_NegOp : Fuser_UnaryOp<"neg", "Number", "", [Fuser_CheapElement]> {
  let summary = "-x";
  let description = [{
    Flips the sign of a float (also of zero and NaN); an integer wraps: the least integer is its own negative.
    Of complex numbers both parts.

    ```mlir
    %0 = fuser.neg %x : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_AbsOp : Fuser_PartOp<"abs", "Number", "b.unary<::mlir::math::AbsFOp, ::mlir::math::AbsIOp>(operands)",
                                  [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "absolute value";
  let description = [{
    abs(-0) = 0, abs(-inf) = inf; an integer wraps: the least integer is its own absolute value.
    Of a complex number the real |z|, as hypot: inf if a part is infinite, even if the other is NaN.

    ```mlir
    %0 = fuser.abs %x : tensor<?xi32>
    %1 = fuser.abs %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_ReluOp : Fuser_UnaryOp<"relu", "Number", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "max(x, 0)";
  let description = [{
    relu(NaN) is NaN, relu(-0) = 0.

    ```mlir
    %0 = fuser.relu %x : tensor<?xf32>
    ```
  }];
}

def Fuser_SquareOp : Fuser_UnaryOp<"square", "Number", "b.square(operands)", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "x * x";
  let description = [{
    Integers wrap. Of complex numbers (a - b)(a + b) + 2abi.

    ```mlir
    %0 = fuser.square %x : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_SignOp : Fuser_UnaryOp<"sign", "Number", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "-1, 0 or 1";
  let description = [{
    (0 < x) - (x < 0): 0 for zeros of both signs and, as in PyTorch, for NaN.
    Of complex numbers z / |z|, 0 for 0 (PyTorch: sgn).

    ```mlir
    %0 = fuser.sign %x : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_BitwiseNotOp : Fuser_UnaryOp<"bitwise_not", "Integer", "", [Fuser_CheapElement]> {
  let summary = "flips every bit";
  let description = [{
    -x - 1 for an integer, the other value for a bool.

    ```mlir
    %0 = fuser.bitwise_not %x : tensor<?xi32>
    ```
  }];
}

def Fuser_CastOp : Fuser_UnaryOp<"cast", "NumberOrBoolOrComplex",
    "b.convert(operands[0], ::mlir::getElementTypeOrSelf(getInput().getType()), b.resultElement)",
                                   [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "converts the element type";
  let description = [{
    - float to float: rounds to nearest even; beyond the range gives inf (f8E4M3FN: NaN). From f64 and integers to a half
      type through f32, as PyTorch does.
    - float to integer: drops the fraction; beyond the range it saturates, and NaN gives 0 (PyTorch leaves both undefined).
    - integer to integer: extends with the sign or wraps; a bool is 0 or 1.
    - to bool: true where x is not zero, NaN included; for a complex number where a part is not.
    - to complex: the real part is converted, the imaginary part is 0. From complex to real: the real part is, the imaginary
      part is dropped (PyTorch warns).

    ```mlir
    %0 = fuser.cast %x : tensor<?xbf16> to tensor<?xf32>
    ```
  }];
  let hasFolder = 1;
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let pointwiseDefinition = mappingDefinition;
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyCastOp(getOperation()); }
  }];
  let skipDefaultBuilders = 1;
  // The builder takes the result's type, or only its element type.
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input), [{
    $_state.addOperands(input);
    $_state.addTypes(::fuser::detail::inferPointwiseType({input}, ::mlir::getElementTypeOrSelf(type)));
  }]>];
}

def Fuser_BitcastOp : Fuser_UnaryOp<"bitcast", "NumberOrBool", "b.bitcast(operands[0], b.resultElement)",
                                      [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "the same bits as another type";
  let description = [{
    Between floats and integers of one width (PW7). No bit changes, those of NaN neither.

    ```mlir
    %0 = fuser.bitcast %x : tensor<?xf32> to tensor<?xi32>
    ```
  }];
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let pointwiseDefinition = mappingDefinition;
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyBitcastOp(getOperation()); }
  }];
  let skipDefaultBuilders = 1;
  // The builder takes the result's type, or only its element type.
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$input), [{
    $_state.addOperands(input);
    $_state.addTypes(::fuser::detail::inferPointwiseType({input}, ::mlir::getElementTypeOrSelf(type)));
  }]>];
}

//===----------------------------------------------------------------------===//
// Tests of one number: the result is a tensor of i1
//===----------------------------------------------------------------------===//

def Fuser_IsNanOp : Fuser_FloatTestOp<"isnan", "", "tests for NaN", [{
    True where x is NaN of any kind; of a complex number where a part is.}]> {
  let hasComplexForm = 1;
}
def Fuser_IsInfOp : Fuser_FloatTestOp<"isinf", "", "tests for infinity", [{
    True where x is inf or -inf; of a complex number if a part is, even if the other is NaN.}]> {
  let hasComplexForm = 1;
}
def Fuser_IsFiniteOp : Fuser_FloatTestOp<"isfinite", "", "tests for a finite number", [{
    True where x is neither NaN nor infinite; of a complex number where both parts are finite.}]> {
  let hasComplexForm = 1;
}

def Fuser_IsRealOp : Fuser_UnaryTestOp<"isreal", "NumberOrBool", ""> {
  let summary = "tests for an imaginary part of 0";
  let description = [{
    True where the imaginary part of a complex number is a zero of any sign, and for every real number, NaN too.

    ```mlir
    %0 = fuser.isreal %z : (tensor<?xcomplex<f32>>) -> tensor<?xi1>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_LogicalNotOp : Fuser_UnaryTestOp<"logical_not", "NumberOrBool", ""> {
  let summary = "x == 0";
  let description = [{
    True where x is zero (of any sign) or false; false for NaN.
    A complex number is 0 where both parts are.

    ```mlir
    %0 = fuser.logical_not %x : (tensor<?xf32>) -> tensor<?xi1>
    ```
  }];
  let hasComplexForm = 1;
}

//===----------------------------------------------------------------------===//
// Arithmetic of two numbers
//===----------------------------------------------------------------------===//

def Fuser_AddOp : Fuser_BinaryOp<"add", "NumberOrBool", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "lhs + rhs";
  let description = [{
    Sum of two elements; integers wrap, bool is logical or, half types compute in f32.
    Complex numbers add part by part.

    ```mlir
    %0 = fuser.add %x, %y : tensor<?xbf16>
    %1 = fuser.add %x, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
    ```
  }];
  let hasFolder = 1;
  let hasComplexForm = 1;
}

def Fuser_SubOp : Fuser_BinaryOp<"sub", "Number", "b.binary<::mlir::arith::SubFOp, ::mlir::arith::SubIOp>(operands)",
                                 [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "lhs - rhs";
  let description = [{
    Difference of two elements; integers wrap.
    Complex numbers subtract part by part.

    ```mlir
    %0 = fuser.sub %x, %y : tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_MulOp : Fuser_BinaryOp<"mul", "NumberOrBool",
                                 "b.binary<::mlir::arith::MulFOp, ::mlir::arith::MulIOp>(operands)",
                                 [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "lhs * rhs";
  let description = [{
    Product of two elements; integers wrap, bool is logical and, 0 * inf is NaN. Of complex numbers (a + bi)(c + di) =
    (ac - bd) + (ad + bc)i, computed so: infinite parts may give NaN, as in PyTorch.

    ```mlir
    %0 = fuser.mul %x, %y : tensor<?xf32>
    ```
  }];
  let hasFolder = 1;
  let hasComplexForm = 1;
}

def Fuser_DivOp : Fuser_FloatBinaryOp<"div", "::mlir::arith::DivFOp", "lhs / rhs", [{
    The true quotient of floats, rounded once; x / 0 is an infinity, 0 / 0 and inf / inf are NaN. Integers are cast first
    (or use `fuser.floor_div`, `fuser.trunc_div`). Complex numbers divide after Smith: scaled by the larger part of the divisor,
    so that its square does not overflow; z / 0 divides both parts by +0, a divisor with two infinite parts gives NaN, as in
    PyTorch.}]> {
  let hasComplexForm = 1;
}
def Fuser_PowOp : Fuser_FloatBinaryOp<"pow", "::mlir::math::PowFOp", "lhs to the power of rhs", [{
    As C's pow: pow(x, 0) = 1 and pow(1, y) = 1 also for NaN; a negative base with a fractional exponent is NaN. Of
    complex numbers exp(w * log(z)), for complex<f32> computed in f64: pow(z, 0) = 1, pow(0, w) = 0 where the real part of w is
    positive, else NaN.}], [Fuser_LongElement]> {
  let hasComplexForm = 1;
}
def Fuser_Atan2Op : Fuser_FloatBinaryOp<"atan2", "::mlir::math::Atan2Op", "angle of the point (rhs, lhs)", [{
    In radians between -pi and pi; the signs of zeros choose the quadrant as in C's atan2.}], [Fuser_LongElement]>;

def Fuser_FloorDivOp : Fuser_BinaryOp<"floor_div", "Number", ""> {
  let summary = "lhs / rhs, rounded down";
  let description = [{
    Floats: the quotient rounded to -inf, exact as Python's `//`, x // 0 = x / 0. Integers: division by 0 gives 0 and never
    traps, the least integer divided by -1 wraps to itself.

    ```mlir
    %0 = fuser.floor_div %x, %y : tensor<?xi32>
    ```
  }];
}

def Fuser_CeilDivOp : Fuser_BinaryOp<"ceil_div", "Number", ""> {
  let summary = "lhs / rhs, rounded up";
  let description = [{
    Floats: -floor_div(-lhs, rhs). Integers: division by 0 gives 0 and never traps, the least integer divided by -1 wraps to
    itself.

    ```mlir
    %0 = fuser.ceil_div %x, %y : tensor<?xi32>
    ```
  }];
}

def Fuser_TruncDivOp : Fuser_BinaryOp<"trunc_div", "Number", ""> {
  let summary = "lhs / rhs, rounded to zero";
  let description = [{
    Floats: trunc(lhs / rhs). Integers: division by 0 gives 0 and never traps, the least integer divided by -1 wraps to
    itself.

    ```mlir
    %0 = fuser.trunc_div %x, %y : tensor<?xi32>
    ```
  }];
}

def Fuser_RemainderOp : Fuser_BinaryOp<"remainder", "Number", ""> {
  let summary = "remainder with the sign of rhs";
  let description = [{
    lhs - floor_div(lhs, rhs) * rhs, as Python's `%`. Floats: NaN where rhs is 0 or lhs is infinite. Integers: lhs where
    rhs is 0; never traps.

    ```mlir
    %0 = fuser.remainder %x, %y : tensor<?xi32>
    ```
  }];
}

def Fuser_FmodOp : Fuser_BinaryOp<"fmod", "Number", ""> {
  let summary = "remainder with the sign of lhs";
  let description = [{
    lhs - trunc_div(lhs, rhs) * rhs, as C's fmod. Floats: NaN where rhs is 0 or lhs is infinite. Integers: lhs where rhs
    is 0; never traps.

    ```mlir
    %0 = fuser.fmod %x, %y : tensor<?xf32>
    ```
  }];
}

def Fuser_MaximumOp : Fuser_BinaryOp<"maximum", "NumberOrBool", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "the greater element, NaN wins";
  let description = [{
    NaN where one operand is; 0 is greater than -0.

    ```mlir
    %0 = fuser.maximum %x, %y : tensor<?xf32>
    ```
  }];
}

def Fuser_MinimumOp : Fuser_BinaryOp<"minimum", "NumberOrBool", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "the smaller element, NaN wins";
  let description = [{
    NaN where one operand is; -0 is smaller than 0.

    ```mlir
    %0 = fuser.minimum %x, %y : tensor<?xf32>
    ```
  }];
}

def Fuser_FmaxOp : Fuser_FloatBinaryOp<"fmax", "::mlir::arith::MaxNumFOp", "the greater element, NaN loses", [{
    The other operand where one is NaN.}], [Fuser_KeepsZero, Fuser_CheapElement]>;
def Fuser_FminOp : Fuser_FloatBinaryOp<"fmin", "::mlir::arith::MinNumFOp", "the smaller element, NaN loses", [{
    The other operand where one is NaN.}], [Fuser_KeepsZero, Fuser_CheapElement]>;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

class Fuser_BitOp<string mnemonic, string element, string what, string text>
    : Fuser_BinaryOp<mnemonic, "Integer", element, [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x, %y : tensor<?xi32>
    ```
  }];
}

def Fuser_BitwiseAndOp : Fuser_BitOp<"bitwise_and", "b.binary<::mlir::arith::AndIOp, ::mlir::arith::AndIOp>(operands)",
  "bits set in both", [{Of integers; of bools the logical and.}]>;
def Fuser_BitwiseOrOp : Fuser_BitOp<"bitwise_or", "b.binary<::mlir::arith::OrIOp, ::mlir::arith::OrIOp>(operands)",
  "bits set in one or both", [{Of integers; of bools the logical or.}]>;
def Fuser_BitwiseXorOp : Fuser_BitOp<"bitwise_xor", "b.binary<::mlir::arith::XOrIOp, ::mlir::arith::XOrIOp>(operands)",
  "bits set in one of both", [{Of integers; of bools the inequality.}]>;
def Fuser_ShiftLeftOp : Fuser_BitOp<"shift_left", "", "lhs * 2^rhs", [{
    Shifts zeros in; 0 where rhs is negative or not below the width.}]>;
def Fuser_ShiftRightOp : Fuser_BitOp<"shift_right", "", "lhs / 2^rhs, rounded down", [{
    Shifts the sign in; -1 or 0, after the sign of lhs, where rhs is negative or not below the width.}]>;

//===----------------------------------------------------------------------===//
// Tests of two numbers: the result is a tensor of i1
//===----------------------------------------------------------------------===//

class Fuser_CompareOp<string mnemonic, string what, string text, string floatPredicate, string intPredicate>
    : Fuser_BinaryTestOp<mnemonic, "b.compare(operands, getLhs().getType(), getRhs().getType(), "
                                   "::mlir::arith::CmpFPredicate::" # floatPredicate #
                                   ", ::mlir::arith::CmpIPredicate::" # intPredicate # ")"> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    ```
  }];
}

def Fuser_EqOp : Fuser_CompareOp<"eq", "lhs == rhs", [{
    False where an operand is NaN; 0 equals -0. Complex numbers are equal where both parts are.}], "OEQ", "eq"> {
  let hasComplexForm = 1;
}
def Fuser_NeOp : Fuser_CompareOp<"ne", "lhs != rhs", [{
    True where an operand is NaN; 0 equals -0. Complex numbers differ where a part does.}], "UNE", "ne"> {
  let hasComplexForm = 1;
}
def Fuser_LtOp : Fuser_CompareOp<"lt", "lhs < rhs", [{False where an operand is NaN; false is below true.}], "OLT", "slt">;
def Fuser_LeOp : Fuser_CompareOp<"le", "lhs <= rhs", [{False where an operand is NaN; false is below true.}], "OLE", "sle">;
def Fuser_GtOp : Fuser_CompareOp<"gt", "lhs > rhs", [{False where an operand is NaN; false is below true.}], "OGT", "sgt">;
def Fuser_GeOp : Fuser_CompareOp<"ge", "lhs >= rhs", [{False where an operand is NaN; false is below true.}], "OGE", "sge">;

class Fuser_LogicOp<string mnemonic, string element, string what> : Fuser_BinaryTestOp<mnemonic, element> {
  let summary = what;
  let description = [{
    A number is true where it is not zero, NaN included; a complex number where a part is not.

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x, %y : tensor<?xi1>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_LogicalAndOp : Fuser_LogicOp<"logical_and", "b.binary<::mlir::arith::AndIOp, ::mlir::arith::AndIOp>(operands)",
                                       "both are true">;
def Fuser_LogicalOrOp : Fuser_LogicOp<"logical_or", "b.binary<::mlir::arith::OrIOp, ::mlir::arith::OrIOp>(operands)",
                                      "one or both are true">;
def Fuser_LogicalXorOp : Fuser_LogicOp<"logical_xor", "b.binary<::mlir::arith::XOrIOp, ::mlir::arith::XOrIOp>(operands)",
                                       "one of both is true">;

//===----------------------------------------------------------------------===//
// Functions of three and more
//===----------------------------------------------------------------------===//

def Fuser_WhereOp : Fuser_PointwiseOp<"where", "NumberOrBoolOrComplex", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "chooses between two elements";
  let description = [{
    `on_true` where `condition` (a bool: tensor or scalar) holds, else `on_false`; the element that is not chosen has no
    influence, NaN included. PW5: the condition is of i1.

    ```mlir
    %0 = fuser.where %c, %x, %y : (tensor<?xi1>, tensor<?xf32>, f32) -> tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_TensorOrScalar:$condition, Fuser_TensorOrScalar:$on_true,
                            Fuser_TensorOrScalar:$on_false), schedule);
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyWhereOp(getOperation()); }
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$condition, "::mlir::Value":$onTrue, "::mlir::Value":$onFalse), [{
    ::mlir::Type element = ::mlir::getElementTypeOrSelf(
        ::llvm::isa<::mlir::RankedTensorType>(onTrue.getType()) ? onTrue.getType() : onFalse.getType());
    $_state.addTypes(::fuser::detail::inferPointwiseType({condition, onTrue, onFalse}, element));
    $_state.addOperands({condition, onTrue,
          onFalse});
  }]>];
}

// Three operands of one kind.
class Fuser_TernaryOp<string mnemonic, dag operands, string elements, string element>
    : Fuser_PointwiseOp<mnemonic, elements, element, [Fuser_KeepsZero, Fuser_CheapElement]> {
  let arguments = !con(operands, schedule);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType({a, b, c}));
    $_state.addOperands({a, b, c});
  }]>];
}

def Fuser_ClampOp : Fuser_TernaryOp<"clamp",
    (ins Fuser_TensorOrScalar:$input, Fuser_TensorOrScalar:$low, Fuser_TensorOrScalar:$high), "Number", ""> {
  let summary = "min(max(x, low), high)";
  let description = [{
    NaN where one operand is; `high` where `low` is above it.

    ```mlir
    %0 = fuser.clamp %x, %low, %high : (tensor<?xf32>, f32, f32) -> tensor<?xf32>
    ```
  }];
}

def Fuser_LerpOp : Fuser_TernaryOp<"lerp",
    (ins Fuser_TensorOrScalar:$start, Fuser_TensorOrScalar:$end, Fuser_TensorOrScalar:$weight), "Float", ""> {
  let summary = "start + weight * (end - start)";
  let description = [{
    From the nearer end, as PyTorch does: end - (end - start) * (1 - weight) where |weight| >= 0.5; so a weight of 1 gives
    `end` exactly. Of complex numbers too, with a real or a complex weight.

    ```mlir
    %0 = fuser.lerp %x, %y, %w : (tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_FmaOp : Fuser_TernaryOp<"fma",
    (ins Fuser_TensorOrScalar:$a, Fuser_TensorOrScalar:$b, Fuser_TensorOrScalar:$c), "Float",
    "b.unary<::mlir::math::FmaOp>(operands)"> {
  let summary = "a * b + c, rounded once";
  let description = [{
    Rounded once in the compute type (f32 for half types, then once to the half type).

    ```mlir
    %0 = fuser.fma %x, %y, %z : tensor<?xf32>
    ```
  }];
}

def Fuser_AddcmulOp : Fuser_PointwiseOp<"addcmul", "Number", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "input + value * a * b";
  let description = [{
    Computed as input + (value * a) * b; integers wrap.
    Of complex numbers too.

    ```mlir
    %0 = fuser.addcmul %x, %y, %z, %s : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_TensorOrScalar:$input, Fuser_TensorOrScalar:$a, Fuser_TensorOrScalar:$b,
                            Fuser_TensorOrScalar:$value), schedule);
  let hasComplexForm = 1;
}

//===----------------------------------------------------------------------===//
// Complex numbers and their parts
//===----------------------------------------------------------------------===//

def Fuser_RealOp : Fuser_PartOp<"real", "Complex", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "real part";
  let description = [{
    Of a complex number, as it is.

    ```mlir
    %0 = fuser.real %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
    ```
  }];
}

def Fuser_ImagOp : Fuser_PartOp<"imag", "Complex", "", [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "imaginary part";
  let description = [{
    Of a complex number, as it is.

    ```mlir
    %0 = fuser.imag %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
    ```
  }];
}

def Fuser_AngleOp : Fuser_PartOp<"angle", "Float", ""> {
  let summary = "angle with the positive real axis";
  let description = [{
    In radians: atan2(imag, real) between -pi and pi, where the sign of a zero imaginary part chooses the side of the cut along
    the negative real axis. Of a real number pi where it is negative, NaN for NaN, else 0 (also for -0), as in PyTorch.

    ```mlir
    %0 = fuser.angle %z : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
    ```
  }];
  let hasComplexForm = 1;
}

def Fuser_ConjOp : Fuser_UnaryOp<"conj", "Complex", "", [Fuser_CheapElement]> {
  let summary = "complex conjugate";
  let description = [{
    x - yi for x + yi; flips the sign of the imaginary part, also of zero and NaN.

    ```mlir
    %0 = fuser.conj %z : tensor<?xcomplex<f32>>
    ```
  }];
}

// A complex number made of two floats.
class Fuser_MakeComplexOp<string mnemonic, dag operands, list<Trait> traits>
    : Fuser_PointwiseOp<mnemonic, "ComplexPart", "", traits> {
  let arguments = !con(operands, schedule);
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyMakeComplexOp(getOperation()); }
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$first, "::mlir::Value":$second), [{
    ::mlir::RankedTensorType type = ::fuser::detail::inferPointwiseType({first, second});
    $_state.addTypes(type.clone(::mlir::ComplexType::get(type.getElementType())));
    $_state.addOperands({first, second});
  }]>];
}

def Fuser_ComplexOp : Fuser_MakeComplexOp<"complex",
    (ins Fuser_TensorOrScalar:$real_part, Fuser_TensorOrScalar:$imaginary_part), [Fuser_KeepsZero, Fuser_CheapElement]> {
  let summary = "complex number of two parts";
  let description = [{
    real_part + imaginary_part * i, of floats of 32 or 64 bits.

    ```mlir
    %0 = fuser.complex %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xcomplex<f32>>
    ```
  }];
}

def Fuser_PolarOp : Fuser_MakeComplexOp<"polar", (ins Fuser_TensorOrScalar:$magnitude, Fuser_TensorOrScalar:$direction),
                                        [Fuser_KeepsZero]> {
  let summary = "complex number of magnitude and angle";
  let description = [{
    magnitude * cos(direction) + magnitude * sin(direction) * i, the direction in radians, of floats of 32 or 64 bits.

    ```mlir
    %0 = fuser.polar %r, %phi : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xcomplex<f32>>
    ```
  }];
}

#endif // FUSER_POINTWISE_OPS
