//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that read or write at indices that are data: gather, take_along_axis, index_select, scatter, push. Indices are i32 or
// i64, count from 0, and do not wrap: an index below 0 or beyond the dimension is out of bounds. Reads out of bounds
// return 0, and writes out of bounds are dropped.
//
// Verified:
//   IX1  `dim` is a dimension of the operand
//   IX2  the shapes of operand, index (and source) and result agree as each description says
//   IX3  the index is of i32 or i64; the other element types are equal
//   IX4  `reduce` combines floats, or integers other than i1; `add` and `mul` also complex numbers

#ifndef FUSER_INDEXING_OPS
#define FUSER_INDEXING_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

// An op whose element is that of operand 0 at an index that is data.
class Fuser_IndexedReadOp<string mnemonic> : Fuser_TensorOp<mnemonic, [
    DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface, ["mayReadOutside", "buildElementAt"]>]> {
  let arguments = !con((ins Fuser_Tensor:$input, Fuser_IndexTensor:$index, I64Attr:$dim), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $index `dim` $dim attr-dict `:` type($input) `,` type($index) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDefinition = tensorViewDefinition # [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getKindsOfResult(getOperation());
    }
    ::mlir::Value $cppClass::buildElement(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands) {
      return operands[0];
    }
    bool $cppClass::mayReadOutside(unsigned operandNumber) { return operandNumber == 0; }
    ::mlir::Value $cppClass::buildElementAt(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands,
                                            ::llvm::ArrayRef<::mlir::Value> inRange,
                                            ::llvm::function_ref<::mlir::Value(unsigned)>) {
      return ::fuser::detail::buildElementOrZero(builder, loc, operands[0], inRange[0]);
    }
  }];
}

def Fuser_GatherOp : Fuser_IndexedReadOp<"gather"> {
  let summary = "elements at indices along a dimension";
  let description = [{
    result[i..., j, k...] = input[i..., index[i..., j, k...], k...] with the index in place of position `dim`, as
    torch.gather. The result has the shape of `index`, whose other dimensions may be smaller than the operand's. An index
    outside reads 0. [IX1, IX2, IX3]

    ```mlir
    %0 = fuser.gather %x, %i dim 1 : tensor<?x100xf32>, tensor<?x8xi64> -> tensor<?x8xf32>
    ```
  }];
}

def Fuser_TakeAlongAxisOp : Fuser_IndexedReadOp<"take_along_axis"> {
  let summary = "elements at indices along a dimension, other dimensions equal";
  let description = [{
    As `fuser.gather`, but in every dimension other than `dim` operand and index have equal sizes, or one has size 1 and is
    broadcast; so the dimensions of both are mapped. [IX1, IX2, IX3]

    ```mlir
    %0 = fuser.take_along_axis %x, %i dim 1 : tensor<?x100xf32>, tensor<?x8xi64> -> tensor<?x8xf32>
    ```
  }];
}

def Fuser_IndexSelectOp : Fuser_IndexedReadOp<"index_select"> {
  let summary = "slices at indices along a dimension";
  let description = [{
    result[i..., j..., k...] = input[i..., index[j...], k...] with the index in place of position `dim`. The dimensions of
    `index`, any number of them, take the place of `dim`. An index outside reads 0. [IX1, IX2, IX3]

    ```mlir
    %0 = fuser.index_select %table, %ids dim 0 : tensor<1000x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
    %1 = fuser.index_select %table, %tokens dim 0 : tensor<1000x64xf32>, tensor<?x?xi64> -> tensor<?x?x64xf32>
    ```
  }];
}

def Fuser_ScatterOp : Fuser_TensorOp<"scatter", [
    AllTypesMatch<["input", "result"]>, DeclareOpInterfaceMethods<Fuser_WholeReadOpInterface>]> {
  let summary = "a tensor with elements at indices replaced";
  let description = [{
    The operand with result[i..., index[i..., j, k...], k...] = source[i..., j, k...] in place of position `dim`, as
    torch.scatter. `index` and `source` have one shape, in other dimensions not larger than the operand's. Where an index
    occurs several times, the result is one of the elements, unspecified which. An index outside writes nothing.

    With `reduce` every element counts, as torch.scatter_reduce (and index_put_ with accumulate=True) does it: the result
    is the operand's element combined with the source's elements in ascending order of j, always in this order, so that
    each run gives the same bits. Half types are combined in f32 and rounded once; integers wrap; in `min` and `max` NaN
    wins. [IX1, IX2, IX3, IX4]

    ```mlir
    %0 = fuser.scatter %src at %i into %x dim 1 : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
    %1 = fuser.scatter %src at %i into %x dim 1 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$source, Fuser_IndexTensor:$index, Fuser_Tensor:$input, I64Attr:$dim,
                            OptionalAttr<Fuser_ScatterReduceAttr>:$reduce), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $source `at` $index `into` $input `dim` $dim (`reduce` `` $reduce^)? attr-dict `:` type($source) `,` type($index) `,` type($input)
  }];
  let extraClassDeclaration = [{
    int64_t getOperandOfResultType() { return 2; }
  }];
  let hasVerifier = 1;
}

def Fuser_PushOp : Fuser_TensorOp<"push", [
    AllTypesMatch<["input", "result"]>, DeclareOpInterfaceMethods<Fuser_UpdateOpInterface>]> {
  let summary = "a scatter in any order, from the source's side";
  let description = [{
    As `fuser.scatter`, but elements with one index are combined in any order, which may differ from run to run: sums and
    products of floats are rounded differently, and without `reduce` any of the elements remains. So each element of the
    source is computed once and stored, or combined in memory by an atomic access, in place of the operand, where
    `fuser.scatter` looks for the source's elements of each of the result's. [IX1, IX2, IX3, IX4]

    In a kernel, the operand is an argument, and the result is stored in its buffer (`UpdateOpInterface`).
    `fuser-place-pushes` says what an atomic access combines.

    ```mlir
    %0 = fuser.push %src at %i into %x dim 0 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<100x8xf32>
    %1 = fuser.push %src at %i into %x dim 1 : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x100xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$source, Fuser_IndexTensor:$index, Fuser_Tensor:$input, I64Attr:$dim,
                            OptionalAttr<Fuser_ScatterReduceAttr>:$reduce), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $source `at` $index `into` $input `dim` $dim (`reduce` `` $reduce^)? attr-dict `:` type($source) `,` type($index) `,` type($input)
  }];
  let extraClassDeclaration = [{
    int64_t getOperandOfResultType() { return 2; }
    ::llvm::SmallVector<::mlir::AffineExpr> inferRootExtents(
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
        ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
  }];
  let hasVerifier = 1;
}

#endif // FUSER_INDEXING_OPS
