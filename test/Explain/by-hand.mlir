// A fusion that is scheduled by hand is one segment, as it is one kernel; schedulers are asked about each op alone, and
// about the whole if it carries no schedule.
// RUN: fuser-explain %s --program=scheduled | FileCheck %s
// RUN: fuser-explain %s --program=scheduled --format=json | FileCheck %s --check-prefix=JSON
// RUN: fuser-explain %s --program=scheduled --format=svg | FileCheck %s --check-prefix=SVG
// RUN: fuser-explain %s --program=refused | FileCheck %s --check-prefix=REFUSED
// RUN: fuser-explain %s --program=taken | FileCheck %s --check-prefix=TAKEN

#d = #fuser.domain<logical = [i0, r1, i2], split(r1, 2147483647) -> (r3, r4), split(i2, 4) -> (i5, i6), loop = [i0 @block_x, r4, i5 @thread_y, r3, i6 @unroll], allocation = [i0, i2]>
#o = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), loop = [i0 @block_x, i2 @thread_y, i3], allocation = [i0, i1]>

// CHECK: fused       1 kernel, 34 GB read, 17 MB written
// CHECK-NEXT: unfused     2 kernels, 34 GB read, 34 MB written
// CHECK-NEXT: asked       0 groups
// CHECK: segment 0  @scheduled_0: by hand, 2 ops, 34 GB read, 17 MB written, 1
// CHECK: no schedule is predicted: the time is that of its bytes and operations at the rates of the device
// CHECK-NOT: segment 1
// JSON: "kernel": "scheduled_0"
// JSON: "scheduler": "by hand"
// SVG: by hand, 2 ops
fuser.fusion @scheduled(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] {domains = [#d], inline_at = 1 : i64} : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.set %0 {domains = [#o], memory = #fuser.memory<global>} : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// REFUSED: fused       1 kernel, 34 MB read, 17 MB written
// REFUSED: segment 0  @refused_0: by hand, 2 ops
// REFUSED-NOT: segment 1
fuser.fusion @refused(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {fuser_sched.one_kernel} {
  %0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// TAKEN: segment 0  @taken_0: pointwise, 2 ops
// TAKEN-NOT: by hand
fuser.fusion @taken(%a: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {fuser_sched.one_kernel} {
  %0 = fuser.neg %a : tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
