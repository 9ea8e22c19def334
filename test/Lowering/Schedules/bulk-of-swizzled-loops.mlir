// RUN: fuser-run %s --device=host --check --sizes=32x32,32,32 | FileCheck %s
// The loops of a tile are swizzled: its threads copy it, as no piece is contiguous in their order.

// CHECK: check {{.*}} ok
fuser.fusion @f(%x0: tensor<32x32xf32>, %x1: tensor<32xf32>, %x2: tensor<32xf32>) -> (tensor<32x64xf32>, tensor<32x16x4xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<aligned 4, 16>]} {
  %0 = fuser.set %x0 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i1) -> i3, split(i3, 4) -> (i4, i5), swizzle(i5, i4, 1) -> (i6, i7), loop = [i0, i7, i6], allocation = [i0, i1]>], fuser.copy_engine = "bulk", fuser.copy_role = "producer", fuser.stages = 2 : i64, inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<32x32xf32>
  %1 = fuser.repeat %0 [1, 2] {domains = [#fuser.domain<root = [i0, e1, i2], merge(e1, i2) -> i3, split(i3, 4) -> (i4, i5), swizzle(i5, i4, 1) -> (i6, i7), logical = [i0, i3], loop = [i0, i7, i6], allocation = [i0, i3]>]} : tensor<32x32xf32> -> tensor<32x64xf32>
  %2 = fuser.reshape %1 {domains = [#fuser.domain<root = [i0, i1], split(i1, 4) -> (i2, i3), swizzle(i3, i2, 1) -> (i4, i5), logical = [i0, i2, i3], loop = [i0, i5, i4], allocation = [i0, i2, i3]>]} : tensor<32x64xf32> -> tensor<32x16x4xf32>
  %3 = fuser.maximum %2, %2 {domains = [#fuser.domain<logical = [i0, i1, i2], swizzle(i2, i1, 1) -> (i3, i4), loop = [i0, i4, i3], allocation = [i0, i1, i2]>]} : tensor<32x16x4xf32>
  %4 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), swizzle(i3, i2, 1) -> (i4, i5), loop = [i0, i5, i4], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<32x64xf32>
  %5 = fuser.set %3 {domains = [#fuser.domain<logical = [i0, i1, i2], swizzle(i2, i1, 1) -> (i3, i4), loop = [i0, i4, i3], allocation = [i0, i1, i2]>], memory = #fuser.memory<global>} : tensor<32x16x4xf32>
  fuser.return %4, %5 : tensor<32x64xf32>, tensor<32x16x4xf32>
}
