//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random numbers, by Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). An element
// depends only on the seed, the offset and its row-major index: it is the same on every device, under every schedule
// and segmentation, and when it is recomputed.
//
// The generator has the key (low, high word of the seed) and the counter (low, high word of the offset; low, high word of a
// block's number) and gives four words of 32 bits. Elements of up to 32 bits take one word each: element i is that of word
// i mod 4 of block i / 4. Elements of f64 take two, the low one first: words 2 * (i mod 2) and the next of block i / 2.
// CUDA's curand draws the same words for the sequence i / 4 at this offset.
//
// The seed is a scalar, or a tensor of rank 0 that each element reads: the numbers of a launch that a graph repeats depend
// on what the memory holds then.
//
// Verified:
//   RN1  the result is of floats
//   RN2  there is one size for each dynamic dimension of the result

#ifndef FUSER_RANDOM_OPS
#define FUSER_RANDOM_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

def Fuser_Seed : AnyTypeOf<[I64, 0DTensorOf<[I64]>], "i64 or tensor<i64>">;

class Fuser_RandomOp<string mnemonic> : Fuser_TensorOp<mnemonic, [
    DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface, ["buildElementAt"]>]> {
  let arguments = !con((ins Fuser_Seed:$seed, I64:$offset, Variadic<Index>:$sizes), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $seed `,` $offset (`sizes` `(` $sizes^ `)`)? attr-dict `:` custom<SeedAndResult>(type($seed), type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool dependsOnIndex() { return true; }
    ::llvm::SmallVector<::mlir::AffineExpr> inferRootExtents(
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
        ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
  }];
  let extraClassDefinition = tensorViewDefinition # [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getKindsOfResult(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) { return {}; }
    ::llvm::SmallVector<::mlir::AffineExpr> $cppClass::inferRootExtents(
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>>,
        ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf) {
      return ::fuser::detail::getExtentsFromSizes(getResult().getType().getShape(), getSizes(), symbolOf, getContext());
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyRandomOp(getOperation(), getSizes());
    }
  }];
}

def Fuser_RandomUniformOp : Fuser_RandomOp<"random_uniform"> {
  let summary = "random numbers, equally likely in [0, 1)";
  let description = [{
    With p bits of precision in the element type (f32: 24, f64: 53, f16: 11, bf16: 8), the first p bits of the element's word
    times 2^-p: rounded down, so that 1 never comes out, and exact, so that devices agree in every bit. `sizes` are the
    sizes of the dynamic dimensions, in order. [RN1, RN2]

    Dropout is a composition, which fuses like any function of elements: keep where a number is below 1 - p. The gradient
    draws the same numbers again instead of keeping a mask.

    ```mlir
    %0 = fuser.random_uniform %seed, %offset sizes(%n) : tensor<?x8xf32>
    %1 = fuser.random_uniform %state, %offset sizes(%n) : tensor<i64> -> tensor<?x8xf32>
    ```
  }];
}

def Fuser_RandomNormalOp : Fuser_RandomOp<"random_normal"> {
  let summary = "random numbers of the standard normal distribution";
  let description = [{
    Box-Muller on pairs of words: with a = 1 - k / 2^24 of the first 24 bits k of one word and t = k' / 2^24 of those of the
    other (signed: -1/2 <= t < 1/2), the element of an even index is sqrt(-2 log a) * cos(2 pi t) and the next one
    sqrt(-2 log a) * sin(2 pi t). Of f64: with 53 bits, of words and their neighbours. Computed in f32 for half types.
    Devices agree up to the rounding of log and cos (1e-6 in f32); |x| < 5.8 (f64: 8.6). `sizes` are the sizes of the
    dynamic dimensions, in order. [RN1, RN2]

    ```mlir
    %0 = fuser.random_normal %seed, %offset sizes(%n) : tensor<?x8xbf16>
    ```
  }];
}

#endif // FUSER_RANDOM_OPS
