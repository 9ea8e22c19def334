// Loops that ask for two versions, and branches that have them, in the pretty and in the generic form.
// RUN: fuser-opt %s | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s
// RUN: fuser-opt %s --emit-bytecode | fuser-opt | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<f32, register>

// CHECK-LABEL: fuser_loop.kernel @marked(
fuser_loop.kernel @marked(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 assume (symbol(%n) < 9) {
  // CHECK: fuser_loop.for %{{.*}} to (symbol(%{{.*}})) unswitch {
  fuser_loop.for %i to (symbol(%n)) unswitch {
    // CHECK: fuser_loop.for %{{.*}} to (4) on unroll unswitch {
    fuser_loop.for %u to (4) on unroll unswitch {
      // CHECK: fuser_loop.for %{{.*}} to (symbol(%{{.*}})) on unroll bound 8 unswitch attributes {test.hint} {
      fuser_loop.for %v to (symbol(%n)) on unroll bound 8 unswitch attributes {test.hint} {
        fuser_loop.tile %x[4 * %i + %u] = %x[%v] : (!x) -> !x of tensor<?xf32>
      }
    }
  }
}

// Both versions write the buffer, so that it may be read after them. A barrier stands where all threads take one version.
// CHECK-LABEL: fuser_loop.kernel @versions(
fuser_loop.kernel @versions(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %b to (symbol(%n)) on block_x {
    %r = fuser_loop.buffer : !s
    // CHECK: fuser_loop.if (%{{.*}} + 3 < symbol(%{{.*}})) attributes {test.hint} {
    // CHECK: fuser_loop.barrier
    // CHECK: } else {
    // CHECK: fuser_loop.barrier
    // CHECK: }
    fuser_loop.if (%b + 3 < symbol(%n)) attributes {test.hint} {
      fuser_loop.tile %r{0} by 1 align 4 = %x{%b + 3} by 1 align 4 : (!x) -> !s of tensor<?xf32>
      fuser_loop.barrier
    } else {
      fuser_loop.barrier
      fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 : (!x) -> !s of tensor<?xf32>
    }
    // CHECK: fuser_loop.if () once [thread_x] {
    // CHECK: } else {
    // CHECK-NEXT: }
    fuser_loop.if () once [thread_x] {
      fuser_loop.tile %x{%b} by 1 align 4 = %r{0} by 1 align 4 : (!s) -> !x of tensor<?xf32>
    } else {
    }
  }
}

// One version runs: buffers of both may have the same bytes of shared memory.
// CHECK-LABEL: fuser_loop.kernel @places(
fuser_loop.kernel @places(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.if (%t < symbol(%n)) {
      %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
      fuser_loop.tile %s{%t} by 1 align 4 = %x{%t} by 1 align 4 : (!x) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
    } else {
      %s = fuser_loop.buffer at 0 : !fuser_loop.buffer<64xf32, shared>
      fuser_loop.tile %s{%t} by 1 align 4 = %x{0} by 1 align 4 : (!x) -> !fuser_loop.buffer<64xf32, shared> of tensor<?xf32>
    }
  }
}
