// RUN: fuser-run %s --program=narrow --size x=8x6 --scalar s=2 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=clamped_slice --size x=9x4 --scalar a=-3 --scalar b=100 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=cond_size --size x=6x4 --scalar c=1 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=dim_min --size x=6x8 --size y=4x8 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=min_size_sum --size x=6x4 --size y=9x4 --device=host --check 2>&1 | FileCheck %s
// RUN: fuser-run %s --program=dyn_slice --scalar i=5 --scalar j=2 --device=host --check 2>&1 | FileCheck %s
// Sizes and offsets that comparisons, selections, minima and maxima decide.

// CHECK-NOT: not converted
// CHECK: check {{ *}}output 0: ok

func.func @narrow(%x: tensor<?x6xf32>, %s: i64) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %n64 = arith.index_cast %n : index to i64
  %neg = arith.cmpi slt, %s, %z : i64
  %w = arith.addi %s, %n64 : i64
  %p = arith.select %neg, %w, %s : i64
  %p0 = arith.maxsi %p, %z : i64
  %p1 = arith.minsi %p0, %n64 : i64
  %o = arith.index_cast %p1 : i64 to index
  %l = arith.subi %n, %o : index
  %0 = tensor.extract_slice %x[%o, 0] [%l, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %1 = math.exp %0 : tensor<?x6xf32>
  return %1 : tensor<?x6xf32>
}
func.func @clamped_slice(%x: tensor<?x4xf32>, %a: i64, %b: i64) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %n64 = arith.index_cast %n : index to i64
  %0 = arith.addi %a, %n64 : i64
  %1 = arith.cmpi sge, %a, %z : i64
  %2 = arith.select %1, %a, %0 : i64
  %3 = arith.cmpi slt, %2, %z : i64
  %4 = arith.select %3, %z, %2 : i64
  %5 = arith.cmpi sgt, %4, %n64 : i64
  %6 = arith.select %5, %n64, %4 : i64
  %start = arith.index_cast %6 : i64 to index
  %7 = arith.addi %b, %n64 : i64
  %8 = arith.cmpi sge, %b, %z : i64
  %9 = arith.select %8, %b, %7 : i64
  %10 = arith.cmpi slt, %9, %z : i64
  %11 = arith.select %10, %z, %9 : i64
  %12 = arith.cmpi sgt, %11, %n64 : i64
  %13 = arith.select %12, %n64, %11 : i64
  %end = arith.index_cast %13 : i64 to index
  %14 = arith.cmpi sge, %end, %start : index
  %15 = arith.select %14, %end, %start : index
  %len = arith.subi %15, %start : index
  %16 = tensor.extract_slice %x[%start, 0] [%len, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %17 = math.exp %16 : tensor<?x4xf32>
  return %17 : tensor<?x4xf32>
}
func.func @cond_size(%x: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.select %c, %c1, %c2 : index
  %0 = tensor.extract_slice %x[%n, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %1 = math.exp %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func @dim_min(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.dim %x, %c0 : tensor<?x8xf32>
  %b = tensor.dim %y, %c0 : tensor<?x8xf32>
  %m = arith.minsi %a, %b : index
  %u = tensor.extract_slice %x[0, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %v = tensor.extract_slice %y[0, 0] [%m, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %0 = arith.addf %u, %v : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @min_size_sum(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %a = tensor.dim %x, %c0 : tensor<?x4xf32>
  %b = tensor.dim %y, %c0 : tensor<?x4xf32>
  %m = arith.minui %a, %b : index
  %u = tensor.extract_slice %x[0, 0] [%m, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %v = tensor.extract_slice %y[0, 0] [%m, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %0 = arith.mulf %u, %v : tensor<?x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%0 : tensor<?x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %r : tensor<4xf32>
}
func.func @dyn_slice(%x: tensor<9x6xf32>, %i: i32, %j: i32) -> tensor<4x3xf32> {
  %z = arith.constant 0 : i32
  %mi = arith.constant 5 : i32
  %mj = arith.constant 3 : i32
  %a = arith.maxsi %i, %z : i32
  %b = arith.minsi %a, %mi : i32
  %c = arith.maxsi %j, %z : i32
  %d = arith.minsi %c, %mj : i32
  %bi = arith.index_cast %b : i32 to index
  %di = arith.index_cast %d : i32 to index
  %0 = tensor.extract_slice %x[%bi, %di] [4, 3] [1, 1] : tensor<9x6xf32> to tensor<4x3xf32>
  %1 = math.exp %0 : tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
