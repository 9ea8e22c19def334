// More shared memory than a block can have.
// RUN: fuser-opt %s --verify-diagnostics --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-place-buffers{max-shared-bytes=2048}))"

!s = !fuser_loop.buffer<256xf32, shared>
!x = !fuser_loop.buffer<?xf32, global>

// expected-error @+1 {{expected at most 2048 bytes of shared memory in a block, but got 3072}}
fuser_loop.kernel @too_much(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4)
    stage reduced index_bits 32 threads [1, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{1024 bytes at 0 are this buffer's}}
  %a = fuser_loop.buffer : !s
  // expected-note @+1 {{1024 bytes at 1024 are this buffer's}}
  %b = fuser_loop.buffer : !s
  // expected-note @+1 {{1024 bytes at 2048 are this buffer's}}
  %c = fuser_loop.buffer : !s
  fuser_loop.tile %a[0] = %x[0] : (!x) -> !s of tensor<?xf32>
  fuser_loop.tile %b[0] = %x[1] : (!x) -> !s of tensor<?xf32>
  fuser_loop.tile %c[0] = fuser.add(%a[0], %b[0]) : (!s, !s) -> !s of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser_loop.tile %x[2] = fuser.add(%c[0], %b[0]) : (!s, !s) -> !x of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
}
