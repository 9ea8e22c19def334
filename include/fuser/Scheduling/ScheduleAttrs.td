//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect of schedule parameters. Everything here can be written by hand; parameters that are left out have the value
// shown in the description.

#ifndef FUSER_SCHEDULING_SCHEDULEATTRS_TD
#define FUSER_SCHEDULING_SCHEDULEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "fuser/Scheduling/ScheduleInterfaces.td"

def FuserSched_Dialect : Dialect {
  let name = "fuser_sched";
  let cppNamespace = "::fuser";
  let summary = "Parameters of schedules";
  let description = [{
    Typed attributes for `schedule` of a `fuser.kernel`: `fuser-choose-schedules` writes them, `fuser-apply-schedules`
    reads them. The dialect has no ops. It owns two discardable attributes of `fuser.kernel`:

    | attribute | meaning |
    |---|---|
    | `fuser_sched.sizes` | one element for each argument: `array<i64: 16384, 5002>` (-1: not known) or `unit`; sizes to choose for where the command line gives none |
    | `fuser_sched.decision` | what `fuser-segment-fusions=explain=true` noted of a segment: `scheduler`, predicted `microseconds`, and why it does not compute what it `reads` of others; nothing depends on it |
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kSizes = "fuser_sched.sizes";
    static constexpr ::llvm::StringLiteral kDecision = "fuser_sched.decision";
    void registerAttributes();
  }];
}

class FuserSched_ParamsAttr<string name, string attrMnemonic> : AttrDef<FuserSched_Dialect, name,
    [DeclareAttrInterfaceMethods<FuserSched_ScheduleParamsInterface>]> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getSchedulerName() const { return "}] # attrMnemonic # [{"; }
  }];
}

class FuserSched_Int<string value, string summary> : DefaultValuedParameter<"int64_t", value, summary>;
class FuserSched_Bool<string value, string summary> : DefaultValuedParameter<"bool", value, summary>;

