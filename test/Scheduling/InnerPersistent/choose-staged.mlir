// RUN: fuser-opt %s --fuser-choose-schedules="only=inner_persistent target=h200" | FileCheck %s
// Short rows whose length no wide vector divides pass through shared memory.

// Of 33 elements, each row is one thread's: the elements of a column are in different banks.
// CHECK-LABEL: fuser.kernel @odd(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 1, vectors = 33, rows = 128, flat = 8>
fuser.kernel @odd(%x: tensor<1500000x33xbf16>) -> tensor<1500000x33xbf16> {
  %0 = fuser.max %x dims [1] : tensor<1500000x33xbf16> -> tensor<1500000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<1500000xbf16> -> tensor<1500000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<1500000x33xbf16>, tensor<1500000x1xbf16>) -> tensor<1500000x33xbf16>
  fuser.return %2 : tensor<1500000x33xbf16>
}

// Blocks of 128 rows of 33 f32 would leave shared memory for fewer than half of the threads.
// CHECK-LABEL: fuser.kernel @odd_f32(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 2, vectors = 17, rows = 64, flat = 4>
fuser.kernel @odd_f32(%x: tensor<2000003x33xf32>) -> tensor<2000003x33xf32> {
  %0 = fuser.max %x dims [1] : tensor<2000003x33xf32> -> tensor<2000003xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<2000003xf32> -> tensor<2000003x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<2000003x33xf32>, tensor<2000003x1xf32>) -> tensor<2000003x33xf32>
  fuser.return %2 : tensor<2000003x33xf32>
}

// Rows of 129 elements begin in the same banks: 16 threads of one read different ones.
// CHECK-LABEL: fuser.kernel @same_banks(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 16, vectors = 9, rows = 8, flat = 8>
fuser.kernel @same_banks(%x: tensor<500000x129xbf16>) -> tensor<500000x129xbf16> {
  %0 = fuser.max %x dims [1] : tensor<500000x129xbf16> -> tensor<500000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<500000xbf16> -> tensor<500000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<500000x129xbf16>, tensor<500000x1xbf16>) -> tensor<500000x129xbf16>
  fuser.return %2 : tensor<500000x129xbf16>
}

// Vectors of two elements, from shared memory as well.
// CHECK-LABEL: fuser.kernel @even(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 1, vector = 2, vectors = 5, rows = 128, flat = 4>
fuser.kernel @even(%x: tensor<5000000x10xf32>) -> tensor<5000000x10xf32> {
  %0 = fuser.max %x dims [1] : tensor<5000000x10xf32> -> tensor<5000000xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<5000000xf32> -> tensor<5000000x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<5000000x10xf32>, tensor<5000000x1xf32>) -> tensor<5000000x10xf32>
  fuser.return %2 : tensor<5000000x10xf32>
}

// Vectors of four are half as wide as an access.
// CHECK-LABEL: fuser.kernel @half(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 4, vector = 4, vectors = 7, rows = 32, flat = 8>
fuser.kernel @half(%x: tensor<400000x100xbf16>) -> tensor<400000x100xbf16> {
  %0 = fuser.max %x dims [1] : tensor<400000x100xbf16> -> tensor<400000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<400000xbf16> -> tensor<400000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<400000x100xbf16>, tensor<400000x1xbf16>) -> tensor<400000x100xbf16>
  fuser.return %2 : tensor<400000x100xbf16>
}

// Whole vectors: the rows stay where they are.
// CHECK-LABEL: fuser.kernel @whole(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 4, vector = 8, vectors = 3, rows = 32>
fuser.kernel @whole(%x: tensor<400000x96xbf16>) -> tensor<400000x96xbf16> {
  %0 = fuser.max %x dims [1] : tensor<400000x96xbf16> -> tensor<400000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<400000xbf16> -> tensor<400000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<400000x96xbf16>, tensor<400000x1xbf16>) -> tensor<400000x96xbf16>
  fuser.return %2 : tensor<400000x96xbf16>
}

// Long rows, of which the ends are a small part.
// CHECK-LABEL: fuser.kernel @long(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 64, vectors = 16>
fuser.kernel @long(%x: tensor<50000x1001xbf16>) -> tensor<50000x1001xbf16> {
  %0 = fuser.max %x dims [1] : tensor<50000x1001xbf16> -> tensor<50000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<50000xbf16> -> tensor<50000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<50000x1001xbf16>, tensor<50000x1xbf16>) -> tensor<50000x1001xbf16>
  fuser.return %2 : tensor<50000x1001xbf16>
}

// Blocks of 128 rows would be too few.
// CHECK-LABEL: fuser.kernel @fewer(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 2, vectors = 17, rows = 64, flat = 8>
fuser.kernel @fewer(%x: tensor<20000x33xbf16>) -> tensor<20000x33xbf16> {
  %0 = fuser.max %x dims [1] : tensor<20000x33xbf16> -> tensor<20000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<20000xbf16> -> tensor<20000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<20000x33xbf16>, tensor<20000x1xbf16>) -> tensor<20000x33xbf16>
  fuser.return %2 : tensor<20000x33xbf16>
}

