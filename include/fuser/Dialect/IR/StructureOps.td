//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The structure of tensor programs: fusion, kernel, return, set, segment_set.

#ifndef FUSER_STRUCTURE_OPS
#define FUSER_STRUCTURE_OPS

include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_OrderArray : TypedArrayAttrBase<AnyAttrOf<[DenseI64ArrayAttr, UnitAttr]>,
  "one stride order (or unit: none) for each output">;
def Fuser_LayoutArray : TypedArrayAttrBase<AnyAttrOf<[Fuser_LayoutAttr, UnitAttr]>,
  "one layout (or unit: row-major and dense) for each argument">;
def Fuser_ArgDomainArray : TypedArrayAttrBase<AnyAttrOf<[Fuser_DomainAttr, UnitAttr]>,
  "one domain (or unit: trivial) for each argument">;

// A function of tensors and scalars with one block: `fuser.fusion`, `fuser.kernel`, `fuser.host`.
class Fuser_FunctionOp<string mnemonic, list<Trait> traits = []> : Fuser_Op<mnemonic, !listconcat(traits, [
    AffineScope, AutomaticAllocationScope, IsolatedFromAbove, FunctionOpInterface, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>])> {
  dag signature = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<Fuser_LayoutArray>:$arg_layouts);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  code functionDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The layout fact of an argument; row-major and dense by default.
    ::fuser::LayoutAttr getArgLayout(unsigned arg) { return ::fuser::detail::getArgLayout(getOperation(), arg); }
    void setArgLayout(unsigned arg, ::fuser::LayoutAttr layout) {
      ::fuser::detail::setArgLayout(getOperation(), arg, layout);
    }
  }];
}

// Properties that `fuser.fusion` and `fuser.kernel` share: requirements, aliases, facts, front-end ids.
class Fuser_ProgramOp<string mnemonic, list<Trait> traits = []> : Fuser_FunctionOp<mnemonic, traits> {
  dag program = (ins
    OptionalAttr<Fuser_OrderArray>:$output_orders,
    OptionalAttr<TypedArrayAttrBase<Fuser_AliasAttr, "aliases of outputs">>:$aliases,
    OptionalAttr<TypedArrayAttrBase<Fuser_FactAttr, "facts of extents and pointers">>:$facts,
    OptionalAttr<Fuser_MeshAttr>:$mesh,
    OptionalAttr<Fuser_ArgDomainArray>:$arg_domains,
    OptionalAttr<DenseI64ArrayAttr>:$input_ids,
    OptionalAttr<DenseI64ArrayAttr>:$output_ids,
    OptionalAttr<DenseI64ArrayAttr>:$extent_ids);
  code programDeclaration = [{
    /// The required stride order of an output, slowest dimension first; nullopt: no requirement (S0.1).
    ::std::optional<::llvm::ArrayRef<int64_t>> getOutputStrideOrder(unsigned output) {
      return ::fuser::detail::getOutputStrideOrder(getOperation(), output);
    }
    /// Sets or (nullopt) removes the required stride order of an output; the verifier checks it.
    void setOutputStrideOrder(unsigned output, ::std::optional<::llvm::ArrayRef<int64_t>> order) {
      ::fuser::detail::setOutputStrideOrder(getOperation(), output, order);
    }
    /// The domain of a tensor argument: its distribution over devices. Trivial by default.
    ::fuser::DomainAttr getArgDomain(unsigned arg) { return ::fuser::detail::getArgDomain(getOperation(), arg); }
    /// Sets or (null) removes the domain of an argument.
    void setArgDomain(unsigned arg, ::fuser::DomainAttr domain) {
      ::fuser::detail::setArgDomain(getOperation(), arg, domain);
    }
  }];
}

def Fuser_FusionOp : Fuser_ProgramOp<"fusion"> {
  let summary = "a tensor program to be fused";
  let description = [{
    A public function of ranked tensors and scalars, isolated from above, with one block. Inherent attributes keep what
    the program asks for and what is known: `arg_layouts` (facts), `output_orders` (requirements, by output position),
    `aliases`, `facts` of extents, the ids of a front end (`input_ids`, `output_ids`, `extent_ids`), and how it is
    distributed: `mesh`, and `arg_domains` for arguments (values that ops define carry their domains themselves).

    ```mlir
    fuser.fusion @double(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.add %x, %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    }
    ```
  }];
  let arguments = !con(signature, program);
  let extraClassDeclaration = functionDeclaration # programDeclaration;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let skipDefaultBuilders = 1;
}

def Fuser_KernelOp : Fuser_ProgramOp<"kernel"> {
  let summary = "the part of a fusion that one launch computes";
  let description = [{
    A fusion that outlining cut out: same form, plus the parameters that a scheduler chose (`schedule`: a typed attribute,
    written by hand where one likes). `schedule` is what `choose` writes and `apply` reads; the domains on its ops are what
    lowering reads.

    ```mlir
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.add %x, %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    }
    ```
  }];
  let arguments = !con(signature, program, (ins OptionalAttr<AnyAttr>:$schedule));
  let extraClassDeclaration = functionDeclaration # programDeclaration;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let skipDefaultBuilders = 1;
}

