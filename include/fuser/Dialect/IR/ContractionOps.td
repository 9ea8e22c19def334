//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Contractions: matmul, linear, sdpa. Half types multiply and accumulate in f32 and round once at the end.
//
// matmul and linear are also combiners over [batch..., m, n, k] with a reduction id for k, so that what lowers reductions
// lowers them: one result element per thread, and a loop over k.
//
// Verified:
//   CT1  ranks
//   CT2  the contracted dimensions agree
//   CT3  batch dimensions are equal, or 1 in an operand
//   CT4  the result's shape follows from the operands
//   CT5  operands have one element type; the result is of floats where they are, else of integers (no i1)

#ifndef FUSER_CONTRACTION_OPS
#define FUSER_CONTRACTION_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_MatmulOp : Fuser_TensorOp<"matmul", [DeclareOpInterfaceMethods<Fuser_CombinerOpInterface>]> {
  let summary = "matrix product";
  let description = [{
    [b..., m, k] x [b..., k, n] -> [b..., m, n]. Batch dimensions are equal or 1 in one operand; an operand of rank 2 is
    shared by all batches. 0 where k is 0. [CT1, CT2, CT3, CT4, CT5]

    ```mlir
    %0 = fuser.matmul %a, %b : tensor<?x?xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$lhs, Fuser_Tensor:$rhs), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let hasVerifier = 1;
}

def Fuser_LinearOp : Fuser_TensorOp<"linear", [
    DeclareOpInterfaceMethods<Fuser_CombinerOpInterface, ["buildAccumulate"]>]> {
  let summary = "product with a transposed weight, plus bias";
  let description = [{
    [..., k] x [n, k] (+ [n]) -> [..., n]: result[..., n] = sum over k of input[..., k] * weight[n, k], plus bias[n]. The
    bias is added before the one rounding. With a bias, k is at least 1, for which a call is checked where k is dynamic.
    [CT1, CT2, CT4, CT5]

    ```mlir
    %0 = fuser.linear %x, %w bias %b : tensor<?x?x64xbf16>, tensor<128x64xbf16>, tensor<128xbf16> -> tensor<?x?x128xbf16>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, Fuser_Tensor:$weight, Optional<Fuser_Tensor>:$bias), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`bias` $bias^)? attr-dict `:` type($input) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = declareBounds;
}

def Fuser_SdpaOp : Fuser_TensorOp<"sdpa", [DeclareOpInterfaceMethods<Fuser_WholeReadOpInterface>]> {
  let summary = "scaled dot-product attention";
  let description = [{
    `output` = softmax(scale * q x k^T) x v over q [b..., l, e], k [b..., s, e], v [b..., s, f], giving [b..., l, f]; and
    `log_sum_exp` [b..., l], the logarithm of the softmax's denominator before the maximum is subtracted, of f32 (f64 where q
    is). With `causal`, row i attends to columns up to i (counted from the start of both). `scale` is 1 / sqrt(e) where it
    is absent. Without rows to attend to the output is 0. A whole row of k and v is read for each element of the result, which is
    slow: a flash-attention schedule or a library is what computes large ones. [CT1, CT2, CT3, CT4, CT5]

    ```mlir
    %out, %lse = fuser.sdpa %q, %k, %v {causal, scale = 0.125}
        : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16> -> tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$query, Fuser_Tensor:$key, Fuser_Tensor:$value, OptionalAttr<F64Attr>:$scale,
                            UnitAttr:$causal), schedule);
  let results = (outs Fuser_Tensor:$output, Fuser_Tensor:$log_sum_exp);
  let assemblyFormat = [{
    $query `,` $key `,` $value attr-dict `:` type($query) `,` type($key) `,` type($value) `->` type($output) `,`
    type($log_sum_exp)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Flash attention writes the output as the query lies.
    ::std::optional<unsigned> getOrderOperand(unsigned result) {
      return result == 0 ? ::std::optional<unsigned>(0) : ::std::nullopt;
    }
  }];
  let trivialDomainDefinition = "";
}

#endif // FUSER_CONTRACTION_OPS
