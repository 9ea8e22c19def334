// RUN: fuser-run %s --program=batchnorm_stats --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=reduce_select --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=groupnorm --size x=3x8x6x6 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=count --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=ln_keepdim --size x=3x5x64 --size g=64 --size b=64 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=two_sums --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=welford --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=welford_counted --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=bf16_sum --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=named --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=resource --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=cumsum --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=chunked --size x=5x8 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=uint8 --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser=drop-asserts 2>/dev/null | FileCheck %s --check-prefix=IR
// NUMPY: bf16_sum = x.sum(1)
// NUMPY: uint8 = x.astype(np.float32)
// Layer norms and other sums in several spellings, constants, chunks.

// CHECK: check {{ *}}output 0: ok

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1) -> (d0)>
#keep = affine_map<(d0, d1) -> (d0, 0)>
// With unit dimensions, f64 constants, and checks of sizes that are always true.
// IR-LABEL: fuser.fusion @ln_keepdim(
// IR-NOT: facts
// IR: fuser.sum
func.func @ln_keepdim(%x: tensor<?x?x64xf32>, %g: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f64
  %d0 = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %s = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<?x?x64xf32>) outs(%f : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x1xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<?x?x1xf32>) outs(%e : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x1xf32>
  %dd0 = tensor.dim %s, %c0 : tensor<?x?x1xf32>
  %ck = arith.cmpi eq, %dd0, %d0 : index
  cf.assert %ck, "mismatched size for broadcast"
  %ee = tensor.empty(%d0, %d1) : tensor<?x?x64xf32>
  %c = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %m : tensor<?x?x64xf32>, tensor<?x?x1xf32>) outs(%ee : tensor<?x?x64xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %0 = arith.subf %in, %in1 : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x64xf32>
  %v = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%c : tensor<?x?x64xf32>) outs(%f : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    %0 = arith.addf %1, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<?x?x1xf32>) outs(%e : tensor<?x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %n : f32
    %1 = arith.truncf %eps : f64 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.rsqrt %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x?x1xf32>
  %y = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c, %r, %g, %b : tensor<?x?x64xf32>, tensor<?x?x1xf32>, tensor<64xf32>, tensor<64xf32>) outs(%ee : tensor<?x?x64xf32>) {
  ^bb0(%in: f32, %in1: f32, %in2: f32, %in3: f32, %out: f32):
    %0 = arith.mulf %in, %in1 : f32
    %1 = arith.mulf %0, %in2 fastmath<fast> : f32
    %2 = arith.addf %1, %in3 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?x64xf32>
  %cast = tensor.cast %y : tensor<?x?x64xf32> to tensor<?x?x64xf32>
  return %cast : tensor<?x?x64xf32>
}
func.func @two_sums(%x: tensor<8x33xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x33xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %1 = arith.addf %a, %in : f32
    %2 = arith.mulf %in, %in : f32
    %3 = arith.addf %b, %2 : f32
    linalg.yield %1, %3 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
// IR-LABEL: fuser.fusion @welford(
// IR: fuser.var_mean {{.*}} dims [1] correction 0
func.func @welford(%x: tensor<8x33xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#id2, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x33xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %mean: f32, %m2: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %kf = arith.sitofp %k : i64 to f32
    %n = arith.addf %kf, %one : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.divf %delta, %n : f32
    %mean1 = arith.addf %mean, %q : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta, %delta2 : f32
    %m21 = arith.addf %m2, %p : f32
    linalg.yield %mean1, %m21 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
func.func @welford_counted(%x: tensor<33x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<33x8xf32>) outs(%f, %f, %f : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %count: f32, %mean: f32, %m2: f32):
    %n = arith.addf %count, %one : f32
    %inverse = arith.divf %one, %n : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.mulf %inverse, %delta : f32
    %mean1 = arith.addf %q, %mean : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta2, %delta : f32
    %m21 = arith.addf %p, %m2 : f32
    linalg.yield %n, %mean1, %m21 : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1, %0#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
// A running value that is widened and rounded at each step is rounded once.
// IR-LABEL: fuser.fusion @bf16_sum(
// IR: fuser.sum {{.*}}tensor<8xf32>
// IR: fuser.cast {{.*}} to tensor<8xbf16>
func.func @bf16_sum(%x: tensor<8x33xbf16>) -> tensor<8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<8xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<8xbf16>) -> tensor<8xbf16>
  %0 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x33xbf16>) outs(%f : tensor<8xbf16>) {
  ^bb0(%in: bf16, %a: bf16):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}
