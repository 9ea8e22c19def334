//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that only rearrange: broadcast, expand, squeeze, permute, reshape, slice, pad, cat, insert_slice, repeat; and the
// ops that make values from nothing: full, iota.

#ifndef FUSER_SHAPE_OPS
#define FUSER_SHAPE_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_BroadcastOp : Fuser_TensorOp<"broadcast", [DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>]> {
  let summary = "adds dimensions of size 1";
  let description = [{
    Adds a broadcast dimension of size 1 at each position of `dims` (ascending positions in the result).

    ```mlir
    %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$dims), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
}

#endif // FUSER_SHAPE_OPS
