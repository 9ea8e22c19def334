// Each op in its stages, read in the pretty and in the generic form; CSE and canonicalization change nothing.
// RUN: fuser-opt %s | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// RUN: fuser-opt %s --emit-bytecode | fuser-opt | FileCheck %s

!x = !fuser_loop.buffer<?x?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// CHECK-LABEL: fuser_loop.kernel @loops(
// CHECK-SAME: %{{.*}}: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<0> strides [symbol(%[[N:[a-z0-9]*]]), 1] align 16 readonly noalias,
// CHECK-SAME: %{{.*}}: f32 from #fuser_gpu.scalar<1>,
// CHECK-SAME: %{{.*}}: !fuser_loop.buffer<?x?xf32, global> from #fuser_gpu.pointer<2> strides [symbol(%[[N]]), 1] align 4, %[[M:[a-z0-9]*]]: index from #fuser_gpu.size<0, 0>, %[[N]]: index from #fuser_gpu.size<0, 1>)
// CHECK-NEXT: stage loops index_bits 64 assume (symbol(%[[N]]) mod 4 == 0, symbol(%[[M]]) < 1025) attributes {facts = [#fuser.fact<divisible 0[1], 4>]} {
fuser_loop.kernel @loops(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                         %s: f32 from #fuser_gpu.scalar<1>,
                         %y: !x from #fuser_gpu.pointer<2> strides [symbol(%n), 1] align 4,
                         %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage loops index_bits 64 assume (symbol(%n) mod 4 == 0, symbol(%m) < 1025)
    attributes {facts = [#fuser.fact<divisible 0[1], 4>]} {
  // CHECK: fuser_loop.for %[[B:.*]] to (symbol(%[[M]])) on block_x {
  // CHECK: fuser_loop.for %[[K:.*]] to (symbol(%[[N]]) ceildiv 512) {
  // CHECK: fuser_loop.for %[[T:.*]] to (128) on thread_x {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    fuser_loop.for %k to (symbol(%n) ceildiv 512) {
      fuser_loop.for %t to (128) on thread_x {
        // CHECK: %[[R:.*]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
        %r = fuser_loop.buffer : !r
        // CHECK-NEXT: %[[Q:.*]] = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
        %q = fuser_loop.buffer : !r
        // CHECK: fuser_loop.for %[[V:.*]] to (4) on vectorize {
        // CHECK-NEXT: fuser_loop.tile %[[R]][%[[V]]] = %{{.*}}[%[[B]], %[[K]] * 512 + %[[T]] * 4 + %[[V]] - 3] where (%[[K]] * 512 + %[[T]] * 4 + %[[V]] - 3 < symbol(%[[N]])) if (%[[K]] * 128 + %[[T]] < symbol(%[[N]]) ceildiv 4)
        // CHECK-NEXT: : (!fuser_loop.buffer<?x?xf32, global>) -> !fuser_loop.buffer<4xf32, register> of tensor<?x?xf32>
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %r[%v] = %x[%b, 512 * %k + 4 * %t + %v - 3] where (512 * %k + 4 * %t + %v - 3 < symbol(%n)) if (128 * %k + %t < symbol(%n) ceildiv 4)
            : (!x) -> !r of tensor<?x?xf32>
        }
        // CHECK: fuser_loop.tile %[[Q]][%{{.*}}] = fuser.pow(%[[R]][%{{.*}}], %{{.*}} scalar)
        // CHECK-NEXT: : (!fuser_loop.buffer<4xf32, register>, f32) -> !fuser_loop.buffer<4xf32, register> of (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %q[%v] = fuser.pow(%r[%v], %s scalar) : (!r, f32) -> !r of (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
        }
        // CHECK: fuser_loop.tile {{.*}} replicated [thread_y]
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %y[%b, 512 * %k + 4 * %t + %v] = %q[%v] if (128 * %k + %t < symbol(%n) ceildiv 4, %k == 0) replicated [thread_y]
            : (!r) -> !x of tensor<?x?xf32>
        }
        // CHECK: fuser_loop.for %{{.*}} to (symbol(%[[M]])) on unroll bound 1024 {
        fuser_loop.for %u to (symbol(%m)) on unroll bound 1024 {
          fuser_loop.tile %y[%u, 0] = %q[3] : (!r) -> !x of tensor<?x?xf32>
        }
      }
    }
  }
}

