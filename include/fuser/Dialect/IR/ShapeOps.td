//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that only rearrange: broadcast, expand, squeeze, permute, reshape, slice, pad, cat, insert_slice, repeat; and the
// ops that make values from nothing: full, iota. None changes an element.
//
// Verified (labels in brackets in each description):
//   SH1  positions (`dims`, `dim`, `permutation`) are in range, ascending or a permutation
//   SH2  the result's shape follows from the operands
//   SH3  the result's element type is the operands'; a scalar converts to it
//   SH4  there is one dynamic size (offset, amount) for each place that needs one
//   SH5  (reshape) the shapes factor into splits and merges
//   SH6  (slice, insert_slice) the box lies inside; offsets and sizes are not negative, strides are positive
//   SH7  (reshape, slice, pad, repeat, insert_slice) static offsets, sizes of boxes, amounts, strides, repeats and factors of
//        splits are at most 2^40: what is computed from them and from sizes of a call stays within 64 bits

#ifndef FUSER_SHAPE_OPS
#define FUSER_SHAPE_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

// An op whose element is its operand's.
class Fuser_ShapeOp<string mnemonic, list<Trait> traits = []> : Fuser_TensorOp<mnemonic, !listconcat(traits, [
    Fuser_CheapElement, DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>])> {
  let results = (outs Fuser_Tensor:$result);
  let hasVerifier = 1;
  code elementDefinition = [{
    ::mlir::Value $cppClass::buildElement(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands) {
      return operands[0];
    }
  }];
  let extraClassDefinition = tensorViewDefinition # elementDefinition;
}

// What an op declares beyond the defaults of its interfaces.
defvar declareExtents = [{
  ::llvm::SmallVector<::mlir::AffineExpr> inferRootExtents(
      ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
      ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
}];
defvar declareElementAt = [{
  ::mlir::Value buildElementAt(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands,
                               ::llvm::ArrayRef<::mlir::Value> inRange,
                               ::llvm::function_ref<::mlir::Value(unsigned)> rootIndex);
}];

def Fuser_BroadcastOp : Fuser_ShapeOp<"broadcast"> {
  let summary = "adds dimensions of size 1";
  let description = [{
    Adds a broadcast dimension of size 1 at each position of `dims` (ascending positions in the result). [SH1, SH2, SH3]

    ```mlir
    %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$dims), schedule);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims)>];
}

def Fuser_ExpandOp : Fuser_ShapeOp<"expand"> {
  let summary = "repeats dimensions of size 1";
  let description = [{
    Each dimension of the operand whose size is 1 takes the result's size, without a copy; the others stay. `sizes` are the
    sizes of the expanded dimensions that are dynamic in the result, in order. [SH2, SH3, SH4]

    ```mlir
    %0 = fuser.expand %x sizes(%n) : tensor<?x1xf32> -> tensor<?x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, Variadic<Index>:$sizes), schedule);
  let assemblyFormat = "$input (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let extraClassDeclaration = !strconcat(declareExtents, [{
    /// True where dimension `dim` is repeated.
    bool isExpanded(int64_t dim) {
      return getInput().getType().getDimSize(dim) == 1 && getResult().getType().getDimSize(dim) != 1;
    }
  }]);
}

def Fuser_SqueezeOp : Fuser_ShapeOp<"squeeze"> {
  let summary = "drops dimensions of size 1";
  let description = [{
    Drops the dimensions `dims` (ascending positions in the operand), which are statically of size 1. [SH1, SH2, SH3]

    ```mlir
    %0 = fuser.squeeze %x dims [1] : tensor<?x1xf32> -> tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$dims), schedule);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims)>];
}

def Fuser_PermuteOp : Fuser_ShapeOp<"permute"> {
  let summary = "reorders dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand. [SH1, SH2, SH3]

    ```mlir
    %0 = fuser.permute %x [1, 0] : tensor<?x8xf32> -> tensor<8x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$permutation), schedule);
  let assemblyFormat = "$input $permutation attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$permutation)>];
}

