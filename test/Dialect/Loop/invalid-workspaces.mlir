// One fault for each piece: workspaces, reads that follow writes, barriers of the grid, last blocks.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @extents_of_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  // expected-error @+1 {{expected extents of a buffer in global memory, and of no other}}
  %r = fuser_loop.buffer [4] : !fuser_loop.buffer<4xf32, register>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @zeroed_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  // expected-error @+1 {{expected 'zeroed' on a buffer in global memory only}}
  %r = fuser_loop.buffer zeroed : !r
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @workspace_in_loop(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  fuser_loop.for %i to (4) {
    // expected-error @+1 {{expected a buffer in global memory outside of all loops}}
    %w = fuser_loop.buffer [symbol(%n)] : !x
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @extent_of_a_scalar(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %c = arith.constant 4 : index
  // expected-error @+1 {{expected extents over arguments of the kernel}}
  %w = fuser_loop.buffer [%c] : !x
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @number_of_extents(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  // expected-error @+1 {{expected 1 extents of '!fuser_loop.buffer<?xf32, global>', but got 2}}
  %w = fuser_loop.buffer [symbol(%n), symbol(%n)] : !x
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @other_extent(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  // expected-error @+1 {{expected a type with the extents that are constants, but got '!fuser_loop.buffer<1xi32, global>'}}
  %w = fuser_loop.buffer [2] : !c
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @counter_without_zeros(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %c = fuser_loop.buffer [1] : !c
  // expected-error @+1 {{expected a zeroed workspace of i32 with one dimension as counter}}
  fuser_loop.barrier grid %c
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @counter_in_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !f
  %c = fuser_loop.buffer : !fuser_loop.buffer<1xi32, register>
  // expected-error @+1 {{expected a zeroed workspace of i32 with one dimension as counter}}
  fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !f, !fuser_loop.buffer<1xi32, register>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @flag_of_floats(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !r
  %c = fuser_loop.buffer zeroed [1] : !c
  // expected-error @+1 {{expected a buffer of one i1 in registers as flag}}
  fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !r, !c
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @early_last_block(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !f
  %c = fuser_loop.buffer zeroed [1] : !c
  // expected-error @+1 {{expected last blocks from stage reduced on, but got launched}}
  fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !f, !c
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @last_block_in_branch(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !f
  %c = fuser_loop.buffer zeroed [1] : !c
  // expected-note @+1 {{the branch is here}}
  fuser_loop.if () once [block_x] {
    // expected-error @+1 {{expected no branch around what threads execute together}}
    fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !f, !c
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @flag_that_is_not_written(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !f
  // expected-error @+1 {{expected a flag that one last_block writes}}
  %last = fuser_loop.is_last %f : !f
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @flag_that_is_written_later(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !f
  %c = fuser_loop.buffer zeroed [1] : !c
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  %last = fuser_loop.is_last %f : !f
  fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !f, !c
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @flag_of_an_iteration(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %f = fuser_loop.buffer : !f
  %c = fuser_loop.buffer zeroed [1] : !c
  fuser_loop.for %i to (4) {
    // expected-note @+1 {{the last_block is here}}
    fuser_loop.last_block %f = %c[0] of (symbol(%n)) : !f, !c
  }
  // expected-error @+1 {{expected the loops of the last_block around it, except for those on hardware}}
  %last = fuser_loop.is_last %f : !f
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @follows_in_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  %r = fuser_loop.buffer : !r
  %q = fuser_loop.buffer : !r
  fuser_loop.tile %r[] = %x[0] : (!x) -> !r of tensor<f32>
  // expected-error @+1 {{expected 'follows' on a read of global memory or of a circular buffer only}}
  fuser_loop.tile %q[] = %r[] follows [block_x] : (!r) -> !r of tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @read_of_another_block(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %w = fuser_loop.buffer [symbol(%n)] : !x
  fuser_loop.for %b to (symbol(%n)) on block_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.tile %w[%b] = %x[%b] once [thread_x] : (!x) -> !x of tensor<?xf32>
    fuser_loop.barrier
    // expected-error @+1 {{expected a barrier of the grid between the write of a buffer in global memory and its read}}
    fuser_loop.tile %r[] = %w[symbol(%n) - %b - 1] follows [thread_x] : (!x) -> !r of tensor<?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>
!f = !fuser_loop.buffer<i1, register>
!c = !fuser_loop.buffer<1xi32, global>

fuser_loop.kernel @read_of_another_thread(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [symbol(%n), 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %w = fuser_loop.buffer [symbol(%n)] : !x
  fuser_loop.for %b to (symbol(%n)) on block_x {
    %r = fuser_loop.buffer : !r
    fuser_loop.tile %w[%b] = %x[%b] once [thread_x] : (!x) -> !x of tensor<?xf32>
    // expected-error @+1 {{expected a barrier of the block between the write of a buffer in global memory and its read}}
    fuser_loop.tile %r[] = %w[%b] follows [block_x] : (!x) -> !r of tensor<?xf32>
  }
}
