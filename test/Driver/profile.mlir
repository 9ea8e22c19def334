// RUN: rm -rf %t && mkdir %t
// RUN: fuser-run %s --device=host --target=h200 --sizes=8x64 --profile=%t/p.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t/p.json
// RUN: fuser-explain %s --target=h200 --profile=%t/p.json | FileCheck %s --check-prefix=EXPLAIN
// RUN: fuser-explain %s --target=h200 --profile=%t/p.json --sizes=8x64 --format=json | FileCheck %s --check-prefix=DATA
// RUN: not fuser-explain %s --target=h200 --profile=%t/p.json --sizes=8x65 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not fuser-explain %examples/softmax.mlir --profile=%t/p.json 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: sed s/f_1/other/ %t/p.json > %t/kernel.json
// RUN: not fuser-explain %s --target=h200 --profile=%t/kernel.json 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: echo '{"version": 2}' > %t/version.json
// RUN: not fuser-explain %s --profile=%t/version.json 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: echo '{"version": 1, "program": "f", "device": "", "sizes": "", "kernels": [{"name": "f_0", "microseconds": -1}]}' > %t/time.json
// RUN: not fuser-explain %s --profile=%t/time.json 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: echo '{' > %t/broken.json
// RUN: not fuser-explain %s --profile=%t/broken.json 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not fuser-explain %s --profile=%t/none.json 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fuser-run %s --device=host --sizes=8x64 --profile=%t/none/p.json 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not fuser-run %s --device=host --sizes=8x64 --no-run --profile=%t/p.json 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: fuser-run %examples/schedules/matmul_tensor.mlir --device=host --sizes=64x64,64x64,64 --profile=%t/maps.json | FileCheck %s --check-prefix=MAPS
// MAPS: profile {{.*}}maps.json
// The time of each kernel, and the explanation that shows it.

// CHECK: profile {{.*}}p.json
// CHECK: outputs
// JSON: "device": "host
// JSON: "name": "f_0"
// JSON: "name": "f_1"
// JSON: "program": "f"
// JSON: "sizes": "8,64"
// JSON: "version": 1
// EXPLAIN: sizes       8,64
// EXPLAIN: segment 0  @f_0: {{.*}} us (measured {{[0-9.]+ [um]s}})
// EXPLAIN: segment 1  @f_1: {{.*}} us (measured {{[0-9.]+ [um]s}})
// DATA: "measured": {
// DATA-NEXT: "f_0": {{[0-9.]+}},
// DATA-NEXT: "f_1": {{[0-9.]+}}
// SIZES: fuser-explain: --profile: {{.*}}p.json: expected a profile of sizes '8,65', but got one of '8,64'
// PROGRAM: fuser-explain: --profile: {{.*}}p.json: expected a profile of 'softmax', but got one of 'f'
// KERNEL: expected kernels of the program, but got 'other': it may be of another target
// VERSION: version.json: expected 'version' to be 1
// TIME: time.json: expected each of 'kernels' to have a 'name' and 'microseconds' of at least 0
// BROKEN: fuser-explain: --profile: {{.*}}broken.json: {{.*}}
// NONE: fuser-explain: --profile: {{.*}}none.json: No such file
// NO-FILE: fuser-run: --profile: {{.*}}p.json: No such file
// STOPPED: fuser-run: --profile: expected a program that runs on a device, but got --no-run
fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %cut = fuser.segment_set %0 : tensor<?x?xf32>
  %1 = fuser.sum %cut dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}
