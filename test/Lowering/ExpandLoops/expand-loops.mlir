// Loops become hardware indices, scf.for or copies; registers become SSA values where all offsets are constants in one scope.
// RUN: fuser-opt %s --fuser-expand-loops | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse --fuser-expand-loops | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!y = !fuser_loop.buffer<?x?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<f32, register>

// No alloca, one index, a vector for each access.
fuser_loop.kernel @vectors(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 threads [128, 1, 1] grid [symbol(%n) ceildiv 512, 1, 1] attributes {facts = [#fuser.fact<divisible 0[0], 4>]} {
  fuser_loop.for %b to (symbol(%n) ceildiv 512) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      %r = fuser_loop.buffer : !r
      fuser_loop.if (512 * %b + 4 * %t < symbol(%n)) {
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %r{%v} by 4 align 16 = %x{512 * %b + 4 * %t + %v} by 4 align 16 : (!x) -> !r of tensor<?xf32>
        }
        fuser_loop.for %v to (4) on vectorize {
          fuser_loop.tile %y{512 * %b + 4 * %t + %v} by 4 align 16 = fuser.neg(%r{%v} by 4 align 16) : (!r) -> !x of (tensor<?xf32>) -> tensor<?xf32>
        }
      }
    }
  }
}
// CHECK-LABEL: gpu.module @vectors attributes {fuser_gpu.index_bits = 32 : i32}
// CHECK: gpu.func @vectors(%{{.*}}: memref<f32> {fuser_gpu.align = 16 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly},
// CHECK-SAME: %{{.*}}: memref<f32> {fuser_gpu.align = 16 : i64, fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias},
// CHECK-SAME: %[[N:.*]]: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>})
// CHECK-SAME: fuser.facts = [#fuser.fact<divisible 0[0], 4>], fuser_gpu.launch = #fuser_gpu.launch<grid = #{{.*}}, symbols = [#fuser_gpu.size<0, 0>]>, known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT: memref.alloca
// CHECK: %[[AT:.*]] = arith.addi
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %[[N]]
// CHECK-NEXT: scf.if %[[IN]] {
// CHECK-NEXT: %[[V:.*]] = vector.load %{{.*}}[%[[AT]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NEXT: %[[W:.*]] = arith.negf %[[V]] : vector<4xf32>
// CHECK-NEXT: vector.store %[[W]], %{{.*}}[%[[AT]]] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return

// A serial loop, copies, and a read that is guarded.
fuser_loop.kernel @loops(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %c = arith.constant 2.5 : f32
  fuser_loop.for %i to (symbol(%n)) {
    fuser_loop.for %u to (2) on unroll {
      %r = fuser_loop.buffer : !s
      fuser_loop.tile %r{0} by 1 align 4 = fuser.pad(%x{2 * %i + %u - 3} by 1 align 4 where (2 * %i + %u - 3 < symbol(%n)), %c scalar) {operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_high = array<i64: 0>, static_low = array<i64: 3>} : (!x, f32) -> !s of (tensor<?xf32>, f32) -> tensor<?xf32>
      fuser_loop.if () once [thread_x, block_x] {
        fuser_loop.tile %y{2 * %i + %u} by 1 align 4 = %r{0} by 1 align 4 : (!s) -> !x of tensor<?xf32>
      }
    }
  }
}
// CHECK-LABEL: gpu.module @loops attributes {fuser_gpu.index_bits = 64 : i32}
// CHECK-NOT: memref.alloca
// CHECK: %[[FIRST:.*]] = arith.andi
// CHECK-NEXT: scf.for %[[I:.*]] = %{{.*}} to %[[N:.*]] step
// CHECK-NEXT: %[[A:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK-NEXT: %[[AT:.*]] = arith.subi %[[A]], %{{.*}}
// CHECK-NEXT: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %[[N]]
// CHECK: %[[READ:.*]] = scf.if %[[IN]] -> (f32) {
// CHECK-NEXT: memref.load %{{.*}}[%[[AT]]]
// CHECK: %[[E:.*]] = arith.select %[[IN]], %[[READ]], %{{.*}} : f32
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT: memref.store %[[E]], %{{.*}}[%[[A]]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %{{.*}}
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[B]]]

