// RUN: fuser-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// What no tensor map can describe is stored by threads.

// CHECK-NOT: = store

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @alignment(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 4 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        // expected-remark @+1 {{expected an argument that is aligned to 16 bytes, but it is known to be aligned to 4 only (a fact 'aligned' would say so): the threads of the block store instead of one of them}}
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%r, %c] within [symbol(%m), symbol(%n)] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @aliases(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        // expected-remark @+1 {{expected an output that nothing else of the kernel accesses: the threads of the block store instead of one of them}}
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%r, %c] within [symbol(%m), symbol(%n)] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @guard(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        // expected-remark @+1 {{expected a guard by the sizes of the argument alone: the threads of the block store instead of one of them}}
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%r, %c] within [symbol(%m), symbol(%n)] if (%b * 32 + %r < symbol(%m), %c < symbol(%n), %r < symbol(%m)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}

// -----

!x = !fuser_loop.buffer<?x?xbf16, global>
!s = !fuser_loop.buffer<32x64xbf16, shared>

fuser_loop.kernel @other_order(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias, %y: !x from #fuser_gpu.pointer<1> strides [symbol(%n), 1] align 16 noalias,
                  %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 8 == 0) threads [32, 1, 1] grid [symbol(%m) ceildiv 32, 1, 1] {
  fuser_loop.for %b to (symbol(%m) ceildiv 32) on block_x {
    %s = fuser_loop.buffer : !s
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (64) {
        fuser_loop.tile %s[%r, %c] = %x[%b * 32 + %r, %c] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!x) -> !s of tensor<?x?xbf16>
      }
    }
    fuser_loop.for %r to (32) on thread_x {
      fuser_loop.for %c to (32) {
        // expected-remark @+1 {{expected rows of a box with a multiple of 16 bytes, but got 2: the threads of the block store instead of one of them}}
        fuser_loop.tile %y[%b * 32 + %r, %c] = store %s[%c, %r] within [symbol(%m), symbol(%n)] if (%b * 32 + %r < symbol(%m), %c < symbol(%n)) : (!s) -> !x of tensor<?x?xbf16>
      }
    }
  }
}
