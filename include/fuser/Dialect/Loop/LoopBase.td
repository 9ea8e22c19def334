//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect, its enums, attributes and types.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_LOOP_LOOPBASE_TD
#define FUSER_DIALECT_LOOP_LOOPBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def FuserLoop_Dialect : Dialect {
  let name = "fuser_loop";
  let cppNamespace = "::fuser::loop";
  let summary = "A kernel between its schedule and kernel IR: loops, buffers, accesses, guards";
  let description = [{
    Lowering turns a scheduled `fuser.kernel` into one `fuser_loop.kernel`, whose text passes then complete, one
    decision each (docs/lowering.md, ADR 62). The stage of a kernel says which decisions have been made:

    | stage | written by | decisions |
    |---|---|---|
    | `loops` | `fuser-build-loops` | loops and their order, buffers, accesses, which elements exist |
    | `launched` | `fuser-plan-launch` | threads of a block, blocks of the grid, redundant stores |
    | `reduced` | `fuser-plan-reductions` | how threads and blocks combine what each has accumulated |
    | `pipelined` | `fuser-pipeline-loops` | which copies of a loop are under way while it computes |
    | `placed` | `fuser-place-buffers` | the offset of each buffer in shared memory |
    | `synchronized` | `fuser-insert-barriers` | where the threads of a block, or all blocks, wait for each other |
    | `accessed` | `fuser-vectorize-accesses` | the offset of each access, and how many elements it moves at once |
    | `guarded` | `fuser-place-guards` | the branches that skip elements that do not exist |

    Extents, indices, offsets and guards are affine expressions over values of type `index`: the kernel's arguments are
    symbols, all other values (induction variables, scalars that the kernel computes) are dimensions. In
    `%x[4 * %t + %v, symbol(%n) - 1]` the operands of the op are `%t`, `%v` and `%n`. Divisions round down, and divisors
    are positive.

    Nothing here is an SSA value but indices and scalars: buffers are memory, so that CSE and canonicalization change
    nothing between two stages. Values that stay in one thread become SSA values when the loops are expanded.
  }];
  let dependentDialects = ["::fuser::FuserDialect", "::fuser::kernel_ir::FuserGPUDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Adds the attributes, the types and the operations; each kind has a file of its own.
    void registerAttributes();
    void registerTypes();
    void registerOperations();
  }];
}

class FuserLoop_Op<string opMnemonic, list<Trait> traits = []> : Op<FuserLoop_Dialect, opMnemonic, traits>;

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class FuserLoop_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fuser::loop";
  let genSpecializedAttr = 0;
}

def FuserLoop_Stage : FuserLoop_Enum<"Stage", "the decisions that a kernel states", [
  I32EnumAttrCase<"Loops", 0, "loops">,
  I32EnumAttrCase<"Launched", 1, "launched">,
  I32EnumAttrCase<"Reduced", 2, "reduced">,
  I32EnumAttrCase<"Pipelined", 3, "pipelined">,
  I32EnumAttrCase<"Placed", 4, "placed">,
  I32EnumAttrCase<"Synchronized", 5, "synchronized">,
  I32EnumAttrCase<"Accessed", 6, "accessed">,
  I32EnumAttrCase<"Guarded", 7, "guarded">]>;

def FuserLoop_TileStep : FuserLoop_Enum<"TileStep", "what a tile does with its op", [
  I32EnumAttrCase<"Element", 0, "element">,
  I32EnumAttrCase<"Initial", 1, "initial">,
  I32EnumAttrCase<"Accumulate", 2, "accumulate">,
  I32EnumAttrCase<"Fold", 3, "fold">,
  I32EnumAttrCase<"Shuffle", 4, "shuffle">,
  I32EnumAttrCase<"Merge", 5, "merge">,
  I32EnumAttrCase<"Finalize", 6, "finalize">,
  I32EnumAttrCase<"Lift", 7, "lift">,
  I32EnumAttrCase<"Prepend", 8, "prepend">,
  I32EnumAttrCase<"ShuffleUp", 9, "shuffle_up">,
  I32EnumAttrCase<"Take", 10, "take">,
  I32EnumAttrCase<"Replace", 11, "replace">,
  I32EnumAttrCase<"Copy", 12, "copy">,
  I32EnumAttrCase<"Bulk", 13, "bulk">,
  I32EnumAttrCase<"Store", 14, "store">]>;

