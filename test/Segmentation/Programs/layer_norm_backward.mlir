// RUN: fuser-run %s --device=host --check --sizes=200x1024,200x1024,200,200,1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33x50,33x50,33,33,50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=100x1024,100x1024,100,100,1024 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1,1,1,1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x5,0x5,0,0,5 | FileCheck %s
// Gradients of a row norm: rows by block, and partial sums of columns.

// CHECK: kernels {{ *}}layer_norm_backward_0: grid
// CHECK-NOT: layer_norm_backward_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @layer_norm_backward(%dy: tensor<?x?xbf16>, %x: tensor<?x?xbf16>, %mean: tensor<?xf32>, %rstd: tensor<?xf32>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?xbf16>, tensor<?xbf16>) {
  %dyf = fuser.cast %dy : tensor<?x?xbf16> to tensor<?x?xf32>
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %m = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %r = fuser.broadcast %rstd dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %centered = fuser.sub %xf, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %xhat = fuser.mul %centered, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %g = fuser.mul %dyf, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %gx = fuser.mul %g, %xhat : tensor<?x?xf32>
  %mg = fuser.mean %g dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %mgx = fuser.mean %gx dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %mgb = fuser.broadcast %mg dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %mgxb = fuser.broadcast %mgx dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %d0 = fuser.sub %g, %mgb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %d1 = fuser.mul %xhat, %mgxb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %d2 = fuser.sub %d0, %d1 : tensor<?x?xf32>
  %d3 = fuser.mul %d2, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %dx = fuser.cast %d3 : tensor<?x?xf32> to tensor<?x?xbf16>
  %yx = fuser.mul %dyf, %xhat : tensor<?x?xf32>
  %dgf = fuser.sum %yx dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %dbf = fuser.sum %dyf dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %dg = fuser.cast %dgf : tensor<?xf32> to tensor<?xbf16>
  %db = fuser.cast %dbf : tensor<?xf32> to tensor<?xbf16>
  fuser.return %dx, %dg, %db : tensor<?x?xbf16>, tensor<?xbf16>, tensor<?xbf16>
}
