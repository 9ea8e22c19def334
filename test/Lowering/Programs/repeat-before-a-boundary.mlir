// RUN: fuser-run %s --device=host --check | FileCheck %s
// A repeat whose result another segment reads.
// CHECK: check {{ *}}output 0: ok, 96 elements
fuser.fusion @repeat(%x: tensor<4x8xf32>) -> tensor<12x8xf32> {
  %0 = fuser.exp %x : tensor<4x8xf32>
  %1 = fuser.repeat %0 [3, 1] : tensor<4x8xf32> -> tensor<12x8xf32>
  %2 = fuser.segment_set %1 : tensor<12x8xf32>
  %3 = fuser.neg %2 : tensor<12x8xf32>
  fuser.return %3 : tensor<12x8xf32>
}
