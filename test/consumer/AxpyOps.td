//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef CONSUMER_AXPY_OPS
#define CONSUMER_AXPY_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Axpy_Dialect : Dialect {
  let name = "axpy";
  let cppNamespace = "::consumer";
}

def Axpy_AxpyOp : Op<Axpy_Dialect, "axpy", [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "a * x + y";
  let arguments = (ins F32:$a, AnyRankedTensor:$x, AnyRankedTensor:$y);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$a `,` $x `,` $y attr-dict `:` type($result)";
}

#endif // CONSUMER_AXPY_OPS
