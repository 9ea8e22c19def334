// Copies to circular buffers: in parts of 16 bytes; with a remark, element by element and without waiting for it later, where an
// element is too small for an asynchronous copy.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-vectorize-accesses))" -verify-diagnostics | FileCheck %s
// RUN: fuser-opt %s --fuser-lower-kernels 2>/dev/null | FileCheck %s --check-prefix=KERNEL

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<2x256xbf16, shared>

// CHECK: fuser_loop.tile %{{.*}}{{{.*}}} by 8 align 16 = copy %{{.*}}{{{.*}}} by 8 align 16
// CHECK: fuser_loop.tile %{{.*}}{{{.*}}} by 8 align 16 = %{{.*}}{{{.*}}} by 1 align 2
// KERNEL: fuser_gpu.copy_async 8 of
// KERNEL-NOT: fuser_gpu.copy_async
// KERNEL: memref.load {{.*}}bf16
fuser_loop.kernel @parts(%x: !x from #fuser_gpu.pointer<0> strides [256, 1] align 16 readonly noalias, %z: !x from #fuser_gpu.pointer<1> strides [symbol(%m), 1] align 2 readonly noalias,
                         %y: !x from #fuser_gpu.pointer<2> strides [256, 1] align 16 noalias, %n: index from #fuser_gpu.size<0, 0>, %m: index from #fuser_gpu.stride<1, 0>)
    stage synchronized index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 2 at 0 : !s
  %r = fuser_loop.buffer stages 2 at 1024 : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %v to (8) on vectorize {
      fuser_loop.tile %s[0, %t * 8 + %v] = copy %x[0, %t * 8 + %v] if (0 < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      // expected-remark @+1 {{expected accesses of 4, 8 or 16 bytes to copy asynchronously, but got 2: each copy is a load and a store}}
      fuser_loop.tile %r[0, %t * 8 + %v] = copy %z[0, %t * 8 + %v] if (0 < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
    }
  }
  fuser_loop.commit_copies
  fuser_loop.wait_copies %s, %r pending 0 : !s, !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.for %v to (8) on vectorize {
      fuser_loop.tile %y[0, %t * 8 + %v] = fuser.add(%s[0, %t * 8 + %v] follows [thread_x], %r[0, %t * 8 + %v] follows [thread_x]) if (0 < symbol(%n))
        : (!s, !s) -> !x of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
    }
  }
}
