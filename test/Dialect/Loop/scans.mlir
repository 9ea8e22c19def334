// Round trips of the ops and steps of scans, and what the stages make of them.
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

// CHECK-LABEL: fuser_loop.kernel @threads
fuser_loop.kernel @threads(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  fuser_loop.for %t to (64) on thread_x {
    %a = fuser_loop.buffer : !a
    %p = fuser_loop.buffer : !a
    // CHECK: fuser_loop.tile %[[A:.*]][] = lift fuser.cumsum(%{{.*}}[%{{.*}}]) {dim = 0 : i64} if (%{{.*}} < symbol(%{{.*}}))
    fuser_loop.tile %a[] = lift fuser.cumsum(%x[%t]) {dim = 0 : i64} if (%t < symbol(%n)) : (!x) -> !a of (tensor<?xf32>) -> tensor<?xf32>
    // CHECK: fuser_loop.scan %[[A]] before %[[P:.*]] by fuser.cumsum {dim = 0 : i64} over [thread_y, thread_x] lanes 1
    // CHECK-NEXT: : !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<?xf32>
    fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [thread_y, thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
    // CHECK: fuser_loop.scan %[[A]] before %[[P]] by fuser.cumsum {dim = 0 : i64} over [block_x] equal [thread_y, thread_x] lanes 1
    fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [block_x] equal [thread_y, thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
    // CHECK: fuser_loop.tile %[[A]][] = prepend fuser.cumsum(%[[P]][])
    fuser_loop.tile %a[] = prepend fuser.cumsum(%p[]) {dim = 0 : i64} : (!a) -> !a of (tensor<?xf32>) -> tensor<?xf32>
    // CHECK: fuser_loop.tile %[[A]][] = merge fuser.cumsum(%[[P]][])
    fuser_loop.tile %a[] = merge fuser.cumsum(%p[]) {dim = 0 : i64} : (!a) -> !a of (tensor<?xf32>) -> tensor<?xf32>
  }
}

// CHECK-LABEL: fuser_loop.kernel @blocks
fuser_loop.kernel @blocks(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %w = fuser_loop.buffer [symbol(%n)] : !fuser_loop.buffer<?xf32, global>
  %f = fuser_loop.buffer zeroed [symbol(%n)] : !fuser_loop.buffer<?xi32, global>
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<1xi32, shared>
  // CHECK: fuser_loop.order_blocks %{{.*}} of [symbol(%{{.*}}), 1, 1] through %{{.*}} : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
  fuser_loop.order_blocks %c of [symbol(%n), 1, 1] through %s : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
  fuser_loop.for %b to (symbol(%n)) on block_x {
    fuser_loop.for %t to (64) on thread_x {
      %a = fuser_loop.buffer : !a
      %p = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = lift fuser.cumsum(%x[%b]) {dim = 0 : i64} : (!x) -> !a of (tensor<?xf32>) -> tensor<?xf32>
      // CHECK: fuser_loop.tile %[[A:.*]][] = shuffle_up 4 fuser.cumsum() {dim = 0 : i64}
      fuser_loop.tile %a[] = shuffle_up 4 fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
      // CHECK: fuser_loop.tile %[[P:.*]][] = take fuser.cumsum(%[[A]][]) {dim = 0 : i64} from [%{{.*}} mod 32 - 1]
      fuser_loop.tile %p[] = take fuser.cumsum(%a[]) {dim = 0 : i64} from [%t mod 32 - 1] : (!a) -> !a of (tensor<?xf32>) -> tensor<?xf32>
      fuser_loop.tile %w[%b] = %a[] if (%t == 0) : (!a) -> !x of tensor<f32>
      // CHECK: fuser_loop.publish %{{.*}}[%[[B:.*]]] of %{{.*}} if (%{{.*}} == 0) follows [thread_x] : !fuser_loop.buffer<?xi32, global>, !fuser_loop.buffer<?xf32, global>
      fuser_loop.publish %f[%b] of %w if (%t == 0) follows [thread_x] : !fuser_loop.buffer<?xi32, global>, !x
      // CHECK: fuser_loop.await %{{.*}}[%[[B]] - 1] if (0 < %[[B]]) : !fuser_loop.buffer<?xi32, global>
      fuser_loop.await %f[%b - 1] if (0 < %b) : !fuser_loop.buffer<?xi32, global>
    }
  }
}