def Fuser_HostOp : Fuser_FunctionOp<"host"> {
  let summary = "the host side of a fusion: sizes, allocations, launches";
  let description = [{
    Straight-line code over extents (`tensor.dim`, `arith` on index), `fuser.alloc`, `fuser.free`, `fuser.view`,
    `fuser.launch`, `fuser.for`, `fuser.copy` and `fuser.library_call`, ended by `fuser.return`. Lowering and the artifact
    read only this and `fuser.kernel`. `facts` are what a call must satisfy.

    ```mlir
    fuser.host @h(%x: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %0 = fuser.alloc(%n) : tensor<?xf32>
      %1 = fuser.launch @k ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    }
    ```
  }];
  let arguments = !con(signature, (ins
    OptionalAttr<Fuser_OrderArray>:$output_orders,
    OptionalAttr<TypedArrayAttrBase<Fuser_AliasAttr, "aliases of outputs">>:$aliases,
    OptionalAttr<TypedArrayAttrBase<Fuser_FactAttr, "facts that every call satisfies">>:$facts,
    OptionalAttr<DenseI64ArrayAttr>:$input_ids,
    OptionalAttr<DenseI64ArrayAttr>:$output_ids,
    OptionalAttr<DenseI64ArrayAttr>:$extent_ids));
  let extraClassDeclaration = functionDeclaration # [{
    ::std::optional<::llvm::ArrayRef<int64_t>> getOutputStrideOrder(unsigned output) {
      return ::fuser::detail::getOutputStrideOrder(getOperation(), output);
    }
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let skipDefaultBuilders = 1;
}

def Fuser_ReturnOp : Fuser_Op<"return", [
    Pure, Terminator, ReturnLike, ParentOneOf<["FusionOp", "KernelOp", "HostOp"]>]> {
  let summary = "ends a fusion, kernel or host function with its outputs";
  let description = [{
    The operands are the outputs, in order; their types are the function's result types.

    ```mlir
    fuser.return %y, %sum : tensor<?x?xf32>, tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Fuser_SetOp : Fuser_TensorOp<"set", [
    SameOperandsAndResultType, Fuser_KeepsZero, Fuser_CheapElement, DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>]> {
  let summary = "a copy of a value";
  let description = [{
    The identity. Schedulers insert it to keep a value in another memory or layout (a cache); it is folded only where it
    carries no schedule.

    ```mlir
    %0 = fuser.set %x {memory = #fuser.memory<shared>} : tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input), schedule);
  let results = (outs Fuser_Tensor:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Fuser_SegmentSetOp : Fuser_TensorOp<"segment_set", [
    SameOperandsAndResultType, DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>]> {
  let summary = "an identity that asks for a segment boundary";
  let description = [{
    The identity. Segmentation cuts here where the marks form a cut of the program; it is never folded, merged or erased
    before outlining.

    ```mlir
    %0 = fuser.segment_set %x : tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input), schedule);
  let results = (outs Fuser_Tensor:$result);
  let hasVerifier = 1;
  let effectsDefinition = "";
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Fuser_StrideOrderOp : Fuser_TensorOp<"stride_order", [
    SameOperandsAndResultType, DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>]> {
  let summary = "asks for the order of a value in memory";
  let description = [{
    The identity, for front ends: `order` lists the dimensions from slowest to fastest. Where the result is an output, it
    is a requirement on that output; elsewhere it is not binding and is a hint (S0.4). `fuser-resolve-stride-orders` turns
    it into the one or the other. ST10: `order` is a permutation of the dimensions.

    ```mlir
    %0 = fuser.stride_order %x [0, 2, 3, 1] : tensor<?x?x?x?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$order), schedule);
  let results = (outs Fuser_Tensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = "$input $order attr-dict `:` type($input)";
}

def Fuser_LibraryOp : Fuser_TensorOp<"library", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<Fuser_LibraryOpInterface, ["getRoutineOptions"]>]> {
  let summary = "what only a routine of a library computes";
  let description = [{
    The results of `routine`, of which nothing but their types is known; `sizes` are the sizes of the dynamic
    dimensions of the results, in order. The routine is registered with the runtime under that name and gets `options` as
    text. It reads row-major operands and writes row-major results. ST11: there is one size for each dynamic dimension; all
    results have the shape of the first.

    ```mlir
    %0 = fuser.library "sort"(%x : tensor<?xf32>) sizes(%n) options {descending} -> tensor<?xf32>
    ```
  }];
  let arguments = !con((ins StrAttr:$routine, Variadic<Fuser_Tensor>:$inputs, Variadic<Index>:$sizes,
                            OptionalAttr<DictionaryAttr>:$options), schedule);
  let results = (outs Variadic<Fuser_Tensor>:$results);
  let assemblyFormat = [{
    $routine `(` ($inputs^ `:` type($inputs))? `)` (`sizes` `(` $sizes^ `)`)? (`options` $options^)? attr-dict
    `->` type($results)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::AffineExpr> inferRootExtents(
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
        ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
  }];
  let hasVerifier = 1;
  let useCustomPropertiesEncoding = 1; // Bytecode.cpp
}

def Fuser_CallOp : Fuser_Op<"call", [
    CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a fusion from a function";
  let description = [{
    Calls the `fuser.fusion` `callee` from a function of another dialect. Operands and results have the fusion's types, in
    order; on buffers, memrefs of their shapes. ST9: the callee is a fusion, or the host function that it became, of these
    types.

    ```mlir
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.call @double(%x) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
  }];
}

#endif // FUSER_STRUCTURE_OPS