def FuserLoop_BarrierPhase : FuserLoop_Enum<"BarrierPhase", "what a thread does at a barrier", [
  I32EnumAttrCase<"Both", 0, "both">,
  I32EnumAttrCase<"Arrive", 1, "arrive">,
  I32EnumAttrCase<"Wait", 2, "wait">]>;

def FuserLoop_ConstraintKind : FuserLoop_Enum<"ConstraintKind", "a comparison of two expressions", [
  I32EnumAttrCase<"Less", 0, "less">,
  I32EnumAttrCase<"Equal", 1, "equal">]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class FuserLoop_Attr<string name, string attrMnemonic> : AttrDef<FuserLoop_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def FuserLoop_StageAttr : EnumAttr<FuserLoop_Dialect, FuserLoop_Stage, "stage"> {
  let assemblyFormat = "`<` $value `>`";
}

def FuserLoop_TileStepAttr : EnumAttr<FuserLoop_Dialect, FuserLoop_TileStep, "step"> {
  let assemblyFormat = "`<` $value `>`";
}

def FuserLoop_BarrierPhaseAttr : EnumAttr<FuserLoop_Dialect, FuserLoop_BarrierPhase, "phase"> {
  let assemblyFormat = "`<` $value `>`";
}

def FuserLoop_ConstraintsAttr : FuserLoop_Attr<"Constraints", "constraints"> {
  let summary = "comparisons of expressions, all of which hold";
  let description = [{
    Constraint k compares results 2k and 2k + 1 of `bounds`. `less`: the left side is at least 0 and less than the right
    one, as an index is of the extent that it must not reach. `equal`: both sides are equal. The list may be empty.

    Ops print it over their operands: `if (4 * %b + %t < symbol(%n), %k == 0)`.

    Example: `#fuser_loop.constraints<[less, equal], (d0, d1)[s0] -> (d0 * 4, s0, d1, 0)>`
  }];
  let parameters = (ins OptionalArrayRefParameter<"::fuser::loop::ConstraintKind">:$kinds, "::mlir::AffineMap":$bounds);
  let assemblyFormat = "`<` `[` (`]`) : ($kinds^ `]`)? `,` $bounds `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// No constraint, over operands of these numbers.
    static ConstraintsAttr getEmpty(::mlir::MLIRContext *context, unsigned numDims, unsigned numSymbols);
    unsigned size() const { return getKinds().size(); }
    bool empty() const { return getKinds().empty(); }
    ::mlir::AffineExpr getLhs(unsigned number) const { return getBounds().getResult(2 * number); }
    ::mlir::AffineExpr getRhs(unsigned number) const { return getBounds().getResult(2 * number + 1); }
  }];
}

