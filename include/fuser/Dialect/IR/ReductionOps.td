//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions over dimensions, which the result drops. Half types accumulate in f32, integers in their own width.

#ifndef FUSER_REDUCTION_OPS
#define FUSER_REDUCTION_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

// Verifies: RD1 (dims in range, ascending, unique), RD2 (result shape = operand without dims), RD3 (element types).
class Fuser_ReductionOp<string mnemonic, list<Trait> traits = []> : Fuser_TensorOp<mnemonic, !listconcat(traits, [
    DeclareOpInterfaceMethods<Fuser_CombinerOpInterface>])> {
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$dims), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDefinition = tensorViewDefinition # [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getReductionRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getIdentityDimMaps(getOperation(), operandNumber);
    }
  }];
}

def Fuser_SumOp : Fuser_ReductionOp<"sum"> {
  let summary = "sum over dimensions";
  let description = [{
    The sum of the elements along `dims`; 0 where there are none. Half types accumulate in f32 and round once at the end.

    ```mlir
    %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
}

#endif // FUSER_REDUCTION_OPS
