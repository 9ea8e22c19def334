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

// -----

// Single elements of bf16, whose f32 results do not count as bytes in flight: blocks of 256 threads, six of them on a multiprocessor.
// CHECK-LABEL: fuser.kernel @moments_of_narrow_columns
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 16, threads_y = 16, unroll = 8, splits = 27>
fuser.kernel @moments_of_narrow_columns(%x: tensor<57345x449xbf16>) -> (tensor<449xf32>, tensor<449xf32>) {
  %0 = fuser.cast %x : tensor<57345x449xbf16> to tensor<57345x449xf32>
  %variance, %mean = fuser.var_mean %0 dims [0] correction 0 : tensor<57345x449xf32> -> tensor<449xf32>, tensor<449xf32>
  fuser.return %variance, %mean : tensor<449xf32>, tensor<449xf32>
}

// -----

// Strips that fill the device well enough share no columns.
// CHECK-LABEL: fuser.kernel @moments_over_the_middle
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 8, unroll = 8>
fuser.kernel @moments_over_the_middle(%x: tensor<57x875x263xbf16>) -> tensor<57x263xbf16> {
  %variance, %mean = fuser.var_mean %x dims [1] correction 1 : tensor<57x875x263xbf16> -> tensor<57x263xbf16>, tensor<57x263xbf16>
  fuser.return %variance : tensor<57x263xbf16>
}

// -----

// Two arguments of bf16: as many bytes in flight as of one in f32.
// CHECK-LABEL: fuser.kernel @products_of_narrow_columns
// CHECK-SAME: schedule = #fuser_sched.reduction<pattern = outer, threads_x = 32, threads_y = 16, unroll = 8, splits = 17>
fuser.kernel @products_of_narrow_columns(%x: tensor<57345x449xbf16>, %y: tensor<57345x449xbf16>) -> tensor<449xf32> {
  %0 = fuser.cast %x : tensor<57345x449xbf16> to tensor<57345x449xf32>
  %1 = fuser.cast %y : tensor<57345x449xbf16> to tensor<57345x449xf32>
  %2 = fuser.mul %0, %1 : tensor<57345x449xf32>
  %3 = fuser.sum %2 dims [0] : tensor<57345x449xf32> -> tensor<449xf32>
  fuser.return %3 : tensor<449xf32>
}
