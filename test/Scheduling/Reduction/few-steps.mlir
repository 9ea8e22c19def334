// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s
// Columns whose threads take few steps before they combine several values: blocks of 256 threads, so that more are resident
// meanwhile (kFewStepsOfExchange).

// CHECK-LABEL: fuser.kernel @moments_of_few_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 8, unroll = 8, splits = 2>
fuser.kernel @moments_of_few_rows(%x: tensor<128x1024x77xf32>) -> (tensor<128x77xf32>, tensor<128x77xf32>) {
  %variance, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<128x1024x77xf32> -> tensor<128x77xf32>, tensor<128x77xf32>
  fuser.return %variance, %mean : tensor<128x77xf32>, tensor<128x77xf32>
}

// -----

// A sum is one value.
// CHECK-LABEL: fuser.kernel @sums_of_few_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 16, unroll = 8, splits = 2>
fuser.kernel @sums_of_few_rows(%x: tensor<128x1024x77xf32>) -> tensor<128x77xf32> {
  %0 = fuser.sum %x dims [1] : tensor<128x1024x77xf32> -> tensor<128x77xf32>
  fuser.return %0 : tensor<128x77xf32>
}

// -----

// CHECK-LABEL: fuser.kernel @moments_of_many_rows
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_y = 4, unroll = 8, splits = 2>
fuser.kernel @moments_of_many_rows(%x: tensor<64x2000x201xf32>) -> (tensor<64x201xf32>, tensor<64x201xf32>) {
  %variance, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<64x2000x201xf32> -> tensor<64x201xf32>, tensor<64x201xf32>
  fuser.return %variance, %mean : tensor<64x201xf32>, tensor<64x201xf32>
}
