// Scans over threads: shuffles and slots of warps, or slots of all threads; and over blocks, which publish and await.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers))" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-lower-kernels --canonicalize --cse | FileCheck %s --check-prefix=IR

!x = !fuser_loop.buffer<?x64xf32, global>
!a = !fuser_loop.buffer<f32, register>

// The last thread of a warp has what the warp has; each warp scans the slots of its row. Less than the first thread is the identity.
// CHECK-LABEL: fuser_loop.kernel @warps(
// CHECK: fuser_loop.tile %[[A:.*]][] = lift
// CHECK-COUNT-5: fuser_loop.tile %[[A]][] = shuffle_up
// CHECK: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.tile %[[P:.*]][] = take fuser.cumsum(%[[A]][]) {{.*}} from [%[[T]] mod 32 - 1]
// CHECK: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// CHECK-NEXT: %[[E:.*]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<2xf32, shared>
// CHECK: fuser_loop.tile %[[E]][%[[T]] floordiv 32] = %[[A]][] if (%[[T]] mod 32 == 31)
// CHECK: fuser_loop.barrier
// CHECK: fuser_loop.tile %[[W:.*]][] = %[[E]][%[[T]] mod 2]
// CHECK: fuser_loop.tile %[[W]][] = shuffle_up 1
// CHECK-NOT: shuffle_up
// CHECK: fuser_loop.tile %[[Q:.*]][] = take fuser.cumsum(%[[W]][]) {{.*}} from [%[[T]] floordiv 32 - 1]
// CHECK: fuser_loop.tile %[[P]][] = prepend fuser.cumsum(%[[Q]][])
// CHECK: fuser_loop.tile %[[A]][] = take fuser.cumsum(%[[W]][]) {{.*}} from [1]
// CHECK-NOT: barrier
// CHECK: finalize fuser.cumsum(%[[P]][])