// An element that is written in a branch and read outside of it is in memory; an index that may be too large is limited.
fuser_loop.kernel @memory(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  fuser_loop.if (0 < symbol(%n)) {
    fuser_loop.for %u to (4) on unroll {
      fuser_loop.tile %r{%u} by 1 align 4 = %x{%u} by 1 align 4 : (!x) -> !r of tensor<?xf32>
    }
  }
  fuser_loop.for %i to (symbol(%n)) {
    fuser_loop.tile %y{%i} by 1 align 4 = %r{%i} by 1 align 4 clamp : (!r) -> !x of tensor<?xf32>
  }
}
// CHECK-LABEL: gpu.module @memory
// CHECK: %[[R:.*]] = memref.alloca() {alignment = 16 : i64} : memref<4xf32>
// CHECK: scf.if
// CHECK-COUNT-4: memref.store %{{.*}}, %[[R]]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[LIMITED:.*]] = arith.minui %[[I]], %{{.*}}
// CHECK-NEXT: memref.load %[[R]][%[[LIMITED]]]

// A kernel in an earlier stage stays as it is.
fuser_loop.kernel @earlier() stage loops index_bits 64 {
}
// CHECK-LABEL: fuser_loop.kernel @earlier

// Tuples stay SSA values where one scope has all tiles that write them. Barriers are in the copies that need them; buffers in
// shared memory are views of it, whose size is that of the launch.
!b = !fuser_loop.buffer<2xf32, shared>
!f = !fuser_loop.buffer<f32, register>
fuser_loop.kernel @reduction(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %u to (2) on unroll {
    %v = fuser_loop.buffer : !r
    %a = fuser_loop.buffer : !f
    %s = fuser_loop.buffer at 32 : !b
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.for %l to (4) on vectorize {
        fuser_loop.tile %v{%l} by 4 align 16 = initial fuser.sum() {dims = array<i64: 0>} : () -> !r of (tensor<?xf32>) -> tensor<f32>
      }
      fuser_loop.for %l to (4) on vectorize {
        fuser_loop.tile %v{%l} by 4 align 16 = accumulate fuser.sum(%x{256 * %u + 4 * %t + %l} by 4 align 16) {dims = array<i64: 0>} : (!x) -> !r of (tensor<?xf32>) -> tensor<f32>
      }
      fuser_loop.for %l to (4) on vectorize {
        fuser_loop.tile %a{0} by 1 align 4 = fold fuser.sum(%v{%l} by 4 align 16) {dims = array<i64: 0>} : (!r) -> !f of (tensor<?xf32>) -> tensor<f32>
      }
      fuser_loop.tile %a{0} by 1 align 4 = shuffle 16 fuser.sum() {dims = array<i64: 0>} : () -> !f of (tensor<?xf32>) -> tensor<f32>
      fuser_loop.barrier if (0 < %u)
      fuser_loop.if (%t mod 32 == 0) {
        fuser_loop.tile %s{%t floordiv 32} by 1 align 4 = %a{0} by 1 align 4 : (!f) -> !b of tensor<f32>
      }
      fuser_loop.barrier
      fuser_loop.tile %a{0} by 1 align 4 = merge fuser.sum(%s{%t mod 2} by 1 align 4) {dims = array<i64: 0>} : (!b) -> !f of (tensor<?xf32>) -> tensor<f32>
      fuser_loop.if () once [thread_x] {
        fuser_loop.tile %y{%u} by 1 align 4 = finalize fuser.mean(%a{0} by 1 align 4) {dims = array<i64: 0>} count [symbol(%n)] : (!f) -> !x of (tensor<?xf32>) -> tensor<f32>
      }
    }
  }
}
// CHECK-LABEL: gpu.func @reduction(
// CHECK-SAME: smem = #[[SMEM:[a-z0-9]*]]
// CHECK: %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK: %[[S:.*]] = memref.view %[[ALL]][%{{.*}}][] : {{.*}} to memref<2xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloca
// CHECK: %[[X:.*]] = vector.load
// CHECK: %[[V:.*]] = arith.addf %{{.*}}, %[[X]] : vector<4xf32>
// CHECK: vector.extract %[[V]][3]
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[A:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[B:.*]] = fuser_gpu.shuffle xor %[[A]], %{{.*}} width 32 : f32
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK-NEXT: memref.store %[[C]], %[[S]]
// CHECK: gpu.barrier
// CHECK: %[[D:.*]] = memref.load %[[S]]
// CHECK-NEXT: %[[E:.*]] = arith.addf %[[C]], %[[D]] : f32
// CHECK: scf.if
// CHECK: %[[WIDE:.*]] = arith.extf %[[E]] : f32 to f64
// CHECK: %[[QUOTIENT:.*]] = arith.mulf %[[WIDE]],
// CHECK: %[[F:.*]] = arith.truncf %[[QUOTIENT]] : f64 to f32
// CHECK-NEXT: memref.store %[[F]]
// CHECK: fuser_gpu.shuffle
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: gpu.barrier
