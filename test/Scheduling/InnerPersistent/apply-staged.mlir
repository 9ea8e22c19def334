// RUN: fuser-opt %s --fuser-apply-schedules --split-input-file --verify-diagnostics | FileCheck %s
// Rows that pass through shared memory. The load and the store have vectors across the ends of rows; the tile next to each
// has the order of the rows in memory, and threads read their elements of it once.

// CHECK-LABEL: fuser.kernel @rows
// CHECK-SAME: facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]
// CHECK: %[[LOAD:.*]] = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i0, 128) -> (i2, i3), merge(i3, i1) -> i4, split(i4, 8) -> (i5, i6), split(i5, 128) -> (i7, i8), split(i7, 5) -> (i9, i10), loop = [i2 @block_x, i9 @unswitch, i10 @unroll, i8 @thread_y, i6 @vectorize], allocation = [i0, i1]>], inline_at = 2
// CHECK: %[[TILE:.*]] = fuser.set %[[LOAD]] {{.*}}allocation = [i2, i3, i1]>], inline_at = 1 : i64, memory = #fuser.memory<shared>}
// CHECK: %[[KEPT:.*]] = fuser.set %[[TILE]] {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @thread_y, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x]{{.*}}inline_at = 2
// CHECK: fuser.max %[[KEPT]]
// CHECK: %[[RESULT:.*]] = fuser.sub %[[KEPT]]
// CHECK: %[[STAGED:.*]] = fuser.set %[[RESULT]] {{.*}}allocation = [i{{[0-9]+}}, i{{[0-9]+}}, i1]>], inline_at = 1 : i64, memory = #fuser.memory<shared>}
// CHECK: fuser.set %[[STAGED]] {{.*}}@unswitch{{.*}}@vectorize], allocation = [i0, i1]>], memory = #fuser.memory<global>}
fuser.kernel @rows(%x: tensor<?x33xbf16>) -> tensor<?x33xbf16> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 1, vectors = 33, rows = 128, flat = 8>} {
  %0 = fuser.max %x dims [1] : tensor<?x33xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x33xbf16>, tensor<?x1xbf16>) -> tensor<?x33xbf16>
  fuser.return %2 : tensor<?x33xbf16>
}

// -----

// expected-error @below {{expected vectors across the ends of rows ('flat') of at most 8 elements, which divide 'rows' rows of a known length, but got 8 and 4 rows}}
fuser.kernel @ends_between(%x: tensor<?x33xbf16>) -> tensor<?x33xbf16> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 32, vectors = 2, rows = 4, flat = 8>} {
  %0 = fuser.max %x dims [1] : tensor<?x33xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x33xbf16>, tensor<?x1xbf16>) -> tensor<?x33xbf16>
  fuser.return %2 : tensor<?x33xbf16>
}

// -----

// expected-error @below {{of at most 4 elements}}
fuser.kernel @too_wide(%x: tensor<?x33xf32>) -> tensor<?x33xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 32, vectors = 2, rows = 8, flat = 8>} {
  %0 = fuser.max %x dims [1] : tensor<?x33xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x33xf32>, tensor<?x1xf32>) -> tensor<?x33xf32>
  fuser.return %2 : tensor<?x33xf32>
}

// -----

// A row of unknown length.
// expected-error @below {{which divide 'rows' rows of a known length}}
fuser.kernel @unknown(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 32, vectors = 2, rows = 8, flat = 4>} {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// Elements of the row that the data choose.
// expected-error @below {{of at most 1 elements}}
fuser.kernel @gathered(%x: tensor<?x33xf32>, %i: tensor<?x1xi64>) -> (tensor<?x33xf32>, tensor<?x1xf32>) attributes {
    schedule = #fuser_sched.inner_persistent<threads = 32, vectors = 2, rows = 8, flat = 4>} {
  %0 = fuser.max %x dims [1] : tensor<?x33xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x33xf32>, tensor<?x1xf32>) -> tensor<?x33xf32>
  %3 = fuser.take_along_axis %x, %i dim 1 : tensor<?x33xf32>, tensor<?x1xi64> -> tensor<?x1xf32>
  fuser.return %2, %3 : tensor<?x33xf32>, tensor<?x1xf32>
}