// CHECK-LABEL: fuser_loop.kernel @guarded
// CHECK-NEXT: stage guarded index_bits 32 threads [128, 1, 1] grid [symbol(%{{.*}}) ceildiv 512, 1, 1] {
fuser_loop.kernel @guarded(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 16, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 threads [128, 1, 1] grid [symbol(%n) ceildiv 512, 1, 1] {
  %c = arith.constant 7 : i64
  %z = arith.constant 0 : i64
  fuser_loop.for %b to (symbol(%n) ceildiv 512) on block_x {
    %r = fuser_loop.buffer : !r
    // CHECK: fuser_loop.tile %{{.*}}{%[[V:.*]]} by 4 align 16 = fuser.random_uniform(%{{.*}} scalar, %{{.*}} scalar, %{{.*}} scalar) at [%{{.*}} * 512 + %[[V]]]
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %r{%v} by 4 align 16 = fuser.random_uniform(%c scalar, %z scalar, %n scalar) at [512 * %b + %v]
        : (i64, i64, index) -> !r of (i64, i64, index) -> tensor<?xf32>
    }
    // CHECK: fuser_loop.if (%{{.*}} * 512 < symbol(%{{.*}})) once [thread_x] {
    fuser_loop.if (512 * %b < symbol(%n)) once [thread_x] {
      fuser_loop.for %v to (4) on vectorize {
        // CHECK: fuser_loop.tile %{{.*}}{%{{.*}} * 512 + %{{.*}}} by 4 align 16 = %{{.*}}{%{{.*}}} by 2 align 8 clamp
        fuser_loop.tile %y{512 * %b + %v} by 4 align 16 = %r{%v} by 2 align 8 clamp : (!r) -> !fuser_loop.buffer<?xf32, global> of tensor<?xf32>
      }
    }
  }
}

// Steps of a reduction, what threads combine, and buffers in shared memory before they have places.
// CHECK-LABEL: fuser_loop.kernel @reduction
fuser_loop.kernel @reduction(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                             %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<1> strides [1] align 4,
                             %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage loops index_bits 64 {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !r
    %s = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
    // CHECK: fuser_loop.buffer : !fuser_loop.buffer<128xf32, shared>
    %c = fuser_loop.buffer : !fuser_loop.buffer<128xf32, shared>
    // CHECK: fuser_loop.tile %[[A:.*]][%{{.*}}] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x]
    // CHECK-NEXT: : () -> !fuser_loop.buffer<4xf32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %a[%v] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    // CHECK: fuser_loop.tile %[[A]][%{{.*}}] = accumulate fuser.sum(%{{.*}}[{{.*}}]) {dims = array<i64: 1>} if ({{.*}})
    fuser_loop.for %t to (128) on thread_x {
      fuser_loop.tile %c[%t] = %x[%b, %t] if (%t < symbol(%n)) : (!x) -> !fuser_loop.buffer<128xf32, shared> of tensor<?x?xf32>
      fuser_loop.for %v to (4) on vectorize {
        fuser_loop.tile %a[%v] = accumulate fuser.sum(%x[%b, 4 * %t + %v]) {dims = array<i64: 1>} if (%t < symbol(%n) ceildiv 4)
          : (!x) -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
    // CHECK: fuser_loop.tile %[[S:.*]][] = fold fuser.sum(%[[A]][%{{.*}}]) {dims = array<i64: 1>}
    fuser_loop.for %v to (4) on vectorize {
      fuser_loop.tile %s[] = fold fuser.sum(%a[%v]) {dims = array<i64: 1>} : (!r) -> !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
    }
    // CHECK: fuser_loop.combine %[[S]] by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1
    // CHECK-NEXT: : !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.combine %s by fuser.sum {dims = array<i64: 1>} over [thread_x] lanes 1 : !fuser_loop.buffer<f32, register> of (tensor<?x?xf32>) -> tensor<?xf32>
    // CHECK: fuser_loop.tile %{{.*}}[%{{.*}}] = finalize fuser.sum(%[[S]][]) {dims = array<i64: 1>} count [symbol(%{{.*}})] replicated [thread_x]
    fuser_loop.tile %y[%b] = finalize fuser.sum(%s[]) {dims = array<i64: 1>} count [symbol(%n)] replicated [thread_x]
      : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?x?xf32>) -> tensor<?xf32>
  }
}

// CHECK-LABEL: fuser_loop.kernel @exchange
fuser_loop.kernel @exchange(%y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4)
    stage synchronized index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !fuser_loop.buffer<f32, register>
  // CHECK: fuser_loop.buffer at 16 : !fuser_loop.buffer<2xf32, shared>
  %s = fuser_loop.buffer at 16 : !fuser_loop.buffer<2xf32, shared>
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
  // CHECK: fuser_loop.tile %{{.*}}[] = shuffle 16 fuser.sum() {dims = array<i64: 0>}
  fuser_loop.tile %a[] = shuffle 16 fuser.sum() {dims = array<i64: 0>} : () -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
  fuser_loop.for %u to (2) on unroll {
    // CHECK: fuser_loop.barrier if (0 < %{{.*}})
    fuser_loop.barrier if (0 < %u)
    fuser_loop.tile %s[%u] = %a[] keep : (!fuser_loop.buffer<f32, register>) -> !fuser_loop.buffer<2xf32, shared> of tensor<f32>
    // CHECK: fuser_loop.barrier{{$}}
    fuser_loop.barrier
    // CHECK: fuser_loop.tile %{{.*}}[] = merge fuser.sum(%{{.*}}[{{.*}}]) {dims = array<i64: 0>}
    fuser_loop.tile %a[] = merge fuser.sum(%s[%u]) {dims = array<i64: 0>} : (!fuser_loop.buffer<2xf32, shared>) -> !fuser_loop.buffer<f32, register> of (tensor<?xf32>) -> tensor<f32>
  }
}

