// One fault for each piece: steps of scans.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @no_step(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a step of fuser.cumsum}}
  fuser_loop.tile %a[] = fuser.cumsum(%x[0]) {dim = 0 : i64} : (!x) -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @count(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected no count of what is scanned, but got 1}}
  fuser_loop.tile %x[0] = finalize fuser.cumsum(%a[]) {dim = 0 : i64} count [symbol(%n)] : (!a) -> !x of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @shuffled(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected a reduction, but got fuser.cumsum}}
  fuser_loop.tile %a[] = shuffle 1 fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @no_scan(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a reduction or a scan, but got fuser.exp}}
  fuser_loop.tile %a[] = initial fuser.exp() : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f16, register>

fuser_loop.kernel @other_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected accumulators of 'f32' in registers, but got '!fuser_loop.buffer<f16, register>'}}
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @lift_of_reduction(%x: !fuser_loop.buffer<?xf32, global> from #fuser_gpu.pointer<0> strides [1] align 4)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a scan, but got fuser.sum}}
  fuser_loop.tile %a[] = lift fuser.sum(%x[0]) {dims = array<i64: 0>} : (!fuser_loop.buffer<?xf32, global>) -> !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @early_shuffle() stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected shuffles from stage reduced on, but got loops}}
  fuser_loop.tile %a[] = shuffle_up 1 fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @no_group() stage reduced index_bits 64 threads [24, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected 1, 2, 4, 8 or 16 threads along thread_x, or a multiple of 32, but got 24}}
  fuser_loop.tile %a[] = shuffle_up 1 fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @beyond_group() stage reduced index_bits 64 threads [8, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected a distance within a group of 8 threads, but got 8}}
  fuser_loop.tile %a[] = shuffle_up 8 fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @no_thread() stage reduced index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected the number of one thread to take a tuple from, but got 0}}
  fuser_loop.tile %a[] = take fuser.cumsum(%a[]) {dim = 0 : i64} : (!a) -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

// Threads of a warp differ in the branch.
fuser_loop.kernel @in_a_branch() stage guarded index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a{0} by 1 align 4 = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  fuser_loop.for %t to (32) on thread_x {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%t < 8) {
      // expected-error @+1 {{expected no branch around what threads execute together, unless all of them take it}}
      fuser_loop.tile %a{0} by 1 align 4 = take fuser.cumsum(%a{0} by 1 align 4) {dim = 0 : i64} from [3] : (!a) -> !a of (tensor<?xf32>) -> tensor<?xf32>
    }
  }
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @late_scan() stage reduced index_bits 64 threads [32, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  %p = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected shuffles and exchanges from stage reduced on}}
  fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @threads_and_blocks() stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  %p = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected thread types to scan over, or one block type}}
  fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [block_x, thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @equal_threads() stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  %p = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected 'equal' with thread types, of a scan over blocks only}}
  fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [thread_x] equal [thread_y] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @totals_not_written() stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  %p = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  fuser_loop.scan %a before %p by fuser.cumsum {dim = 0 : i64} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

fuser_loop.kernel @order_in_loop() stage reduced index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %s = fuser_loop.buffer : !fuser_loop.buffer<1xi32, shared>
  fuser_loop.for %b to (4) on block_x {
    // expected-error @+1 {{expected to be outside of all loops and branches}}
    fuser_loop.order_blocks %c of [4, 1, 1] through %s : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
  }
}

// -----

fuser_loop.kernel @order_after_loop() stage reduced index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %s = fuser_loop.buffer : !fuser_loop.buffer<1xi32, shared>
  fuser_loop.for %b to (4) on block_x {
  }
  // expected-error @+1 {{expected to be the first op of the kernel, after its buffers}}
  fuser_loop.order_blocks %c of [4, 1, 1] through %s : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
}

// -----

fuser_loop.kernel @order_of_two() stage reduced index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %s = fuser_loop.buffer : !fuser_loop.buffer<1xi32, shared>
  // expected-error @+1 {{expected the blocks in x, y and z, over arguments of the kernel}}
  fuser_loop.order_blocks %c of [4, 1] through %s : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
}

// -----

fuser_loop.kernel @slot_of_floats() stage reduced index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %s = fuser_loop.buffer : !fuser_loop.buffer<1xf32, shared>
  // expected-error @+1 {{expected a buffer of one i32 in shared memory as slot}}
  fuser_loop.order_blocks %c of [4, 1, 1] through %s : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xf32, shared>
}

// -----

fuser_loop.kernel @early_order() stage loops index_bits 64 {
  %c = fuser_loop.buffer zeroed [1] : !fuser_loop.buffer<1xi32, global>
  %s = fuser_loop.buffer : !fuser_loop.buffer<1xi32, shared>
  // expected-error @+1 {{expected an order of blocks from stage reduced on, but got loops}}
  fuser_loop.order_blocks %c of [4, 1, 1] through %s : !fuser_loop.buffer<1xi32, global>, !fuser_loop.buffer<1xi32, shared>
}

// -----

fuser_loop.kernel @no_counter() stage reduced index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %f = fuser_loop.buffer [4] : !fuser_loop.buffer<4xi32, global>
  // expected-error @+1 {{expected a zeroed workspace of i32 with one dimension as counter}}
  fuser_loop.await %f[0] : !fuser_loop.buffer<4xi32, global>
}

// -----

fuser_loop.kernel @guarded_twice() stage guarded index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %f = fuser_loop.buffer zeroed [4] : !fuser_loop.buffer<4xi32, global>
  fuser_loop.for %b to (4) on block_x {
    // expected-error @+1 {{expected a branch around the op from stage guarded on, but got a guard}}
    fuser_loop.await %f[%b] if (0 < %b) : !fuser_loop.buffer<4xi32, global>
  }
}

// -----

fuser_loop.kernel @early_await() stage launched index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %f = fuser_loop.buffer zeroed [4] : !fuser_loop.buffer<4xi32, global>
  // expected-error @+1 {{expected blocks that wait for others from stage reduced on, but got launched}}
  fuser_loop.await %f[0] : !fuser_loop.buffer<4xi32, global>
}

// -----

!a = !fuser_loop.buffer<f32, register>

// Other threads of the block have written what the first one publishes.
fuser_loop.kernel @not_synchronized() stage synchronized index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %w = fuser_loop.buffer [4, 32] : !fuser_loop.buffer<4x32xf32, global>
  %f = fuser_loop.buffer zeroed [4] : !fuser_loop.buffer<4xi32, global>
  fuser_loop.for %b to (4) on block_x {
    fuser_loop.for %t to (32) on thread_x {
      %a = fuser_loop.buffer : !a
      fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
      fuser_loop.tile %w[%b, %t] = %a[] : (!a) -> !fuser_loop.buffer<4x32xf32, global> of tensor<f32>
      // expected-error @+1 {{expected a barrier of the block between the write of a buffer in global memory and its publication}}
      fuser_loop.publish %f[%b] of %w if (%t == 0) : !fuser_loop.buffer<4xi32, global>, !fuser_loop.buffer<4x32xf32, global>
    }
  }
}

// -----

!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @publishes_registers() stage reduced index_bits 64 threads [32, 1, 1] grid [4, 1, 1] {
  %f = fuser_loop.buffer zeroed [4] : !fuser_loop.buffer<4xi32, global>
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected workspaces that other blocks read, but got '!fuser_loop.buffer<f32, register>'}}
  fuser_loop.publish %f[0] of %a : !fuser_loop.buffer<4xi32, global>, !a
}
