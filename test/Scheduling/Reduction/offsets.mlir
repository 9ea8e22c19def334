// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-choose-schedules="explain=false only=reduction target=h200" -o /dev/null
// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules="explain=false only=reduction target=h200" 2>/dev/null | FileCheck %s
// Arguments that are read at offsets (ADR 182).

// CHECK-LABEL: fuser.kernel @windows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = inner
fuser.kernel @windows(%g: tensor<8x512x8192xf32>, %x: tensor<8x512x8190xf32>) -> (tensor<512xf32>, tensor<512xf32>) {
  %c = arith.constant 0.0 : f64
  %0 = fuser.pad %x low [0, 0, 2] high [0, 0, 0] value %c : tensor<8x512x8190xf32>, f64 -> tensor<8x512x8192xf32>
  %1 = fuser.mul %g, %0 : tensor<8x512x8192xf32>
  %2 = fuser.sum %1 dims [0, 2] : tensor<8x512x8192xf32> -> tensor<512xf32>
  %3 = fuser.pad %x low [0, 0, 1] high [0, 0, 1] value %c : tensor<8x512x8190xf32>, f64 -> tensor<8x512x8192xf32>
  %4 = fuser.mul %g, %3 : tensor<8x512x8192xf32>
  %5 = fuser.sum %4 dims [0, 2] : tensor<8x512x8192xf32> -> tensor<512xf32>
  fuser.return %2, %5 : tensor<512xf32>, tensor<512xf32>
}

// -----

// Of columns with many accumulators the vectors are narrower: eight elements of nine sums would not leave registers for loads.
// CHECK-LABEL: fuser.kernel @many_sums
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, {{.*}}vector = 4
fuser.kernel @many_sums(%x: tensor<200000x192xbf16>) -> (tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>) {
  %0 = fuser.cast %x : tensor<200000x192xbf16> to tensor<200000x192xf32>
  %1 = fuser.sum %0 dims [0] : tensor<200000x192xf32> -> tensor<192xf32>
  %2 = fuser.max %0 dims [0] : tensor<200000x192xf32> -> tensor<192xf32>
  %3 = fuser.min %0 dims [0] : tensor<200000x192xf32> -> tensor<192xf32>
  %4 = fuser.exp %0 : tensor<200000x192xf32>
  %5 = fuser.sum %4 dims [0] : tensor<200000x192xf32> -> tensor<192xf32>
  %6 = fuser.mul %0, %0 : tensor<200000x192xf32>
  %7 = fuser.sum %6 dims [0] : tensor<200000x192xf32> -> tensor<192xf32>
  %8 = fuser.abs %0 : tensor<200000x192xf32>
  %9 = fuser.sum %8 dims [0] : tensor<200000x192xf32> -> tensor<192xf32>
  fuser.return %1, %2, %3, %5, %7, %9 : tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>, tensor<192xf32>
}

// -----

// Values that the kernel computes are read at their own index.
// expected-error @below {{expected a kernel that 'reduction' accepts, but it refuses}}
fuser.kernel @computed(%x: tensor<16x30xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c = arith.constant 0.0 : f64
  %0 = fuser.exp %x : tensor<16x30xf32>
  %1 = fuser.pad %0 low [0, 2] high [0, 0] value %c : tensor<16x30xf32>, f64 -> tensor<16x32xf32>
  %2 = fuser.sum %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = fuser.sum %0 dims [1] : tensor<16x30xf32> -> tensor<16xf32>
  fuser.return %2, %3 : tensor<16xf32>, tensor<16xf32>
}
