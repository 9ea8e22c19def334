//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointwise ops. Operands are tensors of the result's shape (or of size 1 in a dimension, which is then broadcast) and
// scalars. Half types compute in f32 and round once.

#ifndef FUSER_POINTWISE_OPS
#define FUSER_POINTWISE_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

// Verifies: PW1 (at least one tensor operand), PW2 (shapes agree or broadcast), PW3 (element types, per op).
class Fuser_PointwiseOp<string mnemonic, list<Trait> traits = []> : Fuser_TensorOp<mnemonic, !listconcat(traits, [
    DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>])> {
  let results = (outs Fuser_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDefinition = tensorViewDefinition # [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getPointwiseRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getPointwiseDimMaps(getOperation(), operandNumber);
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
      return ::fuser::detail::parsePointwiseOp(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) { ::fuser::detail::printPointwiseOp(getOperation(), printer); }
  }];
}

class Fuser_UnaryOp<string mnemonic, list<Trait> traits = []> : Fuser_PointwiseOp<mnemonic, traits> {
  let arguments = !con((ins Fuser_TensorOrScalar:$input), schedule);
}

class Fuser_BinaryOp<string mnemonic, list<Trait> traits = []> : Fuser_PointwiseOp<mnemonic, traits> {
  let arguments = !con((ins Fuser_TensorOrScalar:$lhs, Fuser_TensorOrScalar:$rhs), schedule);
}

def Fuser_AddOp : Fuser_BinaryOp<"add"> {
  let summary = "lhs + rhs";
  let description = [{
    Sum of two elements; integers wrap, bool is logical or, half types compute in f32.

    ```mlir
    %0 = fuser.add %x, %y : tensor<?xbf16>
    %1 = fuser.add %x, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
    ```
  }];
}

#endif // FUSER_POINTWISE_OPS