// So would be those of 8.
// CHECK-LABEL: fuser.kernel @few(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 32, vectors = 2, rows = 4>
fuser.kernel @few(%x: tensor<1000x33xbf16>) -> tensor<1000x33xbf16> {
  %0 = fuser.max %x dims [1] : tensor<1000x33xbf16> -> tensor<1000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<1000xbf16> -> tensor<1000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<1000x33xbf16>, tensor<1000x1xbf16>) -> tensor<1000x33xbf16>
  fuser.return %2 : tensor<1000x33xbf16>
}

// One kernel for a range of lengths.
// CHECK-LABEL: fuser.kernel @range(
// CHECK-NOT: flat
fuser.kernel @range(%x: tensor<400000x?xbf16>) -> tensor<400000x?xbf16> attributes {
    facts = [#fuser.fact<at_least 0[1], 65>, #fuser.fact<at_most 0[1], 128>]} {
  %0 = fuser.max %x dims [1] : tensor<400000x?xbf16> -> tensor<400000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<400000xbf16> -> tensor<400000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<400000x?xbf16>, tensor<400000x1xbf16>) -> tensor<400000x?xbf16>
  fuser.return %2 : tensor<400000x?xbf16>
}

// Rows with a distance between them.
// CHECK-LABEL: fuser.kernel @apart(
// CHECK-NOT: flat
fuser.kernel @apart(%x: tensor<400000x33xbf16>) -> tensor<400000x33xbf16> attributes {
    arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.max %x dims [1] : tensor<400000x33xbf16> -> tensor<400000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<400000xbf16> -> tensor<400000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<400000x33xbf16>, tensor<400000x1xbf16>) -> tensor<400000x33xbf16>
  fuser.return %2 : tensor<400000x33xbf16>
}

// An output that takes the place of its argument.
// CHECK-LABEL: fuser.kernel @in_place(
// CHECK-NOT: flat
fuser.kernel @in_place(%x: tensor<400000x33xbf16>) -> tensor<400000x33xbf16> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.max %x dims [1] : tensor<400000x33xbf16> -> tensor<400000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<400000xbf16> -> tensor<400000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<400000x33xbf16>, tensor<400000x1xbf16>) -> tensor<400000x33xbf16>
  fuser.return %2 : tensor<400000x33xbf16>
}

// Rows that an expansion makes: no tensor has them.
// CHECK-LABEL: fuser.kernel @expanded(
// CHECK-NOT: flat
fuser.kernel @expanded(%x: tensor<1x33xbf16>) -> (tensor<400000xbf16>, tensor<1x33xbf16>) {
  %0 = fuser.expand %x : tensor<1x33xbf16> -> tensor<400000x33xbf16>
  %1 = fuser.max %0 dims [1] : tensor<400000x33xbf16> -> tensor<400000xbf16>
  %2 = fuser.max %x dims [1] : tensor<1x33xbf16> -> tensor<1xbf16>
  %3 = fuser.broadcast %2 dims [1] : tensor<1xbf16> -> tensor<1x1xbf16>
  %4 = fuser.sub %x, %3 : (tensor<1x33xbf16>, tensor<1x1xbf16>) -> tensor<1x33xbf16>
  fuser.return %1, %4 : tensor<400000xbf16>, tensor<1x33xbf16>
}

// No rows are stored: vectors of half an access are read as they are.
// CHECK-LABEL: fuser.kernel @half_read(
// CHECK-SAME: schedule = #fuser_sched.inner_persistent<threads = 16, vector = 4, vectors = 5, rows = 8>
fuser.kernel @half_read(%x: tensor<200000x300xbf16>) -> tensor<200000xbf16> {
  %0 = fuser.max %x dims [1] : tensor<200000x300xbf16> -> tensor<200000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<200000xbf16> -> tensor<200000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<200000x300xbf16>, tensor<200000x1xbf16>) -> tensor<200000x300xbf16>
  %3 = fuser.sum %2 dims [1] : tensor<200000x300xbf16> -> tensor<200000xbf16>
  fuser.return %3 : tensor<200000xbf16>
}

// Narrower ones are not.
// CHECK-LABEL: fuser.kernel @odd_read(
// CHECK-SAME: flat = 8>
fuser.kernel @odd_read(%x: tensor<200000x301xbf16>) -> tensor<200000xbf16> {
  %0 = fuser.max %x dims [1] : tensor<200000x301xbf16> -> tensor<200000xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<200000xbf16> -> tensor<200000x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<200000x301xbf16>, tensor<200000x1xbf16>) -> tensor<200000x301xbf16>
  %3 = fuser.sum %2 dims [1] : tensor<200000x301xbf16> -> tensor<200000xbf16>
  fuser.return %3 : tensor<200000xbf16>
}
