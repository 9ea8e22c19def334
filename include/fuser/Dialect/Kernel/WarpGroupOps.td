//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products of matrices by a warp group: 4 warps with consecutive numbers, the first of which is a multiple of 4.
//
// They are asynchronous: a product reads shared memory, and adds to its accumulators, at any time until its warp has waited for
// the group of products that it belongs to. All lanes of a warp execute each of these ops together.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_WARPGROUPOPS_TD
#define FUSER_DIALECT_KERNEL_WARPGROUPOPS_TD

include "fuser/Dialect/Kernel/KernelBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def FuserGPU_WgmmaOp : FuserGPU_Op<"wgmma", [
    FuserGPU_OrdersMemory, AttrSizedOperandSegments, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "begins to add a product of two matrices in shared memory to a third one";
  let description = [{
    result = accumulator + lhs * rhs, of shapes m x n, m x k and k x n with m = 64 and k = 16; n is a multiple of 8, up to 256.
    All lanes of a warp group execute it together, and name the same operands. Elements of `lhs` and `rhs` are f16 or bf16;
    products are exact, and sums are f32. Lane t of warp w of the group has in element e of `accumulator` and `result`, which
    have n / 2 elements:

    | row | column |
    |---|---|
    | 16 * w + t floordiv 4 + 8 * (e floordiv 2 mod 2) | 8 * (e floordiv 4) + 2 * (t mod 4) + e mod 2 |

    So rows 16 * w to 16 * w + 15 lie as the results of n / 8 ops `fuser_gpu.mma`.

    `lhs[...]` and `rhs[...]` name the operands' first elements, as if chunks were not permuted, and `rows` says how they lie
    in shared memory (`#fuser_gpu.rows`). They are in the first row of a group of rows: at its begin, or, if they are not
    transposed, at a multiple of 32 bytes in this row.

    The elements of `result` are undefined until `fuser_gpu.wgmma_wait` has returned them; only it and further products of the
    same shape may use them. The accumulator is such a result, or elements that a `fuser_gpu.wgmma_fence` follows. What was
    written to the operands' memory by stores and by `fuser_gpu.copy_async` is visible after `fuser_gpu.fence_async` and a
    barrier.

    Example:
    ```mlir
    %d = fuser_gpu.wgmma %a[%i] rows <128, transposed = false, pitch = 0>, %b[%j] rows <128, transposed = true, pitch = 4096>, %c
      : memref<8192xbf16, #gpu.address_space<workgroup>>, memref<16384xbf16, #gpu.address_space<workgroup>>, vector<128xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$lhs, Variadic<Index>:$lhsIndices, AnyMemRef:$rhs, Variadic<Index>:$rhsIndices,
                       AnyVectorOfNonZeroRank:$accumulator, FuserGPU_RowsAttr:$lhsRows, FuserGPU_RowsAttr:$rhsRows);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `[` $lhsIndices `]` `rows` $lhsRows `,` $rhs `[` $rhsIndices `]` `rows` $rhsRows `,` $accumulator attr-dict `:`
    type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let extraClassDeclaration = [{
    static constexpr int64_t kRows = 64, kSteps = 16;
    /// The number of columns.
    int64_t getN() { return 2 * ::llvm::cast<::mlir::VectorType>(getAccumulator().getType()).getNumElements(); }
    ::mlir::Type getElement() { return ::llvm::cast<::mlir::MemRefType>(getLhs().getType()).getElementType(); }
  }];
  let hasVerifier = 1;
}

def FuserGPU_WgmmaFenceOp : FuserGPU_Op<"wgmma_fence", [FuserGPU_OrdersMemory]> {
  let summary = "shows elements of accumulators to the products that follow";
  let description = [{
    Before the first product that uses elements as its accumulator which were computed otherwise, or which
    `fuser_gpu.wgmma_wait` has returned.

    Example:
    ```mlir
    fuser_gpu.wgmma_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_WgmmaCommitOp : FuserGPU_Op<"wgmma_commit", [FuserGPU_OrdersMemory]> {
  let summary = "makes a group of the products that the warp has begun since the last one";
  let description = [{
    The group may be empty.

    Example:
    ```mlir
    fuser_gpu.wgmma_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_WgmmaWaitOp : FuserGPU_Op<"wgmma_wait", [
    FuserGPU_OrdersMemory, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "waits until all but the last groups of products of the warp are done";
  let description = [{
    At most `pending` groups (up to 7), the ones that the warp committed last, may be under way afterwards. The others no
    longer read shared memory. `elements` are those of results of products in these groups.

    Example:
    ```mlir
    fuser_gpu.wgmma_wait 1
    %r = fuser_gpu.wgmma_wait 0 of %d : vector<128xf32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<7>]>:$pending,
                       Variadic<AnyVectorOfNonZeroRank>:$products);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$elements);
  let assemblyFormat = "$pending (`of` $products^ `:` type($products))? attr-dict";
  let hasVerifier = 1;
}

def FuserGPU_FenceAsyncOp : FuserGPU_Op<"fence_async", [FuserGPU_OrdersMemory]> {
  let summary = "shows what the thread wrote to shared memory to the units that read it without threads";
  let description = [{
    The thread's stores, and its copies (`fuser_gpu.copy_async`) that it has waited for. With a barrier after it, products of
    warp groups see them.

    Example:
    ```mlir
    fuser_gpu.fence_async
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def FuserGPU_SetMaxRegistersOp : FuserGPU_Op<"set_max_registers", [FuserGPU_OrdersMemory]> {
  let summary = "changes how many registers each thread of a warp group can have";
  let description = [{
    All lanes of a warp group execute it together. A launch gives each thread as many registers as fit into the register file,
    which has 65536, for all threads of the block: a multiple of 8, at most 256. `decrease` gives back what is more than `registers`;
    `increase` waits until what the warp group has less than `registers` was given back by others of the block.
    `registers` is a multiple of 8 from 24 to 256, at most (`increase`: at least) what the warp group has. The sum over the
    warp groups never exceeds what the launch gave to the block.

    A kernel with this op states its threads, and has `min_blocks_per_sm`, from which the assembler derives the registers of
    the launch. Only sm_90a has it, elsewhere it is refused.

    Example:
    ```mlir
    fuser_gpu.set_max_registers decrease 40
    fuser_gpu.set_max_registers increase 232
    ```
  }];
  let arguments = (ins UnitAttr:$increases, I64Attr:$registers);
  let assemblyFormat = "(`increase` $increases^) : (`decrease`)? $registers attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Registers of a thread: the least and the most, and what they are multiples of.
    static constexpr int64_t kLeast = 24, kMost = 256, kStep = 8;
    /// Registers of a multiprocessor.
    static constexpr int64_t kFile = 65536;
    /// True if a thread can have so many.
    static bool exists(int64_t registers) {
      return registers >= kLeast && registers <= kMost && registers % kStep == 0;
    }
    /// What a launch gives to each thread of a block with so many.
    static int64_t getAtLaunch(int64_t threads) {
      return ::std::min<int64_t>(kFile / threads / kStep * kStep, kMost);
    }
  }];
}

#endif // FUSER_DIALECT_KERNEL_WARPGROUPOPS_TD
