//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_ATTRS
#define FUSER_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "fuser/Dialect/IR/FuserEnums.td"

class Fuser_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Fuser_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Fuser_DomainAttr : Fuser_Attr<"Domain", "domain"> {
  let summary = "the domains of one tensor value";
  let description = [{
    The root, logical, loop and allocation domains of one result, as lists of ids that are local to the attribute.

    An id is written as the letter of its kind (`i` iteration, `r` reduction, `b` broadcast, `e` expanded) and any
    suffix; it prints with its number. Ids are defined by `root` (or by `logical` where there is no root) and by
    transforms, in textual order:

    | transform | meaning |
    |---|---|
    | `split(i0, 8) -> (i1, i2)` | i2 has extent 8, i1 the rest (rounded up): i0 = i1 * 8 + i2 |
    | `split(i0, outer 8) -> (i1, i2)` | i1 has extent 8: i0 = i1 * ceildiv(i0, 8) + i2 |
    | `merge(i0, i1) -> i2` | i2 = i0 * extent(i1) + i1 |
    | `swizzle(i0, i1, 4) -> (i2, i3)` | i2 = i0, i3 = i1 xor ((i0 / 4) mod extent(i1)); extent(i1) is a power of two |
    | `resize(i0, 1, 2) -> i1` | i1 has 1 more index before and 2 after: i0 = i1 - 1 |
    | `broadcast() -> b1` | a new id of extent 1 that indexes nothing |

    `loop` and `allocation` each cover the logical domain exactly once (allocation without its reduction ids).
    A loop id has a parallel type (`@serial` where absent); an allocation id followed by `strided` is not contiguous with
    the next faster one. Absent `loop` = logical; absent `allocation` = logical without reductions, contiguous.

    ```mlir
    #fuser.domain<logical = [i0, r1], split(r1, 8) -> (r2, r3),
                  loop = [i0 @block_x, r2 @thread_x, r3 @vectorize], allocation = [i0]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"IdKind", "kind of each id, by number">:$kinds,
    ArrayRefParameter<"unsigned", "root ids; empty: the logical domain is the root">:$root,
    ArrayRefParameter<"unsigned", "logical ids, in the order of the program">:$logical,
    ArrayRefParameter<"DomainTransform", "transforms, in the order that defines ids">:$transforms,
    ArrayRefParameter<"unsigned", "loop ids, outermost first">:$loop,
    ArrayRefParameter<"ParallelType", "one for each loop id">:$parallel,
    ArrayRefParameter<"unsigned", "allocation ids, slowest first">:$allocation,
    ArrayRefParameter<"bool", "contiguity of each allocation id with the next faster one">:$contiguity);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<IdKind>":$logicalKinds), [{
      return DomainBuilder($_ctxt, logicalKinds).build();
    }]>
  ];
  let extraClassDeclaration = [{
    /// Number of ids.
    unsigned getNumIds() const { return getKinds().size(); }
    /// The ids at which the op's iteration space starts: root, else logical.
    ::llvm::ArrayRef<unsigned> getRootOrLogical() const { return getRoot().empty() ? getLogical() : getRoot(); }
    /// The logical ids without reductions: the dimensions of the result type, in order.
    ::llvm::SmallVector<unsigned> getResultIds() const;
    /// True where loop equals logical (all serial) and allocation is logical without reductions, contiguous.
    bool isTrivial() const;
    /// Parallel type of a loop id, `Serial` for any other id.
    ParallelType getParallelType(unsigned id) const;
    /// Index into `getTransforms()` of the transform that defines `id`, or -1.
    int getDefinition(unsigned id) const;
  }];
}

def Fuser_MemoryAttr : Fuser_Attr<"Memory", "memory"> {
  let summary = "where a value lives inside a kernel";
  let description = [{`register` (the default), `shared` or `global`: `#fuser.memory<shared>`.}];
  let parameters = (ins EnumParameter<Fuser_MemoryType>:$value);
  let assemblyFormat = "`<` $value `>`";
}

def Fuser_ScatterReduceAttr : EnumAttr<Fuser_Dialect, Fuser_ScatterReduce, "scatter_reduce"> {
  let summary = "how a scatter combines elements that meet";
  let description = [{
    `add`, `mul`, `min` (NaN wins) or `max` (NaN wins), as an attribute of `fuser.scatter`.

    ```mlir
    #fuser<scatter_reduce add>
    ```
  }];
}

def Fuser_LayoutAttr : Fuser_Attr<"Layout", "layout"> {
  let summary = "how an argument lies in memory";
  let description = [{
    A fact: `order` lists the logical dimensions from slowest to fastest, `strided` those positions of `order` whose
    stride is not the product of the faster extents (empty: dense).

    ```mlir
    #fuser.layout<order = [0, 2, 3, 1]>
    #fuser.layout<order = [0, 1], strided = [0]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$order, OptionalArrayRefParameter<"int64_t">:$strided);
  let assemblyFormat = "`<` `order` `=` `[` $order `]` (`,` `strided` `=` `[` $strided^ `]`)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The dense row-major layout of a tensor of `rank` dimensions.
    static LayoutAttr getRowMajor(::mlir::MLIRContext *context, int64_t rank);
    bool isContiguousAt(int64_t position) const { return !::llvm::is_contained(getStrided(), position); }
    bool isRowMajorContiguous() const;
  }];
}

def Fuser_LayoutHintAttr : Fuser_Attr<"LayoutHint", "layout_hint"> {
  let summary = "an order in memory that would be good for a value";
  let description = [{
    A hint, which any pass may change or drop: `order` lists the logical dimensions from slowest to fastest. `rule` names
    what made it, `reference` (may be absent) the value that it was taken from. It is an element of the discardable
    attribute `fuser.layout_hints` of an op, an array with one hint or `unit` for each result.

    ```mlir
    #fuser.layout_hint<order = [0, 2, 3, 1], rule = "follow-reference", reference = "argument 0">
    ```
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$order, StringRefParameter<"which rule made it">:$rule,
                        StringRefParameter<"the value it was taken from", "\"\"">:$reference);
  let assemblyFormat = [{
    `<` `order` `=` `[` (`]`) : ($order^ `]`)? `,` `rule` `=` $rule (`,` `reference` `=` $reference^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Fuser_FactAttr : Fuser_Attr<"Fact", "fact"> {
  let summary = "what is known of an extent or a pointer, and guarded at run time";
  let description = [{
    A statement about dimension `dim` of argument `arg` (or about the pointer of `arg`), from which lowering may
    conclude; the artifact checks it at every call. In `aligned` and `elements_at_most` output j is number
    (arguments + j).

    ```mlir
    #fuser.fact<divisible 0[1], 8>     // size(arg 0, dim 1) % 8 == 0
    #fuser.fact<at_most 0[1], 16384>
    #fuser.fact<at_least 0[1], 1>
    #fuser.fact<equal 0[1], 1[0]>
    #fuser.fact<aligned 0, 16>         // the pointer of argument 0, in bytes
    #fuser.fact<elements_at_most 0, 2130706432> // distance of the farthest element of argument 0
    #fuser.fact<stride_divisible 0[0], 8>       // stride(arg 0, dim 0) % 8 == 0, in elements
    #fuser.fact<stride_is 0[0], 24>             // stride(arg 0, dim 0) == 24
    ```
  }];
  let parameters = (ins EnumParameter<Fuser_FactKind>:$kind, "int64_t":$arg, "int64_t":$dim, "int64_t":$value,
                        "int64_t":$otherArg, "int64_t":$otherDim);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static FactAttr getDivisible(::mlir::MLIRContext *context, int64_t arg, int64_t dim, int64_t value);
    static FactAttr getAtMost(::mlir::MLIRContext *context, int64_t arg, int64_t dim, int64_t value);
    static FactAttr getAtLeast(::mlir::MLIRContext *context, int64_t arg, int64_t dim, int64_t value);
    static FactAttr getEqual(::mlir::MLIRContext *context, int64_t arg, int64_t dim, int64_t otherArg, int64_t otherDim);
    static FactAttr getAligned(::mlir::MLIRContext *context, int64_t arg, int64_t bytes);
    static FactAttr getElementsAtMost(::mlir::MLIRContext *context, int64_t arg, int64_t value);
    static FactAttr getStrideDivisible(::mlir::MLIRContext *context, int64_t arg, int64_t dim, int64_t value);
    static FactAttr getStrideIs(::mlir::MLIRContext *context, int64_t arg, int64_t dim, int64_t value);
    /// True for facts of a whole argument or output (no dimension).
    bool isOfBuffer() const {
      return getKind() == FactKind::Aligned || getKind() == FactKind::ElementsAtMost;
    }
  }];
}

def Fuser_AliasAttr : Fuser_Attr<"Alias", "alias"> {
  let summary = "an output that is stored in an input's buffer";
  let description = [{`#fuser.alias<output 0, input 2>`: output 0 reuses the buffer of argument 2.}];
  let parameters = (ins "int64_t":$output, "int64_t":$input);
  let assemblyFormat = "`<` `output` $output `,` `input` $input `>`";
}

def Fuser_MeshAttr : Fuser_Attr<"Mesh", "mesh"> {
  let summary = "the devices that a program is distributed over";
  let description = [{
    How many devices there are along each axis; an axis of size 1 is not written. A domain distributes over an axis by a
    split with the size of the axis as outer factor, whose outer id has the parallel type of the axis.

    ```mlir
    #fuser.mesh<device_x = 8>
    #fuser.mesh<device_x = 2, device_y = 4>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "1">:$device_x, DefaultValuedParameter<"int64_t", "1">:$device_y,
                        DefaultValuedParameter<"int64_t", "1">:$device_z);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Devices along the axis of a parallel type; 1 for a type that is no axis.
    int64_t getSize(ParallelType type) const;
  }];
}

#endif // FUSER_ATTRS
