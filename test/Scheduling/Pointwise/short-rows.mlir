// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions --fuser-choose-schedules="target=h200" | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --check-accesses --program=cross | FileCheck %s --check-prefix=CHECKED
// A thread has all three elements of a row where most ops compute values of the row.

// CHECKED: check {{.*}} ok

// CHECK-LABEL: fuser.kernel @cross_0(
// CHECK-SAME: pointwise<threads = 1, unroll = 3, rows = 128, inner_dims = 1
fuser.fusion @cross(%x: tensor<300000x3xf32>, %y: tensor<300000x3xf32>) -> tensor<300000x3xf32> {
  %a = fuser.slice %x [0, 0] [300000, 1] : tensor<300000x3xf32> -> tensor<300000x1xf32>
  %b = fuser.slice %x [0, 1] [300000, 1] : tensor<300000x3xf32> -> tensor<300000x1xf32>
  %c = fuser.slice %x [0, 2] [300000, 1] : tensor<300000x3xf32> -> tensor<300000x1xf32>
  %d = fuser.slice %y [0, 0] [300000, 1] : tensor<300000x3xf32> -> tensor<300000x1xf32>
  %e = fuser.slice %y [0, 1] [300000, 1] : tensor<300000x3xf32> -> tensor<300000x1xf32>
  %f = fuser.slice %y [0, 2] [300000, 1] : tensor<300000x3xf32> -> tensor<300000x1xf32>
  %0 = fuser.mul %b, %f : tensor<300000x1xf32>
  %1 = fuser.mul %c, %e : tensor<300000x1xf32>
  %2 = fuser.sub %0, %1 : tensor<300000x1xf32>
  %3 = fuser.mul %c, %d : tensor<300000x1xf32>
  %4 = fuser.mul %a, %f : tensor<300000x1xf32>
  %5 = fuser.sub %3, %4 : tensor<300000x1xf32>
  %6 = fuser.mul %a, %e : tensor<300000x1xf32>
  %7 = fuser.mul %b, %d : tensor<300000x1xf32>
  %8 = fuser.sub %6, %7 : tensor<300000x1xf32>
  %9 = fuser.cat %2, %5, %8 dim 1 : (tensor<300000x1xf32>, tensor<300000x1xf32>, tensor<300000x1xf32>) -> tensor<300000x3xf32>
  fuser.return %9 : tensor<300000x3xf32>
}

// Not where each element is computed on its own, nor for bytes, of which a vector is an access.
// CHECK-LABEL: fuser.kernel @scaled_0(
// CHECK-SAME: pointwise<vector = 4>
fuser.fusion @scaled(%x: tensor<300000x3xf32>, %y: tensor<300000x3xf32>) -> tensor<300000x3xf32> {
  %0 = fuser.mul %x, %y : tensor<300000x3xf32>
  %1 = fuser.add %0, %y : tensor<300000x3xf32>
  %2 = fuser.mul %1, %x : tensor<300000x3xf32>
  %3 = fuser.add %2, %0 : tensor<300000x3xf32>
  fuser.return %3 : tensor<300000x3xf32>
}

// CHECK-LABEL: fuser.kernel @bytes_0(
// CHECK-SAME: pointwise<vector = 16
fuser.fusion @bytes(%x: tensor<300000x3xi8>) -> tensor<300000x3xi8> {
  %a = fuser.slice %x [0, 0] [300000, 1] : tensor<300000x3xi8> -> tensor<300000x1xi8>
  %b = fuser.slice %x [0, 1] [300000, 1] : tensor<300000x3xi8> -> tensor<300000x1xi8>
  %c = fuser.slice %x [0, 2] [300000, 1] : tensor<300000x3xi8> -> tensor<300000x1xi8>
  %0 = fuser.add %a, %b : tensor<300000x1xi8>
  %1 = fuser.mul %0, %c : tensor<300000x1xi8>
  %2 = fuser.mul %0, %b : tensor<300000x1xi8>
  %3 = fuser.add %1, %2 : tensor<300000x1xi8>
  %4 = fuser.add %1, %c : tensor<300000x1xi8>
  %5 = fuser.cat %3, %4, %1 dim 1 : (tensor<300000x1xi8>, tensor<300000x1xi8>, tensor<300000x1xi8>) -> tensor<300000x3xi8>
  fuser.return %5 : tensor<300000x3xi8>
}
