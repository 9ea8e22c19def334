// RUN: fuser-run %s --device=host --save-artifact=%t.fuser
// RUN: fuser-translate --fuser-artifact-to-text %t.fuser | FileCheck %s
// S4.8: loops over streams nest in the artifact. The buffer of an iteration of the outer loop is allocated between the two; views
// of the inner loop depend on both indices.

// CHECK: %[[OUT:.*]] = alloc f32[4]
// CHECK-NEXT: for loop0 < 2 streams 2
// CHECK-NEXT: %[[X:.*]] = view %x offset (loop0 * 2) * 6 sizes [2, 6] strides [6, 1]
// CHECK-NEXT: %[[SUM:.*]] = view %[[OUT]] offset loop0 * 2 sizes [2] strides [1]
// CHECK-NEXT: %[[ROWS:.*]] = alloc f32[2, 6]
// CHECK-NEXT: for loop1 < 3 streams 3
// CHECK-NEXT: %[[XI:.*]] = view %[[X]] offset loop1 * 2 sizes [2, 2] strides [6, 1]
// CHECK-NEXT: %[[PART:.*]] = view %[[ROWS]] offset loop1 * 2 sizes [2, 2] strides [6, 1]
// CHECK-NEXT: launch nested_0_0_0(%[[XI]], %[[PART]]
// CHECK: end loop1
// CHECK-NEXT: launch nested_0_1_0(%[[ROWS]], %[[SUM]]
// CHECK: free %[[ROWS]]
// CHECK-NEXT: end loop0
// CHECK-NEXT: return %[[OUT]]
fuser.fusion @nested(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0, i1], split(i0, outer 2) -> (i2, i3), split(i1, outer 3) -> (i4, i5),
      loop = [i2 @stream, i4 @stream, i3, i5], allocation = [i0, i1]>]} : tensor<4x6xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(i0, outer 2) -> (i2, i3),
      loop = [i2 @stream, i3, r1], allocation = [i0]>]} : tensor<4x6xf32> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}
