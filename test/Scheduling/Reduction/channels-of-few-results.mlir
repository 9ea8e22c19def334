// Channels of many images that read the same elements of a mask share blocks (threads_y), and as many blocks as fill the
// device share the elements of all images, whatever the number of images.
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=64,3,320,320;64,1,320,320;64,1,320,320" 2>&1 | FileCheck %s --check-prefix=IMAGES
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=9000,3,320,320;9000,1,320,320;9000,1,320,320" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: fuser-run %s --device=host --target=h200 --sizes=5x3x32x48,5x1x32x48,5x1x32x48 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --sizes=2x3x1x4,2x1x1x4,2x1x1x4 --check | FileCheck %s --check-prefix=NUMBERS

// IMAGES: threads_y = 3, {{.*}}splits = {{[0-9][0-9][0-9]}}, split_rows = true>
// MANY: threads_y = 3, {{.*}}splits = {{[0-9]+}}>
// NUMBERS: check {{.*}}ok
fuser.kernel @k(%x: tensor<?x3x?x?xf32>, %m: tensor<?x1x?x?xf32>, %w: tensor<?x1x?x?xf32>) -> tensor<3xf32> {
  %0 = fuser.mul %x, %m : (tensor<?x3x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x3x?x?xf32>
  %1 = fuser.add %0, %w : (tensor<?x3x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x3x?x?xf32>
  %2 = fuser.sum %1 dims [0, 2, 3] : tensor<?x3x?x?xf32> -> tensor<3xf32>
  fuser.return %2 : tensor<3xf32>
}

fuser.fusion @f(%x: tensor<?x3x?x?xf32>, %m: tensor<?x1x?x?xf32>, %w: tensor<?x1x?x?xf32>) -> tensor<3xf32> {
  %0 = fuser.mul %x, %m : (tensor<?x3x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x3x?x?xf32>
  %1 = fuser.add %0, %w : (tensor<?x3x?x?xf32>, tensor<?x1x?x?xf32>) -> tensor<?x3x?x?xf32>
  %2 = fuser.sum %1 dims [0, 2, 3] : tensor<?x3x?x?xf32> -> tensor<3xf32>
  fuser.return %2 : tensor<3xf32>
}
