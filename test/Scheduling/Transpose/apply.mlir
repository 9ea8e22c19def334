// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-apply-schedules | FileCheck %s
// The loops of loads, tile and store.

// CHECK-LABEL: fuser.kernel @tiles
// The transposed input: vectors along its own rows, then a tile whose chunks are permuted by the row.
// CHECK: %[[X:.*]] = fuser.set %x {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize], allocation = [i0, i1]>], inline_at = 1
// CHECK: %[[T:.*]] = fuser.set %[[X]] {{.*}}swizzle(i{{[0-9]+}}, i{{[0-9]+}}, 8){{.*}}inline_at = 1 : i64, memory = #fuser.memory<shared>
// The other input is read as the output is written.
// CHECK: fuser.set %y {{.*}}inline_at = 1
// CHECK: fuser.permute %[[T]] [1, 0] {{.*}}inline_at = 4
// CHECK: fuser.set {{.*}}loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}memory = #fuser.memory<global>
fuser.kernel @tiles(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
    schedule = #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 8, vector_out = 8>} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  %1 = fuser.add %0, %y : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}

// -----

// expected-error @below {{'fuser.kernel' op cannot be scheduled by 'transpose' [nothing-to-transpose]}}
fuser.kernel @nothing(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {schedule = #fuser_sched.transpose<>} {
  %0 = fuser.relu %x : tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
