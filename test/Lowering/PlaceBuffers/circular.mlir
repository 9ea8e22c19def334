// A circular buffer has a place of its own, in the whole kernel: copies write to it while others are in use.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-buffers))" | FileCheck %s

!x = !fuser_loop.buffer<?x256xf32, global>
!s = !fuser_loop.buffer<2x256xf32, shared>
!b = !fuser_loop.buffer<256xf32, shared>

// CHECK: fuser_loop.buffer at 0 : !fuser_loop.buffer<256xf32, shared>
// CHECK: fuser_loop.buffer stages 2 at 1024 : !fuser_loop.buffer<2x256xf32, shared>
// CHECK: fuser_loop.buffer at 0 : !fuser_loop.buffer<256xf32, shared>
fuser_loop.kernel @alone(%x: !x from #fuser_gpu.pointer<0> strides [256, 1] align 4 readonly noalias,
                         %y: !x from #fuser_gpu.pointer<1> strides [256, 1] align 4 noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage pipelined index_bits 32 threads [256, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !b
  fuser_loop.for %t to (256) on thread_x {
    fuser_loop.tile %a[%t] = %x[0, %t] if (0 < symbol(%n)) : (!x) -> !b of tensor<?x256xf32>
    fuser_loop.tile %y[0, %t] = %a[255 - %t] if (0 < symbol(%n)) : (!b) -> !x of tensor<?x256xf32>
  }
  %s = fuser_loop.buffer stages 2 : !s
  fuser_loop.for %t to (256) on thread_x {
    fuser_loop.tile %s[0, %t] = copy %x[0, %t] if (0 < symbol(%n)) : (!x) -> !s of tensor<?x256xf32>
  }
  fuser_loop.commit_copies
  fuser_loop.for %k to (symbol(%n)) {
    fuser_loop.wait_copies %s pending 0 : !s
    fuser_loop.for %t to (256) on thread_x {
      fuser_loop.tile %s[(%k + 1) mod 2, %t] = copy %x[%k + 1, %t] if (%k + 1 < symbol(%n)) : (!x) -> !s of tensor<?x256xf32>
    }
    fuser_loop.commit_copies
    %b = fuser_loop.buffer : !b
    fuser_loop.for %t to (256) on thread_x {
      fuser_loop.tile %b[%t] = %s[%k mod 2, 255 - %t] : (!s) -> !b of tensor<?x256xf32>
      fuser_loop.tile %y[%k, %t] = %b[255 - %t] : (!b) -> !x of tensor<?x256xf32>
    }
  }
}
