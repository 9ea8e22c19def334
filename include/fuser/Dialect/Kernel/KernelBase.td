//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect, its enums and its attributes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_KERNELBASE_TD
#define FUSER_DIALECT_KERNEL_KERNELBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FuserGPU_Dialect : Dialect {
  let name = "fuser_gpu";
  let cppNamespace = "::fuser::kernel_ir";
  let summary = "Low-level GPU operations of kernel IR, and how a kernel is launched";
  let description = [{
    Kernel IR is `gpu.func` with `scf`, `arith`, `math`, `vector` and `memref`,
    plus this dialect: what upstream lacks, or has only in a form that cannot
    be executed off the GPU. Every operation has two lowerings, one to `nvvm`
    (`fuser-lower-to-nvvm`) and one to the host device, and means the same in
    both.

    The dialect also owns the discardable attributes that describe a kernel:

    | attribute | on | meaning |
    |---|---|---|
    | `fuser_gpu.index_bits` | `gpu.module` | `32 : i32` or `64 : i32`: the width of `index` in its kernels |
    | `fuser_gpu.launch` | `gpu.func` | grid, dynamic shared memory, workspaces: `#fuser_gpu.launch` |
    | `fuser_gpu.bind` | argument | what the host packs here: `#fuser_gpu.pointer`, `size`, `stride`, `scalar`, `workspace`, `tensor_map`, `first_block` or `part_grid` |
    | `fuser_gpu.readonly` | pointer argument | unit: nothing writes this memory while the kernel runs |
    | `fuser_gpu.noalias` | pointer argument | unit: no other argument reaches this memory |
    | `fuser_gpu.align` | pointer argument | `N : i64`: the pointer is a multiple of N bytes, N a power of two |

    docs/kernel-ir.md describes the whole form.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes in the table above.
    static constexpr ::llvm::StringLiteral kIds = "fuser_gpu.ids";
    static constexpr ::llvm::StringLiteral kIndexBits = "fuser_gpu.index_bits";
    static constexpr ::llvm::StringLiteral kLaunch = "fuser_gpu.launch";
    static constexpr ::llvm::StringLiteral kBind = "fuser_gpu.bind";
    static constexpr ::llvm::StringLiteral kReadonly = "fuser_gpu.readonly";
    static constexpr ::llvm::StringLiteral kNoalias = "fuser_gpu.noalias";
    static constexpr ::llvm::StringLiteral kAlign = "fuser_gpu.align";

    /// Adds the attributes, the types and the operations; each lives in its own file.
    void registerAttributes();
    void registerTypes();
    void registerOperations();
  }];
}

class FuserGPU_Op<string opMnemonic, list<Trait> traits = []>
    : Op<FuserGPU_Dialect, opMnemonic, traits>;

// Lanes or threads that execute together: such an op must not be moved, merged, sunk into a branch
// or deleted, so that it reports an effect on a resource of its own.
def FuserGPU_ConvergenceResource : Resource<"::fuser::kernel_ir::ConvergenceResource">;
def FuserGPU_Convergent
    : MemoryEffects<[MemRead<FuserGPU_ConvergenceResource>,
                     MemWrite<FuserGPU_ConvergenceResource>]>;

// Orders all memory, so that no access moves across it.
def FuserGPU_OrdersMemory : MemoryEffects<[MemRead, MemWrite]>;

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class FuserGPU_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fuser::kernel_ir";
  let genSpecializedAttr = 0;
}
class FuserGPU_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<FuserGPU_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def FuserGPU_ShuffleMode : FuserGPU_Enum<"ShuffleMode", "which lane a shuffle reads", [
  I32EnumAttrCase<"Xor", 0, "xor">,
  I32EnumAttrCase<"Up", 1, "up">,
  I32EnumAttrCase<"Down", 2, "down">,
  I32EnumAttrCase<"Idx", 3, "idx">
]>;
def FuserGPU_ShuffleModeAttr : FuserGPU_EnumAttr<FuserGPU_ShuffleMode, "shuffle_mode">;

