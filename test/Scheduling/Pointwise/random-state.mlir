// RUN: fuser-run %s --device=host --check --sizes=65x100, --scalar=offset=5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1, --scalar=offset=0 | FileCheck %s
// A seed that is an element in memory gives the numbers of the same seed as a scalar: in a kernel that reduces rows, and in
// one after a boundary, where the seed is computed in the program.
// CHECK-COUNT-1: check {{.*}} ok
// CHECK-NOT: mismatch
fuser.fusion @seeds(%x: tensor<?x?xf32>, %state: tensor<i64>, %offset: i64) -> (tensor<?xf32>, tensor<?x?xf16>, tensor<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i64
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %u = fuser.random_uniform %state, %offset sizes(%m, %n) : tensor<i64> -> tensor<?x?xf32>
  %kept = fuser.lt %u, %half : (tensor<?x?xf32>, f32) -> tensor<?x?xi1>
  %dropped = fuser.where %kept, %x, %zero : (tensor<?x?xi1>, tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %rows = fuser.sum %dropped dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %next = fuser.add %state, %one : (tensor<i64>, i64) -> tensor<i64>
  %mark = fuser.segment_set %next : tensor<i64>
  %normal = fuser.random_normal %mark, %offset sizes(%m, %n) : tensor<i64> -> tensor<?x?xf16>
  %single = fuser.random_uniform %next, %offset : tensor<i64> -> tensor<f64>
  fuser.return %rows, %normal, %single : tensor<?xf32>, tensor<?x?xf16>, tensor<f64>
}
