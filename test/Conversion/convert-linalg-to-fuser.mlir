// RUN: fuser-opt %s --split-input-file --fuser-convert-linalg-to-fuser | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-convert-linalg-to-fuser --fuser-convert-linalg-to-fuser | FileCheck %s
// What each form of linalg and tensor becomes. (Numbers: samples.test, Programs/ and against-upstream.test.)

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
// Maps of operands are broadcasts and permutations; each op of the body is an op.
// CHECK-LABEL: fuser.fusion @bias_relu(%arg0: tensor<?x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x?xf32>) -> tensor<?x8xf32>
func.func @bias_relu(%x: tensor<?x8xf32>, %b: tensor<8xf32>, %t: tensor<8x?xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  // CHECK: %[[B:.*]] = fuser.broadcast %arg1 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
  // CHECK: %[[S:.*]] = fuser.add %arg0, %[[B]]
  // CHECK: %[[T:.*]] = fuser.permute %arg2 [1, 0] : tensor<8x?xf32> -> tensor<?x8xf32>
  // CHECK: %[[P:.*]] = fuser.mul %[[S]], %[[T]]
  // CHECK: fuser.maximum %[[P]], %{{.*}} : (tensor<?x8xf32>, f32)
  %0 = linalg.generic {indexing_maps = [#id2, #row, #swap, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %t : tensor<?x8xf32>, tensor<8xf32>, tensor<8x?xf32>) outs(%init : tensor<?x8xf32>) {
  ^bb0(%l: f32, %r: f32, %p: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    %m = arith.mulf %s, %p : f32
    %z = arith.maximumf %m, %zero : f32
    linalg.yield %z : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d0)>
// A neutral initial value is none; any other is combined after the reduction. Results that nobody reads are not computed.
// CHECK-LABEL: fuser.fusion @reductions
// CHECK-SAME: (%arg0: tensor<4x?xf32>, %arg1: tensor<4xf32>)
func.func @reductions(%x: tensor<4x?xf32>, %init: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[SUM:.*]] = fuser.sum %arg0 dims [1]
  %0 = linalg.generic {indexing_maps = [#id2, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  // CHECK-NOT: fuser.sum
  // CHECK: %[[ABS:.*]] = fuser.abs %arg0
  // CHECK: %[[MAX:.*]] = fuser.max %[[ABS]] dims [1]
  // CHECK: %[[ALL:.*]] = fuser.maximum %arg1, %[[MAX]]
  %1:2 = linalg.generic {indexing_maps = [#id2, #col, #col], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%init, %f : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %most: f32, %sum: f32):
    %a = math.absf %in : f32
    %m = arith.maximumf %most, %a : f32
    %s = arith.addf %in, %sum : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: fuser.return %[[SUM]], %[[ALL]]
  return %0, %1#0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Products summed over one iterator are contractions, in every order of dimensions.
// CHECK-LABEL: fuser.fusion @products
func.func @products(%a: tensor<?x16xbf16>, %b: tensor<16x32xbf16>, %w: tensor<32x16xbf16>, %x: tensor<2x?x16xbf16>,
                    %ia: tensor<?x32xf32>, %ib: tensor<?x32xf32>, %ic: tensor<2x?x32xf32>)
    -> (tensor<?x32xf32>, tensor<?x32xf32>, tensor<2x?x32xf32>) {
  // CHECK: %[[AB:.*]] = fuser.matmul %arg0, %arg1 : tensor<?x16xbf16>, tensor<16x32xbf16> -> tensor<?x32xf32>
  // CHECK: fuser.add %arg4, %[[AB]]
  %0 = linalg.matmul ins(%a, %b : tensor<?x16xbf16>, tensor<16x32xbf16>) outs(%ia : tensor<?x32xf32>) -> tensor<?x32xf32>
  // CHECK: fuser.linear %arg0, %arg2 : tensor<?x16xbf16>, tensor<32x16xbf16> -> tensor<?x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x16xbf16>, tensor<32x16xbf16>) outs(%ib : tensor<?x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %out: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x32xf32>
  // CHECK: fuser.linear %arg3, %arg2 : tensor<2x?x16xbf16>, tensor<32x16xbf16> -> tensor<2x?x32xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>,
                                        affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x?x16xbf16>, tensor<32x16xbf16>) outs(%ic : tensor<2x?x32xf32>) {
  ^bb0(%l: bf16, %r: bf16, %out: f32):
    %lf = arith.extf %l : bf16 to f32
    %rf = arith.extf %r : bf16 to f32
    %p = arith.mulf %lf, %rf : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x?x32xf32>
  return %0, %1, %2 : tensor<?x32xf32>, tensor<?x32xf32>, tensor<2x?x32xf32>
}

// -----

// S2.1: both spellings of padding are one, dynamic sizes included.
// CHECK-LABEL: fuser.fusion @pad(
// CHECK: %[[V:.*]] = arith.constant -1.0
// CHECK: %[[P:.*]] = fuser.pad %arg0 low [0, 1] high [3, 2] value %[[V]] : tensor<?x16xf32>, f32 -> tensor<?x19xf32>
// CHECK-NEXT: fuser.return %[[P]]
func.func @pad(%x: tensor<?x16xf32>) -> tensor<?x19xf32> {
  %v = arith.constant -1.0 : f32
  %0 = tensor.pad %x low[0, 1] high[3, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x16xf32> to tensor<?x19xf32>
  return %0 : tensor<?x19xf32>
}

// CHECK-LABEL: fuser.fusion @fill_and_insert(
// CHECK: %[[V:.*]] = arith.constant -1.0
// CHECK: %[[P:.*]] = fuser.pad %arg0 low [0, 1] high [3, 2] value %[[V]] : tensor<?x16xf32>, f32 -> tensor<?x19xf32>
// CHECK-NEXT: fuser.return %[[P]]
func.func @fill_and_insert(%x: tensor<?x16xf32>) -> tensor<?x19xf32> {
  %v = arith.constant -1.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %m = arith.addi %n, %c3 : index
  %e = tensor.empty(%m) : tensor<?x19xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?x19xf32>) -> tensor<?x19xf32>
  %0 = tensor.insert_slice %x into %f[0, 1] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x19xf32>
  return %0 : tensor<?x19xf32>
}

// -----

// Shapes: only units move where only units change.
// CHECK-LABEL: fuser.fusion @shapes
func.func @shapes(%x: tensor<4x?xf32>, %y: tensor<6x8xf32>, %o: index)
    -> (tensor<4x1x?xf32>, tensor<3x2x8xf32>, tensor<?x4xf32>, tensor<12x8xf32>) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  // CHECK: %[[A:.*]] = fuser.broadcast %arg0 dims [1]
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 1, %n] : tensor<4x?xf32> into tensor<4x1x?xf32>
  // CHECK: fuser.reshape %arg1 : tensor<6x8xf32> -> tensor<3x2x8xf32>
  %1 = tensor.expand_shape %y [[0, 1], [2]] output_shape [3, 2, 8] : tensor<6x8xf32> into tensor<3x2x8xf32>
  // CHECK: fuser.slice %arg1 [%arg2, 0] [%arg2, 4] strides [1, 2]
  %2 = tensor.extract_slice %y[%o, 0] [%o, 4] [1, 2] : tensor<6x8xf32> to tensor<?x4xf32>
  // CHECK: fuser.cat %arg1, %arg1 dim 0
  %3 = tensor.concat dim(0) %y, %y : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<12x8xf32>
  return %0, %1, %2, %3 : tensor<4x1x?xf32>, tensor<3x2x8xf32>, tensor<?x4xf32>, tensor<12x8xf32>
}

// -----

// Several dynamic sizes, where they correspond in order.
// CHECK-LABEL: fuser.fusion @dynamic_shapes
func.func @dynamic_shapes(%x: tensor<?x?xf32>, %y: tensor<3x?x?x4xf32>, %n: index, %m: index)
    -> (tensor<?x?x8xf32>, tensor<?x?xf32>) {
  // CHECK: fuser.reshape %arg0 : tensor<?x?xf32> -> tensor<?x?x8xf32>
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, %m, 8] : tensor<?x?xf32> into tensor<?x?x8xf32>
  // CHECK: fuser.reshape %arg1 : tensor<3x?x?x4xf32> -> tensor<?x?xf32>
  %1 = tensor.collapse_shape %y [[0, 1], [2, 3]] : tensor<3x?x?x4xf32> into tensor<?x?xf32>
  %2 = math.exp %0 : tensor<?x?x8xf32>
  %3 = math.exp %1 : tensor<?x?xf32>
  return %2, %3 : tensor<?x?x8xf32>, tensor<?x?xf32>
}

// -----

// Several dynamic sizes, where only the op tells which correspond.
// CHECK-LABEL: fuser.fusion @stated_groups
func.func @stated_groups(%x: tensor<?x?x?x5xf32>, %y: tensor<?x?xf32>, %n: index, %m: index)
    -> (tensor<?x?x5xf32>, tensor<?x8x?xf32>) {
  // CHECK: fuser.reshape %arg0 groups [1, 2, 1] to [1, 1, 1] : tensor<?x?x?x5xf32> -> tensor<?x?x5xf32>
  %0 = tensor.collapse_shape %x [[0], [1, 2], [3]] : tensor<?x?x?x5xf32> into tensor<?x?x5xf32>
  // CHECK: fuser.reshape %arg1 groups [1, 1] to [2, 1] : tensor<?x?xf32> -> tensor<?x8x?xf32>
  %1 = tensor.expand_shape %y [[0, 1], [2]] output_shape [%n, 8, %m] : tensor<?x?xf32> into tensor<?x8x?xf32>
  %2 = math.exp %0 : tensor<?x?x5xf32>
  %3 = math.exp %1 : tensor<?x8x?xf32>
  return %2, %3 : tensor<?x?x5xf32>, tensor<?x8x?xf32>
}

// -----

// Narrow scalars are passed in wider types.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: fuser.fusion @narrow_scalars
// CHECK-SAME: (%arg0: tensor<8xf16>, %arg1: f32, %arg2: i64)
// CHECK-DAG: arith.truncf %arg1 : f32 to f16
// CHECK-DAG: arith.trunci %arg2 : i64 to i32
func.func @narrow_scalars(%x: tensor<8xf16>, %s: f16, %n: i32) -> tensor<8xf16> {
  %e = tensor.empty() : tensor<8xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf16>) outs(%e : tensor<8xf16>) {
  ^bb0(%in: f16, %out: f16):
    %a = arith.mulf %in, %s : f16
    %f = arith.sitofp %n : i32 to f16
    %b = arith.addf %a, %f : f16
    linalg.yield %b : f16
  } -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// -----

// Windows are unrolled, strides and dilations included.
// CHECK-LABEL: fuser.fusion @max_pool
// CHECK-DAG: fuser.slice %arg0 [0, 0, 0] [1, 4, 3] strides [1, 2, 1] : tensor<1x9x3xf32> -> tensor<1x4x3xf32>
// CHECK-DAG: fuser.slice %arg0 [0, 2, 0] [1, 4, 3] strides [1, 2, 1]
// CHECK: fuser.maximum
func.func @max_pool(%x: tensor<1x9x3xf32>) -> tensor<1x4x3xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2xf32>
  %e = tensor.empty() : tensor<1x4x3xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %0 = linalg.pooling_nwc_max {strides = dense<2> : vector<1xi64>, dilations = dense<2> : vector<1xi64>}
      ins(%x, %window : tensor<1x9x3xf32>, tensor<2xf32>) outs(%f : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

// -----

// Foreign ops stay where they are, with a call for what converts before and after them; sizes of results become sizes of arguments.
// CHECK-LABEL: fuser.fusion @mixed_fusion_0(
// CHECK: fuser.exp
// CHECK-LABEL: fuser.fusion @mixed_fusion_1(
// CHECK: fuser.tanh
// CHECK-LABEL: func.func @mixed(
// CHECK: %[[D:.*]] = tensor.dim %arg0
// CHECK: %[[E:.*]] = fuser.call @mixed_fusion_0(%arg0)
// CHECK: %[[F:.*]] = call @foreign(%[[E]], %[[D]])
// CHECK: %[[T:.*]] = fuser.call @mixed_fusion_1(%[[F]])
// CHECK: return %[[T]]
func.func private @foreign(tensor<?xf32>, index) -> tensor<?xf32>
func.func @mixed(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = math.exp %x : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  %1 = func.call @foreign(%0, %d) : (tensor<?xf32>, index) -> tensor<?xf32>
  %2 = math.tanh %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// Code in regions of foreign ops converts, too.
// CHECK-LABEL: fuser.fusion @loop_fusion_0(
// CHECK: fuser.add
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: fuser.call @loop_fusion_0(
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<8xf32> {
    %1 = arith.addf %acc, %acc : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Callers of a function that became a fusion call the fusion; it keeps its arguments, used or not.
// CHECK-LABEL: fuser.fusion @callee(
// CHECK-LABEL: func.func @caller(
// CHECK: fuser.call @callee(%arg0, %arg1)
func.func private @callee(%x: tensor<8xf32>, %unused: tensor<4xi32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @caller(%x: tensor<8xf32>, %y: tensor<4xi32>) -> tensor<8xf32> {
  %0 = func.call @callee(%x, %y) : (tensor<8xf32>, tensor<4xi32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Bools are numbers of one bit upstream: true is below false where they have a sign.
// CHECK-LABEL: fuser.fusion @bools
func.func @bools(%a: tensor<8xi1>, %b: tensor<8xi1>, %u: tensor<8xi8>, %v: tensor<8xi8>)
    -> (tensor<8xi1>, tensor<8xi1>, tensor<8xi32>, tensor<8xi1>, tensor<8xi32>) {
  // CHECK: fuser.lt %arg1, %arg0
  %0 = arith.cmpi slt, %a, %b : tensor<8xi1>
  // CHECK: fuser.bitwise_xor %arg0, %arg1
  %1 = arith.addi %a, %b : tensor<8xi1>
  // CHECK: %[[C:.*]] = fuser.cast %arg0 : tensor<8xi1> to tensor<8xi32>
  // CHECK: fuser.neg %[[C]]
  %2 = arith.extsi %a : tensor<8xi1> to tensor<8xi32>
  // CHECK-DAG: %[[U:.*]] = fuser.bitwise_xor %arg2, %[[MIN:[a-z0-9_-]*]] : (tensor<8xi8>, i8)
  // CHECK-DAG: %[[V:.*]] = fuser.bitwise_xor %arg3, %[[MIN]]
  // CHECK: fuser.lt %[[U]], %[[V]]
  %3 = arith.cmpi ult, %u, %v : tensor<8xi8>
  // CHECK: %[[W:.*]] = fuser.cast %arg2 : tensor<8xi8> to tensor<8xi32>
  // CHECK: fuser.bitwise_and %[[W]], %{{.*}} : (tensor<8xi32>, i32)
  %4 = arith.extui %u : tensor<8xi8> to tensor<8xi32>
  return %0, %1, %2, %3, %4 : tensor<8xi1>, tensor<8xi1>, tensor<8xi32>, tensor<8xi1>, tensor<8xi32>
}
