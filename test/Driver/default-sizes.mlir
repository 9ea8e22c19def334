// Dynamic dimensions without sizes have 128 elements each, or fewer if an argument has many of them: equal dimensions stay
// equal.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// CHECK: arguments   x: 16x16x16x16x16x16xf32
// CHECK: check {{.*}} ok
fuser.fusion @f(%x: tensor<?x?x?x?x?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?x?x?x?x?xf32> {
  %0 = fuser.broadcast %y dims [0, 1, 2, 3, 4] : tensor<?xf32> -> tensor<1x1x1x1x1x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?x?x?x?x?xf32>, tensor<1x1x1x1x1x?xf32>) -> tensor<?x?x?x?x?x?xf32>
  fuser.return %1 : tensor<?x?x?x?x?x?xf32>
}
