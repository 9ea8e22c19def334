//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Less common functions of numbers. PointwiseBase.td describes verification and the computation in half types.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SPECIAL_FUNCTION_OPS
#define FUSER_SPECIAL_FUNCTION_OPS

include "fuser/Dialect/IR/PointwiseBase.td"

//===----------------------------------------------------------------------===//
// Of one float
//===----------------------------------------------------------------------===//

def Fuser_Log10Op : Fuser_FloatFunctionOp<"log10", "::mlir::math::Log10Op", "logarithm to base 10", [{
    log10(0) = log10(-0) = -inf, log10 of a negative number is NaN.
    Of complex numbers log(z) / log(10).}]> {
  let hasComplexForm = 1;
}
def Fuser_ErfcOp : Fuser_FloatFunctionOp<"erfc", "::mlir::math::ErfcOp", "1 - erf(x), exact where that is small", [{
    erfc(inf) = 0, erfc(-inf) = 2.}]>;
def Fuser_CbrtOp : Fuser_FloatFunctionOp<"cbrt", "::mlir::math::CbrtOp", "cube root", [{
    Of negative numbers too; infinities and the sign of zero are kept.}], [Fuser_KeepsZero]>;

// A function whose scalar form is in SpecialFunctionElements.cpp.
class Fuser_BuiltFunctionOp<string mnemonic, string what, string text, list<Trait> traits = []>
    : Fuser_UnaryOp<mnemonic, "Float", "", traits> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x : tensor<?xf32>
    ```
  }];
}

def Fuser_ErfinvOp : Fuser_BuiltFunctionOp<"erfinv", "the y with erf(y) = x", [{
    erfinv(1) = inf, erfinv(-1) = -inf, NaN outside of [-1, 1], erfinv(-0) = -0.}], [Fuser_KeepsZero, Fuser_LongElement]>;
def Fuser_ErfcinvOp : Fuser_BuiltFunctionOp<"erfcinv", "the y with erfc(y) = x", [{
    erfcinv(0) = inf, erfcinv(2) = -inf, NaN outside of [0, 2]; exact where x is small. Half types and f32 are computed in f64.}], [Fuser_LongElement]>;
def Fuser_ErfcxOp : Fuser_BuiltFunctionOp<"erfcx", "exp(x^2) * erfc(x)", [{
    Without overflow or underflow of the factors; erfcx(inf) = 0, erfcx(-inf) = inf. Computed in f64 for every type.}], [Fuser_LongElement]>;
def Fuser_SincOp : Fuser_BuiltFunctionOp<"sinc", "sin(pi * x) / (pi * x)", [{
    sinc(0) = 1; NaN for infinities. Near its zeros exact as far as pi * x is.
    Of complex numbers too.}], [Fuser_LongElement]> {
  let hasComplexForm = 1;
}
def Fuser_LogitOp : Fuser_BuiltFunctionOp<"logit", "log(x / (1 - x))", [{
    logit(0) = -inf, logit(1) = inf, NaN outside of [0, 1].}]>;
def Fuser_LgammaOp : Fuser_BuiltFunctionOp<"lgamma", "log(|gamma(x)|)", [{
    inf at 0, at the negative integers and for both infinities; lgamma(1) = lgamma(2) = 0. Between negative integers
    the error of f32 is one of |x log|x||, not of the result.}], [Fuser_LongElement]>;
def Fuser_DigammaOp : Fuser_BuiltFunctionOp<"digamma", "the derivative of log(gamma(x))", [{
    digamma(0) = -inf, digamma(-0) = inf, NaN at the negative integers and for -inf, as in PyTorch; digamma(inf) = inf.
    Between negative integers the error of f32 is one of the cotangent, not of the result.}], [Fuser_LongElement]>;
def Fuser_FracOp : Fuser_BuiltFunctionOp<"frac", "x - trunc(x)", [{
    With the sign of x; NaN for infinities.}], [Fuser_KeepsZero, Fuser_CheapElement]>;

def Fuser_SignbitOp : Fuser_FloatTestOp<"signbit", "", "tests for the sign bit", [{
    True for negative numbers, -0, and NaN with the sign bit set.}]>;
def Fuser_IsPosInfOp : Fuser_FloatTestOp<"isposinf", "", "tests for +infinity", [{True where x is inf.}]>;
def Fuser_IsNegInfOp : Fuser_FloatTestOp<"isneginf", "", "tests for -infinity", [{True where x is -inf.}]>;

//===----------------------------------------------------------------------===//
// Of two floats
//===----------------------------------------------------------------------===//

def Fuser_CopysignOp : Fuser_FloatBinaryOp<"copysign", "::mlir::math::CopySignOp", "|lhs| with the sign of rhs", [{
    The sign is that of the bit, also of -0 and NaN.}], [Fuser_CheapElement]>;

// A function of two whose scalar form is in SpecialFunctionElements.cpp.
class Fuser_BuiltBinaryOp<string mnemonic, string what, string text, list<Trait> traits = []>
    : Fuser_BinaryOp<mnemonic, "Float", "", traits> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x, %y : tensor<?xf32>
    ```
  }];
}

