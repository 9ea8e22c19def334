// RUN: fuser-opt %s --fuser-preseg --mlir-disable-threading --mlir-print-ir-before-all -o /dev/null 2>&1 | FileCheck %s
// S4.1: before the last pass that changes anything, every allocation is a permutation of the logical domain, while loops
// are split and run over streams and devices. That pass splits allocations.

// CHECK: Before {{.*}}(fuser-resolve-stride-orders)
// CHECK-NOT: allocation = [{{[^]]*i[23]}}
// CHECK: Before {{.*}}(fuser-finalize-domains)
// CHECK-NEXT: fuser.fusion @streams
// CHECK-NEXT: fuser.exp {{.*}} loop = [i3, i2 @stream, i1], allocation = [i1, i0]>
// CHECK-NEXT: fuser.neg {{.*}} loop = [i3, i2 @stream, i1], allocation = [i0, i1]>
// CHECK-NOT: Before
// CHECK: Before {{.*}}(fuser-verify-distribution)
// CHECK-NEXT: fuser.fusion @streams
// CHECK-NEXT: fuser.exp {{.*}} loop = [i2 @stream, i3, i1], allocation = [i1, i2, i3]>
// CHECK-NEXT: fuser.neg {{.*}} loop = [i2 @stream, i3, i1], allocation = [i0, i1]>
fuser.fusion @streams(%0: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i3, i2 @stream, i1], allocation = [i1, i0]>]} : tensor<6x8xf32>
  %2 = fuser.neg %1 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i3, i2 @stream, i1], allocation = [i0, i1]>]} : tensor<6x8xf32>
  fuser.return %2 : tensor<6x8xf32>
}

// CHECK: Before {{.*}}(fuser-resolve-stride-orders)
// CHECK-NOT: allocation = [{{[^]]*i[23]}}
// CHECK: Before {{.*}}(fuser-finalize-domains)
// CHECK-NEXT: fuser.fusion @devices
// CHECK-SAME: loop = [i3, i2 @device_x, i1], allocation = [i0, i1]>
// CHECK-NEXT: fuser.exp {{.*}} loop = [i3, i2 @device_x, i1], allocation = [i1, i0]>
// CHECK-NOT: Before
// CHECK: Before {{.*}}(fuser-verify-distribution)
// CHECK-NEXT: fuser.fusion @devices
// CHECK-SAME: loop = [i2 @device_x, i3, i1], allocation = [i2, i3, i1]>
// CHECK-NEXT: fuser.exp {{.*}} loop = [i2 @device_x, i3, i1], allocation = [i1, i2, i3]>
fuser.fusion @devices(%0: tensor<4x6xf32>) -> tensor<4x6xf32>
    attributes {mesh = #fuser.mesh<device_x = 2>,
                arg_domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
                                             loop = [i3, i2 @device_x, i1], allocation = [i0, i1]>]} {
  %1 = fuser.exp %0 {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3),
      loop = [i3, i2 @device_x, i1], allocation = [i1, i0]>]} : tensor<4x6xf32>
  fuser.return %1 : tensor<4x6xf32>
}