func.func @named(%x: tensor<8x33xf32>, %y: tensor<8x33xf32>) -> (tensor<33x8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x33xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<33x8xf32>
  %m = linalg.map { arith.addf } ins(%x, %y : tensor<8x33xf32>, tensor<8x33xf32>) outs(%e : tensor<8x33xf32>)
  %w = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%m : tensor<8x33xf32>) outs(%e : tensor<8x33xf32>) -> tensor<8x33xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.reduce { arith.addf } ins(%w : tensor<8x33xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<8x33xf32>) dimensions = [1]
  %d = linalg.div ins(%w, %b : tensor<8x33xf32>, tensor<8x33xf32>) outs(%e : tensor<8x33xf32>) -> tensor<8x33xf32>
  %t = linalg.transpose ins(%d : tensor<8x33xf32>) outs(%e2 : tensor<33x8xf32>) permutation = [1, 0]

  return %t, %r : tensor<33x8xf32>, tensor<8xf32>
}
func.func @resource(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = arith.constant dense_resource<w> : tensor<2x3xf32>
  %v = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %b = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  %0 = arith.mulf %x, %w : tensor<2x3xf32>
  %1 = arith.addf %0, %b : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// As the window of stablehlo.reduce_window.
func.func @cumsum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 7] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x8xf32> to tensor<4x15xf32>
  %w = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 + d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %w : tensor<4x15xf32>, tensor<8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%in: f32, %u: f32, %a: f32):
    %1 = arith.addf %in, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @chunked(%x: tensor<?x8xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %a = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %b = tensor.extract_slice %x[0, 4] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  %s = arith.negf %b : tensor<?x4xf32>
  %t = tensor.concat dim(1) %s, %a : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %u = tensor.extract_slice %t[0, 2] [%n, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  return %s, %u : tensor<?x4xf32>, tensor<?x4xf32>
}
// Integers with a sign become signless.
// IR-LABEL: fuser.fusion @uint8(%arg0: tensor<4xi8>) -> tensor<4xf32>
func.func @uint8(%x: tensor<4xui8>) -> tensor<4xf32> {
  %y = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %0 = arith.uitofp %y : tensor<4xi8> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
// A running value that is multiplied and added at once, or kept under a condition.
func.func @batchnorm_stats(%x: tensor<4x3x5x5xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0,d1,d2,d3)->(d1,d0,d2,d3)>, affine_map<(d0,d1,d2,d3)->(d0)>, affine_map<(d0,d1,d2,d3)->(d0)>], iterator_types = ["parallel","reduction","reduction","reduction"]} ins(%x : tensor<4x3x5x5xf32>) outs(%f, %f : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %0 = arith.addf %in, %a : f32
    %1 = math.fma %in, %in, %b : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}
func.func @reduce_select(%x: tensor<4x8xf32>, %m: tensor<4x8xi1>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %m : tensor<4x8xf32>, tensor<4x8xi1>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %c: i1, %a: f32):
    %2 = arith.addf %a, %in : f32
    %3 = arith.select %c, %2, %a : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @groupnorm(%x: tensor<?x8x6x6xf32>) -> tensor<?x8x6x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 72.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?x8x6x6xf32>
  %r = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [%d, 4, 2, 6, 6] : tensor<?x8x6x6xf32> into tensor<?x4x2x6x6xf32>
  %c = tensor.collapse_shape %r [[0], [1], [2, 3, 4]] : tensor<?x4x2x6x6xf32> into tensor<?x4x72xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = linalg.reduce { arith.addf } ins(%c : tensor<?x4x72xf32>) outs(%f : tensor<?x4xf32>) dimensions = [2]
  %e2 = tensor.empty(%d) : tensor<?x4x72xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0,d1,d2)->(d0,d1,d2)>, affine_map<(d0,d1,d2)->(d0,d1)>, affine_map<(d0,d1,d2)->(d0,d1,d2)>], iterator_types = ["parallel","parallel","parallel"]} ins(%c, %s : tensor<?x4x72xf32>, tensor<?x4xf32>) outs(%e2 : tensor<?x4x72xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.divf %m, %n : f32
    %1 = arith.subf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x4x72xf32>
  %z = tensor.expand_shape %y [[0], [1], [2, 3, 4]] output_shape [%d, 4, 2, 6, 6] : tensor<?x4x72xf32> into tensor<?x4x2x6x6xf32>
  %w = tensor.collapse_shape %z [[0], [1, 2], [3], [4]] : tensor<?x4x2x6x6xf32> into tensor<?x8x6x6xf32>
  return %w : tensor<?x8x6x6xf32>
}
func.func @count(%m: tensor<4x8xi1>) -> tensor<4xi64> {
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<4xi64>) -> tensor<4xi64>
  %0 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%m : tensor<4x8xi1>) outs(%f : tensor<4xi64>) {
  ^bb0(%c: i1, %a: i64):
    %1 = arith.extui %c : i1 to i64
    %2 = arith.addi %a, %1 : i64
    linalg.yield %2 : i64
  } -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