def Fuser_ReshapeOp : Fuser_ShapeOp<"reshape"> {
  let summary = "the same elements in another shape";
  let description = [{
    Keeps the elements in row-major order, by splits and merges from the operand's dimensions (root) to the result's
    (logical). Equally many dynamic dimensions on both sides, with static ones of equal products between them, correspond
    in order, and the first and the last take part in what is left of static ones before and after them; else what remains
    between equal static ends is merged and split, with at most one dynamic result dimension. It takes what the others of
    its group leave: they must divide the elements, for which a call is checked. Other shapes are refused. [SH3, SH5, SH7]

    Where the types do not tell which dimensions correspond, `groups` does: the next `from[i]` dimensions of the operand
    are merged, and split to the next `to[i]` dimensions of the result. Each group has at most one dynamic result
    dimension. [SH5]

    ```mlir
    %0 = fuser.reshape %x : tensor<?x12x?xf32> -> tensor<?x3x4x?x8xf32>
    %1 = fuser.reshape %y : tensor<?x?x64xf32> -> tensor<?x64xf32>
    %2 = fuser.reshape %z groups [1, 2, 1] to [1, 1, 1] : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, OptionalAttr<DenseI64ArrayAttr>:$from,
                            OptionalAttr<DenseI64ArrayAttr>:$to), schedule);
  let assemblyFormat = "$input (`groups` $from^ `to` $to)? attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let useCustomPropertiesEncoding = 1; // Bytecode.cpp
  let extraClassDeclaration = declareExtents;
  let trivialDomainDefinition = "";
}

def Fuser_SliceOp : Fuser_ShapeOp<"slice", [AttrSizedOperandSegments]> {
  let summary = "a strided box of a tensor";
  let description = [{
    result[i] = input[offset + i * stride] in each dimension, for i below the size. Offsets and sizes are static or index
    operands, strides are static (absent: 1). The box is inside of the operand: static sizes are verified, and each call is
    checked for dynamic ones. [SH2, SH3, SH4, SH6, SH7]

    ```mlir
    %0 = fuser.slice %x [0, %o] [4, %n] strides [1, 2] : tensor<8x?xf32> -> tensor<4x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                            DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
                            OptionalAttr<DenseI64ArrayAttr>:$strides), schedule);
  let assemblyFormat = [{
    $input custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, $static_sizes)
    (`strides` $strides^)? attr-dict `:` type($input) `->` type($result)
  }];
  let extraClassDeclaration = !strconcat(declareExtents, declareBounds);
}