def FuserLoop_AccessAttr : FuserLoop_Attr<"Access", "access"> {
  let summary = "where an op reads or writes a buffer";
  let description = [{
    Until stage `synchronized`, `map` has an index for each dimension of the buffer and `chunk` is 0. From stage `accessed`
    on, it has one result, the offset from the first element of the buffer; of a distributed buffer two, the block of the
    cluster and the offset from the first element that this block has. `chunk` is then the number of elements that
    are moved at once, for each `chunk` iterations of the @vectorize loop around the op: the offsets of these iterations
    are consecutive, or all equal if the map does not depend on the loop. `alignment` is a number of bytes that divides
    the address of a chunk.

    `guard` is what holds where the buffer has the element: a read that does not satisfy it reads nothing, and the op
    builds its element without. On a chunk that is stored to memory, it is what holds where the elements exist. `follows`: a
    read of global memory, or of a circular buffer, comes after the write of its element, without a barrier, along these
    types: the same index of them has written it, or a `last_block` that the read depends on has waited for the write. `clamped`: the offset may lie outside of a register buffer, at an iteration whose result
    is not used; it reads any element. `kept`: a read of registers after a reduction over threads that the buffer feeds.
    Its elements, of a short type, stay packed until then: what was computed from them before is computed again.

    Ops print it next to the buffer: `%x[%i - 1, 4 * %t + %v] where (%i - 1 < symbol(%n))`, `%x{4 * %t + %v} by 4 align 16`,
    `%r[%v] keep`, `%w[%b, %t] follows [block_x, thread_x]`.

    Example: `#fuser_loop.access<(d0)[s0] -> (d0 * 4), guard = <[less], (d0)[s0] -> (d0, s0)>, chunk = 4, alignment = 16, clamped = false, kept = false, follows = <[]>>`
  }];
  let parameters = (ins "::mlir::AffineMap":$map, "::fuser::loop::ConstraintsAttr":$guard,
                        "int64_t":$chunk, "int64_t":$alignment, "bool":$clamped, "bool":$kept,
                        "::fuser::loop::ParallelTypesAttr":$follows);
  let assemblyFormat = [{
    `<` $map `,` `guard` `=` $guard `,` `chunk` `=` $chunk `,` `alignment` `=` $alignment `,` `clamped` `=` $clamped `,`
    `kept` `=` $kept `,` `follows` `=` $follows `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasOffset() const { return getChunk() > 0; }
  }];
}

def FuserLoop_ParallelTypeAttr : FuserLoop_Attr<"ParallelType", "parallel_type"> {
  let summary = "what runs the iterations of a loop";
  let description = "Example: `#fuser_loop.parallel_type<block_x>`";
  let parameters = (ins "::fuser::ParallelType":$value);
  let assemblyFormat = "`<` $value `>`";
}

def FuserLoop_ParallelTypesAttr : FuserLoop_Attr<"ParallelTypes", "parallel_types"> {
  let summary = "block and thread types, each once";
  let description = "Example: `#fuser_loop.parallel_types<[thread_x, block_y]>`";
  let parameters = (ins OptionalArrayRefParameter<"::fuser::ParallelType">:$types);
  let assemblyFormat = "`<` `[` (`]`) : ($types^ `]`)? `>`";
  let genVerifyDecl = 1;
}

def FuserLoop_BindingAttr : FuserLoop_Attr<"Binding", "binding"> {
  let summary = "what the host packs into an argument of a kernel, and what is known of it";
  let description = [{
    `source` is an attribute of `fuser_gpu`: a pointer, size, stride or scalar. For a pointer, `strides` has the stride
    of each dimension in elements (0 for one of size 1), over the index arguments of the kernel in order, and `alignment`
    a number of bytes that divides the address. `readonly` and `noalias` are those of kernel IR.

    The kernel prints it next to the argument: `%x: T from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias`.

    Example: `#fuser_loop.binding<#fuser_gpu.size<0, 1>, strides = () -> (), alignment = 0, readonly = false, noalias = false>`
  }];
  let parameters = (ins "::mlir::Attribute":$source, "::mlir::AffineMap":$strides, "int64_t":$alignment,
                        "bool":$readonly, "bool":$noalias);
  let assemblyFormat = [{
    `<` $source `,` `strides` `=` $strides `,` `alignment` `=` $alignment `,` `readonly` `=` $readonly `,`
    `noalias` `=` $noalias `>`
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def FuserLoop_BufferType : TypeDef<FuserLoop_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "memory for elements with one index for each dimension";
  let description = [{
    `space` is `register` (each thread has its own elements; static shape), `shared` (those of a block; static shape) or
    `global` (an argument of the kernel, or a workspace of the launch).
    Elements are those of the tensors: how a bool or a complex number is stored is decided where loops are expanded.

    Example: `!fuser_loop.buffer<2x8xf32, register>`, `!fuser_loop.buffer<?x?xbf16, global>`, `!fuser_loop.buffer<32x4xf32, shared>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::fuser::MemoryType":$space);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    bool hasStaticShape() const;
    /// The number of elements of a static shape.
    int64_t getNumElements() const;
    /// True if each thread has elements of its own.
    bool isPrivate() const { return getSpace() == ::fuser::MemoryType::Register; }
  }];
}

#endif // FUSER_DIALECT_LOOP_LOOPBASE_TD
