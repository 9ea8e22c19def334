// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules | FileCheck %s
// The loop domains that the parameters of a scan stand for.

// Rows by block and thread_y; a scan shares the loop over tiles with its consumers, and its producers share all loops with it.
// CHECK-LABEL: fuser.kernel @inner
fuser.kernel @inner(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, vector = 8, unroll = 2>} {
  // CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 3
  // CHECK: fuser.cast {{.*}}inline_at = 6
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  // CHECK: fuser.cumsum {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 3
  %sum = fuser.cumsum %xf dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: fuser.cast {{.*}}inline_at = 6
  // CHECK: fuser.set {{.*}}memory = #fuser.memory<global>
  %0 = fuser.cast %sum : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// -----

// One thread per column: the scan shares all loops with its consumers.
// CHECK-LABEL: fuser.kernel @columns
fuser.kernel @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.scan<pattern = outer, threads_x = 128, vector = 4, unroll = 8>} {
  // CHECK: fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 2
  // CHECK: fuser.cumsum {{.*}}inline_at = 5
  %0 = fuser.cumsum %x dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// Several threads per column, each with adjacent rows.
// CHECK-LABEL: fuser.kernel @shared_columns
fuser.kernel @shared_columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.scan<pattern = outer, threads_x = 8, threads_y = 64, vector = 4, unroll = 8>} {
  // CHECK: fuser.cumsum {{.*}}split(i0, 8) -> (i[[GROUP:[0-9]+]], i[[ROW:[0-9]+]]), split(i[[GROUP]], 64) -> (i[[TILE:[0-9]+]], i[[THREAD:[0-9]+]]), loop = [i{{[0-9]+}} @block_x, i[[TILE]], i[[THREAD]] @thread_y, i[[ROW]] @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}inline_at = 3
  %0 = fuser.cumsum %x dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// Does not apply another pattern's parameters.
// expected-error @below {{expected a schedule of pattern 'inner', but got 'outer'}}
fuser.kernel @other_pattern(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.scan<pattern = outer>} {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

// -----

// Rows pass through shared memory: threads have runs of adjacent elements, and the load and the store vectors across the ends
// of rows.
// CHECK-LABEL: fuser.kernel @staged
fuser.kernel @staged(%x: tensor<?x999xbf16>) -> tensor<?x999xbf16> attributes {
    schedule = #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 8, unroll = 33, flat = 8>} {
  // CHECK: %[[LOAD:.*]] = fuser.set %x {{.*}}split(i4, 8) -> {{.*}}@unswitch{{.*}}@vectorize]
  // CHECK: %[[TILE:.*]] = fuser.set %[[LOAD]] {{.*}}memory = #fuser.memory<shared>
  // CHECK: %[[KEPT:.*]] = fuser.set %[[TILE]]
  // CHECK: %[[SUM:.*]] = fuser.cumsum %[[KEPT]] {{.*}}split(i1, 33) -> (i[[THREADS:[0-9]+]], i[[ELEMENT:[0-9]+]]), split(i[[THREADS]], 32) -> (i[[TILES:[0-9]+]], i[[THREAD:[0-9]+]]), loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i[[TILES]], i[[THREAD]] @thread_x, i[[ELEMENT]] @unroll]
  // CHECK: fuser.set %[[SUM]] {{.*}}memory = #fuser.memory<shared>
  // CHECK: fuser.set {{.*}}@unswitch{{.*}}@vectorize]{{.*}}memory = #fuser.memory<global>
  %0 = fuser.cumsum %x dim 1 : tensor<?x999xbf16> -> tensor<?x999xbf16>
  fuser.return %0 : tensor<?x999xbf16>
}

// -----

// expected-error @below {{expected a row of at most 992 elements ('threads_x' x 'unroll' x 'vector'), but got 999}}
fuser.kernel @longer_than_tile(%x: tensor<?x999xbf16>) -> tensor<?x999xbf16> attributes {
    schedule = #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 8, unroll = 31, flat = 8>} {
  %0 = fuser.cumsum %x dim 1 : tensor<?x999xbf16> -> tensor<?x999xbf16>
  fuser.return %0 : tensor<?x999xbf16>
}

// -----

// expected-error @below {{expected vectors across the ends of rows ('flat') of at most 8 elements, which divide 'rows' rows of a known length, but got 8 and 4 rows}}
fuser.kernel @ends_between(%x: tensor<?x999xbf16>) -> tensor<?x999xbf16> attributes {
    schedule = #fuser_sched.scan<pattern = inner, threads_x = 32, threads_y = 4, unroll = 33, flat = 8>} {
  %0 = fuser.cumsum %x dim 1 : tensor<?x999xbf16> -> tensor<?x999xbf16>
  fuser.return %0 : tensor<?x999xbf16>
}
