// RUN: fuser-run %examples/dropout.mlir --device=host --check --sizes=33x129 --scalar=p=0.3 --scalar=seed=1 --scalar=offset=2 | FileCheck %s
// RUN: fuser-run %examples/dropout.mlir --device=host --check --sizes=64x512 --scalar=p=0.5 --scalar=seed=-1 --scalar=offset=-1 | FileCheck %s
// RUN: fuser-run %examples/dropout.mlir --device=host --check --sizes=7x64 --scalar=p=1 --scalar=seed=3 --scalar=offset=0 | FileCheck %s
// RUN: fuser-run %examples/dropout.mlir --device=host --check --sizes=0x64 --scalar=p=0.5 --scalar=seed=3 --scalar=offset=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=65x100,65x100 --scalar=seed=81985529216486895 --scalar=offset=5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1,1x1 --scalar=seed=9 --scalar=offset=0 | FileCheck %s
// Random numbers fuse like any function of elements, and are the same wherever they are computed: in a kernel that reduces
// rows, in one behind a boundary, in a part of them that is cut out, in another order in memory.
// CHECK-COUNT-1: check {{.*}} ok
// CHECK-NOT: mismatch
fuser.fusion @norm_and_gradient(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %seed: i64, %offset: i64)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %u = fuser.random_uniform %seed, %offset sizes(%m, %n) : tensor<?x?xf32>
  %kept = fuser.lt %u, %half : (tensor<?x?xf32>, f32) -> tensor<?x?xi1>
  %dropped = fuser.where %kept, %x, %zero : (tensor<?x?xi1>, tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  %mean = fuser.mean %dropped dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %column = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %centered = fuser.sub %dropped, %column : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  // Behind a boundary.
  %mark = fuser.segment_set %centered : tensor<?x?xf32>
  %gradient = fuser.where %kept, %mark, %y : (tensor<?x?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // A sum of columns, and the transpose.
  %columns = fuser.sum %u dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %t = fuser.permute %u [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %centered, %gradient, %columns, %t : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
}
