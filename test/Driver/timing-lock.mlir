// RUN: rm -rf %t && mkdir %t
// RUN: fuser-run %s --device=host --sizes=5x7 --timing-lock=%t/lock --check --save-artifact=%t/f.artifact | FileCheck %s
// RUN: test -f %t/lock && test ! -s %t/lock
// RUN: fuser-run %t/f.artifact --sizes=5x7 --timing-lock=%t/lock | FileCheck %s --check-prefix=ARTIFACT
// RUN: not fuser-run %s --device=host --sizes=5x7 --timing-lock=%t/none/lock 2>&1 | FileCheck %s --check-prefix=NO-FOLDER
// RUN: not fuser-run %s --device=host --sizes=5x7 --timing-lock=%t 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not fuser-run %t/f.artifact --sizes=5x7 --timing-lock=%t 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not fuser-run %s --device=reference --sizes=5x7 --timing-lock=%t/lock 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not fuser-run %s --device=host --sizes=5x7 --no-run --timing-lock=%t/lock 2>&1 | FileCheck %s --check-prefix=STOPPED
// A lock for the time on a device. That processes wait for it: test/Tools/test_timing_lock.py.

// CHECK: check {{.*}} ok
// ARTIFACT: outputs
// NO-FOLDER-NOT: device
// NO-FOLDER: fuser-run: --timing-lock: {{.*}}/none/lock: No such file or directory
// FOLDER: fuser-run: --timing-lock: {{.*}}: Is a directory
// REFERENCE: fuser-run: --timing-lock: expected a program that runs on a device, but got --device=reference
// STOPPED: fuser-run: --timing-lock: expected a program that runs on a device, but got --no-run
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
