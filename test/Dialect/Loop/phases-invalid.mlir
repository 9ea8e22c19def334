// RUN: fuser-opt %s -split-input-file -verify-diagnostics
// Barriers of bulk copies that were edited by hand.

// A barrier less than the buffer has stages.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<2xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    // expected-error @+1 {{expected a barrier for each of 3 stages of '!fuser_loop.buffer<3x64xf32, shared>', but got '!fuser_loop.buffer<2xi64, shared>'}}
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
}

// -----

// A copy to elements of another type.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xi32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  fuser_loop.init_phases %f arrivals 1 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    // expected-error @+1 {{expected elements of one type, but got '!fuser_loop.buffer<?x64xf32, global>' and '!fuser_loop.buffer<3x64xi32, shared>'}}
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
}

// -----

// Barriers that each iteration initializes.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    // expected-error @+1 {{expected only hardware loops around the init of barriers}}
    fuser_loop.init_phases %f arrivals 1 : !f
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
}

// -----

// An init after the first copies.
!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>
!f = !fuser_loop.buffer<3xi64, shared>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly, %y: !x from #fuser_gpu.pointer<1> strides [64, 1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %f = fuser_loop.buffer at 768 : !f
  %s = fuser_loop.buffer stages 3 by bulk at 0 : !s
  fuser_loop.for %p to (2) on unroll {
    // expected-error @+1 {{expected barriers that are initialized before}}
    fuser_loop.tile %s[%p mod 3, 0], %f[%p mod 3] = bulk %x[%p, 0] count [64] if (%p < symbol(%n)) once [thread_x] : (!x) -> (!s, !f) of tensor<?x64xf32>
  }
  fuser_loop.init_phases %f arrivals 1 : !f
}