// Indices that are no expression of others: data, those of an op with loops of its own, swizzled ones.
// CHECK-LABEL: fuser_loop.kernel @indices(
fuser_loop.kernel @indices(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4,
                           %i: !fuser_loop.buffer<?xi32, global> from #fuser_gpu.pointer<1> strides [1] align 4,
                           %y: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<2> strides [1] align 4,
                           %n: index from #fuser_gpu.size<0, 0>, %m: index from #fuser_gpu.size<1, 0>)
    stage loops index_bits 64 {
  // CHECK: fuser_loop.for %[[T:.*]] to (64) on thread_x {
  fuser_loop.for %t to (64) on thread_x {
    // CHECK-NEXT: %[[S:.*]] = fuser_loop.xor (%[[T]], (%[[T]] floordiv 8) mod 8)
    %s = fuser_loop.xor (%t, (%t floordiv 8) mod 8)
    // CHECK-NEXT: %[[I:.*]] = fuser_loop.index %{{.*}}[%[[S]]] : !fuser_loop.buffer<?xi32, global>
    %0 = fuser_loop.index %i[%s] : !fuser_loop.buffer<?xi32, global>
    // CHECK-NEXT: fuser_loop.tile %{{.*}}[%[[S]]] = fuser.index_select(%{{.*}}[%[[I]]] where (%[[I]] < symbol(%[[N:.*]])), %{{.*}}[%[[S]]]) {dim = 0 : i64}
    fuser_loop.tile %y[%s] = fuser.index_select(%x[%0] where (%0 < symbol(%n)), %i[%s]) {dim = 0 : i64}
      : (!fuser_loop.buffer<?xf32, global>, !fuser_loop.buffer<?xi32, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>, tensor<?xi32>) -> tensor<?xf32>
    // CHECK: %[[A:.*]] = fuser_loop.whole to (symbol(%[[M:.*]]))
    %a = fuser_loop.whole to (symbol(%m))
    // CHECK-NEXT: %[[B:.*]] = fuser_loop.whole to (symbol(%[[M]]))
    %b = fuser_loop.whole to (symbol(%m))
    // CHECK-NEXT: fuser_loop.tile %{{.*}}[%[[T]]] = fuser.scatter(%{{.*}}[%[[A]]] where (%[[A]] < symbol(%[[M]])), %{{.*}}[%[[B]]] where (%[[B]] < symbol(%[[M]])), %{{.*}}[%[[T]]]) {dim = 0 : i64} at [%[[T]], %[[A]], %[[B]]]
    fuser_loop.tile %y[%t] = fuser.scatter(%x[%a] where (%a < symbol(%m)), %i[%b] where (%b < symbol(%m)), %x[%t]) {dim = 0 : i64} at [%t, %a, %b]
      : (!fuser_loop.buffer<?xf32, global>, !fuser_loop.buffer<?xi32, global>, !fuser_loop.buffer<?xf32, global>) -> !fuser_loop.buffer<?xf32, global> of (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32>
  }
}

// CHECK-LABEL: fuser_loop.kernel @combined
fuser_loop.kernel @combined(%x: !fuser_loop.buffer<?x4xf32, global> from #fuser_gpu.pointer<0> strides [4, 1] align 16 readonly noalias,
                            %i: !fuser_loop.buffer<?xi64, global> from #fuser_gpu.pointer<1> strides [1] align 8 readonly noalias,
                            %y: !fuser_loop.buffer<?x4xf32, global> from #fuser_gpu.pointer<2> strides [4, 1] align 16 noalias,
                            %n: index from #fuser_gpu.size<0, 0>, %m: index from #fuser_gpu.size<2, 0>)
    stage loops index_bits 32 {
  fuser_loop.for %t to (128) on thread_x {
    // CHECK: %[[I:.*]] = fuser_loop.index %{{.*}}[%[[T:.*]]] : !fuser_loop.buffer<?xi64, global>
    %0 = fuser_loop.index %i[%t] : !fuser_loop.buffer<?xi64, global>
    // CHECK-NEXT: fuser_loop.tile %{{.*}}[%[[I]], 0] where (%[[I]] < symbol(%{{.*}})) = %{{.*}}[%[[T]], 0] combine add if (%[[T]] < symbol(%{{.*}}))
    // CHECK-NEXT: : (!fuser_loop.buffer<?x4xf32, global>) -> !fuser_loop.buffer<?x4xf32, global> of tensor<?x4xf32>
    fuser_loop.tile %y[%0, 0] where (%0 < symbol(%m)) = %x[%t, 0] combine add if (%t < symbol(%n))
      : (!fuser_loop.buffer<?x4xf32, global>) -> !fuser_loop.buffer<?x4xf32, global> of tensor<?x4xf32>
  }
}
