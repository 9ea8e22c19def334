// RUN: fuser-opt %s --split-input-file --verify-diagnostics
// Products of warp groups that were edited by hand.

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @no_wait(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.for %t to (32) on thread_x {
    // expected-error @+1 {{expected a wait for the products of warp groups that add to a buffer before it is read}}
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @no_commit(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  // expected-error @+1 {{expected a commit of products before they are waited for}}
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @no_fence(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected a 'fuser_loop.fence_async' and a barrier between the write of a buffer in shared memory and a product of warp groups}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @late_fence(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.barrier
  fuser_loop.fence_async
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected a 'fuser_loop.fence_async' and a barrier between the write of a buffer in shared memory and a product of warp groups}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @no_barrier(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @place(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2064 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected operands of a warp group at multiples of 256 bytes in shared memory, but got 2064}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @warps(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 6, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (6) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected 32 threads along thread_x and a multiple of 4 warps along thread_y for warp groups, but got 32 and 6}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @some_warps(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 8, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected a loop over all 8 threads along thread_y around a matrix instruction}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @chunk(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected an accumulator of a matrix instruction in registers, of f32, by 2, but got}}
      fuser_loop.tile %a{0} by 4 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @instruction(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected a matrix instruction, #fuser_gpu.mma, #fuser_gpu.wgmma or #fuser_gpu.stmatrix, but got #fuser_gpu.size<0, 0>}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.size<0, 0> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  fuser_loop.wait_products pending 0 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @wait_of_shared(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  // expected-error @+1 {{expected accumulators in registers, of f32, but got}}
  fuser_loop.wait_products pending 0 of %s : !s
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @pending(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  // expected-error @+1 {{expected 0 to 7 groups that may be under way, but got 8}}
  fuser_loop.wait_products pending 8
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @pending_results(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  // expected-error @+1 {{expected a wait for all groups before accumulators are read}}
  fuser_loop.wait_products pending 1 of %a : !a
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!y = !fuser_loop.buffer<?xf32, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @pending_outside(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage accessed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %a{0} by 1 align 4 = initial fuser.linear() replicated [thread_y] : () -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    fuser_loop.tile %s{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !s of tensor<?xbf16>
    fuser_loop.tile %w{0} by 1 align 2 = %x{0} by 1 align 2 once [thread_y] : (!x) -> !w of tensor<?xbf16>
  }
  fuser_loop.fence_async
  fuser_loop.barrier
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
  fuser_loop.commit_products
  // expected-error @+1 {{expected a serial loop around a wait for all but the last groups}}
  fuser_loop.wait_products pending 1
  fuser_loop.for %t to (32) on thread_x {
    fuser_loop.tile %y{0} by 1 align 4 = finalize fuser.linear(%a{0} by 1 align 4) count [16] once [thread_y] : (!a) -> !y of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
  }
}

// -----

fuser_loop.kernel @commit_too_early(%n: index from #fuser_gpu.size<0, 0>) stage reduced index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected products that are under way from stage pipelined on, but got reduced}}
  fuser_loop.commit_products
}

// -----

fuser_loop.kernel @wait_too_early(%n: index from #fuser_gpu.size<0, 0>) stage reduced index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected products that are under way from stage pipelined on, but got reduced}}
  fuser_loop.wait_products pending 0
}

// -----

fuser_loop.kernel @fence_too_early(%n: index from #fuser_gpu.size<0, 0>) stage placed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected fences from stage synchronized on, but got placed}}
  fuser_loop.fence_async
}

// -----

!x = !fuser_loop.buffer<?x64xf32, global>
!s = !fuser_loop.buffer<3x64xf32, shared>

fuser_loop.kernel @copied_too_early(%x: !x from #fuser_gpu.pointer<0> strides [64, 1] align 16 readonly noalias, %n: index from #fuser_gpu.size<0, 0>)
    stage pipelined index_bits 32 threads [64, 1, 1] grid [1, 1, 1] {
  %s = fuser_loop.buffer stages 3 : !s
  fuser_loop.for %k to (symbol(%n)) {
    // expected-note @+1 {{the wait for products is here}}
    fuser_loop.wait_products pending 1
    fuser_loop.for %t to (64) on thread_x {
      // expected-error @+1 {{expected a copy to a stage that no product under way reads: less than 2 iterations later, but got 2}}
      fuser_loop.tile %s[(%k + 2) mod 3, %t] = copy %x[%k + 2, %t] if (%k + 2 < symbol(%n)) : (!x) -> !s of tensor<?x64xf32>
    }
    fuser_loop.commit_copies
  }
}

// -----

fuser_loop.kernel @in_a_branch(%n: index from #fuser_gpu.size<0, 0>) stage guarded index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  fuser_loop.for %q to (4) on thread_y {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%q < 2) {
      // expected-error @+1 {{expected no branch around what threads execute together, unless all of them take it}}
      fuser_loop.commit_products
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xbf16, global>
!s = !fuser_loop.buffer<64x16xbf16, shared>
!w = !fuser_loop.buffer<32x16xbf16, shared>
!a = !fuser_loop.buffer<2x8xf32, register>

fuser_loop.kernel @before_offsets(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias)
    stage placed index_bits 32 threads [32, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %s = fuser_loop.buffer at 0 : !s
  %w = fuser_loop.buffer at 2048 : !w
  fuser_loop.for %q to (4) on thread_y {
    fuser_loop.for %t to (32) on thread_x {
      // expected-error @+1 {{expected indices of each access in stage placed}}
      fuser_loop.tile %a{0} by 2 align 4 = accumulate fuser.linear(%s{0} by 8 align 16, %w{0} by 8 align 16)
        using #fuser_gpu.wgmma<64, 32, 16, bf16, lhs = <32, transposed = false, pitch = 0>, rhs = <32, transposed = false, pitch = 0>> together
        : (!s, !w) -> !a of (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xf32>
    }
  }
}