def FuserGPU_ApproxFunction : FuserGPU_Enum<"ApproxFunction",
    "a function that the GPU approximates in one instruction", [
  I32EnumAttrCase<"Exp2", 0, "exp2">,
  I32EnumAttrCase<"Log2", 1, "log2">,
  I32EnumAttrCase<"Rcp", 2, "rcp">,
  I32EnumAttrCase<"Rsqrt", 3, "rsqrt">,
  I32EnumAttrCase<"Sqrt", 4, "sqrt">,
  I32EnumAttrCase<"Tanh", 5, "tanh">,
  I32EnumAttrCase<"Sin", 6, "sin">,
  I32EnumAttrCase<"Cos", 7, "cos">
]>;
def FuserGPU_ApproxFunctionAttr
    : FuserGPU_EnumAttr<FuserGPU_ApproxFunction, "approx_function">;

def FuserGPU_CacheHint : FuserGPU_Enum<"CacheHint", "how the caches should treat an access", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Ca", 1, "ca">,
  I32EnumAttrCase<"Cg", 2, "cg">,
  I32EnumAttrCase<"Cs", 3, "cs">,
  I32EnumAttrCase<"NoAllocate", 4, "no_allocate">,
  I32EnumAttrCase<"EvictFirst", 5, "evict_first">,
  I32EnumAttrCase<"Nc", 6, "nc">
]>;
def FuserGPU_CacheHintAttr : FuserGPU_EnumAttr<FuserGPU_CacheHint, "cache_hint">;

def FuserGPU_FenceScope : FuserGPU_Enum<"FenceScope", "threads that a fence orders memory for", [
  I32EnumAttrCase<"Block", 0, "block">,
  I32EnumAttrCase<"Device", 1, "device">,
  I32EnumAttrCase<"System", 2, "system">
]>;
def FuserGPU_FenceScopeAttr : FuserGPU_EnumAttr<FuserGPU_FenceScope, "fence_scope">;

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

class FuserGPU_Attr<string name, string attrMnemonic>
    : AttrDef<FuserGPU_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def FuserGPU_PointerAttr : FuserGPU_Attr<"Pointer", "pointer"> {
  let summary = "the base address of an operand of the kernel";
  let description = [{
    `operand` counts the tensors and scalars of the `fuser.kernel`, inputs
    first, then outputs, from 0.

    Example: `#fuser_gpu.pointer<2>`
  }];
  let parameters = (ins "int64_t":$operand);
  let assemblyFormat = "`<` $operand `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_SizeAttr : FuserGPU_Attr<"Size", "size"> {
  let summary = "the extent of one dimension of an operand, in elements";
  let description = "Example: `#fuser_gpu.size<0, 1>` is the extent of dimension 1 of operand 0.";
  let parameters = (ins "int64_t":$operand, "int64_t":$dim);
  let assemblyFormat = "`<` $operand `,` $dim `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_StrideAttr : FuserGPU_Attr<"Stride", "stride"> {
  let summary = "the stride of one dimension of an operand, in elements";
  let description = "Example: `#fuser_gpu.stride<0, 0>` is the stride of dimension 0 of operand 0.";
  let parameters = (ins "int64_t":$operand, "int64_t":$dim);
  let assemblyFormat = "`<` $operand `,` $dim `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_ScalarAttr : FuserGPU_Attr<"Scalar", "scalar"> {
  let summary = "the value of a scalar operand";
  let description = "Example: `#fuser_gpu.scalar<3>`";
  let parameters = (ins "int64_t":$operand);
  let assemblyFormat = "`<` $operand `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_WorkspaceAttr : FuserGPU_Attr<"Workspace", "workspace"> {
  let summary = "the base address of a buffer that the runtime provides for one launch";
  let description = [{
    `index` selects the size among the `workspaces` of the kernel's launch
    attribute. A `zeroed` workspace holds zeros when the kernel starts. The
    synchronisation operations leave their counters ready for the next launch,
    so the runtime may keep such a buffer and clear it only once.

    Example: `#fuser_gpu.workspace<0, zeroed = true>`
  }];
  let parameters = (ins "int64_t":$index, "bool":$zeroed);
  let assemblyFormat = "`<` $index `,` `zeroed` `=` $zeroed `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_TensorMapAttr : FuserGPU_Attr<"TensorMap", "tensor_map"> {
  let summary = "a map of an operand, by which tensor copies read boxes of it";
  let description = [{
    The host makes the map before each launch, of the address, sizes and strides of the operand; the box and the swizzle are
    those of the argument's type. `dims` are the dimensions of the operand in the order of the box, each once: the elements
    along the last one are adjacent in memory.

    Example: `#fuser_gpu.tensor_map<0, dims = [1, 0]>`
  }];
  let parameters = (ins "int64_t":$operand, ArrayRefParameter<"int64_t">:$dims);
  let assemblyFormat = "`<` $operand `,` `dims` `=` `[` $dims `]` `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_FirstBlockAttr : FuserGPU_Attr<"FirstBlock", "first_block"> {
  let summary = "the number of the first block of one part of a batched launch";
  let description = [{
    The sum of the blocks of all parts before `part` in the `parts` of the launch attribute.

    Example: `#fuser_gpu.first_block<3>`
  }];
  let parameters = (ins "int64_t":$part);
  let assemblyFormat = "`<` $part `>`";
  let genVerifyDecl = 1;
}

