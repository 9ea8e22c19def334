// RUN: rm -rf %t && mkdir %t
// RUN: fuser-run %s --size=x=8x16 --size=row=16 --device=host --no-run --dump-after=lowering > %t/lowering.mlir
// RUN: for stage in loops launched reduced pipelined placed synchronized accessed guarded; do \
// RUN:   fuser-run %s --size=x=8x16 --size=row=16 --device=host --no-run --dump-after=$stage > %t/$stage.mlir || exit 1; \
// RUN:   grep -q "stage $stage index_bits" %t/$stage.mlir || exit 1; \
// RUN:   fuser-run %t/$stage.mlir --size=x=8x16 --size=row=16 --device=host --no-run --start-from=lowering --dump-after=lowering | diff - %t/lowering.mlir || exit 1; \
// RUN: done
// RUN: fuser-run %t/synchronized.mlir --size=x=8x16 --size=row=16 --device=host --no-run --start-from=accessed --dump-after=guarded | diff - %t/guarded.mlir
// RUN: fuser-run %s --size=x=8x16 --size=row=16 --device=host --dump-after=guarded --dump-to=%t/checked.mlir --check | FileCheck %s --check-prefix=CHECKED
// RUN: FileCheck %s < %t/checked.mlir
// RUN: not fuser-run %t/loops.mlir --size=x=8x16 --size=row=15 --device=host 2>&1 | FileCheck %s --check-prefix=REASON
// RUN: not fuser-run %s --start-from=guarded --device=host 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: fuser-run %s --size=x=8x16 --size=row=16 --device=host --no-run --dump-after=apply > %t/apply.mlir
// RUN: fuser-opt %t/apply.mlir --fuser-phase-loops | diff -B - %t/loops.mlir
// RUN: fuser-opt %t/apply.mlir --fuser-phase-loops --fuser-phase-launched --fuser-phase-reduced --fuser-phase-pipelined --fuser-phase-placed --fuser-phase-synchronized --fuser-phase-accessed --fuser-phase-guarded | diff -B - %t/guarded.mlir
// RUN: fuser-opt %t/apply.mlir --fuser-phase-loops --fuser-phase-launched --fuser-phase-lowering | diff -B - %t/lowering.mlir
// The text at a stage of lowering is a program from which compilation goes on, with the same kernel IR.

// CHECK: fuser_loop.kernel @f_0
// CHECK-NEXT: stage guarded
// CHECK: fuser_loop.kernel @f_1
// CHECK-NEXT: stage guarded
// CHECKED: output 0: ok
// REASON: (sizes of 'fuser.add')
// EARLY: fuser-run: --start-from: expected a file at phase 'guarded', but it still holds a fuser.fusion
fuser.fusion @f(%x: tensor<?x?xf32>, %row: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %b = fuser.broadcast %row dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %0 = fuser.add %x, %b : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %cut = fuser.segment_set %0 : tensor<?x?xf32>
  %1 = fuser.cumsum %cut dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
