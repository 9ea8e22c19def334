//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes between upstream dialects and fuser.

#ifndef FUSER_CONVERSION_PASSES_TD
#define FUSER_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserConvertLinalgToFuser : Pass<"fuser-convert-linalg-to-fuser", "::mlir::ModuleOp"> {
  let summary = "Turn linalg, tensor and elementwise arith of functions into fusions";
  let description = [{
    Converts the ops of every `func.func` that belong to `linalg` (`linalg.generic` and named ops on tensors), `tensor`, or
    `arith` and `math` on tensors to fuser ops in a `fuser.fusion`, together with the scalar ops that they use. If the whole
    function converts, the fusion replaces it under its name, and calls of the function become `fuser.call`. Otherwise the
    function stays, and each sequence of ops that convert is outlined into a fusion `<function>_fusion_<n>`, which is called
    before the first other op that needs a result. Tensor constants of more than one value stay in the function and are
    operands of the call.

    `linalg.generic`: an operand's indexing map becomes slice, permute and broadcast, each op of the body the pointwise op
    that computes it, a reduction iterator the reduction of the combiner (add, mul, minimum, maximum, minnum, maxnum, and,
    or, unsigned ones), with the initial value combined after it unless it is neutral. A body that keeps the greater or
    smaller value and its index, in any spelling by comparisons and selects, becomes `fuser.max_with_index` or
    `fuser.min_with_index`; where upstream's index of a NaN depends on the spelling, it is that of the first NaN, as in
    PyTorch. `tensor.extract` in a body becomes a slice where its indices are iterators, else `fuser.index_select` or
    `fuser.take_along_axis`; an index outside reads 0. One product summed over one iterator becomes
    `fuser.matmul` or `fuser.linear`. Reduction iterators inside of sums of iterators (convolution, pooling) are unrolled
    into slices, up to 128 of them. An insertion into a filled tensor becomes `fuser.pad`, as `tensor.pad` does.

    A mean and a sum of squared distances that a body updates by Welford's algorithm become `fuser.var_mean`. Integers with
    a sign become signless, in the signature too, where the ops of a function only move them and nothing calls it.

    A scalar that is read from a tensor (`tensor.extract` in the function) is a tensor of rank 0 in the fusion. Unsigned
    integer ops become ops on signed integers. `cf.assert` in the function becomes a fact of the fusion where it compares
    sizes of arguments with each other, with constants or with 0 after a remainder; other assertions stay in the function.

    Arithmetic on f16 and bf16 computes in f32 and rounds after each op, as in linalg; a reduction accumulates in f32
    and rounds once, also where a body widens and rounds its running value. Fast-math and overflow flags are ignored.

    An op without a conversion stays, with a remark at the op that states the reason, as does an op of another dialect in a
    function with ops to convert; with `strict` that is an error. A function whose conversion fails is not changed.

    ```mlir
    %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %b : tensor<?x8xf32>, tensor<8xf32>) outs(%init : tensor<?x8xf32>) {
    ^bb0(%l: f32, %r: f32, %out: f32):
      %s = arith.addf %l, %r : f32
      linalg.yield %s : f32
    } -> tensor<?x8xf32>
    // becomes
    %1 = fuser.broadcast %b dims [0] : tensor<8xf32> -> tensor<1x8xf32>
    %0 = fuser.add %x, %1 : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
    ```

    Does nothing to functions that hold none of these ops, to multi-block bodies' control flow, and to ops on buffers.

    Example: `test/Conversion/convert-linalg-to-fuser.mlir`.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false", "An op without a conversion is an error; the module is then not changed">,
    Option<"dropAsserts", "drop-asserts", "bool", "false",
           "Drop `cf.assert` that is no fact of sizes (with a remark) instead of refusing the op around it">,
  ];
  let statistics = [
    Statistic<"numFusions", "fusions", "Fusions made">,
    Statistic<"numRefused", "refused", "Ops that have no conversion">,
  ];
  let dependentDialects = ["::fuser::FuserDialect", "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::math::MathDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::affine::AffineDialect"];
}

def FuserConvertFuserToLinalg : Pass<"fuser-convert-fuser-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn fusions into functions of linalg and tensor";
  let description = [{
    Every `fuser.fusion` whose ops can all be expressed becomes a `func.func` of the same name and type, and its
    `fuser.call`s become `func.call`. Ops with an element (pointwise ops, broadcast, expand, squeeze, permute) and
    reductions become `linalg.generic` with the arithmetic that kernels get, `fuser.pad`, `fuser.slice`, `fuser.cat`,
    `fuser.insert_slice` and `fuser.reshape` their counterparts in tensor, `fuser.full` a `linalg.fill`.
    `fuser.segment_set`, a hint, is dropped.

    A fusion with another op (indices that are data, sdpa, repeat), with a schedule, or with attributes that linalg cannot
    express (required orders, aliases, layouts, meshes) is not changed, with a remark that states the reason; with `strict`
    that is an error.

    ```mlir
    fuser.fusion @double(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.add %x, %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    }
    // becomes
    func.func @double(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%init : tensor<?xf32>) {
      ^bb0(%l: f32, %r: f32, %out: f32):
        %s = arith.addf %l, %r : f32
        linalg.yield %s : f32
      } -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    ```

    Example: `test/Conversion/convert-fuser-to-linalg.mlir`.
  }];
  let options = [Option<"strict", "strict", "bool", "false", "A fusion that stays is an error">];
  let statistics = [Statistic<"numFunctions", "functions", "Fusions that became functions">];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // FUSER_CONVERSION_PASSES_TD