def FuserGPU_PartGridAttr : FuserGPU_Attr<"PartGrid", "part_grid"> {
  let summary = "the number of blocks of one part of a batched launch along one axis of its own grid";
  let description = "Example: `#fuser_gpu.part_grid<3, 1>` is the number of blocks of part 3 in y.";
  let parameters = (ins "int64_t":$part, "int64_t":$axis);
  let assemblyFormat = "`<` $part `,` $axis `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def FuserGPU_TensorMapType : TypeDef<FuserGPU_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "a tensor in global memory as boxes that tensor copies move";
  let description = [{
    An argument of a kernel, 128 bytes that the host makes (`#fuser_gpu.tensor_map`). `box` is what one copy moves, along each
    dimension of the tensor, the slowest first: 1 to 256 elements in 1 to 5 dimensions. Along the last one, these are a multiple
    of 16 bytes.

    A box is row-major in shared memory. With `swizzle`, which is the number of bytes of its rows (32, 64 or 128), the chunks of 16
    bytes change places: the bits of an address that number the chunk of a row, from bit 4 on, are combined with as many
    from bit 7 on by exclusive or. Chunk c of row r is then where `swizzle(r, c, 128 / bytes)` of a domain puts it.

    Example: `!fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$box, "::mlir::Type":$elementType, "int64_t":$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What an argument takes, and what divides its address.
    static constexpr int64_t kBytes = 128, kAlignment = 64;
    /// Limits of the hardware: dimensions, elements along one of a box, and what divides the bytes of
    /// addresses, strides and rows.
    static constexpr int64_t kMaxRank = 5, kMaxBox = 256, kGranule = 16;
    int64_t getElementBytes() const;
    /// The bytes of a box.
    int64_t getBoxBytes() const;
    /// What divides the address of a box in shared memory.
    int64_t getBoxAlignment() const { return getSwizzle() == 0 ? 128 : 8 * getSwizzle(); }
  }];
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

def FuserGPU_LaunchAttr : FuserGPU_Attr<"Launch", "launch"> {
  let summary = "how the host launches a kernel, as functions of its operands";
  let description = [{
    `symbols` names the integers that the maps read, each a `#fuser_gpu.size`,
    `stride` or `scalar`. Every map has no dimensions and exactly that many
    symbols; products and divisions of symbols are allowed. Other fields:

    - `grid`: three results, the number of blocks in x, y and z;
    - `smem`: one result, dynamic shared memory in bytes (default 0);
    - `workspaces`: per workspace one map with one result, its bytes;
    - `cooperative`: all blocks must be resident at once (needed by
      `fuser_gpu.grid_sync`);
    - `cluster`: blocks per cluster in x, y and z;
    - `min_blocks_per_sm`: a promise to the register allocator;
    - `parts`: of a launch that executes several parts (`fuser-merge-launches`), three results for each: the blocks
      of the part in x, y and z. `grid` has as many blocks in x as all parts together, and one in y and z.

    The block size is `known_block_size` of the `gpu.func`.

    Example:
    ```mlir
    #fuser_gpu.launch<grid = affine_map<()[s0, s1] -> (s0 * s1 ceildiv 2048, 1, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>],
                      smem = affine_map<()[s0, s1] -> (s1 * 4)>,
                      workspaces = [affine_map<()[s0, s1] -> (s0 * 8)>],
                      cooperative = true, cluster = [2, 1, 1], min_blocks_per_sm = 2>
    ```
  }];
  let parameters = (ins
    "::mlir::AffineMap":$grid,
    ArrayRefParameter<"::mlir::Attribute">:$symbols,
    "::mlir::AffineMap":$smem,
    ArrayRefParameter<"::mlir::AffineMap">:$workspaces,
    "bool":$cooperative,
    ArrayRefParameter<"int64_t">:$cluster,
    "std::optional<int64_t>":$minBlocksPerSM,
    "::mlir::AffineMap":$parts
  );
  let builders = [
    // Without shared memory, workspaces and the rest.
    AttrBuilderWithInferredContext<(ins "::mlir::AffineMap":$grid,
                                        "::llvm::ArrayRef<::mlir::Attribute>":$symbols)>
  ];
  let extraClassDeclaration = [{
    /// The number of parts; 0: the launch is not batched.
    unsigned getNumParts() const { return getParts() ? getParts().getNumResults() / 3 : 0; }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

def FuserGPU_MmaAttr : FuserGPU_Attr<"Mma", "mma"> {
  let summary = "the instruction that a warp adds a product of two matrices by";
  let description = [{
    `fuser_gpu.mma` of shape m x n x k on elements of type `element`, whose operands `fuser_gpu.ldmatrix` loads from shared
    memory. `transposed`, of the left and of the right operand: the elements along m (n) are next to each other, rather than
    those along k.

    Example: `#fuser_gpu.mma<16, 8, 16, bf16, transposed = [false, true]>`
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "::mlir::Type":$element, "bool":$transposesLhs,
                        "bool":$transposesRhs);
  let assemblyFormat = [{
    `<` $m `,` $n `,` $k `,` $element `,` `transposed` `=` `[` $transposesLhs `,` $transposesRhs `]` `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True if the instruction exists.
    static bool exists(int64_t m, int64_t n, int64_t k, ::mlir::Type element);
  }];
}

def FuserGPU_StMatrixAttr : FuserGPU_Attr<"StMatrix", "stmatrix"> {
  let summary = "the instruction that a warp stores matrices of 8 x 8 elements by";
  let description = [{
    `fuser_gpu.stmatrix` of `matrices` matrices (1, 2 or 4) of elements of type `element`, which has 16 bits. `transposed`: the
    elements that are next to each other in memory are those along the lanes t floordiv 4, rather than those of lanes t mod 4.

    Example: `#fuser_gpu.stmatrix<4, bf16, transposed = false>`
  }];
  let parameters = (ins "int64_t":$matrices, "::mlir::Type":$element, "bool":$transposed);
  let assemblyFormat = "`<` $matrices `,` $element `,` `transposed` `=` $transposed `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True if the instruction exists.
    static bool exists(int64_t matrices, ::mlir::Type element);
    /// The elements that a lane has.
    int64_t getOfLane() const { return 2 * getMatrices(); }
  }];
}

def FuserGPU_RowsAttr : FuserGPU_Attr<"Rows", "rows"> {
  let summary = "how an operand of a warp group's product lies in shared memory";
  let description = [{
    Rows of `bytes` bytes (128, 64 or 32), next to each other. In each group of 8 rows, which begins at a multiple of 8 * `bytes`,
    the chunks of 16 bytes are permuted, so that the same chunk of different rows is in different banks: chunk c of row r
    is at place `c xor r mod 8` of its row where rows have 128 bytes, `c xor (r floordiv 2) mod 4` where they have 64, and
    `c xor (r floordiv 4) mod 2` where they have 32. Copies by tensor maps call it the swizzle of so many bytes.

    - Not `transposed`: a row of memory is a row of the left operand, or a column of the right one, along the sum.
    - `transposed`: a row of memory is a step of the sum, along the rows of the left operand, or the columns of the right one.
      If there are more of them than a row has, the next ones are in rows `pitch` elements further on. Otherwise `pitch` is 0.

    Examples: `#fuser_gpu.rows<128, transposed = false, pitch = 0>`, `#fuser_gpu.rows<128, transposed = true, pitch = 4096>`
  }];
  let parameters = (ins "int64_t":$bytes, "bool":$transposed, "int64_t":$pitch);
  let assemblyFormat = "`<` $bytes `,` `transposed` `=` $transposed `,` `pitch` `=` $pitch `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True if there are such rows.
    static bool exists(int64_t bytes, bool transposed, int64_t pitch);
    /// Elements of 16 bits of a row, and of a group of rows.
    int64_t getRowElements() const { return getBytes() / 2; }
    int64_t getGroupElements() const { return 8 * getRowElements(); }
    /// The place of an element of a row, counted from the begin of a group of rows.
    int64_t getPlace(int64_t row, int64_t element) const;
  }];
}