def Fuser_PadOp : Fuser_ShapeOp<"pad", [AttrSizedOperandSegments]> {
  let summary = "adds a border, or crops";
  let description = [{
    Adds `low` elements before and `high` after the operand's in each dimension; a negative amount crops. The border is
    `value`. Amounts are static or index operands; a result size is operand size + low + high and not negative, which is
    verified for static sizes and checked at each call for dynamic ones. [SH2, SH3, SH4, SH7]

    ```mlir
    %0 = fuser.pad %x low [0, %l] high [0, 2] value %v : tensor<4x?xf32>, f32 -> tensor<4x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, Variadic<Index>:$low, Variadic<Index>:$high, Fuser_Element:$value,
                            DenseI64ArrayAttr:$static_low, DenseI64ArrayAttr:$static_high), schedule);
  let assemblyFormat = [{
    $input `low` custom<DynamicIndexList>($low, $static_low) `high` custom<DynamicIndexList>($high, $static_high)
    `value` $value attr-dict `:` type($input) `,` type($value) `->` type($result)
  }];
  let extraClassDeclaration = !strconcat(declareExtents, declareBounds, declareElementAt, [{
    bool mayReadOutside(unsigned operandNumber) { return operandNumber == 0; }
  }]);
}

def Fuser_CatOp : Fuser_ShapeOp<"cat"> {
  let summary = "joins tensors along a dimension";
  let description = [{
    The operands one after the other along `dim`; the other dimensions are equal. [SH1, SH2, SH3]

    ```mlir
    %0 = fuser.cat %x, %y dim 1 : (tensor<4x2xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
    ```
  }];
  let arguments = !con((ins Variadic<Fuser_Tensor>:$inputs, I64Attr:$dim), schedule);
  let assemblyFormat = "$inputs `dim` $dim attr-dict `:` functional-type($inputs, $result)";
  let extraClassDeclaration = !strconcat(declareExtents, declareElementAt, [{
    bool mayReadOutside(unsigned operandNumber) { return true; }
  }]);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs, "int64_t":$dim)>];
}

def Fuser_InsertSliceOp : Fuser_ShapeOp<"insert_slice", [TypesMatchWith<
    "the result has the type of the destination", "destination", "result", "$_self">]> {
  let summary = "a tensor with a box replaced";
  let description = [{
    `destination` with the elements of the box at the offsets replaced by `source`, whose shape is the box's. Offsets are
    static or index operands; the box is inside of the destination, which is verified for static sizes and checked at each
    call for dynamic ones. [SH2, SH3, SH4, SH6, SH7]

    ```mlir
    %0 = fuser.insert_slice %x into %y [0, %o] : tensor<4x2xf32> into tensor<8x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$source, Fuser_Tensor:$destination, Variadic<Index>:$offsets,
                            DenseI64ArrayAttr:$static_offsets), schedule);
  let assemblyFormat = [{
    $source `into` $destination custom<DynamicIndexList>($offsets, $static_offsets) attr-dict
    `:` type($source) `into` type($destination)
  }];
  let extraClassDeclaration = !strconcat(declareBounds, declareElementAt, [{
    int64_t getOperandOfResultType() { return 1; }
    bool mayReadOutside(unsigned operandNumber) { return operandNumber == 0; }
  }]);
}

def Fuser_RepeatOp : Fuser_ShapeOp<"repeat"> {
  let summary = "a tensor several times in a row";
  let description = [{
    result[i] = input[i mod size] in each dimension, whose size is `repeats` times the operand's. The trivial domain merges
    an expanded id of the repeats with each repeated dimension. [SH2, SH3, SH7]

    ```mlir
    %0 = fuser.repeat %x [2, 1] : tensor<3x?xf32> -> tensor<6x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$repeats), schedule);
  let assemblyFormat = "$input $repeats attr-dict `:` type($input) `->` type($result)";
  let hasFolder = 1;
  let extraClassDeclaration = declareExtents;
  let trivialDomainDefinition = "";
}

def Fuser_FullOp : Fuser_ShapeOp<"full"> {
  let summary = "a tensor of one value";
  let description = [{
    Every element is `value`, converted to the element type. `sizes` are the sizes of the dynamic dimensions, in order.
    [SH3, SH4]

    ```mlir
    %0 = fuser.full %v sizes(%n) : f32 -> tensor<?x8xbf16>
    ```
  }];
  let arguments = !con((ins Fuser_Element:$value, Variadic<Index>:$sizes), schedule);
  let assemblyFormat = "$value (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($value) `->` type($result)";
  let elementDefinition = "";
  let extraClassDeclaration = declareExtents;
}

def Fuser_IotaOp : Fuser_ShapeOp<"iota"> {
  let summary = "equally spaced values";
  let description = [{
    result[i] = start + i * step, computed in the compute type of the result (f32 for half types; integers wrap). One
    dimension; `length` is its size where that is dynamic. [SH2, SH3, SH4]

    ```mlir
    %0 = fuser.iota %start, %step length(%n) : f32, f32 -> tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Element:$start, Fuser_Element:$step, Optional<Index>:$length), schedule);
  let assemblyFormat = [{
    $start `,` $step (`length` `(` $length^ `)`)? attr-dict `:` type($start) `,` type($step) `->` type($result)
  }];
  let elementDefinition = "";
  let extraClassDeclaration = !strconcat(declareExtents, declareElementAt, [{
    bool dependsOnIndex() { return true; }
  }]);
}

#endif // FUSER_SHAPE_OPS
