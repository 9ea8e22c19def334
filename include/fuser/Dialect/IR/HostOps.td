//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of `fuser.host`.

#ifndef FUSER_HOST_OPS
#define FUSER_HOST_OPS

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "fuser/Dialect/IR/FuserOpBase.td"


def Fuser_AllocOp : Fuser_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "allocates a buffer";
  let description = [{
    A dense uninitialised buffer in global memory. `sizes` are the dynamic extents of the type, in order; `order` is its
    stride order, slowest dimension first (absent: row-major) and, at a boundary between kernels, the one source of it.

    ```mlir
    %0 = fuser.alloc(%n) order [1, 0] : tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, OptionalAttr<DenseI64ArrayAttr>:$order);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = "`(` $sizes `)` (`order` $order^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Fuser_FreeOp : Fuser_Op<"free", [MemoryEffects<[MemFree]>]> {
  let summary = "ends the life of a buffer";
  let description = [{
    After it, nothing reads or writes the buffer that `fuser.alloc` made.

    ```mlir
    fuser.free %0 : tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Arg<Fuser_Tensor, "", [MemFree]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def Fuser_ViewOp : Fuser_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a part of a buffer, where it lies";
  let description = [{
    A sub-range of `base` without a copy: one offset and one size for each dimension of the base, of which every
    `strides`-th element (absent: each). `dims` (absent: all, in order) names the dimension of the base that each dimension
    of the result is, -1 for one of size 1 that the base lacks; a dimension that it leaves out has size 1. So a view is a
    slice, a permutation and the dropping or adding of dimensions of size 1. As an operand of `fuser.launch` it is the box:
    the launch touches nothing of the base outside of it.

    HO2: offsets, sizes and strides for each dimension of the base, inside of it; `dims` names each dimension at most once,
    and all but those of size 1; the result's shape follows.

    ```mlir
    %0 = fuser.view %x [0, %o] [4, %n] : tensor<8x?xf32> -> tensor<4x?xf32>
    %1 = fuser.view %x [0, 0] [8, %m] strides [2, 1] dims [1, 0] : tensor<16x?xf32> -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Fuser_Tensor:$base, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
                       OptionalAttr<DenseI64ArrayAttr>:$strides, OptionalAttr<DenseI64ArrayAttr>:$dims);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $base custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, $static_sizes)
    (`strides` $strides^)? (`dims` $dims^)? attr-dict `:` type($base) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The dimension of the base that a dimension of the result is; -1: none.
    int64_t getBaseDim(unsigned dim) { return getDims() ? (*getDims())[dim] : int64_t(dim); }
    /// The distance between neighbours of the result in elements of the base.
    int64_t getStep(unsigned baseDim) { return getStrides() ? (*getStrides())[baseDim] : 1; }
  }];
  let hasVerifier = 1;
}

def Fuser_PlaceOp : Fuser_Op<"place", [Pure, TypesMatchWith<
    "the result has the type of the buffer", "buffer", "result", "$_self">]> {
  let summary = "the value of a buffer of which a part was written";
  let description = [{
    `part` was written where it lies: into the view of `buffer` at these offsets, or without offsets into all of it under
    other dimensions. The result is the buffer with that part, and nothing is copied; a reader of another part waits for
    no other launch. HO8: one offset for each dimension and the part inside, or no offsets and as many elements.

    ```mlir
    %v = fuser.view %t [4, 0] [4, 8] : tensor<8x8xf32> -> tensor<4x8xf32>
    %1 = fuser.launch @k ins(%x : tensor<4x8xf32>) outs(%v : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = fuser.place %1 into %t [4, 0] : tensor<4x8xf32> into tensor<8x8xf32>
    ```
  }];
  let arguments = (ins Fuser_Tensor:$part, Fuser_Tensor:$buffer, Variadic<Index>:$offsets,
                       DenseI64ArrayAttr:$static_offsets);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $part `into` $buffer custom<DynamicIndexList>($offsets, $static_offsets) attr-dict `:` type($part) `into` type($buffer)
  }];
  let hasVerifier = 1;
}

def Fuser_LaunchOp : Fuser_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    Runs `kernel` (a `fuser.kernel`, or the `gpu.func` that it was lowered to) on `inputs`, writing `outputs`, whose new
    values are the results. `stream` chooses the stream (absent: the call's own). HO3: one result for each output, of its
    type. HO4: operands of the kernel's types. HO10: no input is an allocation, which has no elements yet: what was written
    to it is a result, if not in a loop.

    ```mlir
    %1 = fuser.launch @k ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Variadic<AnyType>:$inputs, Variadic<Fuser_Tensor>:$outputs,
                       Optional<Index>:$stream);
  let results = (outs Variadic<Fuser_Tensor>:$results);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)?
    (`stream` $stream^)? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

def Fuser_CopyOp : Fuser_Op<"copy", [AllTypesMatch<["destination", "result"]>]> {
  let summary = "copies a buffer into another";
  let description = [{
    Copies `source` into `destination` (equal shapes, any strides); the result is the new value. Outlining leaves copies
    between dense buffers of one order, which are one transfer; a copy that changes the layout of a whole buffer is a
    kernel.

    ```mlir
    %2 = fuser.copy %1 into %0 : tensor<?xf32>, tensor<?xf32>
    ```
  }];
  let arguments = (ins Fuser_Tensor:$source, Fuser_Tensor:$destination);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = "$source `into` $destination attr-dict `:` type($source) `,` type($destination)";
  let hasVerifier = 1;
}

def Fuser_LibraryCallOp : Fuser_Op<"library_call", [AttrSizedOperandSegments]> {
  let summary = "runs a library routine";
  let description = [{
    Runs `routine` of a library on `inputs`, writing `outputs`, whose new values are the results. `options`
    are its own. HO7: one result for each output, of its type. HO10: as for `fuser.launch`.

    ```mlir
    %1 = fuser.library_call "sort" ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins StrAttr:$routine, Variadic<AnyType>:$inputs, Variadic<Fuser_Tensor>:$outputs,
                       OptionalAttr<DictionaryAttr>:$options);
  let results = (outs Variadic<Fuser_Tensor>:$results);
  let hasVerifier = 1;
  let useCustomPropertiesEncoding = 1; // Bytecode.cpp
  let assemblyFormat = [{
    $routine (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)?
    (`options` $options^)? attr-dict (`->` type($results)^)?
  }];
}

def Fuser_ForOp : Fuser_Op<"for", [SingleBlockImplicitTerminator<"YieldOp">, AutomaticAllocationScope]> {
  let summary = "a host loop over streams";
  let description = [{
    Runs its body for 0 <= i < `count`; iteration i uses stream i modulo `streams`.

    ```mlir
    fuser.for %i to %n streams 4 { ... }
    ```
  }];
  let arguments = (ins Index:$count, I64Attr:$streams);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$count, "int64_t":$streams)>];
  let extraClassDeclaration = [{ ::mlir::Value getInductionVariable() { return getBody().getArgument(0); } }];
}

def Fuser_YieldOp : Fuser_Op<"yield", [Pure, Terminator, HasParent<"ForOp">]> {
  let summary = "ends the body of fuser.for";
  let description = [{
    Without operands: a stream loop writes buffers and yields nothing. The pretty form of `fuser.for` leaves it out.

    ```mlir
    fuser.yield
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FUSER_HOST_OPS
