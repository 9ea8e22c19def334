// RUN: fuser-run %s --device=host --check --program=columns --sizes=16x8,16x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=overlap --sizes=5x8,7x4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=4x8,5x8 --scalar n=20 --scalar o=7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=4x8,5x8 --scalar n=20 --scalar o=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=dynamic --sizes=4x8,0x8 --scalar n=5 --scalar o=5 | FileCheck %s
// S2.1, S2.6: two insertions into one fill are one kernel, which writes each element once, border included: along any
// dimension, at positions of the call, and where the later one replaces elements of the earlier one.

// CHECK: kernels {{ *}}[[NAME:[a-z_]+]]_0: grid
// CHECK-NOT: [[NAME]]_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @columns(%a: tensor<16x8xbf16>, %b: tensor<16x4xbf16>) -> tensor<16x32xbf16> {
  %v = arith.constant 2.0 : f32
  %f = fuser.full %v : f32 -> tensor<16x32xbf16>
  %0 = fuser.exp %a : tensor<16x8xbf16>
  %1 = fuser.neg %b : tensor<16x4xbf16>
  %2 = fuser.insert_slice %0 into %f [0, 1] : tensor<16x8xbf16> into tensor<16x32xbf16>
  %3 = fuser.insert_slice %1 into %2 [0, 16] : tensor<16x4xbf16> into tensor<16x32xbf16>
  fuser.return %3 : tensor<16x32xbf16>
}

fuser.fusion @overlap(%a: tensor<5x8xf32>, %b: tensor<7x4xf32>) -> tensor<16x32xf32> {
  %v = arith.constant 2.0 : f32
  %f = fuser.full %v : f32 -> tensor<16x32xf32>
  %0 = fuser.exp %a : tensor<5x8xf32>
  %1 = fuser.neg %b : tensor<7x4xf32>
  %2 = fuser.insert_slice %0 into %f [1, 1] : tensor<5x8xf32> into tensor<16x32xf32>
  %3 = fuser.insert_slice %1 into %2 [3, 6] : tensor<7x4xf32> into tensor<16x32xf32>
  fuser.return %3 : tensor<16x32xf32>
}

fuser.fusion @dynamic(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>, %n: index, %o: index) -> tensor<?x8xf32> {
  %v = arith.constant 2.0 : f32
  %f = fuser.full %v sizes(%n) : f32 -> tensor<?x8xf32>
  %0 = fuser.exp %a : tensor<?x8xf32>
  %1 = fuser.neg %b : tensor<?x8xf32>
  %2 = fuser.insert_slice %0 into %f [1, 0] : tensor<?x8xf32> into tensor<?x8xf32>
  %3 = fuser.insert_slice %1 into %2 [%o, 0] : tensor<?x8xf32> into tensor<?x8xf32>
  fuser.return %3 : tensor<?x8xf32>
}
