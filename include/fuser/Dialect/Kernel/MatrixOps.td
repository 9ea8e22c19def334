//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matrix instructions: all lanes of a warp hold parts (fragments) of one small matrix.
//
// The 8x8 matrix of elements of 16 bits is the unit: lane t has elements (t floordiv 4, 2 * (t mod 4) + p) of it, p = 0, 1. A
// fragment of several such matrices has p as the fastest index of the lane's vector.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_MATRIXOPS_TD
#define FUSER_DIALECT_KERNEL_MATRIXOPS_TD

include "fuser/Dialect/Kernel/KernelBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def FuserGPU_LdMatrixOp : FuserGPU_Op<"ldmatrix"> {
  let summary = "loads matrices of 8 x 8 elements of 16 bits from shared memory";
  let description = [{
    All lanes of the warp execute it together. The result has 2, 4 or 8 elements: those of one, two or four matrices. Lane
    8 * q + r names the address of row r of matrix q, at which 8 elements lie next to each other; it is a multiple of 16
    bytes. The addresses of further lanes are not used. Lane t gets elements 2 * q and 2 * q + 1 of its result from matrix q:

    - (t floordiv 4, 2 * (t mod 4)) and (t floordiv 4, 2 * (t mod 4) + 1);
    - `transposed`: (2 * (t mod 4), t floordiv 4) and (2 * (t mod 4) + 1, t floordiv 4).

    Example:
    ```mlir
    %a = fuser_gpu.ldmatrix %s[%i] : memref<4096xbf16, #gpu.address_space<workgroup>> -> vector<8xbf16>
    %b = fuser_gpu.ldmatrix transposed %s[%j] : memref<4096xbf16, #gpu.address_space<workgroup>> -> vector<4xbf16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "the memory to read", [MemRead]>:$base, Variadic<Index>:$indices,
                       UnitAttr:$transposed);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $base `[` $indices `]` attr-dict `:` type($base) `->` type($result)
  }];
  let extraClassDeclaration = [{
    unsigned getNumMatrices() { return getResult().getType().getNumElements() / 2; }
  }];
  let hasVerifier = 1;
}

def FuserGPU_StMatrixOp : FuserGPU_Op<"stmatrix"> {
  let summary = "stores matrices of 8 x 8 elements of 16 bits to shared memory";
  let description = [{
    All lanes of the warp execute it together. `value` has 2, 4 or 8 elements: those of one, two or four matrices. Lane 8 * q + r
    names the address of row r of matrix q, to which 8 elements are stored next to each other; it is a multiple of 16 bytes.
    The addresses of further lanes are not used. Lane t has elements 2 * q and 2 * q + 1 of its value in matrix q:

    - (t floordiv 4, 2 * (t mod 4)) and (t floordiv 4, 2 * (t mod 4) + 1);
    - `transposed`: (2 * (t mod 4), t floordiv 4) and (2 * (t mod 4) + 1, t floordiv 4).

    So it stores what `fuser_gpu.ldmatrix` loads, and results of `fuser_gpu.mma` and `fuser_gpu.wgmma` that were rounded to
    16 bits. For chips before sm_90 it is refused.

    Example:
    ```mlir
    fuser_gpu.stmatrix %a, %s[%i] : vector<8xbf16>, memref<4096xbf16, #gpu.address_space<workgroup>>
    fuser_gpu.stmatrix transposed %b, %s[%j] : vector<4xbf16>, memref<4096xbf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$value, Arg<AnyMemRef, "the memory to write", [MemWrite]>:$base,
                       Variadic<Index>:$indices, UnitAttr:$transposed);
  let assemblyFormat = [{
    (`transposed` $transposed^)? $value `,` $base `[` $indices `]` attr-dict `:` type($value) `,` type($base)
  }];
  let extraClassDeclaration = [{
    unsigned getNumMatrices() { return ::llvm::cast<::mlir::VectorType>(getValue().getType()).getNumElements() / 2; }
  }];
  let hasVerifier = 1;
}

def FuserGPU_MmaOp : FuserGPU_Op<"mma", [NoMemoryEffect, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "adds a product of two matrices to a third one";
  let description = [{
    result = accumulator + lhs * rhs, of shapes m x n, m x k and k x n with m = 16 and n = 8. All lanes of the warp execute it
    together. Elements of `lhs` and `rhs` are f16 or bf16, k is 16 or 8 (`lhs` then has 4 elements, and `rhs` 2); products are
    exact, and sums are f32. Lane t has in element e

    | operand | row | column |
    |---|---|---|
    | `lhs` | t floordiv 4 + 8 * (e floordiv 2 mod 2) | 2 * (t mod 4) + e mod 2 + 8 * (e floordiv 4) |
    | `rhs` | 2 * (t mod 4) + e mod 2 + 8 * (e floordiv 2) | t floordiv 4 |
    | `accumulator`, `result` | t floordiv 4 + 8 * (e floordiv 2) | 2 * (t mod 4) + e mod 2 |

    So `fuser_gpu.ldmatrix` loads `lhs` from rows along k, with lane t at row t mod 16 and column 8 * (t floordiv 16), and
    `rhs` from rows along k of its transpose. `transposed` loads them from rows along m and n.

    Example:
    ```mlir
    %d = fuser_gpu.mma %a, %b, %c : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs, AnyVectorOfNonZeroRank:$accumulator);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let extraClassDeclaration = [{
    /// The extent of the dimension that is contracted.
    int64_t getK() { return 2 * getLhs().getType().getNumElements(); }
  }];
  let hasVerifier = 1;
}

#endif // FUSER_DIALECT_KERNEL_MATRIXOPS_TD
