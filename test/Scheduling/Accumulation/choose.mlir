// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules="explain=false only=accumulation target=h200" 2>/dev/null | FileCheck %s
// RUN: not fuser-opt %s --split-input-file --fuser-choose-schedules="only=accumulation target=h200" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: fuser-opt %s --split-input-file --fuser-choose-schedules="explain=false target=h200" 2>/dev/null | FileCheck %s --check-prefix=ALL
// What the accumulation scheduler accepts, and where it is chosen.

// A histogram of each row: bytes are read as vectors, and each of four blocks of a row has many steps.
// CHECK-LABEL: fuser.kernel @histograms
// CHECK-SAME: schedule = #fuser_sched.accumulation<threads = 1024, vector = 16, steps = 16>
// ALL-LABEL: fuser.kernel @histograms
// ALL-SAME: #fuser_sched.accumulation
fuser.kernel @histograms(%x: tensor<64x1000000xi8>, %y: tensor<64x256xi32>) -> tensor<64x256xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.cast %x : tensor<64x1000000xi8> to tensor<64x1000000xi32>
  %c1 = arith.constant 1 : i64
  %1 = fuser.full %c1 : i64 -> tensor<64x1000000xi32>
  %2 = fuser.push %1 at %0 into %y dim 1 reduce add : tensor<64x1000000xi32>, tensor<64x1000000xi32>, tensor<64x256xi32>
  fuser.return %2 : tensor<64x256xi32>
}

// -----

// An unknown number of elements.
// CHECK-LABEL: fuser.kernel @unknown
// CHECK-SAME: schedule = #fuser_sched.accumulation<
fuser.kernel @unknown(%x: tensor<?xi32>, %y: tensor<100xi32>) -> tensor<100xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.push %x at %x into %y dim 0 reduce max : tensor<?xi32>, tensor<?xi32>, tensor<100xi32>
  fuser.return %0 : tensor<100xi32>
}

// -----

// Rows of which a block would have few are combined in global memory.
// REFUSED: remark: {{.*}}expected rows of at least 4 elements for each of 4096 that they are combined in, but got 5000
// ALL-LABEL: fuser.kernel @short_rows
// ALL-SAME: #fuser_sched.pointwise
fuser.kernel @short_rows(%x: tensor<64x5000xi32>, %y: tensor<64x4096xi32>) -> tensor<64x4096xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.push %x at %x into %y dim 1 reduce add : tensor<64x5000xi32>, tensor<64x5000xi32>, tensor<64x4096xi32>
  fuser.return %0 : tensor<64x4096xi32>
}

// -----

// REFUSED: remark: {{.*}}expected at most 232448 bytes of shared memory, but what a row is combined in has 400000
fuser.kernel @large_copy(%x: tensor<50000000xi32>, %y: tensor<100000xi32>) -> tensor<100000xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.push %x at %x into %y dim 0 reduce add : tensor<50000000xi32>, tensor<50000000xi32>, tensor<100000xi32>
  fuser.return %0 : tensor<100000xi32>
}

// -----

// REFUSED: remark: {{.*}}expected a known size of dimension 0 of what elements are combined in
fuser.kernel @unknown_copy(%x: tensor<50000000xi32>, %y: tensor<?xi32>) -> tensor<?xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.push %x at %x into %y dim 0 reduce add : tensor<50000000xi32>, tensor<50000000xi32>, tensor<?xi32>
  fuser.return %0 : tensor<?xi32>
}

// -----

// REFUSED: remark: {{.*}}expected outputs whose elements are combined at indices
fuser.kernel @replaced(%x: tensor<50000xi32>, %y: tensor<100xi32>) -> tensor<100xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.push %x at %x into %y dim 0 : tensor<50000xi32>, tensor<50000xi32>, tensor<100xi32>
  fuser.return %0 : tensor<100xi32>
}

// -----

// Several updates of the same elements share loops, each with a copy in shared memory.
// CHECK-LABEL: fuser.kernel @two_updates
// CHECK-SAME: schedule = #fuser_sched.accumulation<vector = 2, steps = 16>
fuser.kernel @two_updates(%i: tensor<?xi64>, %x: tensor<?xf32>, %counts: tensor<64xi64>, %sums: tensor<64xf32>) -> (tensor<64xi64>, tensor<64xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 2>, #fuser.alias<output 1, input 3>], facts = [#fuser.fact<equal 0[0], 1[0]>]} {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?xi64>
  %0 = fuser.full %c1 sizes(%n) : i64 -> tensor<?xi64>
  %1 = fuser.push %0 at %i into %counts dim 0 reduce add : tensor<?xi64>, tensor<?xi64>, tensor<64xi64>
  %2 = fuser.push %x at %i into %sums dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<64xf32>
  fuser.return %1, %2 : tensor<64xi64>, tensor<64xf32>
}

// -----

// Together the copies have to fit shared memory.
// REFUSED: remark: {{.*}}expected at most 232448 bytes of shared memory, but what a row is combined in has 240000
fuser.kernel @two_large_copies(%i: tensor<50000000xi32>, %x: tensor<30000xi32>, %y: tensor<30000xf32>) -> (tensor<30000xi32>, tensor<30000xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>, #fuser.alias<output 1, input 2>]} {
  %f = fuser.cast %i : tensor<50000000xi32> to tensor<50000000xf32>
  %0 = fuser.push %i at %i into %x dim 0 reduce add : tensor<50000000xi32>, tensor<50000000xi32>, tensor<30000xi32>
  %1 = fuser.push %f at %i into %y dim 0 reduce add : tensor<50000000xf32>, tensor<50000000xi32>, tensor<30000xf32>
  fuser.return %0, %1 : tensor<30000xi32>, tensor<30000xf32>
}

// -----

// One output that is computed element by element is none of it.
// REFUSED: remark: {{.*}}expected outputs whose elements are combined at indices
fuser.kernel @other_output(%x: tensor<50000xi32>, %y: tensor<100xi32>) -> (tensor<100xi32>, tensor<50000xi32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.push %x at %x into %y dim 0 reduce add : tensor<50000xi32>, tensor<50000xi32>, tensor<100xi32>
  %1 = fuser.neg %x : tensor<50000xi32>
  fuser.return %0, %1 : tensor<100xi32>, tensor<50000xi32>
}

// -----

// Rows of one update that are no rows of another.
// REFUSED: remark: {{.*}}expected outputs whose rows are the same, but those of output 1 are others than those of output 0
fuser.kernel @other_rows(%x: tensor<64x50000xi32>, %y: tensor<64x100xi32>, %z: tensor<100x50000xi32>) -> (tensor<64x100xi32>, tensor<100x50000xi32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>, #fuser.alias<output 1, input 2>]} {
  %0 = fuser.push %x at %x into %y dim 1 reduce add : tensor<64x50000xi32>, tensor<64x50000xi32>, tensor<64x100xi32>
  %1 = fuser.push %x at %x into %z dim 0 reduce add : tensor<64x50000xi32>, tensor<64x50000xi32>, tensor<100x50000xi32>
  fuser.return %0, %1 : tensor<64x100xi32>, tensor<100x50000xi32>
}
