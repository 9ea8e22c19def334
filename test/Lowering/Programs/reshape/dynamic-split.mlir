// RUN: fuser-run %s --device=host --check --sizes=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=42 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3000 | FileCheck %s
// A dynamic size is split by a factor that is no power of two: no element is computed twice.
// CHECK: kernels f_0:
// CHECK-NOT: f_1:
// CHECK-NOT: fallback
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?x3xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x3xf32>
  %2 = fuser.neg %1 : tensor<?x3xf32>
  fuser.return %2 : tensor<?x3xf32>
}
