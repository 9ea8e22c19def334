// RUN: fuser-run %s --device=host --check --sizes=7x12 | FileCheck %s
// A value that is repeated along one part.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?x12xf32>) -> tensor<?x60xf32> {
  %0 = fuser.exp %x : tensor<?x12xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<?x12xf32> -> tensor<?x12x1xf32>
  %2 = fuser.expand %1 : tensor<?x12x1xf32> -> tensor<?x12x5xf32>
  %3 = fuser.reshape %2 : tensor<?x12x5xf32> -> tensor<?x60xf32>
  %4 = fuser.neg %3 : tensor<?x60xf32>
  fuser.return %4 : tensor<?x60xf32>
}