def Fuser_HypotOp : Fuser_BuiltBinaryOp<"hypot", "sqrt(lhs^2 + rhs^2)", [{
    Without overflow or underflow of the squares; inf if an operand is infinite, even if the other is NaN.}], [Fuser_KeepsZero]>;
def Fuser_LogAddExpOp : Fuser_BuiltBinaryOp<"logaddexp", "log(exp(lhs) + exp(rhs))", [{
    Without overflow; of equal infinities that infinity.
    Of complex numbers log1p(exp(small - large)) + large, after the real parts, as in PyTorch: its imaginary part is that of
    `large` and an angle, not reduced to [-pi, pi]. NaN where a part is; where both real parts are -inf that of them which
    `small` is.}]> {
  let hasComplexForm = 1;
}
def Fuser_LogAddExp2Op : Fuser_BuiltBinaryOp<"logaddexp2", "log2(2^lhs + 2^rhs)", [{
    Without overflow; of equal infinities that infinity.}]>;
def Fuser_HeavisideOp : Fuser_BuiltBinaryOp<"heaviside", "0 below 0, 1 above, rhs at 0", [{
    rhs where lhs is a zero of any sign; 0 where lhs is NaN, as in PyTorch.}], [Fuser_KeepsZero, Fuser_CheapElement]>;
def Fuser_Xlog1pyOp : Fuser_BuiltBinaryOp<"xlog1py", "lhs * log(1 + rhs)", [{
    0 where lhs is 0 and rhs is not NaN.}], [Fuser_KeepsZero]>;
def Fuser_XlogyOp : Fuser_BuiltBinaryOp<"xlogy", "lhs * log(rhs)", [{
    0 where lhs is 0 and rhs is not NaN.}]>;
def Fuser_NextafterOp : Fuser_BuiltBinaryOp<"nextafter", "the next value of the type after lhs toward rhs", [{
    Of the element type itself, half types too. rhs where both are equal, NaN where one is; after a zero comes the least
    denormal number. 8-bit floats are refused (PW6).}]> {
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyNextafterOp(getOperation()); }
  }];
}

//===----------------------------------------------------------------------===//
// Of two integers
//===----------------------------------------------------------------------===//

class Fuser_BuiltIntegerOp<string mnemonic, string what, string text, list<Trait> traits = []>
    : Fuser_BinaryOp<mnemonic, "Integer", "", traits> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x, %y : tensor<?xi32>
    ```
  }];
}

def Fuser_GcdOp : Fuser_BuiltIntegerOp<"gcd", "greatest common divisor", [{
    Not negative; gcd(x, 0) = |x|, gcd(0, 0) = 0. Where it is the magnitude of the least integer it wraps to that. Of bools
    the logical or.}], [Fuser_KeepsZero]>;
def Fuser_LcmOp : Fuser_BuiltIntegerOp<"lcm", "least common multiple", [{
    |lhs| / gcd(lhs, rhs) * |rhs|, 0 where an operand is 0; wraps where it does not fit. Of bools the logical and.}],
    [Fuser_KeepsZero]>;
def Fuser_LogicalShiftRightOp : Fuser_BuiltIntegerOp<"logical_shift_right", "the bits of lhs moved down by rhs", [{
    Shifts zeros in; 0 where rhs is negative or not below the width.}], [Fuser_KeepsZero, Fuser_CheapElement]>;

//===----------------------------------------------------------------------===//
// Of four
//===----------------------------------------------------------------------===//

def Fuser_AddcdivOp : Fuser_PointwiseOp<"addcdiv", "Float", ""> {
  let summary = "input + value * (a / b)";
  let description = [{
    Computed in this order, also of complex numbers.

    ```mlir
    %0 = fuser.addcdiv %x, %y, %z, %s : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_TensorOrScalar:$input, Fuser_TensorOrScalar:$a, Fuser_TensorOrScalar:$b,
                            Fuser_TensorOrScalar:$value), schedule);
  let hasComplexForm = 1;
}

#endif // FUSER_SPECIAL_FUNCTION_OPS
