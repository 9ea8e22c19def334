//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of `fuser.host` about the shapes of buffers.

#ifndef FUSER_HOST_SHAPE_OPS
#define FUSER_HOST_SHAPE_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_ReshapeViewOp : Fuser_Op<"reshape_view", [Pure]> {
  let summary = "a buffer under other dimensions, where it lies";
  let description = [{
    All elements of `base` in their logical order, without a copy. Group k of dimensions of the result (the next `to[k]` of
    them) stands for group k of the base (the next `from[k]`): dimensions of the base are merged, which they can be where
    they are neighbours in memory (stride[i] = stride[i + 1] * size[i + 1]), and split again. `sizes` are those of the
    result. Dimensions of size 1 come and go in any group.

    HO9: the groups cover the dimensions of both sides; where the sizes of a group are static, their products are equal;
    the dimensions of a group that are not 1 follow each other in the stride order of the base.

    ```mlir
    %0 = fuser.reshape_view %x [%n, 32, 128] groups [1, 1] to [1, 2] : tensor<?x4096xf32> -> tensor<?x32x128xf32>
    %1 = fuser.reshape_view %0 [%m, 128] groups [2, 1] to [1, 1] : tensor<?x32x128xf32> -> tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuser_Tensor:$base, Variadic<Index>:$sizes, DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$from, DenseI64ArrayAttr:$to);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $base custom<DynamicIndexList>($sizes, $static_sizes) `groups` $from `to` $to attr-dict
    `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fuser_ExpectOp : Fuser_Op<"expect"> {
  let summary = "a condition on sizes that a call is checked for";
  let description = [{
    The two integers are equal (with `at_most`: the first is at most the second, signed), or the call fails before
    anything runs, with an error that names both expressions, both values and the reason. They depend on sizes and scalars
    of the call alone. In a fusion (with `at_most`) it keeps the condition of a box that a rewrite merged with another one.

    ```mlir
    fuser.expect %a, %b "the sizes of a reshape multiply out"
    fuser.expect at_most %end, %size "the box of a slice"
    ```
  }];
  let arguments = (ins Index:$lhs, Index:$rhs, StrAttr:$reason, UnitAttr:$at_most);
  let assemblyFormat = "(`at_most` $at_most^)? $lhs `,` $rhs $reason attr-dict";

}

#endif // FUSER_HOST_SHAPE_OPS
