// What fuser-tune answers to wrong command lines, files and programs.
// RUN: not fuser-tune %s --device=reference 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: fuser-tune: --device: expected a device that programs are compiled for, but got the reference
// RUN: not fuser-tune %s --device=host --top=0 2>&1 | FileCheck %s --check-prefix=TOP
// TOP: fuser-tune: --top: expected 1 to 1024, but got 0
// RUN: not fuser-tune %s --device=host --rounds=1 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: fuser-tune: --rounds: expected 3 to 100000, but got 1
// RUN: not fuser-tune %s --device=host --budget=-1 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not fuser-tune %s --device=host --budget=nan 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: fuser-tune: --budget: expected a number of at least 0, but got
// RUN: not fuser-tune %s --device=host --steps=0 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: fuser-tune: --steps: expected 1 to 100, but got 0
// RUN: not fuser-tune %s --device=host --schedules=%t.missing 2>&1 | FileCheck %s --check-prefix=SCHEDULES
// SCHEDULES: fuser-tune: --schedules: {{.*}}: No such file or directory
// RUN: not fuser-tune %s --device=host --schedules=%s 2>&1 | FileCheck %s --check-prefix=FUSION
// FUSION: fuser-tune: {{.*}}expected schedules of kernels, but got 'fuser.fusion'
// RUN: not fuser-tune %s --device=host --target=none 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: fuser-tune: {{.*}}'none'
// RUN: not fuser-tune %s --device=host --target=h200 --device-file=%s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: fuser-tune: --device-file: expected no --target with it, but got 'h200'
// RUN: not fuser-tune %s --device=host --device-file=/dev/zero 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: fuser-tune: --device-file: cannot open input file '/dev/zero': expected at most 268435456 bytes of a pipe or a device
// RUN: not fuser-tune %s --device=host --sizes=3 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: fuser-tune: {{.*}}expected
// RUN: not fuser-tune %t.missing --device=host 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: No such file or directory
// RUN: not fuser-tune %s --device=host --sizes=3x5 -o %t.none/a.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: fuser-tune: -o: {{.*}}a.mlir: No such file or directory
// RUN: not fuser-tune %s --device=host --sizes=3x5 -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: fuser-tune: -o: /dev/full: {{.*}}No space left on device
// RUN: rm -f %t.a.mlir && not sh -c 'ulimit -f 0; fuser-tune %s --device=host --sizes=3x5 -o %t.a.mlir' && not ls %t.a.mlir

// A kernel that has a schedule is not enumerated.
// RUN: fuser-run %s --device=host --sizes=3x5 --no-run --dump-after=choose > %t.chosen.mlir 2> /dev/null
// RUN: fuser-tune %t.chosen.mlir --device=host --sizes=3x5 -o - 2> /dev/null | FileCheck %s --check-prefix=NOTHING
// NOTHING: module attributes {fuser_sched.device = "NVIDIA H100"} {
// NOTHING-NEXT: }
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
