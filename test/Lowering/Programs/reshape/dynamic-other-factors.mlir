// RUN: fuser-run %s --device=host --check --sizes=24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=240 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0 | FileCheck %s
// Two splits of a dynamic size by other factors, one behind the other.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?x3xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x8xf32>
  %2 = fuser.abs %1 : tensor<?x8xf32>
  %3 = fuser.reshape %2 : tensor<?x8xf32> -> tensor<?x3xf32>
  %4 = fuser.neg %3 : tensor<?x3xf32>
  fuser.return %4 : tensor<?x3xf32>
}
