// RUN: fuser-run %s --device=host --target=h200 --check | FileCheck %s
// RUN: fuser-explain %s --target=h200 --format=json | FileCheck %s --check-prefix=VECTOR
// Two results of a thread, whose coordinates are apart.
// CHECK: check {{.*}} ok
// VECTOR: pattern = outer, {{.*}}vector = 2
fuser.fusion @small_pairs(%a: tensor<300x3xf32>, %b: tensor<200x3xf32>) -> tensor<300xf32> {
  %0 = fuser.broadcast %a dims [1] : tensor<300x3xf32> -> tensor<300x1x3xf32>
  %1 = fuser.broadcast %b dims [0] : tensor<200x3xf32> -> tensor<1x200x3xf32>
  %2 = fuser.sub %0, %1 : (tensor<300x1x3xf32>, tensor<1x200x3xf32>) -> tensor<300x200x3xf32>
  %3 = fuser.square %2 : (tensor<300x200x3xf32>) -> tensor<300x200x3xf32>
  %4 = fuser.sum %3 dims [2] : tensor<300x200x3xf32> -> tensor<300x200xf32>
  %5 = fuser.sqrt %4 : (tensor<300x200xf32>) -> tensor<300x200xf32>
  %6 = fuser.sum %5 dims [1] : tensor<300x200xf32> -> tensor<300xf32>
  fuser.return %6 : tensor<300xf32>
}
