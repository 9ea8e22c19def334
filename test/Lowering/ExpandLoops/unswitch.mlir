// The versions of a loop are the regions of an scf.if.
// RUN: fuser-opt %s --fuser-expand-loops | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse --fuser-expand-loops | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<f32, register>

// Values of one version are not those of the other: what both write is in memory.
// CHECK-LABEL: gpu.func @versions
// CHECK: %[[R:.*]] = memref.alloca()
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: %[[A:.*]] = memref.load %[[X:[a-z0-9_]+]][
// CHECK-NEXT: memref.store %[[A]], %[[R]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[B:.*]] = memref.load %[[X]][
// CHECK-NEXT: %[[C:.*]] = math.exp %[[B]]
// CHECK-NEXT: memref.store %[[C]], %[[R]]
// CHECK-NEXT: }
// CHECK-NEXT: memref.load %[[R]]
fuser_loop.kernel @versions(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    %r = fuser_loop.buffer : !s
    fuser_loop.if (%b + 3 < symbol(%n)) {
      fuser_loop.tile %r{0} by 1 align 4 = %x{%b + 3} by 1 align 4 : (!x) -> !s of tensor<?xf32>
    } else {
      %q = fuser_loop.buffer : !s
      fuser_loop.tile %q{0} by 1 align 4 = %x{%b} by 1 align 4 : (!x) -> !s of tensor<?xf32>
      fuser_loop.tile %r{0} by 1 align 4 = fuser.exp(%q{0} by 1 align 4) : (!s) -> !s of (tensor<?xf32>) -> tensor<?xf32>
    }
    fuser_loop.tile %y{%b} by 1 align 4 = %r{0} by 1 align 4 : (!s) -> !x of tensor<?xf32>
  }
}

// One version is left of a branch on constants.
// CHECK-LABEL: gpu.func @constant
// CHECK-NOT: scf.if
// CHECK: math.exp
// CHECK: math.log
// CHECK-NOT: math
// CHECK: gpu.return
fuser_loop.kernel @constant(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %u to (2) on unroll {
    fuser_loop.if (%u < 1) {
      fuser_loop.tile %y{%u} by 1 align 4 = fuser.exp(%x{%u} by 1 align 4) : (!x) -> !x of (tensor<?xf32>) -> tensor<?xf32>
    } else {
      fuser_loop.tile %y{%u} by 1 align 4 = fuser.log(%x{%u} by 1 align 4) : (!x) -> !x of (tensor<?xf32>) -> tensor<?xf32>
    }
  }
}

// In a loop, the registers of the second version begin as zeros: else they would be those of the iteration before, and live in
// the first version. The registers of the first version are SSA values.
// CHECK-LABEL: gpu.func @iterations
// CHECK: %[[R:.*]] = memref.alloca() {{.*}} : memref<4xf32>
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: memref<4xf32>
// CHECK: } else {
// CHECK-DAG: vector.store %{{.*}}, %[[R]][%c0] : memref<4xf32>, vector<2xf32>
// CHECK-DAG: vector.store %{{.*}}, %[[R]][%c2] : memref<4xf32>, vector<2xf32>
// CHECK: scf.if
// CHECK-NEXT: vector.load
// CHECK-NEXT: vector.store %{{.*}}, %[[R]][%c0]
fuser_loop.kernel @iterations(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 4) {
    fuser_loop.if (4 * %i + 3 < symbol(%n)) {
      %r = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
      fuser_loop.for %u to (2) on unroll {
        fuser_loop.for %v to (2) on vectorize {
          fuser_loop.tile %r{2 * %u + %v} by 2 align 8 = %x{4 * %i + 2 * %u + %v} by 2 align 8 : (!x) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
          fuser_loop.tile %y{4 * %i + 2 * %u + %v} by 2 align 8 = %r{2 * %u + %v} by 2 align 8 : (!fuser_loop.buffer<4xf32, register>) -> !x of tensor<?xf32>
        }
      }
    } else {
      %r = fuser_loop.buffer : !fuser_loop.buffer<4xf32, register>
      fuser_loop.for %u to (2) on unroll {
        fuser_loop.if (4 * %i + 2 * %u < symbol(%n)) {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %r{2 * %u + %v} by 2 align 8 = %x{4 * %i + 2 * %u + %v} by 2 align 8 : (!x) -> !fuser_loop.buffer<4xf32, register> of tensor<?xf32>
          }
        }
      }
      fuser_loop.for %u to (2) on unroll {
        fuser_loop.if (4 * %i + 2 * %u < symbol(%n)) {
          fuser_loop.for %v to (2) on vectorize {
            fuser_loop.tile %y{4 * %i + 2 * %u + %v} by 2 align 8 = %r{2 * %u + %v} by 2 align 8 : (!fuser_loop.buffer<4xf32, register>) -> !x of tensor<?xf32>
          }
        }
      }
    }
  }
}

// So do those that both versions write.
// CHECK-LABEL: gpu.func @both
// CHECK: %[[R:.*]] = memref.alloca() {{.*}} : memref<2xf32>
// CHECK: scf.for
// CHECK: memref.store %cst{{.*}}, %[[R]][%c0]
// CHECK: memref.store %cst{{.*}}, %[[R]][%c1]
// CHECK: scf.if
fuser_loop.kernel @both(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %i to (symbol(%n) ceildiv 2) {
    %r = fuser_loop.buffer : !fuser_loop.buffer<2xf32, register>
    fuser_loop.if (2 * %i + 1 < symbol(%n)) {
      fuser_loop.for %u to (2) on unroll {
        fuser_loop.tile %r{%u} by 1 align 4 = %x{2 * %i + %u} by 1 align 4 : (!x) -> !fuser_loop.buffer<2xf32, register> of tensor<?xf32>
      }
    } else {
      fuser_loop.for %u to (2) on unroll {
        fuser_loop.if (2 * %i + %u < symbol(%n)) {
          fuser_loop.tile %r{%u} by 1 align 4 = %x{2 * %i + %u} by 1 align 4 : (!x) -> !fuser_loop.buffer<2xf32, register> of tensor<?xf32>
        }
      }
    }
    fuser_loop.for %u to (2) on unroll {
      fuser_loop.if (2 * %i + %u < symbol(%n)) {
        fuser_loop.tile %y{2 * %i + %u} by 1 align 4 = %r{%u} by 1 align 4 : (!fuser_loop.buffer<2xf32, register>) -> !x of tensor<?xf32>
      }
    }
  }
}
