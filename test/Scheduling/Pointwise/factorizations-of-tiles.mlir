// The rows of a tile divide a dimension as the reshape of another op does: the parts that the tile makes have the classes of the parts of this reshape.
// RUN: fuser-opt %s --fuser-choose-schedules="only=pointwise target=h200" --fuser-apply-schedules --fuser-verify-schedules | FileCheck %s

// The reference makes 32 x 512 of its elements, 128 x 128 of these, and 32 x 4 x 128 of the latter. The op in the middle has the last of them.
// CHECK-LABEL: fuser.kernel @k
// CHECK: fuser.reshape
// CHECK-SAME: merge({{.*}}) -> i[[INNER:[0-9]+]], split(i[[INNER]], 128) -> (i[[ROWS:[0-9]+]], i[[COLUMNS:[0-9]+]]),
// CHECK-SAME: logical = [i[[OUTER:[0-9]+]], i[[INNER]]], loop = [{{.*}} @block_x, i[[ROWS]] @thread_y,
// CHECK-SAME: -> tensor<32x512xf32>
fuser.kernel @k(%x: tensor<128x128xf32>, %y: tensor<1x128xf32>) -> tensor<16384xf32> {
  %0 = fuser.sub %x, %y : (tensor<128x128xf32>, tensor<1x128xf32>) -> tensor<128x128xf32>
  %1 = fuser.reshape %0 : tensor<128x128xf32> -> tensor<32x512xf32>
  %2 = fuser.reshape %1 : tensor<32x512xf32> -> tensor<16384xf32>
  fuser.return %2 : tensor<16384xf32>
}