def FuserGPU_WgmmaAttr : FuserGPU_Attr<"Wgmma", "wgmma"> {
  let summary = "the instruction that a warp group adds a product of two matrices by";
  let description = [{
    `fuser_gpu.wgmma` of shape m x n x k on elements of type `element`. `lhs` and `rhs` are how its operands lie in shared
    memory.

    Example:
    ```mlir
    #fuser_gpu.wgmma<64, 256, 16, bf16, lhs = <128, transposed = false, pitch = 0>, rhs = <128, transposed = true, pitch = 4096>>
    ```
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "int64_t":$k, "::mlir::Type":$element,
                        "::fuser::kernel_ir::RowsAttr":$lhs, "::fuser::kernel_ir::RowsAttr":$rhs);
  let assemblyFormat = [{
    `<` $m `,` $n `,` $k `,` $element `,` `lhs` `=` $lhs `,` `rhs` `=` $rhs `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True if the instruction exists.
    static bool exists(int64_t m, int64_t n, int64_t k, ::mlir::Type element);
  }];
}

//===----------------------------------------------------------------------===//
// Resolved ids
//===----------------------------------------------------------------------===//

def FuserGPU_ResolvedIdsAttr : FuserGPU_Attr<"ResolvedIds", "resolved_ids"> {
  let summary = "the loops of a scheduled op, and the loops that correspond to its dimensions of size 1";
  let description = [{
    The discardable attribute `fuser_gpu.ids` of an op of a `fuser.kernel`, written by `fuser-resolve-ids` (ADR 48).
    Ids are those of the domain of result 0.

    - `loops`: for each loop id the number of its loop in the kernel. Ops share the loops of equal number.
    - `broadcasts`: the ids of size 1 that no other id makes (dimensions of size 1, and `broadcast()`), and in `extents`
      how many iterations their loops give them. An id with the extent 1 is a *unit*: its index is 0. Any other one is
      *concrete*: it shares a loop with an id of another op that has this extent, and the op computes the same at each
      index.
    - `symbols`: the sizes that `extents` reads, as in `#fuser_gpu.launch`.
    - `replicated`: positions of block or thread loops with one iteration, which all blocks or threads execute.
    - `once`: the concrete ids that are predicated to index 0 where the op accumulates or stores.

    Example:
    ```mlir
    #fuser_gpu.resolved_ids<loops = [0, 2], broadcasts = [1], extents = ()[s0] -> (s0),
                            symbols = [#fuser_gpu.size<0, 1>], replicated = [], once = [1]>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$loops,
    OptionalArrayRefParameter<"int64_t">:$broadcasts,
    "::mlir::AffineMap":$extents,
    OptionalArrayRefParameter<"::mlir::Attribute">:$symbols,
    OptionalArrayRefParameter<"int64_t">:$replicated,
    OptionalArrayRefParameter<"int64_t">:$once
  );
  let assemblyFormat = [{
    `<` `loops` `=` `[` (`]`) : ($loops^ `]`)? `,` `broadcasts` `=` `[` (`]`) : ($broadcasts^ `]`)? `,`
    `extents` `=` $extents `,` `symbols` `=` `[` (`]`) : ($symbols^ `]`)? `,`
    `replicated` `=` `[` (`]`) : ($replicated^ `]`)? `,` `once` `=` `[` (`]`) : ($once^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

#endif // FUSER_DIALECT_KERNEL_KERNELBASE_TD
