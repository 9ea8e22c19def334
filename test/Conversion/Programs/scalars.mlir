// RUN: fuser-run %s --program=f16_scalar --size x=5x7 --scalar s=1.5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=bf16_scalar --size x=5x7 --scalar s=1.5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=i32_scalar --scalar n=3 --range x=-50:50 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=i32_to_float --scalar n=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=i8_scalar --scalar n=3 --range x=-20:20 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=i16_scalar --scalar n=3 --range x=-20:20 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=index_scalar --scalar o=2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=i32_offset --scalar o=2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=i32_size --scalar n=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=f16_fill --scalar s=2.5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=f16_pad --scalar s=2.5 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=fill_i8 --scalar s=2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=scalar_arith --scalar a=2.5 --scalar b=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=ui_scalar --scalar b=3 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=scalar_div --scalar n=3 --device=host --check 2>&1 | FileCheck %s
// Scalar arguments of every type that front ends pass.

// CHECK-NOT: not converted
// CHECK: check {{ *}}output 0: ok

#id = affine_map<(d0, d1) -> (d0, d1)>
#sc = affine_map<(d0, d1) -> ()>
#id1 = affine_map<(d0) -> (d0)>
#sc1 = affine_map<(d0) -> ()>
func.func @f16_scalar(%x: tensor<?x7xf16>, %s: f16) -> tensor<?x7xf16> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x7xf16>
  %e = tensor.empty(%d) : tensor<?x7xf16>
  %0 = linalg.generic {indexing_maps = [#id, #sc, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x7xf16>, f16) outs(%e : tensor<?x7xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %m = arith.mulf %a, %b : f16
    linalg.yield %m : f16
  } -> tensor<?x7xf16>
  return %0 : tensor<?x7xf16>
}
func.func @bf16_scalar(%x: tensor<?x7xbf16>, %s: bf16) -> tensor<?x7xbf16> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x7xbf16>
  %e = tensor.empty(%d) : tensor<?x7xbf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x7xbf16>) outs(%e : tensor<?x7xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %m = arith.addf %a, %s : bf16
    linalg.yield %m : bf16
  } -> tensor<?x7xbf16>
  return %0 : tensor<?x7xbf16>
}
func.func @i32_scalar(%x: tensor<9xi32>, %n: i32) -> tensor<9xi32> {
  %e = tensor.empty() : tensor<9xi32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%x : tensor<9xi32>) outs(%e : tensor<9xi32>) {
  ^bb0(%a: i32, %o: i32):
    %m = arith.muli %a, %n : i32
    %k = arith.maxsi %m, %n : i32
    linalg.yield %k : i32
  } -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
func.func @i32_to_float(%x: tensor<9xf32>, %n: i32) -> tensor<9xf32> {
  %f = arith.sitofp %n : i32 to f32
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %f : f32
    linalg.yield %m : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func @i8_scalar(%x: tensor<9xi8>, %n: i8) -> tensor<9xi8> {
  %e = tensor.empty() : tensor<9xi8>
  %0 = linalg.generic {indexing_maps = [#id1, #sc1, #id1], iterator_types = ["parallel"]} ins(%x, %n : tensor<9xi8>, i8) outs(%e : tensor<9xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %m = arith.subi %a, %b : i8
    linalg.yield %m : i8
  } -> tensor<9xi8>
  return %0 : tensor<9xi8>
}
func.func @i16_scalar(%x: tensor<9xi32>, %n: i16) -> tensor<9xi32> {
  %e = tensor.empty() : tensor<9xi32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%x : tensor<9xi32>) outs(%e : tensor<9xi32>) {
  ^bb0(%a: i32, %o: i32):
    %w = arith.extsi %n : i16 to i32
    %m = arith.subi %a, %w : i32
    linalg.yield %m : i32
  } -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
func.func @index_scalar(%x: tensor<9x4xf32>, %o: index) -> tensor<3x4xf32> {
  %0 = tensor.extract_slice %x[%o, 0] [3, 4] [1, 1] : tensor<9x4xf32> to tensor<3x4xf32>
  %1 = math.exp %0 : tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
func.func @i32_offset(%x: tensor<9x4xf32>, %o: i32) -> tensor<3x4xf32> {
  %i = arith.index_cast %o : i32 to index
  %0 = tensor.extract_slice %x[%i, 0] [3, 4] [1, 1] : tensor<9x4xf32> to tensor<3x4xf32>
  %1 = math.exp %0 : tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
func.func @i32_size(%x: tensor<9x4xf32>, %n: i32) -> tensor<?x4xf32> {
  %i = arith.index_cast %n : i32 to index
  %0 = tensor.extract_slice %x[0, 0] [%i, 4] [1, 1] : tensor<9x4xf32> to tensor<?x4xf32>
  %1 = math.exp %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func @f16_fill(%x: tensor<9xf16>, %s: f16) -> tensor<9xf16> {
  %e = tensor.empty() : tensor<9xf16>
  %f = linalg.fill ins(%s : f16) outs(%e : tensor<9xf16>) -> tensor<9xf16>
  %0 = linalg.div ins(%x, %f : tensor<9xf16>, tensor<9xf16>) outs(%e : tensor<9xf16>) -> tensor<9xf16>
  return %0 : tensor<9xf16>
}
func.func @f16_pad(%x: tensor<9xf16>, %s: f16) -> tensor<12xf16> {
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %s : f16
  } : tensor<9xf16> to tensor<12xf16>
  return %0 : tensor<12xf16>
}
func.func @fill_i8(%x: tensor<9xi8>, %s: i8) -> tensor<9xi32> {
  %e = tensor.empty() : tensor<9xi32>
  %w0 = arith.extsi %s : i8 to i32
  %f = linalg.fill ins(%w0 : i32) outs(%e : tensor<9xi32>) -> tensor<9xi32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%x, %f : tensor<9xi8>, tensor<9xi32>) outs(%e : tensor<9xi32>) {
  ^bb0(%a: i8, %b: i32, %o: i32):
    %w = arith.extsi %a : i8 to i32
    %m = arith.subi %w, %b : i32
    linalg.yield %m : i32
  } -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
func.func @scalar_arith(%x: tensor<9xf32>, %a: f16, %b: i32) -> tensor<9xf32> {
  %f = arith.sitofp %b : i32 to f16
  %g = arith.mulf %a, %f : f16
  %h = arith.extf %g : f16 to f32
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%x : tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.divf %v, %h : f32
    linalg.yield %m : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func @ui_scalar(%x: tensor<9xf32>, %b: i32) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [#id1, #sc1, #id1], iterator_types = ["parallel"]} ins(%x, %b : tensor<9xf32>, i32) outs(%e : tensor<9xf32>) {
  ^bb0(%v: f32, %n: i32, %o: f32):
    %f = arith.uitofp %n : i32 to f32
    %m = arith.divf %v, %f : f32
    linalg.yield %m : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func @scalar_div(%x: tensor<9xi32>, %n: i32) -> tensor<9xi32> {
  %c = arith.constant 7 : i32
  %q = arith.divsi %c, %n : i32
  %e = tensor.empty() : tensor<9xi32>
  %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]} ins(%x : tensor<9xi32>) outs(%e : tensor<9xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = arith.addi %a, %q : i32
    linalg.yield %1 : i32
  } -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
