//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a kernel stores outside of the loops of its ops, and of a value that it does not store whole.

#ifndef FUSER_BORDER_OPS
#define FUSER_BORDER_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_BorderOp : Fuser_TensorOp<"border", [
    AttrSizedOperandSegments, ParentOneOf<["KernelOp"]>, DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>]> {
  let summary = "what surrounds the parts of a buffer that other outputs of the kernel are stored in";
  let description = [{
    A tensor of one value of which a kernel stores the elements outside of the boxes only: the host function places other
    values into the boxes. It is an output of the kernel and has no schedule: all threads of the grid share its elements,
    whatever the loops of other ops are. `sizes` are the sizes of the dynamic dimensions, in order; `static_offsets` and
    `static_box_sizes` have one entry for each dimension of each box, box after box. ST12: the value converts to the
    element type; there is at least one box, with an offset and a size for each dimension, inside of the tensor.

    ```mlir
    %0 = fuser.border %v sizes(%n) outside [1, 0] [4, 8] : f32 -> tensor<?x8xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Element:$value, Variadic<Index>:$sizes, Variadic<Index>:$offsets,
                            Variadic<Index>:$box_sizes, DenseI64ArrayAttr:$static_offsets,
                            DenseI64ArrayAttr:$static_box_sizes), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $value (`sizes` `(` $sizes^ `)`)? `outside` custom<DynamicIndexList>($offsets, $static_offsets)
    custom<DynamicIndexList>($box_sizes, $static_box_sizes) attr-dict `:` type($value) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::AffineExpr> inferRootExtents(
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
        ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
    /// An op with an element of the border as a tensor without dimensions. `value` stands for that of the border.
    ::mlir::Value createElementOp(::mlir::OpBuilder &builder, ::mlir::Value value);
    unsigned getNumBoxes() {
      return getStaticOffsets().size() / std::max<int64_t>(getResult().getType().getRank(), 1);
    }
  }];
  let hasVerifier = 1;
}

def Fuser_WindowOp : Fuser_TensorOp<"window", [
    AttrSizedOperandSegments, ParentOneOf<["KernelOp"]>, Fuser_CheapElement,
    DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>]> {
  let summary = "an output that has a part of a value that the kernel computes whole";
  let description = [{
    An output of a kernel: the elements of `input` inside of a box. Its loops are those of the input, whose elements outside
    of the box are not stored: element i is stored at i - offset in each of `dims`, and at i in other dimensions. In its
    type the sizes of `dims` are dynamic. ST13: `dims` are different dimensions, in order, with an offset and a size each;
    the other sizes are those of the input. It is only returned.

    ```mlir
    %0 = fuser.window %x dims [1] at(%o) sizes(%n) : tensor<4x8xf32> -> tensor<4x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                            DenseI64ArrayAttr:$dims), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $input `dims` $dims `at` `(` $offsets `)` `sizes` `(` $sizes `)` attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::AffineExpr> inferRootExtents(
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
        ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
  }];
  let hasVerifier = 1;
}

#endif // FUSER_BORDER_OPS
