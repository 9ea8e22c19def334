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
  let summary = "the box of a buffer that a launch touches";
  let description = [{
    A sub-range with one offset and one size for each dimension (the strides of the base stay). As an operand of
    `fuser.launch` it is the box: the launch touches nothing of the base outside of it.

    ```mlir
    %0 = fuser.view %x [0, %o] [4, %n] : tensor<8x?xf32> -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Fuser_Tensor:$base, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $base custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes, $static_sizes)
    attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fuser_LaunchOp : Fuser_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    Runs `kernel` (a `fuser.kernel`, or the `gpu.func` that it was lowered to) on `inputs`, writing `outputs`, whose new
    values are the results. `stream` chooses the stream (absent: the call's own).

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
    Copies `source` into `destination` (equal shapes, any strides); the result is the new value.

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
    Runs the routine `callee` of a library on `inputs`, writing `outputs`, whose new values are the results. `options`
    are its own.

    ```mlir
    %1 = fuser.library_call "sort" ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$inputs, Variadic<Fuser_Tensor>:$outputs,
                       OptionalAttr<DictionaryAttr>:$options);
  let results = (outs Variadic<Fuser_Tensor>:$results);
  let assemblyFormat = [{
    $callee (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)?
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
