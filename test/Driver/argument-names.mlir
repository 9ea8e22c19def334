// Arguments keep their names: in dumps, in what is resumed from them, and in messages (ADR 60).
// RUN: fuser-run %s --device=host --no-run --dump-after=segmentation --dump-to=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=DUMP
// RUN: fuser-run %t.mlir --device=host --start-from=choose --size weights=4 --size x=3x4 --scalar factor=2 --check | FileCheck %s --check-prefix=CHECKED
// RUN: not fuser-run %t.mlir --device=host --start-from=choose --size weights=5 --size x=3x4 2>&1 | FileCheck %s --check-prefix=GUARD
// RUN: not fuser-run %t.mlir --device=host --start-from=choose --size w=5 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: fuser-opt %s | FileCheck %s --check-prefix=OPT
// RUN: fuser-opt %s --strip-debuginfo | FileCheck %s --check-prefix=STRIPPED

// DUMP: fuser.kernel @scale_0(%x: tensor<?x?xf32>, %weights: tensor<?xf32>, %factor: f32)
// DUMP: fuser.host @scale(%x: tensor<?x?xf32>, %weights: tensor<?xf32>, %factor: f32)
// CHECKED: check       output 0: ok
// GUARD: fuser-run: expected x.size[1] == weights.size[0]
// UNKNOWN: fuser-run: --size w=5: expected one of the arguments x, weights, factor of @scale, but got w
// OPT: fuser.fusion @scale(%x: tensor<?x?xf32>, %weights: tensor<?xf32>, %factor: f32)
// STRIPPED: fuser.fusion @scale(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>, %arg2: f32)
fuser.fusion @scale(%x: tensor<?x?xf32>, %weights: tensor<?xf32>, %factor: f32) -> tensor<?x?xf32> {
  %0 = fuser.broadcast %weights dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.mul %1, %factor : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
