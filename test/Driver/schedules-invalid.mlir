// Files of schedules that are wrong: errors at their ops, or that name the file.
// RUN: rm -rf %t && mkdir %t
// RUN: fuser-tune %s --device=host --sizes=8x64 -o %t/a.mlir > /dev/null

// RUN: sed 's/threads = [0-9]*/threads = 2048/; s/pointwise<vector/pointwise<threads = 2048, vector/' %t/a.mlir > %t/verifier.mlir
// RUN: not fuser-run %s --device=host --sizes=8x64 --schedules=%t/verifier.mlir 2>&1 | FileCheck %s --check-prefix=VERIFIER
// VERIFIER: expected 'threads' between 1 and 1024, but got 2048
// RUN: sed 's/8, 64/7, 61/' %t/a.mlir > %t/wide.mlir
// RUN: not fuser-run %s --device=host --sizes=7x61 --schedules=%t/wide.mlir 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: 'fuser.kernel' op expected parameters that 'pointwise' takes for this kernel, but it refuses them [vector-too-wide]: expected vectors of at most 4 elements, and 'ragged', but got 4
// RUN: sed 's/#fuser_sched.pointwise<[^>]*>/#fuser_sched.scan<pattern = inner>/' %t/a.mlir > %t/refused.mlir
// RUN: not fuser-run %s --device=host --sizes=8x64 --schedules=%t/refused.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not fuser-explain %s --sizes=8x64 --schedules=%t/refused.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: schedules:2:3: error: 'fuser.kernel' op expected parameters that 'scan' takes for this kernel, but it refuses them [no-scan]: expected a scan, but got none
// RUN: sed 's/, schedule = #fuser_sched.pointwise<[^>]*>//' %t/a.mlir > %t/none.mlir
// RUN: not fuser-run %s --device=host --sizes=8x64 --schedules=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: schedules:2:3: error: 'fuser.kernel' op expected 'schedule' to hold parameters of a scheduler
// RUN: not fuser-run %s --device=host --sizes=8x64 --schedules=%s 2>&1 | FileCheck %s --check-prefix=FUSION
// FUSION: error: expected schedules of kernels, but got 'fuser.fusion'
// RUN: echo "no module" > %t/text.mlir
// RUN: not fuser-run %s --device=host --sizes=8x64 --schedules=%t/text.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: schedules:1:1: error:
// RUN: echo > %t/empty.mlir
// RUN: not fuser-run %s --device=host --schedules=%t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: --schedules: {{.*}}empty.mlir: expected schedules of kernels, but got an empty file
// RUN: not fuser-run %s --device=host --schedules=%t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not fuser-explain %s --schedules=%t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: --schedules: {{.*}}missing.mlir: No such file or directory
// RUN: not fuser-run %s --device=reference --schedules=%t/a.mlir 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: fuser-run: --schedules: expected a program that is compiled, but got --device=reference
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
