// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" -split-input-file -verify-diagnostics

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @computed(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                            %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %s = fuser_loop.buffer stages 2 : !s
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a copy, without an op, to a buffer with stages}}
      fuser_loop.tile %s[%t] = fuser.exp(%x[%k, %t]) : (!x) -> !s of (tensor<?x64xf32>) -> tensor<?x64xf32>
      fuser_loop.tile %y[%k, %t] = %s[63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @from_shared(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                               %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %r = fuser_loop.buffer : !s
    %s = fuser_loop.buffer stages 2 : !s
    fuser_loop.for %t to (64) on thread_x {
      fuser_loop.tile %r[%t] = %x[%k, %t] : (!x) -> !s of tensor<?x64xf32>
      // expected-error @+1 {{expected a copy from an argument of the kernel to a buffer with stages}}
      fuser_loop.tile %s[%t] = %r[%t] : (!s) -> !s of tensor<?x64xf32>
      fuser_loop.tile %y[%k, %t] = %s[63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @written(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %s = fuser_loop.buffer stages 2 : !s
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a copy of what the kernel does not write}}
      fuser_loop.tile %s[%t] = %x[%k, %t] follows [thread_x] : (!x) -> !s of tensor<?x64xf32>
      // expected-note @+1 {{the argument is written here}}
      fuser_loop.tile %x[%k, %t] = %s[63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x64xf32, global>
!i = !fuser_loop.buffer<?xi64, global>
!s = !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @at_data(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                           %ids: !i from #fuser_gpu.pointer<2> strides [1] align 8, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %s = fuser_loop.buffer stages 2 : !s
    fuser_loop.for %t to (64) on thread_x {
      %i = fuser_loop.index %ids[%k] : !i
      // expected-error @+1 {{expected a copy at indices of loops, which are known iterations before}}
      fuser_loop.tile %s[%t] = %x[%i, %t] where (%i < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
      fuser_loop.tile %y[%k, %t] = %s[63 - %t] : (!s) -> !x of tensor<?x64xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<64xf32, shared>
fuser_loop.kernel @two_numbers(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                               %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%n)) {
    %s = fuser_loop.buffer stages 2 : !s
    // expected-error @+1 {{expected 2 stages, as another circular buffer of the loop has, but got 3}}
    %t = fuser_loop.buffer stages 3 : !s
    fuser_loop.for %u to (64) on thread_x {
      fuser_loop.tile %s[%u] = %x[%k, %u] : (!x) -> !s of tensor<?x64xf32>
      fuser_loop.tile %t[%u] = %x[%k, %u] : (!x) -> !s of tensor<?x64xf32>
      fuser_loop.tile %y[%k, %u] = fuser.add(%s[63 - %u], %t[%u]) : (!s, !s) -> !x of (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x256xf32, global>
!s = !fuser_loop.buffer<256xf32, shared>

// The threads of a role have one number of registers.
fuser_loop.kernel @other_registers(%x: !x from #fuser_gpu.pointer<0> strides [256, 1] align 16 readonly noalias,
                                   %y: !x from #fuser_gpu.pointer<1> strides [256, 1] align 16 readonly noalias,
                                   %z: !x from #fuser_gpu.pointer<2> strides [256, 1] align 16 noalias,
                                   %m: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 32 threads [256, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %k to (symbol(%m)) {
    %s = fuser_loop.buffer stages 4 by bulk role producer registers [40, 232] : !s
    // expected-error @+1 {{expected registers [40, 232], as another circular buffer of the loop has, but got [24, 240]}}
    %u = fuser_loop.buffer stages 4 by bulk role producer registers [24, 240] : !s
    fuser_loop.for %t to (256) on thread_x {
      fuser_loop.tile %s[%t] = %x[%k, %t] : (!x) -> !s of tensor<?x256xf32>
      fuser_loop.tile %u[%t] = %y[%k, %t] : (!x) -> !s of tensor<?x256xf32>
      fuser_loop.tile %z[%k, %t] = fuser.add(%s[255 - %t], %u[255 - %t]) : (!s, !s) -> !x of (tensor<?x256xf32>, tensor<?x256xf32>) -> tensor<?x256xf32>
    }
  }
}
