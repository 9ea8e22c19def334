// A part of a joined value lies in memory as the whole does, not as the hint on it asks.
// RUN: fuser-run %s --device=host --check --sizes=32x16x1,5 --range=i=0:16 | FileCheck %s --implicit-check-not=fallback
// CHECK: outputs {{.*}} strides [32, 32, 1]
// CHECK: output 0: ok
fuser.fusion @f(%x: tensor<?x?x1xf32>, %i: tensor<?xi64>) -> tensor<?x1x?xf32> {
  %0 = fuser.permute %x [1, 2, 0] : tensor<?x?x1xf32> -> tensor<?x1x?xf32>
  %1 = fuser.relu %0 : tensor<?x1x?xf32>
  %2 = fuser.index_select %1, %i dim 0 : tensor<?x1x?xf32>, tensor<?xi64> -> tensor<?x1x?xf32>
  %3 = fuser.exp %1 : tensor<?x1x?xf32>
  %4 = fuser.cat %3, %2 dim 0 : (tensor<?x1x?xf32>, tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  fuser.return %4 : tensor<?x1x?xf32>
}