def FuserSched_PointwiseAttr : FuserSched_ParamsAttr<"PointwiseParams", "pointwise"> {
  let summary = "a pointwise kernel: a grid of tiles of rows by columns";
  let description = [{
    The dimensions of the reference (the output with most dimensions), slowest first, are merged into rows (all but the
    last `inner_dims`) and columns (the last `inner_dims`). A block has `rows` x `threads` threads; a thread handles
    `unroll` vectors of `vector` adjacent columns of one row. Blocks run over column tiles (x) and rows (y), or over both
    merged (x) where `merge_grid` is set.

    Where `outer_dims` is set, the first dimensions are no rows but planes: a thread handles the same place of `repeats`
    planes, so that what lacks them (the cosines of a rotary embedding) is loaded once for all of these; blocks run over
    groups of planes (z, or merged).

    | parameter | default | range |
    |---|---|---|
    | `threads` | 128 | 1 to 1024, along columns |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 vectors per thread, all loaded first |
    | `rows` | 1 | rows per block; `rows` x `threads` at most 1024 |
    | `inner_dims` | -1 | dimensions merged to columns, -1: all of them |
    | `merge_grid` | false | rows and column tiles share the x axis of the grid |
    | `outer_dims` | 0 | dimensions merged to planes; with `inner_dims` at most all of them |
    | `repeats` | 1 | 1 to 16 planes per thread, all loaded first |

    ```mlir
    #fuser_sched.pointwise<threads = 256, vector = 8, inner_dims = 1>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"128", "threads along columns">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread">:$unroll,
    FuserSched_Int<"1", "rows of a block">:$rows,
    FuserSched_Int<"-1", "dimensions merged to columns">:$inner_dims,
    FuserSched_Bool<"false", "rows and column tiles share a grid axis">:$merge_grid,
    FuserSched_Int<"0", "dimensions merged to planes">:$outer_dims,
    FuserSched_Int<"1", "planes of a thread">:$repeats);
}

def FuserSched_TransposeAttr : FuserSched_ParamsAttr<"TransposeParams", "transpose"> {
  let summary = "a pointwise kernel whose inputs and outputs have different fastest dimensions";
  let description = [{
    Tiles of `tile_in` elements along the fastest dimension of the transposed inputs by `tile_out` elements along that of
    the outputs; one block for each tile. Transposed inputs pass through swizzled shared memory: read by vectors of
    `vector_in` along their own rows, gathered along the output's. All else is read and written by vectors of `vector_out`.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 512 | 1 to 1024 |
    | `tile_in`, `tile_out` | 64 | a power of two, 8 to 256 |
    | `vector_in`, `vector_out` | 1 | a power of two, 1 to 16 elements |

    ```mlir
    #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 8, vector_out = 8>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"512", "threads of a block">:$threads,
    FuserSched_Int<"64", "elements of a tile along the inputs' rows">:$tile_in,
    FuserSched_Int<"64", "elements of a tile along the outputs' rows">:$tile_out,
    FuserSched_Int<"1", "elements of a vector that is read">:$vector_in,
    FuserSched_Int<"1", "elements of a vector that is written">:$vector_out);
}

def FuserSched_ReductionPattern : I32EnumAttr<"ReductionPattern", "which dimensions a reduction kernel reduces", [
    I32EnumAttrCase<"Inner", 0, "inner">,
    I32EnumAttrCase<"Outer", 1, "outer">]> {
  let cppNamespace = "::fuser";
  let genSpecializedAttr = 0;
}

def FuserSched_ReductionAttr : FuserSched_ParamsAttr<"ReductionParams", "reduction"> {
  let summary = "a kernel that reduces without keeping what it reads";
  let description = [{
    `inner`: the fastest dimension is reduced (or all are). A block reduces `threads_y` rows with `threads_x` threads each;
    a thread takes `unroll` vectors of `vector` adjacent elements at a time.

    `outer`: the fastest dimension is kept. `threads_x` threads lie side by side on vectors of `vector` columns;
    `threads_y` threads share the rows, each taking `unroll` at a time.

    With `splits` above 1, that many blocks share what is reduced and the last to arrive combines their results.

    | parameter | default | range |
    |---|---|---|
    | `pattern` | | `inner` or `outer` |
    | `threads_x` | 128 | 1 to 1024 |
    | `threads_y` | 1 | 1 to 1024; `threads_x` x `threads_y` at most 1024 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 |
    | `splits` | 1 | 1 to 65535 blocks for one result |

    ```mlir
    #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 8, unroll = 4>
    ```
  }];
  let parameters = (ins
    EnumParameter<FuserSched_ReductionPattern>:$pattern,
    FuserSched_Int<"128", "threads along x">:$threads_x,
    FuserSched_Int<"1", "threads along y">:$threads_y,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors or rows of a thread at a time">:$unroll,
    FuserSched_Int<"1", "blocks that share one result">:$splits);
}

def FuserSched_InnerPersistentAttr : FuserSched_ParamsAttr<"InnerPersistentParams", "inner_persistent"> {
  let summary = "rows kept in registers between their reductions and their use";
  let description = [{
    A block holds `rows` rows; `threads` threads share a row, each keeping `vectors` vectors of `vector` elements of every
    input that is read more than once. The row is at most `threads` x `vectors` x `vector` elements long.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 128 | 1 to 1024, a multiple of 32 where above 32; a power of two below |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `vectors` | 1 | 1 to 32 vectors per thread |
    | `rows` | 1 | rows per block; `rows` x `threads` at most 1024 |
    | `recompute` | true | recompute pointwise work behind a reduction from the inputs, else keep its result |

    ```mlir
    #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"128", "threads of a row">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread">:$vectors,
    FuserSched_Int<"1", "rows of a block">:$rows,
    FuserSched_Bool<"true", "recompute instead of keeping intermediate rows">:$recompute);
}

def FuserSched_InnerOuterAttr : FuserSched_ParamsAttr<"InnerOuterParams", "inner_outer"> {
  let summary = "rows kept in registers, and sums of columns over all of them";
  let description = [{
    `blocks` blocks take the rows one after the other, each its share of them. A row is held as with `inner_persistent`;
    `threads` threads keep `vectors` vectors of `vector` elements each, and a partial sum for each of these columns. Then
    all blocks wait for each other, and each adds up the partial sums of its columns.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 256 | 32 to 1024, a multiple of 32 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `vectors` | 1 | 1 to 32 vectors per thread |
    | `blocks` | 132 | 1 to 65535, all of which the device can run at once |

    ```mlir
    #fuser_sched.inner_outer<threads = 512, vector = 8, vectors = 2, blocks = 264>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"256", "threads of a block">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread">:$vectors,
    FuserSched_Int<"132", "blocks of the launch">:$blocks);
}

def FuserSched_SingleOpAttr : FuserSched_ParamsAttr<"SingleOpParams", "single_op"> {
  let summary = "one op, one element of the result per thread";
  let description = [{
    The fallback: every dimension of the result is merged and cut into blocks of `threads`; reductions are loops of a
    thread.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 128 | 1 to 1024 |

    ```mlir
    #fuser_sched.single_op<threads = 128>
    ```
  }];
  let parameters = (ins FuserSched_Int<"128", "threads of a block">:$threads);
}

#endif // FUSER_SCHEDULING_SCHEDULEATTRS_TD