// The thread before this one is shuffled up, as the distance is constant.
// IR-LABEL: gpu.func @warps(
// IR: fuser_gpu.shuffle up %{{.*}}, %c1_i32 width 32
// IR: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// IR: %[[FIRST:.*]] = arith.cmpi ult, %[[LANE]], %c1
// IR-COUNT-4: fuser_gpu.shuffle up
// IR: %[[TAKEN:.*]] = fuser_gpu.shuffle up %{{.*}}, %c1_i32 width 32
// IR: arith.select %[[FIRST]], %{{.*}}, %[[TAKEN]]
// IR: gpu.barrier
// IR: fuser_gpu.shuffle up
// IR: fuser_gpu.shuffle idx
// IR: fuser_gpu.shuffle idx
// IR-NOT: gpu.barrier
fuser_loop.kernel @warps(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [64, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    fuser_loop.for %t to (64) on thread_x {
      %a = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = lift fuser.cumsum(%x[%b, %t]) {dim = 1 : i64} : (!x) -> !a of (tensor<?x64xf32>) -> tensor<?x64xf32>
      %p = fuser_loop.buffer : !a
      fuser_loop.scan %a before %p by fuser.cumsum {dim = 1 : i64} over [thread_x] lanes 1 : !a of (tensor<?x64xf32>) -> tensor<?x64xf32>
      fuser_loop.tile %y[%b, %t] = finalize fuser.cumsum(%p[]) {dim = 1 : i64} : (!a) -> !x of (tensor<?x64xf32>) -> tensor<?x64xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x24xf32, global>
!a = !fuser_loop.buffer<f32, register>

// Threads that are no power of two, in rows of which thread_y is the more significant part: each reads the slots of all in order.
// CHECK-LABEL: fuser_loop.kernel @slots(
// CHECK: %[[E:.*]] = fuser_loop.buffer at 0 : !fuser_loop.buffer<24xf32, shared>
// CHECK: fuser_loop.for %[[Y:.*]] to (2) on thread_y {
// CHECK: fuser_loop.for %[[X:.*]] to (12) on thread_x {
// CHECK: fuser_loop.tile %[[E]][%[[X]] + %[[Y]] * 12] = %[[A:.*]][]
// CHECK: fuser_loop.barrier
// CHECK: fuser_loop.for %[[K:.*]] to (24) {
// CHECK: fuser_loop.tile %[[L:.*]][] = %[[E]][%[[K]] mod 12 + (%[[K]] floordiv 12) * 12]
// CHECK: fuser_loop.tile %[[ALL:.*]][] = merge fuser.cumsum(%[[L]][])
// CHECK: fuser_loop.tile %[[BEFORE:.*]][] = replace fuser.cumsum(%[[ALL]][]) {{.*}} if (%[[K]] < %[[Y]] * 12 + %[[X]])
// CHECK: fuser_loop.tile %[[A]][] = %[[ALL]][]

// IR-LABEL: gpu.func @slots(
// IR: scf.for
// IR: memref.load %{{.*}}workgroup
// IR: %[[IS_BEFORE:.*]] = arith.cmpi ult
// IR: scf.if %[[IS_BEFORE]]
// IR-NOT: arith.addf
// IR: gpu.return
fuser_loop.kernel @slots(%x: !x from #fuser_gpu.pointer<0> strides [24, 1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [24, 1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [12, 2, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    fuser_loop.for %s to (2) on thread_y {
      fuser_loop.for %t to (12) on thread_x {
        %a = fuser_loop.buffer : !a
        fuser_loop.tile %a[] = lift fuser.cumsum(%x[%b, %s * 12 + %t]) {dim = 1 : i64} : (!x) -> !a of (tensor<?x24xf32>) -> tensor<?x24xf32>
        %p = fuser_loop.buffer : !a
        fuser_loop.scan %a before %p by fuser.cumsum {dim = 1 : i64} over [thread_y, thread_x] lanes 1 : !a of (tensor<?x24xf32>) -> tensor<?x24xf32>
        fuser_loop.tile %y[%b, %s * 12 + %t] = finalize fuser.cumsum(%p[]) {dim = 1 : i64} : (!a) -> !x of (tensor<?x24xf32>) -> tensor<?x24xf32>
      }
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x64xf32, global>
!a = !fuser_loop.buffer<f32, register>

// Eight columns of each block: its threads have published when the first one tells others, after a barrier. Tiles are in groups of 256.
// CHECK-LABEL: fuser_loop.kernel @chain(
// CHECK: %[[W:.*]] = fuser_loop.buffer [symbol(%[[M:.*]]) ceildiv 256, 257, 8] : !fuser_loop.buffer<?x257x8xf32, global>
// CHECK-NEXT: %[[F:.*]] = fuser_loop.buffer zeroed [(symbol(%[[M]]) ceildiv 256) * 257]
// CHECK-NEXT: %[[C:.*]] = fuser_loop.buffer zeroed [1]
// CHECK-NEXT: %[[S:.*]] = fuser_loop.buffer at {{.*}} : !fuser_loop.buffer<1xi32, shared>
// CHECK-NEXT: fuser_loop.order_blocks %[[C]] of [symbol(%[[M]]), 1, 1] through %[[S]]
// CHECK: fuser_loop.for %[[B:.*]] to (symbol(%[[M]])) on block_x {
// CHECK: fuser_loop.tile %[[W]][%[[B]] floordiv 256, %[[B]] mod 256 + 1, %[[T:.*]]] = %[[A:.*]][] if (%[[Y:.*]] == 0)
// CHECK: fuser_loop.barrier
// CHECK-NEXT: fuser_loop.publish %[[F]][(%[[B]] floordiv 256) * 257 + %[[B]] mod 256 + 1] of %[[W]] if (%[[Y]] == 0, %[[T]] == 0) follows [thread_y]
// CHECK: fuser_loop.for %[[I:.*]] to (65) {
// CHECK-NEXT: fuser_loop.await %[[F]][(%[[B]] floordiv 256) * 257 + %[[Y]] * 65 + %[[I]]] if (%[[Y]] * 65 + %[[I]] < %[[B]] mod 256 + 1, 0 < %[[Y]] * 65 + %[[I]] + %[[B]] floordiv 256)
// CHECK-NEXT: fuser_loop.tile %[[P:.*]][] = merge fuser.cumsum(%[[W]][%[[B]] floordiv 256, %[[Y]] * 65 + %[[I]], %[[T]]] follows [block_x, thread_x, thread_y])
// CHECK: fuser_loop.tile %[[W]][%[[B]] floordiv 256 + 1, 0, %[[T]]] = %[[NEXT:.*]][] if (%[[B]] mod 256 == 255, %[[B]] + 1 < symbol(%[[M]]), %[[Y]] == 0)
// CHECK: fuser_loop.publish %[[F]][(%[[B]] floordiv 256 + 1) * 257] of %[[W]] if (%[[B]] mod 256 == 255, %[[B]] + 1 < symbol(%[[M]]), %[[Y]] == 0, %[[T]] == 0)

// What is awaited is read in the branch that waits.
// IR-LABEL: gpu.func @chain(
// IR: fuser_gpu.ticket
// IR: gpu.barrier
// IR: memref.load
// IR: fuser_gpu.ticket
// IR: scf.for
// IR: scf.if
// IR-NEXT: fuser_gpu.await
// IR-NOT: scf.if
// IR: fuser_gpu.load {{.*}} cache cg
// IR: fuser_gpu.ticket
fuser_loop.kernel @chain(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4 noalias, %m: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [8, 4, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    fuser_loop.for %t to (8) on thread_x {
      %a = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = lift fuser.cumsum(%x[%b, %t]) {dim = 0 : i64} replicated [thread_y] : (!x) -> !a of (tensor<?x64xf32>) -> tensor<?x64xf32>
      %p = fuser_loop.buffer : !a
      fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [block_x] equal [thread_y] lanes 1 : !a of (tensor<?x64xf32>) -> tensor<?x64xf32>
      fuser_loop.tile %y[%b, %t] = finalize fuser.cumsum(%p[]) {dim = 0 : i64} once [thread_y] : (!a) -> !x of (tensor<?x64xf32>) -> tensor<?x64xf32>
    }
  }
}
