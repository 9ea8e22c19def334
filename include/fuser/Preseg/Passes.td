//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on fusions, before segmentation.

#ifndef FUSER_PRESEG_PASSES_TD
#define FUSER_PRESEG_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserStripHints : Pass<"fuser-strip-hints", "::mlir::ModuleOp"> {
  let summary = "Remove every layout hint, and every permission to change an order; results do not change";
  let description = [{
    Removes the attributes `fuser.layout_hints` and `fuser.default_order` from every op of the module, at whatever stage it
    is. Hints are advice, so results and required strides stay what they are; an order that is already in an allocation
    domain or in a `fuser.alloc` is frozen by it, because these attributes were the permission to change it. Meant for tests
    that results do not depend on them.

    Does nothing to a module without hints and permissions.

    Example: test/Preseg/strip-hints.mlir
  }];
  let statistics = [Statistic<"numStripped", "hints", "Number of hints and permissions removed">];
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

def FuserRemoveEmpty : Pass<"fuser-remove-empty", "::fuser::FusionOp"> {
  let summary = "Replace empty tensors, so that no kernel computes them";
  let description = [{
    By static types: a result without elements becomes a `fuser.full`; a reduction (or contraction) over an empty
    dimension becomes a `fuser.full` of the combiner's value for no elements (0, 1, an infinity, NaN); empty operands of
    `fuser.cat` are dropped; a pad of an empty tensor becomes a `fuser.full`. Ops that insert or scatter no elements, pads
    by 0 and identity permutations are replaced by their operand, and insertions of all elements of a value that is no
    argument by what they insert.

    ```mlir
    %0 = fuser.sum %x dims [1] : tensor<?x0xf32> -> tensor<?xf32>
    // becomes
    %c = arith.constant 0.0 : f32
    %0 = fuser.full %c sizes(%n) : f32 -> tensor<?xf32>
    ```

    Does nothing to sizes that are only known to be 0 at run time, to `fuser.segment_set`, to complex elements, and to ops
    that carry a schedule. Fails where a new `fuser.full` needs a size that arguments do not determine.

    Example: `test/Preseg/remove-empty.mlir`.
  }];
  let statistics = [
    Statistic<"numTensors", "tensors", "Results without elements replaced">,
    Statistic<"numReductions", "reductions", "Reductions of no elements replaced">,
    Statistic<"numOperands", "operands", "Operands without elements dropped">,
    Statistic<"numMoves", "moves", "Ops that move nothing dropped">,
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def FuserReducePads : Pass<"fuser-reduce-pads", "::fuser::FusionOp"> {
  let summary = "Reduce what is padded before it is padded, where the border is neutral";
  let description = [{
    A sum of a tensor that is padded with 0 (a product with 1, a maximum with minus infinity or the least integer, a minimum
    with the opposite) becomes a sum of the tensor itself, padded along the dimensions that are not reduced. Then the sum is
    computed by the kernel that computes the tensor, which also stores the padded one if it is used.

    ```mlir
    %0 = fuser.pad %x low [1, 2] high [0, 2] value %zero : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
    %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>  // pad (sum %x dims [1]) low [1] high [0]
    ```

    Does nothing where a reduced dimension is cropped, or may be at run time, and for other borders, whose sum would be
    rounded in another way.

    Example: `test/Preseg/reduce-pads.mlir`.
  }];
  let statistics = [Statistic<"numMoved", "reductions", "Reductions that moved before a pad">];
}

def FuserSqueezeReductions : Pass<"fuser-squeeze-reductions", "::fuser::FusionOp"> {
  let summary = "Squeeze dimensions of size 1 before reductions over them";
  let description = [{
    A sum, product, minimum, maximum or mean over dimensions that are statically of size 1 becomes a squeeze of its operand.
    Where other dimensions are reduced as well, any reduction becomes one over the other dimensions of the squeezed operand.

    ```mlir
    %0 = fuser.max %x dims [1] : tensor<?x1xf32> -> tensor<?xf32>         // squeeze %x dims [1]
    %1 = fuser.mean %y dims [0, 2] : tensor<1x?x64xf32> -> tensor<?xf32>  // mean (squeeze %y dims [0]) dims [1]
    ```

    Schedulers share loops by dimension, and a dimension of size 1 would not correspond to any particular loop.

    Example: `test/Preseg/squeeze-reductions.mlir`.
  }];
  let statistics = [Statistic<"numSqueezed", "reductions", "Reductions that lost a dimension">];
}

def FuserDeriveMaxima : Pass<"fuser-derive-maxima", "::fuser::FusionOp"> {
  let summary = "Compute the greatest probability of a softmax from its maximum and its sum";
  let description = [{
    The maximum of a row of `f(x - max(x))` is `f` of the maximum's difference, if `f` keeps the order of the row: exponentials, the
    division by the sum of a softmax, products with and divisions by positive constants, casts between floats.

    ```mlir
    %m = fuser.max %x dims [1] : tensor<?x100xf32> -> tensor<?xf32>
    %mb = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    %0 = fuser.sub %x, %mb : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
    %1 = fuser.exp %0 : tensor<?x100xf32>
    %2 = fuser.max %1 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
    // the last line becomes
    %3 = fuser.sub %mb, %mb : tensor<?x1xf32>
    %4 = fuser.exp %3 : tensor<?x1xf32>
    %2 = fuser.squeeze %4 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
    ```

    A reduction less is a pass over the row less, for which a kernel would compute its elements again. NaN and infinities are those of
    the reduction: a row with a NaN, or whose maximum is infinite, is NaN.

    Does nothing where the reduced dimensions are dynamic or empty: the maximum of no elements is -inf, also that of a function of them.

    A maximum (minimum) of elements of which there is one with its index is that one's value, also if the elements are converted
    to a wider float between; the sign of a zero may be another. An argmax next to a softmax reduces the row once.

    Example: `test/Preseg/derive-maxima.mlir`.
  }];
  let statistics = [Statistic<"numDerived", "maxima", "Maxima that are not reduced any more">];
}

def FuserExpandPowers : Pass<"fuser-expand-powers", "::fuser::FusionOp"> {
  let summary = "Write powers with a small constant exponent as products";
  let description = [{
    `pow(x, n)` of real floats with a constant whole exponent from 2 to 8 becomes products, by repeated squaring. A call of the function
    takes about 45 instructions of an element, products one to four. Floats of less than 32 bits are multiplied in f32 and
    rounded once.

    ```mlir
    %0 = fuser.pow %x, %four : (tensor<?xf32>, f64) -> tensor<?xf32>
    // becomes
    %1 = fuser.mul %x, %x : tensor<?xf32>
    %0 = fuser.mul %1, %1 : tensor<?xf32>
    ```

    Infinities, zeros, their signs and NaN are those of the function: where a product before the last one overflows or is
    0, the power does or is too. Each product is rounded, so that the power is off by (n - 1) / 2 units in the last place at most.

    Does nothing to other exponents: a negative power may be a number where its reciprocal is infinite.

    Example: `test/Preseg/expand-powers.mlir`.
  }];
  let statistics = [Statistic<"numExpanded", "powers", "Powers that became products">];
}

def FuserUnrollReductions : Pass<"fuser-unroll-reductions", "::fuser::FusionOp"> {
  let summary = "Write reductions of few elements that repeated values make as ops on slices";
  let description = [{
    A sum, product, minimum or maximum over one dimension of 2 to 8 elements becomes additions (multiplications, ...) of slices, if at
    most 8 pointwise ops compute its operand from values of fewer dimensions: differences of the coordinates of all pairs of points,
    of which a sum makes distances. `fuser-hoist-slices` moves the slices to the coordinates.

    ```mlir
    %0 = fuser.sub %x, %y : (tensor<?x1x2xf32>, tensor<1x?x2xf32>) -> tensor<?x?x2xf32>
    %1 = fuser.sum %0 dims [2] : tensor<?x?x2xf32> -> tensor<?x?xf32>
    // becomes
    %2 = fuser.slice %0 [0, 0, 0] [%m, %n, 1]   // squeezed
    %3 = fuser.slice %0 [0, 0, 1] [%m, %n, 1]   // squeezed
    %1 = fuser.add %2, %3
    ```

    A kernel of pointwise ops has the elements of a pair in registers, and what reads the distances (another reduction, a function)
    shares its loops; as a reduction, each distance would have threads of its own that read the coordinates again.

    So does a reduction of 2 to 4 elements of arguments if they are used again with its result, and reductions over other dimensions
    follow: the maximum and the sum of a softmax of channels, of which losses are sums over pixels. The elements are then
    computed from slices of the arguments, and all sums are one kernel. Does not apply if a value between the reductions is an output or is
    read by an op that is not pointwise, or if the elements are adjacent in memory.

    So do, of as few elements, a norm of which only single elements are read (the coordinates of unit vectors, unbound), and a reduction of a
    part of each row (the smaller of two sides of a box), adjacent or not: what follows computes the elements in registers, in one kernel.

    A reduction of elements that are joined (a stack of at most 8 values) becomes ops of these, also if something else reads the join:
    the length of a cross product.

    A reduction that keeps a last dimension of 2 to 4 elements, adjacent in memory, becomes a join of reductions of slices if its
    operand is also computed from a value without this dimension that is scanned or normalized along what is reduced: the weights
    of the samples of a ray, by which colors are added. One kernel then computes the weights and all sums. Not for rows that are
    known to have more than 4096 elements.

    Elements are added from the first to the last one, those of half types in f32, rounded once. Does not apply, with repeated values, if
    something else reads the operand, and to other types than floats of 16 bits and more, i32 and i64. See ADR 135.

    Example: `test/Preseg/unroll-reductions.mlir`.
  }];
  let statistics = [Statistic<"numUnrolled", "reductions", "Reductions that became ops on slices">];
}

def FuserSplitReductions : Pass<"fuser-split-reductions", "::fuser::FusionOp"> {
  let summary = "Reduce short runs in memory that kept dimensions separate in two steps";
  let description = [{
    A sum, mean, maximum, minimum, or variance (of correction 0) and mean of f32 or f64 over the fastest dimensions in memory and over
    slower ones, with kept dimensions between them, becomes a reduction over the slower dimensions, whose rows are all kept ones and
    the fastest ones, and one over the fastest dimensions of its results, which are few. The groups of a group norm of
    channels-last images are such reductions. The variance of a group is the mean of the variances of its channels and the
    variance of their means.

    ```mlir
    // In memory: i0, i3, i1, i2. A run has 10 elements.
    %0 = fuser.sum %x dims [2, 3] : tensor<?x32x10x?xf32> -> tensor<?x32xf32>
    // becomes
    %1 = fuser.sum %x dims [3] : tensor<?x32x10x?xf32> -> tensor<?x32x10xf32>
    %0 = fuser.sum %1 dims [2] : tensor<?x32x10xf32> -> tensor<?x32xf32>
    ```

    It is done where a kernel that keeps its elements from a reduction to their uses would move them one by one: runs have less than
    a sector of 32 bytes, or less than a line of 128 where an output with the argument's shape has another fastest dimension by
    requirement, or less than 1024 bytes that no vector of 4 bytes divides (the 7x7 pixels of a channel in bf16). The length of a run has
    to be static. Tensors that are known to have less than a MiB stay (8 MiB, if runs have a sector or more), and reductions over slower dimensions of less than 32 elements, such as windows. See ADR 129.

    Example: `test/Preseg/split-reductions.mlir`.
  }];
  let statistics = [Statistic<"numSplit", "reductions", "Reductions that became two">];
}

def FuserMergeReductions : Pass<"fuser-merge-reductions", "::fuser::FusionOp"> {
  let summary = "Merge reductions of reductions into one";
  let description = [{
    A sum of sums, a mean of means, a mean of sums, a maximum of maxima or a minimum of minima becomes one reduction over the
    dimensions of both, if nothing else reads the results of the inner one: the mean of gray pixels, which are sums of
    colors. The results are then not stored. Dimensions of size 1 may be added between the two.

    ```mlir
    %0 = fuser.sum %x dims [1] : tensor<?x3x224x224xf32> -> tensor<?x224x224xf32>
    %1 = fuser.sum %0 dims [1, 2] : tensor<?x224x224xf32> -> tensor<?xf32>
    // becomes
    %1 = fuser.sum %x dims [1, 2, 3] : tensor<?x3x224x224xf32> -> tensor<?xf32>
    ```

    Sums are of 32 bits or more, so that the inner ones are not rounded; the order of terms changes. Does nothing where
    the elements depend on reductions or scans, or others read the values of which they are functions: such
    reductions are in one kernel with the inner one.

    Example: `test/Preseg/merge-reductions.mlir`.
  }];
  let statistics = [Statistic<"numMerged", "merged", "Reductions that merged with others">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuserShareReductions : Pass<"fuser-share-reductions", "::fuser::FusionOp"> {
  let summary = "Reduce all of a tensor by rows, or by columns, where others reduce these";
  let description = [{
    A sum, mean, maximum or minimum over several dimensions becomes one over the dimensions of another reduction and one of its
    results, which are few, if the other one reduces a tensor of the same shape along some of these dimensions, and
    both are computed from one value element by element: a penalty of the squares of embeddings whose products a loss sums
    by rows. Reductions of one kernel have one set of dimensions, so that the value would be read twice.

    ```mlir
    %0 = fuser.sum %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
    %1 = fuser.mul %x, %x : tensor<?x64xf32>
    %2 = fuser.sum %1 dims [0, 1] : tensor<?x64xf32> -> tensor<f32>
    // becomes
    %3 = fuser.sum %1 dims [1] : tensor<?x64xf32> -> tensor<?xf32>
    %2 = fuser.sum %3 dims [0] : tensor<?xf32> -> tensor<f32>
    ```

    Of several others, the one of most elements is taken, of at least 32, a known number. Does nothing to types of less than 32 bits,
    whose results would be rounded twice, to tensors that are known to have less than 2^18 elements, where the other reduction
    depends on the result, and where what is reduced depends on reductions along other dimensions.

    Example: `test/Preseg/share-reductions.mlir`.
  }];
  let statistics = [Statistic<"numShared", "reductions", "Reductions that became two">];
}

def FuserDeriveMoments : Pass<"fuser-derive-moments", "::fuser::FusionOp"> {
  let summary = "Derive means and equal reductions from others of the same elements";
  let description = [{
    A reduction of the same elements as an earlier one is that one. The mean of elements of which there is a variance is the mean of
    `fuser.var_mean`, and the mean of the squares of their deviations is its variance, scaled for its correction.

    ```mlir
    %var, %mean = fuser.var_mean %x dims [0] correction 1 : tensor<100x?xf32> -> tensor<?xf32>, tensor<?xf32>
    %0 = fuser.mean %x dims [0] : tensor<100x?xf32> -> tensor<?xf32>
    %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
    %2 = fuser.sub %x, %1 : (tensor<100x?xf32>, tensor<1x?xf32>) -> tensor<100x?xf32>
    %3 = fuser.mul %2, %2 : tensor<100x?xf32>
    %4 = fuser.mean %3 dims [0] : tensor<100x?xf32> -> tensor<?xf32>
    // %0 is %mean, and %4 becomes
    %4 = fuser.mul %var, %c0.99 : (tensor<?xf32>, f64) -> tensor<?xf32>
    ```

    A reduction less is an exchange of threads less, and a mean that the reduced elements depend on a pass over them less. Values are
    equal if they are the same functions of the same values.

    Does nothing to means of squares of which the number is not known or not above the correction, whose types are below 32 bits,
    and to functions that draw random numbers.

    Example: `test/Preseg/derive-moments.mlir`.
  }];
  let statistics = [Statistic<"numDerived", "reductions", "Reductions that others replaced">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuserFoldCasts : Pass<"fuser-fold-casts", "::fuser::FusionOp"> {
  let summary = "Fold two consecutive casts into one where the first loses nothing";
  let description = [{
    A cast from A through B to C becomes one from A to C (or nothing, where A is C) if every value of A is one of B:

    - float to a float with at least its digits and exponents (bf16 or f16 to f32, f32 to f64);
    - integer to a wider one; bool to anything;
    - integer to a float with as many digits (i8 to bf16, i16 to f32, i32 to f64), unless C is an integer that does not
      hold all of A: values out of range wrap in a cast from an integer and saturate in a cast from a float.

    ```mlir
    %0 = fuser.cast %x : tensor<?xbf16> to tensor<?xf32>
    %1 = fuser.cast %0 : tensor<?xf32> to tensor<?xbf16>   // is %x
    ```

    Does nothing where the first cast rounds, saturates or wraps: f32 to bf16 to f32 drops digits, as the program states.

    A cast to narrower elements of a concatenation that nothing else reads becomes one of its parts, each of which a kernel
    can then store where it belongs.

    ```mlir
    %0 = fuser.cat %x, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %1 = fuser.cast %0 : tensor<?xf32> to tensor<?xbf16>   // joins casts of %x and %y
    ```

    Example: `test/Preseg/fold-casts.mlir`.
  }];
  let statistics = [Statistic<"numFolded", "casts", "Casts that lost a step">];
}

def FuserCloneIndices : Pass<"fuser-clone-indices", "::fuser::FusionOp"> {
  let summary = "Compute indices again for each dimension that they are read along";
  let description = [{
    What is computed from `fuser.iota` alone is cloned for each of several ops that give it different dimensions
    (`fuser.broadcast`, `fuser.reshape`, `fuser.permute`, `fuser.squeeze`), and for all other readers together. In one
    kernel, a value has one set of loops: an index that is both that of a row and that of a column would be stored by a
    kernel of its own, as in the mask of causal attention.

    ```mlir
    %0 = fuser.iota %c0, %c1 : i64, i64 -> tensor<?xi64>
    %1 = fuser.broadcast %0 dims [1] : tensor<?xi64> -> tensor<?x1xi64>
    %2 = fuser.broadcast %0 dims [0] : tensor<?xi64> -> tensor<1x?xi64>   // reads a clone of %0
    ```

    The same for a slice of an argument of which other slices with the same steps are read (elements of windows), and
    for pads that move it by different amounts: the first element of each window is the last one of the window before.

    Does nothing where more than 16 ops compute the index.

    Example: `test/Preseg/clone-indices.mlir`.
  }];
  let statistics = [Statistic<"numCloned", "cloned", "Ops that were cloned">];
}

def FuserMultiplyOuterProducts : Pass<"fuser-multiply-outer-products", "::fuser::FusionOp"> {
  let summary = "Turn contractions over a dimension of size 1 into multiplications";
  let description = [{
    A `fuser.matmul` or `fuser.linear` whose contracted dimension is statically 1 becomes a `fuser.mul` of broadcast
    operands (and a `fuser.add` of the bias), in the accumulation type of the contraction, with its single rounding. The
    multiplication then fuses with its producers and consumers.

    ```mlir
    %0 = fuser.matmul %a, %b : tensor<?x1xf32>, tensor<1x?xf32> -> tensor<?x?xf32>
    // becomes
    %0 = fuser.mul %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
    ```

    The sign of a zero may differ: a sum from 0 turns -0 into 0. Does nothing where a contracted size is not statically 1
    in both operands.

    Example: `test/Preseg/multiply-outer-products.mlir`.
  }];
  let statistics = [Statistic<"numProducts", "products", "Contractions replaced">];
}

def FuserReduceScatters : Pass<"fuser-reduce-scatters", "::fuser::FusionOp"> {
  let summary = "Turn scatters of few elements into selections, and those that accumulate into few destinations into reductions";
  let description = [{
    A `fuser.scatter` with `reduce` whose dimension `dim` is static and small (the counts of a histogram over experts, the
    sums of a few segments) becomes a reduction over the source, of the elements that go to each destination, combined with
    the operand:

    ```mlir
    %0 = fuser.scatter %s at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<8xf32>
    // becomes
    %ib = fuser.broadcast %i dims [0] : tensor<?xi64> -> tensor<1x?xi64>
    %sb = fuser.broadcast %s dims [0] : tensor<?xf32> -> tensor<1x?xf32>
    %d = fuser.iota %c0, %c1 : i64, i64 -> tensor<8xi64>
    %db = fuser.broadcast %d dims [1] : tensor<8xi64> -> tensor<8x1xi64>
    %hit = fuser.eq %ib, %db : (tensor<1x?xi64>, tensor<8x1xi64>) -> tensor<8x?xi1>
    %own = fuser.where %hit, %sb, %zero : (tensor<8x?xi1>, tensor<1x?xf32>, f32) -> tensor<8x?xf32>
    %sum = fuser.sum %own dims [1] : tensor<8x?xf32> -> tensor<8xf32>
    %0 = fuser.add %x, %sum : tensor<8xf32>
    ```

    A scatter has one thread per destination. A reduction has as many threads as it can use, is scheduled like any other
    one and fuses with the producer of the source. Elements for other destinations are not selected, so that their NaNs do
    not propagate; an index out of bounds selects no destination.

    Integers, minima and maxima do not change, bit for bit. Sums and products of floats are combined in the order of the
    reduction instead of that of the source, deterministically, in the same compute type, with one rounding to the
    result's type; the sign of a zero may differ.

    A scatter of one element for each row (an index of size 1 along `dim`: the gradient of a cross entropy, one-hot
    vectors) becomes a selection, with or without `reduce` and for any number of destinations, so that it fuses as
    pointwise ops do. So does one of up to 4 elements that replace others (weights of two experts), as a selection for
    each, of which the last wins:

    ```mlir
    %0 = fuser.scatter %s at %i into %x dim 1 : tensor<4x1xf32>, tensor<4x1xi64>, tensor<4x100xf32>
    // becomes
    %d = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
    %db = fuser.broadcast %d dims [0] : tensor<100xi64> -> tensor<1x100xi64>
    %hit = fuser.eq %i, %db : (tensor<4x1xi64>, tensor<1x100xi64>) -> tensor<4x100xi1>
    %0 = fuser.where %hit, %s, %x : (tensor<4x100xi1>, tensor<4x1xf32>, tensor<4x100xf32>) -> tensor<4x100xf32>
    ```

    A `fuser.push` of at most 8 elements along `dim`, or with `reduce` and few destinations, becomes a scatter first: a kernel looks
    through so many indices in less time than another launch takes, and each destination looks through all elements of short
    rows, or where these comparisons are at most 2^24.
    Few elements that are stored in an argument (`fuser-push-updates`) stay a push: a scatter would copy the argument.

    Does nothing to a scatter of more than 4 elements without `reduce`, or with dynamic or more than `max-destinations`
    destinations, and to one whose index is not known to be as large as the operand in the other dimensions.

    Example: `test/Preseg/reduce-scatters.mlir`.
  }];
  let options = [
    Option<"maxDestinations", "max-destinations", "int64_t", "64",
           "maximum number of destinations: each reads the whole source again, from a cache at best, so that for many "
           "destinations one thread for each is faster">,
  ];
  let statistics = [Statistic<"numScatters", "scatters", "Scatters replaced">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def FuserPushUpdates : Pass<"fuser-push-updates", "::fuser::FusionOp"> {
  let summary = "Turn updates of parts of an overwritten argument into pushes";
  let description = [{
    Insertions, scatters and pushes that replace parts of an argument one after the other, where the last result is the
    output that is stored in the argument, become `fuser.push` ops: what is inserted is stored where it belongs, and
    readers of the result read the argument afterwards. Otherwise a kernel would make a copy of all elements for these
    readers, or for readers of the previous contents, and another one would copy it back:

    ```mlir
    // aliases = [#fuser.alias<output 0, input 0>]
    %0 = fuser.insert_slice %k into %cache [0, 5] : tensor<64x4xf32> into tensor<64x4096xf32>
    %1 = fuser.sum %0 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
    fuser.return %0, %1 : tensor<64x4096xf32>, tensor<64xf32>
    // becomes
    %i = fuser.iota %c5, %c1 : i64, i64 -> tensor<4xi64>
    %ib = fuser.broadcast %i dims [0] : tensor<4xi64> -> tensor<1x4xi64>
    %ie = fuser.expand %ib : tensor<1x4xi64> -> tensor<64x4xi64>
    %0 = fuser.push %k at %ie into %cache dim 1 : tensor<64x4xf32>, tensor<64x4xi64>, tensor<64x4096xf32>
    %1 = fuser.sum %0 dims [1] : tensor<64x4096xf32> -> tensor<64xf32>
    fuser.return %0, %1 : tensor<64x4096xf32>, tensor<64xf32>
    ```

    What is stored and depends on the argument itself becomes the result of a `fuser.segment_set`: its kernel runs before
    the one that updates the argument.

    Does nothing to insertions alone if nothing else reads the argument and the result, which segmentation stores in
    their boxes; to an insertion at an offset along several dimensions; to a scatter with `reduce`, whose order is that of
    the source; to an argument of at most 16384 elements, which one kernel reads and writes in less time than another
    launch takes.

    Example: `test/Preseg/push-updates.mlir`.
  }];
  let statistics = [Statistic<"numArguments", "arguments", "Arguments whose updates became pushes">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def FuserPlacePushes : Pass<"fuser-place-pushes", "::fuser::FusionOp"> {
  let summary = "Give the operand of each push a buffer of its own";
  let description = [{
    A `fuser.push` combines elements in the buffer of its operand. The operand becomes the result of a `fuser.segment_set`,
    which segmentation makes the result of a kernel, unless it is a push with no other reader:

    ```mlir
    %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?x8xf32>, tensor<?xi64>, tensor<99x8xf32>
    // becomes
    %b = fuser.segment_set %x : tensor<99x8xf32>
    %0 = fuser.push %s at %i into %b dim 0 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<99x8xf32>
    ```

    Half types are combined in f32 and rounded once: operand and source are cast to f32, and the result to the half type.
    Integers of less than 32 bits are combined in i32 in the same way. Minima and maxima of floats are those of integers in
    the same order, NaN beyond all others, as GPUs have atomic accesses for these. What no atomic access combines (products,
    complex numbers) becomes a `fuser.scatter`. A result that is returned several times is copied.

    Does nothing to a push with a schedule.

    Example: `test/Preseg/place-pushes.mlir`.
  }];
  let statistics = [Statistic<"numPushes", "pushes", "Pushes with a buffer of their own">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuserInterleaveParts : Pass<"fuser-interleave-parts", "::fuser::FusionOp"> {
  let summary = "Turn joins of parts that are shorter than a vector into selections by index";
  let description = [{
    A `fuser.cat` of at most 8 parts of equal static size along `dim` (what a stack makes: 1) becomes a selection of the part by an index,
    if less than 16 bytes of one part are consecutive in memory. Each part is broadcast along the index, and a reshape merges the index
    with parts of more than one element. So does an insertion of one
    index of a dimension of at most 8 into a computed tensor, at all indices of the others.

    ```mlir
    %0 = fuser.cat %x, %y dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
    // becomes
    %i = fuser.iota %c0, %c1 : i64, i64 -> tensor<2xi64>
    %ib = fuser.broadcast %i dims [0] : tensor<2xi64> -> tensor<1x2xi64>
    %first = fuser.eq %ib, %c0 : (tensor<1x2xi64>, i64) -> tensor<1x2xi1>
    %0 = fuser.where %first, %x, %y : (tensor<1x2xi1>, tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
    ```

    So does one of 16 single elements: a row of whole vectors, which one thread computes.

    The parts of a join are stored in boxes (docs/adr/0072-joins-are-stored-in-boxes.md), which are single elements here, with those of the
    other parts between them. The selection fuses as pointwise ops do. Its kernel stores vectors in which the index is a constant, so that
    nothing is selected at run time, and computes each part once.

    A stack along another dimension becomes a selection, too, if its parts are functions of at most 8 cheap ops (`CheapElement`) that share
    an argument, and pointwise ops alone read it (the two halves of bytes, which are scaled): no kernel has the loops of several such
    parts, and each element computes all of them for less than storing one takes.

    Does nothing where a part is computed by an op with loops of its own (a reduction, a scan, a transposition), whose kernel stores the part in
    its box, unless only slices of that op's result are read; where runs have at least 16 bytes, or a dynamic length; to
    parts of other sizes; to insertions into arguments, which may be stored in place; and to ops that carry a schedule. See ADR 134.

    Example: `test/Preseg/interleave-parts.mlir`.
  }];
  let statistics = [Statistic<"numInterleaved", "joins", "Joins that became selections">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuserSumSelections : Pass<"fuser-sum-selections", "::fuser::FusionOp"> {
  let summary = "Compute sums of rows in which an index selects one element from its two values";
  let description = [{
    A sum of f32 or f64 over one dimension of static size n becomes `a + (n - 1) * b`, or `n * b` where the index is out of bounds, if
    all summands of a row are b except for the element at an index, which is a. At most 16 pointwise ops make them of selections by
    this index (`fuser-reduce-scatters` makes these), of constants, and of values that are equal along the dimension.

    ```mlir
    %d = fuser.iota %c0, %c1 : i64, i64 -> tensor<100xi64>
    %db = fuser.broadcast %d dims [0] : tensor<100xi64> -> tensor<1x100xi64>
    %hit = fuser.eq %i, %db : (tensor<4x1xi64>, tensor<1x100xi64>) -> tensor<4x100xi1>
    %0 = fuser.where %hit, %a, %b : (tensor<4x100xi1>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x100xf32>
    %1 = fuser.sum %0 dims [1] : tensor<4x100xf32> -> tensor<4xf32>
    // the last line becomes
    %others = fuser.mul %b, %c99 : (tensor<4x1xf32>, i64) -> tensor<4x1xf32>
    %some = fuser.add %a, %others : tensor<4x1xf32>
    %none = fuser.mul %b, %c100 : (tensor<4x1xf32>, i64) -> tensor<4x1xf32>
    %inside = fuser.logical_and %not_negative, %less : tensor<4x1xi1>
    %sum = fuser.where %inside, %some, %none : (tensor<4x1xi1>, tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %1 = fuser.squeeze %sum dims [1] : tensor<4x1xf32> -> tensor<4xf32>
    ```

    The gradient of a cross entropy sums the gradient of its logarithms, which has one element per row: without that sum the
    kernel is pointwise. NaN and infinities are those of the sum. It is rounded less often; the sign of a zero may differ.

    Does nothing to rows of dynamic size, of one element, or of more than 2^24, and to rows that share an index.

    Example: `test/Preseg/sum-selections.mlir`.
  }];
  let statistics = [Statistic<"numSums", "sums", "Sums that are not reduced any more">];
}

def FuserExpandRepeats : Pass<"fuser-expand-repeats", "::fuser::FusionOp"> {
  let summary = "Turn concatenations of one tensor into repeats, and repeats of dimensions of size 1 into expands";
  let description = [{
    `fuser.cat` of one tensor with itself becomes `fuser.repeat`, which reads it once. A `fuser.repeat` that only repeats
    dimensions of size 1 becomes `fuser.expand`, which needs no index arithmetic modulo a size.

    ```mlir
    %0 = fuser.cat %x, %x dim 0 : (tensor<1x?xf32>, tensor<1x?xf32>) -> tensor<2x?xf32>
    // becomes
    %0 = fuser.expand %x : tensor<1x?xf32> -> tensor<2x?xf32>
    ```

    Does nothing to repeats of other sizes, and to concatenations of different tensors.

    Example: `test/Preseg/expand-repeats.mlir`.
  }];
  let statistics = [
    Statistic<"numRepeats", "repeats", "Joins of one tensor with itself replaced">,
    Statistic<"numExpanded", "expanded", "Repeats of dimensions of size 1 replaced">,
  ];
}

def FuserFoldReshapes : Pass<"fuser-fold-reshapes", "::fuser::FusionOp"> {
  let summary = "Reshape at once where dimensions are merged and split at other places";
  let description = [{
    Two reshapes in a row, from `[a * b, c]` to one dimension and to `[a, b * c]` (or the other way around), become one. Its loops
    are those of `[a, b, c]`, of which the dimensions of both sides are merged; the loop of the merged dimension would be common
    to both, and a kernel has no such loop where something is broadcast along a part of it.

    ```mlir
    %1 = fuser.reshape %0 : tensor<8192x2x64xi8> -> tensor<16384x64xi8>
    %2 = fuser.reshape %1 : tensor<16384x64xi8> -> tensor<128x128x64xi8>
    // becomes
    %2 = fuser.reshape %0 : tensor<8192x2x64xi8> -> tensor<128x128x64xi8>
    ```

    Where the slowest dimension of both sides has an unknown size, the result is reshaped to the parts first:
    `tensor<?x2x64xi8>` to `tensor<?x64x2x64xi8>` to `tensor<?x128x64xi8>`.

    Does nothing where the places of splits do not divide each other, to other unknown sizes among the dimensions, to reshapes
    of arguments, which are views, and to ops that carry a schedule.

    Example: `test/Preseg/fold-reshapes.mlir`.
  }];
  let statistics = [Statistic<"numFolded", "folded", "Reshapes of reshapes that became one">];
}

def FuserCancelBroadcasts : Pass<"fuser-cancel-broadcasts", "::fuser::FusionOp"> {
  let summary = "Cancel dimensions of size 1 that are added and dropped again";
  let description = [{
    Cancels dimensions that a `fuser.broadcast` adds and a consecutive `fuser.squeeze` drops in the same place (in either
    order), and merges two consecutive broadcasts or squeezes into one.

    ```mlir
    %0 = fuser.broadcast %x dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    %1 = fuser.squeeze %0 dims [1] : tensor<?x1xf32> -> tensor<?xf32>   // is %x
    ```

    Does nothing where an op lies between them, and where the dimensions differ.

    Example: `test/Preseg/cancel-broadcasts.mlir`.
  }];
  let statistics = [Statistic<"numCancelled", "pairs", "Pairs that became one op or none">];
}

def FuserHoistPads : Pass<"fuser-hoist-pads", "::fuser::FusionOp"> {
  let summary = "Merge pads with the same border value, also through pointwise ops";
  let description = [{
    A pad of a pad with the same value becomes one with the sums of the amounts. A pad with 0 moves up through pointwise
    ops of tensors that give 0 for zeros (the trait `KeepsZero`: relu, add, mul, tanh, ... but neither exp nor neg, whose 0
    is -0) if it meets only pads with 0, with which it merges. A concatenation of one tensor with a constant at one end or
    both (`fuser.full` of a static size) is a pad as well.

    ```mlir
    %0 = fuser.pad %x low [1] high [0] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
    %1 = fuser.relu %0 : tensor<?xf32>
    %2 = fuser.pad %1 low [0] high [2] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
    // becomes
    %0 = fuser.pad %x low [1] high [2] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
    %1 = fuser.relu %0 : tensor<?xf32>
    ```

    Does nothing to dynamic amounts, to a pad whose border would replace elements that another pad crops, where an op or a
    value in between has other users, and where there is no pad above: a pad fuses with its producer in any place, and
    hoisting it would only make its producers compute more elements.

    Example: `test/Preseg/hoist-pads.mlir`.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Pads of pads, and joins with constants, that became one pad">,
    Statistic<"numHoisted", "hoisted", "Pads that moved up to others">,
  ];
}

def FuserPadOperands : Pass<"fuser-pad-operands", "::fuser::FusionOp"> {
  let summary = "Hoist pads with dynamic amounts to the operands of the padded computation";
  let description = [{
    Applies to a pad of the result of pointwise ops, and to insertions of such results into a fill or into another value that
    is computed element by element. With constant amounts, kernels compute the padded elements at the offset. If the position or the size of the border is only known at run time, this pass pads
    the operands instead, which kernels read from memory; the ops compute the whole result, and a comparison of the index
    selects the border. A pad by dynamic amounts is then a single kernel as well (S2.1, S2.6),
    which also stores the destination of an insertion if it stays live. The operands of an insertion are inserted into a
    fill, so that calls whose box is not inside of the destination are still rejected.

    ```mlir
    %0 = fuser.exp %x : tensor<?xf32>
    %1 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
    // becomes
    %0 = fuser.pad %x low [%l] high [%h] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
    %1 = fuser.exp %0 : tensor<?xf32>
    %2 = fuser.where %inside, %1, %border : (tensor<?xi1>, tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
    ```

    Does nothing where the padded value has another use, to complex numbers, and to what is computed from a reduction, a scan
    or a transposition, which is stored in its box.

    Example: `test/Preseg/pad-operands.mlir`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numPaddings", "paddings", "Paddings that moved to operands">];
}

def FuserJoinOperands : Pass<"fuser-join-operands", "::fuser::FusionOp"> {
  let summary = "Sink functions of parts at dynamic offsets below their concatenation";
  let description = [{
    Applies to a concatenation of at most four parts, some of which are computed element by element from one tensor each. At a constant
    offset, kernels compute the elements of a part where they are stored. If an offset is only known at run time (half of an unknown size), this pass
    joins the tensors, which kernels read from memory; the functions compute the whole result, and a comparison of the index selects one of them.
    The rotation of halves of rotary embeddings is then a single kernel as well.

    ```mlir
    %0 = fuser.neg %x : tensor<?xf32>
    %1 = fuser.cat %0, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    // becomes
    %0 = fuser.cat %x, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %1 = fuser.neg %0 : tensor<?xf32>
    %2 = fuser.where %is_of_x, %1, %0 : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    ```

    Does nothing where a function is expensive (an exponential), has another use, reads several tensors or one of another element type than those of the
    other parts, and to what is stored in its box: parts that are computed from a reduction, a scan or a transposition, and those of a concatenation that
    no pointwise op reads.

    Example: `test/Preseg/join-operands.mlir`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numJoins", "joins", "Concatenations of which functions of parts moved below">];
}

def FuserHoistSlices : Pass<"fuser-hoist-slices", "::fuser::FusionOp"> {
  let summary = "Hoist slices above ops that compute more than the slice reads";
  let description = [{
    A slice moves up through ops without other users to their operands: fewer elements are computed, and at the top of a
    kernel the slice is the box that the kernel reads (docs/adr/0025-boxes-by-construction.md). It passes pointwise ops,
    broadcasts, permutations, squeezes and expands, and, along the dimensions that these keep, reductions, scans and reshapes
    (also along the slowest dimension of a group that a reshape merges or splits, and for one column of what it splits, which is a slice with a step). It passes a concatenation of which it reads
    one part, and a pad: of what it reads of the border, a pad of the slice is left, if only slices read the padded value.
    A slice of an iota is another one, and a selection by an index that is on one side of a bound everywhere is one of its
    operands: a slice of a tensor with replicated or reflected borders selects few of them, also of unknown sizes, of which
    bounds, offsets and parts are sums and differences with constants. A slice of a pad of such sizes is a pad by other amounts.
    A slice of a slice is one slice, and equal slices of one value are one. A dynamic dimension of
    which the slice has all elements counts as not sliced. A pad that crops a value computed from a reduction or a scan becomes such a slice, and a
    pad without negative amounts if it also adds elements. If amounts may be negative at run time, so does a pad of a value computed by ops with
    loops of their own: minima and maxima of sizes and amounts give the box (docs/adr/0099-amounts-of-unknown-sign.md).
    Such a pad of a concatenation that kernels store part by part is a concatenation of pads.

    ```mlir
    %0 = fuser.neg %x : tensor<10xbf16>
    %1 = fuser.slice %0 [0] [5] : tensor<10xbf16> -> tensor<5xbf16>
    // becomes
    %0 = fuser.slice %x [0] [5] : tensor<10xbf16> -> tensor<5xbf16>
    %1 = fuser.neg %0 : tensor<5xbf16>
    ```

    Does nothing to ops with a schedule, to parts of a norm along its rows that are stored (unless the row is all of a tensor of more than
    2^18 elements, which no kernel keeps), and where the op has users other than equal slices, unless at most four cheap ops
    compute it from arguments, all users are slices that together have at most half of its elements, or all users are
    slices that overlap (windows) of what cheap ops compute, of at most 32 for each of its elements in all slices together:
    then each is computed separately. Selections by an index of a dimension do not count.

    Example: `test/Preseg/hoist-slices.mlir`.
  }];
  let statistics = [Statistic<"numHoisted", "hoisted", "Ops that a slice moved up through">];
}

def FuserSinkRepeats : Pass<"fuser-sink-repeats", "::fuser::FusionOp"> {
  let summary = "Sink repeats and expands below pointwise ops";
  let description = [{
    A pointwise op on a `fuser.repeat` or `fuser.expand` is computed on the operand of the repeat, and its result is
    repeated. Other operands must be scalars, or of size 1 in the dimensions that grow.

    ```mlir
    %0 = fuser.repeat %x [4, 1] : tensor<3x?xf32> -> tensor<12x?xf32>
    %1 = fuser.exp %0 : tensor<12x?xf32>
    // becomes
    %0 = fuser.exp %x : tensor<3x?xf32>
    %1 = fuser.repeat %0 [4, 1] : tensor<3x?xf32> -> tensor<12x?xf32>
    ```

    Does nothing where another op uses the repeated tensor, and where another operand differs along a dimension that
    grows.

    Example: `test/Preseg/sink-repeats.mlir`.
  }];
  let statistics = [Statistic<"numSunk", "sunk", "Ops that are computed on fewer elements">];
}

def FuserSinkJoins : Pass<"fuser-sink-joins", "::fuser::FusionOp"> {
  let summary = "Sink concatenations of parts with loops of their own below pointwise ops";
  let description = [{
    A pointwise op on a `fuser.cat` is computed on each part, and its results are joined, if kernels with loops of their own
    (a reduction, a transposition) compute a part: such a kernel then stores it where it belongs, instead of a second one that
    reads all parts. Applies where only pointwise ops are between the concatenation and a result of the program.

    ```mlir
    %0 = fuser.permute %x [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
    %1 = fuser.cat %first, %0 dim 0 : (tensor<1x8xf32>, tensor<16x8xf32>) -> tensor<17x8xf32>
    %2 = fuser.add %1, %positions : (tensor<17x8xf32>, tensor<17x8xf32>) -> tensor<17x8xf32>
    // becomes
    %0 = fuser.permute %x [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
    %1 = fuser.slice %positions [0, 0] [1, 8] : tensor<17x8xf32> -> tensor<1x8xf32>
    %2 = fuser.add %first, %1 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
    %3 = fuser.slice %positions [1, 0] [16, 8] : tensor<17x8xf32> -> tensor<16x8xf32>
    %4 = fuser.add %0, %3 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %5 = fuser.cat %2, %4 dim 0 : (tensor<1x8xf32>, tensor<16x8xf32>) -> tensor<17x8xf32>
    ```

    Does nothing where an operand other than the parts is neither an argument nor of size 1 along the joined dimension, and
    where a part has an unknown size.

    Example: `test/Preseg/sink-joins.mlir`.
  }];
  let statistics = [Statistic<"numSunk", "sunk", "Ops that are computed on parts">];
}

def FuserHoistGathers : Pass<"fuser-hoist-gathers", "::fuser::FusionOp"> {
  let summary = "Gather before computing, where that gathers or computes less";
  let description = [{
    Hoists `fuser.gather`, `fuser.take_along_axis` and `fuser.index_select` above a function of one tensor, if the
    function's operand has narrower elements (an upcast), or if static shapes show that the result has no more elements
    than the operand. An index out of bounds reads 0, so the function must preserve 0 (the trait `KeepsZero`).

    ```mlir
    %0 = fuser.cast %table : tensor<1000x64xbf16> to tensor<1000x64xf32>
    %1 = fuser.index_select %0, %ids dim 0 : tensor<1000x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
    // becomes
    %0 = fuser.index_select %table, %ids dim 0 : tensor<1000x64xbf16>, tensor<?xi64> -> tensor<?x64xbf16>
    %1 = fuser.cast %0 : tensor<?x64xbf16> to tensor<?x64xf32>
    ```

    Does nothing where another op needs all elements of the function. Several gathers may read a narrower operand, also rows
    of it that a reshape makes: then the reshape moves above the function, too.

    A `fuser.index_select` of rows of what a reshape makes of a permutation gathers rows of the permuted tensor instead, if
    static dimensions that the reshape merges are permuted among each other, and nothing else reads the permutation: the
    index is split, and its parts count by other strides. (Windows that are put back and rotated have this form.)

    A `fuser.take_along_axis` of one element per row moves above all its pointwise producers, even if they have other users:
    they are recomputed for the one element, so that the rows need not be stored. A comparison of the index keeps the result
    0 where the index is out of bounds. (The loss of a cross-entropy has this form.) It moves above a reshape of a computed
    value that keeps the rows, with an index in the shape of the rows: the copy of a part of logits, whose first dimensions
    are merged, is not stored for it. It reads the operand of a `fuser.expand` along dimensions that the index has (the weights
    of classes, expanded to all rows).

    ```mlir
    %0 = fuser.sub %x, %m : (tensor<?x100xf32>, tensor<?x1xf32>) -> tensor<?x100xf32>
    %1 = fuser.take_along_axis %0, %i dim 1 : tensor<?x100xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
    // becomes
    %0 = fuser.take_along_axis %x, %i dim 1 : tensor<?x100xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
    %1 = fuser.sub %0, %m : tensor<?x1xf32>
    %2 = fuser.where %inside, %1, %zero : (tensor<?x1xi1>, tensor<?x1xf32>, f32) -> tensor<?x1xf32>
    ```

    Example: `test/Preseg/hoist-gathers.mlir`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numHoisted", "hoisted", "Gathers that moved before a function">];
}

def FuserSubstituteExtents : Pass<"fuser-substitute-extents", "::fuser::FusionOp"> {
  let summary = "Replace equal sizes by one value, and record constant sizes in types";
  let description = [{
    Propagates sizes through the program (`ExtentAnalysis`) and records the results:

    - equalities of argument sizes that ops require become `facts`, so that a later rewrite may erase the op;
    - a size that ops read (`tensor.dim`) becomes a constant, or the first read of an equal size;
    - dynamic dimensions of values that are constant become static in their types, from facts or from another operand.

    ```mlir
    %0 = fuser.exp %x : tensor<?xf32>
    %1 = fuser.add %0, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
    // becomes, with the facts that the size of %x is 4,
    %0 = fuser.exp %x : (tensor<?xf32>) -> tensor<4xf32>
    %1 = fuser.add %0, %y : tensor<4xf32>
    ```

    Types of arguments and outputs do not change, nor do types that are equal to them by definition (`fuser.set`), operands
    and results of reshapes and repeats, and ops with a schedule. No dimension becomes 1, because that would turn it into a
    broadcast. Fails where sizes that must be equal are not, or arguments do not determine one.

    Example: `test/Preseg/substitute-extents.mlir`.
  }];
  let statistics = [
    Statistic<"numFacts", "facts", "Facts that the program implies and did not state">,
    Statistic<"numSizes", "sizes", "Reads of sizes replaced">,
    Statistic<"numTypes", "types", "Types that became more static">,
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def FuserJoinInsertions : Pass<"fuser-join-insertions", "::fuser::FusionOp"> {
  let summary = "Concatenate parts of a tensor that are added, each among zeros";
  let description = [{
    The gradient of a tensor of which a program reads slices is a sum of as many tensors, each 0 but at one slice. Where the
    slices are all of one dimension and do not overlap, the sum is their concatenation, added to what the first one was added
    to. A part is a `fuser.insert_slice` into a `fuser.full` of 0, or a `fuser.pad` by 0, of a known size along that dimension.
    Other dimensions may be unknown if each part has all of them. Parts of one place are added, in their order, if nothing else is.

    ```mlir
    %0 = fuser.pad %a low [0, 0] high [0, 4] value %zero : tensor<8x4xf32>, f32 -> tensor<8x8xf32>
    %1 = fuser.pad %b low [0, 4] high [0, 0] value %zero : tensor<8x4xf32>, f32 -> tensor<8x8xf32>
    %2 = fuser.add %0, %1 : tensor<8x8xf32>
    // becomes
    %0 = fuser.cat %a, %b dim 1 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %2 = fuser.add %0, %zero : (tensor<8x8xf32>, f32) -> tensor<8x8xf32>
    ```

    The sum of floats with 0 makes 0 of -0, as the original sum does. Does nothing where parts overlap, leave elements out,
    have other users or sizes along the dimension that are unknown, or are added to two values in turn, and to ops that carry a schedule.

    Example: `test/Preseg/join-insertions.mlir`.
  }];
  let statistics = [Statistic<"numJoined", "joined", "Sums that became concatenations">];
}

def FuserCancelSplits : Pass<"fuser-cancel-splits", "::fuser::FusionOp"> {
  let summary = "Cancel slices and concatenations of one tensor";
  let description = [{
    Replaces a `fuser.cat` of adjacent slices that cover a tensor by that tensor, also if the same pointwise function (with
    the same scalars and attributes) lies between each slice and the concatenation: it is then applied to the whole tensor.
    Replaces a `fuser.slice` of a concatenation that is exactly one of its operands by that operand, and one of the box of a
    `fuser.insert_slice` by what is inserted, unless parts of it alone are read while others read the insertion; an insertion
    whose only reader is one into the same box, or of what is there already, is replaced by its destination. What is inserted into a part of a tensor that is inserted into the same place is inserted into the tensor. Parts of at least 32 bytes
    that are joined with others, and with further ones along the same dimension, are joined at once. Offsets and sizes may be dynamic if `ExtentAnalysis` proves them equal.

    ```mlir
    %a = fuser.slice %x [0, 0] [2, 4] : tensor<5x4xf32> -> tensor<2x4xf32>
    %b = fuser.slice %x [2, 0] [3, 4] : tensor<5x4xf32> -> tensor<3x4xf32>
    %0 = fuser.exp %a : tensor<2x4xf32>
    %1 = fuser.exp %b : tensor<3x4xf32>
    %2 = fuser.cat %0, %1 dim 0 : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    // becomes
    %2 = fuser.exp %x : tensor<5x4xf32>
    ```

    Single elements in the opposite order (red, green and blue of BGR) are a flip, if a reduction reads them element by element:
    its threads have one index along the dimension, and would read all parts to select one.

    Does nothing where a slice is missing, out of order or strided, where types state different sizes, and where a
    result in between has other users. Fails where arguments do not determine a size.

    Example: `test/Preseg/cancel-splits.mlir`.
  }];
  let statistics = [Statistic<"numCancelled", "cancelled", "Concatenations, insertions and slices removed">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuserHoistRolls : Pass<"fuser-hoist-rolls", "::fuser::FusionOp"> {
  let summary = "Roll arguments by one instead of what is computed from them";
  let description = [{
    A roll by one is a concatenation of the last row of a tensor and of all others, or of all but the first one and of this
    one. A kernel joins parts of arguments, but not a row that it computes: that one has a kernel of its own. The roll is hoisted
    above pointwise ops, up to 16, to their arguments, where it is a selection among two shifts.

    ```mlir
    %0 = fuser.mul %x, %y : tensor<8x4xf32>
    %1 = fuser.slice %0 [0, 3] [8, 1] : tensor<8x4xf32> -> tensor<8x1xf32>
    %2 = fuser.slice %0 [0, 0] [8, 3] : tensor<8x4xf32> -> tensor<8x3xf32>
    %3 = fuser.cat %1, %2 dim 1 : (tensor<8x1xf32>, tensor<8x3xf32>) -> tensor<8x4xf32>
    // becomes, with rolled_x and rolled_y as selections among shifts (pads that crop) of %x and %y
    %3 = fuser.mul %rolled_x, %rolled_y : tensor<8x4xf32>
    ```

    Where a value in between has other users than such rolls, or is the result of an op that is not pointwise, it is stored;
    two or more rolls of the value become selections among shifts of it, which one kernel reads. Does nothing to one roll of
    such a value, to rolls by more, of which both parts have loops, where sizes are unknown and not proven to be those of a
    roll, and to ops that carry a schedule.

    Example: `test/Preseg/hoist-rolls.mlir`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numHoisted", "hoisted", "Rolls hoisted">];
}

def FuserHoistFlips : Pass<"fuser-hoist-flips", "::fuser::FusionOp"> {
  let summary = "Hoist flips to where they cancel, and reverse the scans between";
  let description = [{
    A flip is a `fuser.index_select` of all elements of a dimension, the last one first (`fuser.iota %last, -1`). It is hoisted
    above pointwise ops, changes of other dimensions and scans: a scan along the dimension becomes one in the other direction.
    Two flips cancel. So sums of suffixes, which programs state as flips around sums of prefixes, are one scan.

    ```mlir
    %0 = fuser.index_select %x, %flip dim 1 : tensor<8x4xf32>, tensor<4xi64> -> tensor<8x4xf32>
    %1 = fuser.cumsum %0 dim 1 : tensor<8x4xf32> -> tensor<8x4xf32>
    %2 = fuser.index_select %1, %flip dim 1 : tensor<8x4xf32>, tensor<4xi64> -> tensor<8x4xf32>
    // becomes
    %2 = fuser.cumsum %x dim 1 reverse : tensor<8x4xf32> -> tensor<8x4xf32>
    ```

    Hoists a flip if fewer remain, or if it is hoisted above a scan and remains at arguments only; then values in between have
    no other users. Hoists it above pointwise ops alone, up to 16, if it remains at one or two arguments or parts of them,
    which kernels read in any order: what has other users is computed again, and need not be stored for the flip. Does
    nothing to flips and ops that carry a schedule. Fails where arguments do not determine a size.

    Example: `test/Preseg/hoist-flips.mlir`.
  }];
  let statistics = [Statistic<"numHoisted", "hoisted", "Flips hoisted">];
}

def FuserShiftScans : Pass<"fuser-shift-scans", "::fuser::FusionOp"> {
  let summary = "Make scans exclusive whose operand or result is shifted by one";
  let description = [{
    What precedes each element in the order of a scan is stated as the scan, shifted by one: its last element is dropped and
    another one put before the first, by `fuser.pad` or by `fuser.cat` with a `fuser.full`. Or a neutral element is put before
    those of the operand, and the last one dropped from it or from the result. All of these become exclusive scans. If the new element
    is not neutral, it is selected. All results of an operand that begins with a neutral element are those of the rest of it,
    padded: its rows are those in memory, of which kernels load vectors.

    ```mlir
    %0 = fuser.cumprod %x dim 1 : tensor<8x4xf32> -> tensor<8x4xf32>
    %1 = fuser.slice %0 [0, 0] [8, 3] : tensor<8x4xf32> -> tensor<8x3xf32>
    %2 = fuser.pad %1 low [0, 1] high [0, 0] value %one : tensor<8x3xf32>, f32 -> tensor<8x4xf32>
    // becomes
    %2 = fuser.cumprod %x dim 1 exclusive : tensor<8x4xf32> -> tensor<8x4xf32>
    ```

    Does nothing to shifts by more than one, by dynamic amounts or in the other direction, and to ops that carry a schedule. Fails where arguments do not determine a
    size.

    Example: `test/Preseg/shift-scans.mlir`.
  }];
  let statistics = [Statistic<"numShifted", "shifted", "Scans that became exclusive">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def FuserNarrowBoundaries : Pass<"fuser-narrow-boundaries", "::fuser::FusionOp"> {
  let summary = "Move boundaries to where fewer bytes cross them, and recompute cheap ops";
  let description = [{
    One kernel stores the operand of `fuser.segment_set` and another one reads it. If a few ops compute the operand from a
    smaller tensor (with narrower elements, or one that is broadcast, expanded or repeated), the boundary moves up to that
    tensor, and the ops are computed after it; they are also computed for users before the boundary. The ops must be cheap
    (the trait `CheapElement`: conversions, sums and products, comparisons, data movement; not exp or div).

    ```mlir
    %0 = fuser.cast %y : tensor<?xbf16> to tensor<?xf32>
    %1 = fuser.segment_set %0 : tensor<?xf32>
    // becomes, with half the bytes stored and read
    %0 = fuser.segment_set %y : tensor<?xbf16>
    %1 = fuser.cast %0 : tensor<?xbf16> to tensor<?xf32>
    ```

    The pass never removes a boundary. It does nothing where no tensor above is smaller, and does not move a boundary to an
    argument, because that would only add a copy.

    Example: `test/Preseg/narrow-boundaries.mlir`.
  }];
  let options = [
    Option<"maxOps", "max-ops", "unsigned", /*default=*/"4", "Maximum number of ops that a boundary passes">,
  ];
  let statistics = [Statistic<"numNarrowed", "narrowed", "Boundaries that moved">];
}

def FuserProtectUpdates : Pass<"fuser-protect-updates", "::fuser::FusionOp"> {
  let summary = "Keep a kernel from overwriting elements that its other threads still read";
  let description = [{
    An output that is stored in the buffer of an argument overwrites it while the kernel runs. This is safe if every op
    that depends on the argument reads it at the index that it computes, as an insertion of a computed value into it does.
    Otherwise (a transposition, a broadcast, a reduction, a slice) the output gets a `fuser.segment_set`: it is computed
    into a buffer of its own, and copied into the argument after the last read.

    ```mlir
    // with #fuser.alias<output 0, input 0>
    %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %1 = fuser.add %x, %0 : tensor<?x?xf32>
    // becomes
    %2 = fuser.segment_set %1 : tensor<?x?xf32>
    ```

    Does nothing to fusions without aliases, and to outputs that are arguments or have a boundary.

    Example: `test/Preseg/protect-updates.mlir`.
  }];
  let statistics = [Statistic<"numProtected", "protected", "Aliased outputs that got a boundary">];
}

def FuserMarkAliases : Pass<"fuser-mark-aliases", "::fuser::FusionOp"> {
  let summary = "Find outputs that are views of arguments";
  let description = [{
    An output that is computed from an argument by ops whose composition is the identity (`fuser.set`, permutations that
    cancel, dimensions of size 1 that are added and dropped) is replaced by that argument: no kernel computes it. An output
    that is a permutation of an argument, or differs in dimensions of size 1, gets a layout hint with the rule "view": the
    order of the argument, so that the output is a contiguous copy. It is never a requirement (S0.10).

    ```mlir
    %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    // returned, becomes
    %0 = fuser.permute %x [1, 0] {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "view", reference = "argument 0">]}
    ```

    Does nothing where the layout is fixed: the output has a required order, is stored in an argument, or has a hint.

    Example: `test/Preseg/mark-aliases.mlir`.
  }];
  let statistics = [
    Statistic<"numForwarded", "forwarded", "Outputs that are arguments now">,
    Statistic<"numHints", "hints", "Outputs that got a hint">,
  ];
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

def FuserResolveStrideOrders : Pass<"fuser-resolve-stride-orders", "::fuser::FusionOp"> {
  let summary = "Turn stride orders of a front end into requirements on outputs and hints elsewhere";
  let description = [{
    A `fuser.stride_order` whose result is an output becomes the required stride order of that output, by position; on
    any other value it is not binding and becomes a hint of rule `stride-order` on the value that it copies (S0.4). Then it
    is replaced by its operand. An op that carries domains stays, because they are a schedule.

    Does nothing to a fusion without the op. Fails where the fusion requires another order of that output already, and
    where the output aliases an argument that stored in another order.

    Example: test/Preseg/resolve-stride-orders.mlir
  }];
  let statistics = [Statistic<"numResolved", "resolved", "Number of stride orders resolved">];
}

def FuserInferAllocationOrder : Pass<"fuser-infer-allocation-order", "::fuser::FusionOp"> {
  let summary = "Hint at a memory order for each value that matches the inputs it is computed from";
  let description = [{
    Writes `fuser.layout_hints`; requirements and allocations stay as they are. References of a value are the tensors of
    known order that it depends on, those with most dimensions that are not 1. Dimensions that the value has keep the
    reference's order, innermost, up to the first that it lacks; the others come outermost in logical order. If references
    differ, the order with the fewest uncoalesced bytes (read along another dimension than the fastest one) wins; there is
    no hint on a tie, or if row-major is as good. The result of a reduction or contraction never gets another fastest
    dimension than row-major. See docs/layout.md.

    In the pipeline, each scheduler is queried about a value before these rules (S0.7). `inner_persistent` answers for the
    values of a norm or a softmax whose references differ: the normalized dimensions are the fastest, if they are so in
    one of the references.

    A value that is an output with a required order gets no hint, and neither does one with a frozen allocation. Hints
    of other rules stay, and are followed; those of an earlier run are replaced.

    Does nothing to a fusion whose arguments are row-major and whose ops move no dimensions.

    Example: test/Preseg/infer-allocation-order.mlir
  }];
  let constructor = "::fuser::createInferAllocationOrderPass(nullptr)";
  let options = [
    Option<"scheduler", "scheduler", "std::string", "\"\"",
           "Scheduler of the registry that decides on each value first; empty: all of the registry, which is that of the pipeline">,
  ];
  let statistics = [Statistic<"numHints", "hints", "Number of hints written">];
}

//===----------------------------------------------------------------------===//
// Distribution and allocation
//===----------------------------------------------------------------------===//

def FuserFinalizeDomains : Pass<"fuser-finalize-domains", "::fuser::FusionOp"> {
  let summary = "Make the memory order and the distribution of every value explicit, for segmentation";
  let description = [{
    The last pass before segmentation (S4). Until then an allocation is a permutation of the logical domain, and only loops
    are split over devices and streams. For each op that has domains or a layout hint, and for each argument with a domain:

    - the allocation takes the order of the hint, if there is one. The hint stays: it is the licence to change the order;
    - splits of loops on devices are replayed on the allocation, at the place of the dimension that they split; the outer
      part is contiguous with the inner one, the inner one with what the dimension was contiguous with (S4.7);
    - a stream is replayed likewise if every user of the value is in its loop, so that the value is live in one iteration
      of it (S4.6); else the allocation is whole. A stream over a whole dimension is split by 1 first. Of several streams,
      the outermost ones are replayed up to the first whose loop a user is not in. Allocations of arguments and outputs are
      always whole (S4.5);
    - loops get the order streams as they are, device_z, device_y, device_x, then the others as in the logical domain
      (S4.3).

    ```mlir
    // [N, C, H, W], channels last, C over two devices
    #fuser.domain<logical = [i0, i1, i2, i3], split(i1, outer 2) -> (i4, i5), loop = [i0, i4 @device_x, i5, i2, i3],
                  allocation = [i0, i2, i3, i1]>
    // becomes
    #fuser.domain<logical = [i0, i1, i2, i3], split(i1, outer 2) -> (i4, i5), loop = [i4 @device_x, i0, i5, i2, i3],
                  allocation = [i0, i2, i3, i4, i5]>
    ```

    Does nothing to values without domains and hints, whose order is row-major, and to ops that are scheduled (a memory
    type, an inline position, loops on blocks, threads or vectors). Nothing is propagated from one value to another.

    Example: `test/Preseg/finalize-domains.mlir`.
  }];
  let statistics = [Statistic<"numFinalized", "domains", "Domains that changed">];
}

def FuserMarkBoundaries : Pass<"fuser-mark-boundaries", "::fuser::FusionOp"> {
  let summary = "Mark boundaries of segments at kinds of operations, and at the borders of regions of the front end";
  let description = [{
    Inserts a `fuser.segment_set` on each value that is to be stored in memory between two segments, so that segmentation
    cuts the fusion there (S3.1). `at` lists where:

    - `fuser.reshape`: the operands of each such op; `fuser.reshape:after`: its results; `fuser.reshape:around`: both;
    - `@encoder.attention`: values that one op inside of this region and one outside of it compute and read. The region
      of an op is its discardable attribute `fuser.region`, a path such as `"encoder.attention.scores"`, or else the name
      of its location (`loc("encoder.attention")`); a region contains those whose path begins with it.

    Arguments and outputs are boundaries in any case. Does nothing without `at`. Fails at an item that names no
    operation of fuser on tensors; a region without ops gives a remark.

    Example: `test/Preseg/mark-boundaries.mlir`.
  }];
  let options = [
    Option<"at", "at", "std::string", "\"\"", "operations (`fuser.reshape`, `fuser.reshape:after`) and regions (`@name`), separated by commas">,
  ];
  let statistics = [Statistic<"numMarks", "marks", "Values that were marked">];
}

def FuserVerifyDistribution : Pass<"fuser-verify-distribution", "::fuser::FusionOp"> {
  let summary = "Check how values are distributed over devices and streams";
  let description = [{
    Checks the invariants that hold after `fuser-finalize-domains` (S4.3 to S4.6): loops on devices and streams are parts of
    one dimension, made by splits, and come first, in their order; a loop on a device axis is the outer part of a dimension
    that the axis of the mesh divides, and is in the allocation; no stream is in the allocation of an argument, an output,
    or a value that is used over other streams; an allocation that has a stream has those of the loops around it, and is
    split like the loops.

    Compares operands with results through the mapping of their dimensions (S4.9): there is no collective between devices,
    so that a dimension of an operand that is distributed over devices has to be a dimension of each result that is
    distributed in the same way. A reduction over it, a read at other indices, operands that are distributed along
    different dimensions, and a reshape that does not keep the blocks of the devices are errors.

    A boundary mark on a value that is distributed over a stream is inside of the loop: a remark says so, and names the
    stream.

    Changes nothing. Fails with a diagnostic at the op, and a note at the mesh, at the use or at the operand.

    Example: `test/Preseg/verify-distribution.mlir`.
  }];
}

#endif // FUSER_PRESEG_PASSES_TD
