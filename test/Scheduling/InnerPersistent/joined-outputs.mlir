// An output that is a value joined with others to the rows states its alignment where vectors of its elements are stored.
// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=inner_persistent target=h200" --fuser-apply-schedules --fuser-verify-schedules | FileCheck %s

// The insertion is at a row, so that the vectors of both values begin at the same columns.
// CHECK-LABEL: fuser.kernel @whole_rows
// CHECK-SAME: #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>
// CHECK-SAME: vector = 4
fuser.kernel @whole_rows(%x: tensor<22x64xf32>) -> (tensor<23x64xf32>, tensor<22x64xf32>) {
  %c = arith.constant 1.5 : f32
  %0 = fuser.neg %x : tensor<22x64xf32>
  %1 = fuser.full %c : f32 -> tensor<23x64xf32>
  %2 = fuser.insert_slice %0 into %1 [1, 0] : tensor<22x64xf32> into tensor<23x64xf32>
  %3 = fuser.sum %2 dims [1] : tensor<23x64xf32> -> tensor<23xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<23xf32> -> tensor<23x1xf32>
  %5 = fuser.div %2, %4 : (tensor<23x64xf32>, tensor<23x1xf32>) -> tensor<23x64xf32>
  fuser.return %5, %0 : tensor<23x64xf32>, tensor<22x64xf32>
}

// -----

// Vectors are as wide as the alignment that is known of the joined value.
// CHECK-LABEL: fuser.kernel @known_alignment
// CHECK-SAME: #fuser.fact<aligned 2, 8>
// CHECK-SAME: #fuser.fact<aligned 1, 8>
// CHECK-SAME: vector = 2
fuser.kernel @known_alignment(%x: tensor<22x64xf32>) -> (tensor<23x64xf32>, tensor<22x64xf32>) attributes {facts = [#fuser.fact<aligned 2, 8>]} {
  %c = arith.constant 1.5 : f32
  %0 = fuser.neg %x : tensor<22x64xf32>
  %1 = fuser.full %c : f32 -> tensor<23x64xf32>
  %2 = fuser.insert_slice %0 into %1 [1, 0] : tensor<22x64xf32> into tensor<23x64xf32>
  %3 = fuser.sum %2 dims [1] : tensor<23x64xf32> -> tensor<23xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<23xf32> -> tensor<23x1xf32>
  %5 = fuser.div %2, %4 : (tensor<23x64xf32>, tensor<23x1xf32>) -> tensor<23x64xf32>
  fuser.return %5, %0 : tensor<23x64xf32>, tensor<22x64xf32>
}

// -----

// Elements of a value that ends within vectors are stored one by one.
// CHECK-LABEL: fuser.kernel @ends_in_vectors
// CHECK-NOT: aligned 2
// CHECK-SAME: vector = 4
fuser.kernel @ends_in_vectors(%x: tensor<22x63xf32>) -> (tensor<23x64xf32>, tensor<22x63xf32>) {
  %c = arith.constant 1.5 : f32
  %0 = fuser.neg %x : tensor<22x63xf32>
  %1 = fuser.full %c : f32 -> tensor<23x64xf32>
  %2 = fuser.insert_slice %0 into %1 [1, 0] : tensor<22x63xf32> into tensor<23x64xf32>
  %3 = fuser.sum %2 dims [1] : tensor<23x64xf32> -> tensor<23xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<23xf32> -> tensor<23x1xf32>
  %5 = fuser.div %2, %4 : (tensor<23x64xf32>, tensor<23x1xf32>) -> tensor<23x64xf32>
  fuser.return %5, %0 : tensor<23x64xf32>, tensor<22x63xf32>
}
