// A result of several long rows (a batch norm of images): blocks share the rows of many images, and the elements of all rows
// of a few.
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=1,31,955,1555" 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=3,31,955,1555" 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=64,31,112,112" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=2,1000,955,1555" 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s --check-prefix=APPLY
// RUN: fuser-run %s --device=host --target=h200 --sizes=1x3x55x155 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --sizes=2x3x101x57 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --sizes=3x1x64x64 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --device=host --target=h200 --sizes=0x3x64x64 --check | FileCheck %s --check-prefix=NUMBERS

// ONE: fuser.kernel @k{{.*}}splits = 17, split_rows = true>
// THREE: fuser.kernel @k{{.*}}splits = 17, split_rows = true>
// MANY: fuser.kernel @k{{.*}}splits = 64>
// FULL: fuser.kernel @k{{.*}}pattern = inner, threads_x = 256, unroll = 10>
// NUMBERS: grid {{.*}}x
// NUMBERS: check {{.*}}ok
fuser.kernel @k(%x: tensor<?x?x?x?xbf16>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.cast %x : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %v, %m = fuser.var_mean %0 dims [0, 2, 3] correction 0 : tensor<?x?x?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %v, %m : tensor<?xf32>, tensor<?xf32>
}

// APPLY: @scheduled
// APPLY: fuser.sum {{.*}}split([[VECTORS:r[0-9]+]], 2) -> ([[ROW:r[0-9]+]], [[UNROLL:r[0-9]+]]), merge(r0, [[ROW]]) -> [[ALL:r[0-9]+]], split([[ALL]], outer 5) -> ([[SPLIT:r[0-9]+]], [[STEP:r[0-9]+]]), loop = [i1 @block_x, [[SPLIT]] @block_y, [[STEP]], [[UNROLL]] @unroll, r{{[0-9]+}} @thread_x]
fuser.kernel @scheduled(%x: tensor<?x?x?x?xf32>) -> tensor<?xf32> attributes {
    schedule = #fuser_sched.reduction<pattern = inner, threads_x = 64, unroll = 2, splits = 5, split_rows = true>} {
  %0 = fuser.sum %x dims [0, 2, 3] : tensor<?x?x?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

fuser.fusion @f(%x: tensor<?x?x?x?xbf16>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.cast %x : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %v, %m = fuser.var_mean %0 dims [0, 2, 3] correction 0 : tensor<?x?x?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  fuser.return %v, %m : tensor<?xf32>, tensor<?xf32>
}
