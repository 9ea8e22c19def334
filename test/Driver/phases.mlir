// RUN: fuser-run %s --sizes=8x16 --device=host --dump-after=segmentation > %t.segmentation.mlir
// RUN: FileCheck %s --check-prefix=SEGMENTATION < %t.segmentation.mlir
// RUN: fuser-run %t.segmentation.mlir --start-from=choose --sizes=8x16 --device=host --check | FileCheck %s
// RUN: fuser-run %s --sizes=8x16 --device=host --dump-after=apply > %t.apply.mlir
// RUN: FileCheck %s --check-prefix=APPLY < %t.apply.mlir
// RUN: fuser-run %t.apply.mlir --start-from=lowering --sizes=8x16 --device=host --check | FileCheck %s
// RUN: fuser-run %s --sizes=8x16 --device=host --dump-after=lowering > %t.lowering.mlir
// RUN: FileCheck %s --check-prefix=LOWERING < %t.lowering.mlir
// RUN: fuser-run %t.lowering.mlir --sizes=8x16 --device=host | FileCheck %s --check-prefix=AGAIN
// RUN: not fuser-run %t.lowering.mlir --sizes=8x16 --device=host --check 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not fuser-run %s --dump-after=soldering 2>&1 | FileCheck %s --check-prefix=PHASE
// RUN: not fuser-run %s --start-from=lowering --device=host 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not fuser-run %s --dump-after=apply --device=reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: rm -f %t.kernel.mlir
// RUN: fuser-run %s --default-size=8 --device=host --dump-after=lowering --dump-to=%t.kernel.mlir --no-run | FileCheck %s --check-prefix=STOPPED
// RUN: FileCheck %s --check-prefix=LOWERING < %t.kernel.mlir
// RUN: not fuser-run %s --device=host --dump-after=lowering --dump-to=%t.none/kernel.mlir 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not fuser-run %s --device=host --dump-to=%t.kernel.mlir 2>&1 | FileCheck %s --check-prefix=NO-PHASE
// RUN: not fuser-run %s --device=host --no-run --check 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// RUN: not fuser-run %s --device=reference --no-run 2>&1 | FileCheck %s --check-prefix=NO-KERNEL
// The text after a phase is a program from which the run goes on.

// SEGMENTATION: fuser.kernel @twice_0
// SEGMENTATION: fuser.host @twice
// APPLY: #fuser.domain
// LOWERING: gpu.func
// CHECK: program     @twice
// CHECK: output 0: ok, 128 elements
// AGAIN: outputs     0: 8x16xf32
// LOST: error: 'fuser.launch' op expected a fuser.kernel to evaluate
// PHASE: fuser-run: --dump-after: expected a phase (preseg, segmentation, choose, apply, loops, launched, reduced, pipelined, placed, synchronized, accessed, guarded, lowering), but got 'soldering'
// EARLY: fuser-run: --start-from: expected a file at phase 'lowering', but it still holds a fuser.fusion
// REFERENCE: fuser-run: --dump-after: expected a device that programs are compiled for, but got the reference
// STOPPED: arguments   x: 8x8xf32
// STOPPED: compile     parse {{.*}}, lowering {{[0-9.]+}}; total
// STOPPED-NOT: outputs
// NO-FILE: fuser-run: --dump-to: {{.*}}kernel.mlir: No such file or directory
// NO-PHASE: fuser-run: --dump-to: expected --dump-after with it, but got none
// NO-OUTPUT: fuser-run: --no-run: expected outputs to be neither checked nor saved, but got --check
// NO-KERNEL: fuser-run: --no-run: expected a device that programs are compiled for, but got the reference
fuser.fusion @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
