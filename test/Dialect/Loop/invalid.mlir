// One fault in each kernel.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected an index of 32 or 64 bits, but got 16}}
fuser_loop.kernel @index_width(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 16 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected threads and grid from stage launched on, and not before}}
fuser_loop.kernel @early_launch(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected threads and grid from stage launched on, and not before}}
fuser_loop.kernel @late_launch(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 32 x 64 x 1}}
fuser_loop.kernel @too_many_threads(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [32, 64, 1] grid [1, 1, 1] {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected at most 1024 threads in a block (64 of them in z), but got 1 x 1 x 128}}
fuser_loop.kernel @too_many_in_z(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [1, 1, 128] grid [1, 1, 1] {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected three numbers of threads and of blocks}}
fuser_loop.kernel @axes(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage launched index_bits 64 threads [1, 1] grid [1, 1, 1] {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @no_stage(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    // expected-error @+1 {{expected a stage, but got finished}}
    stage finished index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected argument 0 to have a stride for each dimension, over the index arguments}}
fuser_loop.kernel @stride_count(%x: !x from #fuser_gpu.pointer<0> strides [] align 4)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected argument 0 to have an alignment of at least 1 byte}}
fuser_loop.kernel @alignment(%x: !x from #fuser_gpu.pointer<0> strides [1] align 0)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected argument 0 to be a buffer if and only if it comes from a pointer}}
fuser_loop.kernel @no_pointer(%x: !x from #fuser_gpu.size<0, 0> strides [1] align 4)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected argument 0 to be an index, as it comes from a size or stride}}
fuser_loop.kernel @no_index(%n: i64 from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected argument 0 to come from a pointer, size, stride or scalar}}
fuser_loop.kernel @no_source(%n: index from 3 : i64)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected an index argument of the kernel}}
fuser_loop.kernel @unknown_symbol(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%m)] align 4)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected index arguments of the kernel as symbols}}
fuser_loop.kernel @no_symbol(%x: !x from #fuser_gpu.pointer<0> strides [%n] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

// expected-error @+1 {{expected argument 0 to be in global memory}}
fuser_loop.kernel @register_argument(%x: !r from #fuser_gpu.pointer<0> strides [1] align 4)
    stage loops index_bits 64 {
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @loop_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a serial, unroll, vectorize, mma, block, cluster or thread loop, but got bulk}}
  fuser_loop.for %i to (4) on bulk {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @loop_keyword(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a parallel type, but got warp}}
  fuser_loop.for %i to (4) on warp {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @unbounded(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a constant extent or a bound of a loop on unroll}}
  fuser_loop.for %i to (symbol(%n)) on unroll {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @lanes(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a vectorize extent of 1, 2, 4, 8 or 16}}
  fuser_loop.for %i to (3) on vectorize {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @negative(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected an extent of at least 0, but got -1}}
  fuser_loop.for %i to (-1) on unroll {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @loop_in_vector(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected only tiles, their indices and branches in a vectorize loop}}
  fuser_loop.for %i to (4) on vectorize {
    fuser_loop.for %j to (4) {
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @dimension(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected an argument of the kernel to be a symbol of expressions}}
  fuser_loop.for %i to (%n) {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @symbol(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  fuser_loop.for %i to (4) {
    // expected-error @+1 {{expected a value that is no kernel argument to be a dimension of expressions}}
    fuser_loop.for %j to (symbol(%i)) {
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @early_branch(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected branches from stage accessed on, but got loops}}
  fuser_loop.if (0 < symbol(%n)) {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @no_constraint(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected a constraint}}
  fuser_loop.if () {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @global_buffer(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected extents of a buffer in global memory, and of no other}}
  %b = fuser_loop.buffer : !x
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @shared_buffer(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected constant extents of a buffer in shared memory}}
  %b = fuser_loop.buffer : !fuser_loop.buffer<?xf32, shared>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @dynamic_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected constant extents of a buffer in registers}}
  %b = fuser_loop.buffer : !fuser_loop.buffer<?xf32, register>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @index_elements(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected integers, floats or complex numbers as elements, but got 'index'}}
  %b = fuser_loop.buffer : !fuser_loop.buffer<4xindex, register>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @rank(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected 1 indices of '!fuser_loop.buffer<?xf32, global>', but got 2}}
  fuser_loop.tile %r[0] = %x[0, 0] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @early_offset(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected indices of each access in stage loops}}
  fuser_loop.tile %r{0} by 1 align 4 = %x[0] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @late_index(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an offset of each access in stage accessed}}
  fuser_loop.tile %r{0} by 1 align 4 = %x[0] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @chunk(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a chunk of 1, 2, 4, 8 or 16 elements, but got 3}}
  fuser_loop.tile %r{0} by 3 align 4 = %x{0} by 1 align 4 : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @wide_chunk(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a chunk of at most 1 elements, the vectorize loop, but got 2}}
  fuser_loop.tile %r{0} by 2 align 4 = %x{0} by 1 align 4 : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @bytes(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an alignment that is a power of two, of a chunk, but got 12}}
  fuser_loop.tile %r{0} by 1 align 12 = %x{0} by 1 align 4 : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @clamp(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected 'clamp' on a read of registers only}}
  fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 clamp : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @guarded_write(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a guard on a read, or on a chunk that is stored to memory}}
  fuser_loop.tile %r[0] where (0 < symbol(%n)) = %x[0] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @late_guard(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a branch around the tile from stage guarded on, but got a guard}}
  fuser_loop.tile %r{0} by 1 align 4 = %x{0} by 1 align 4 if (0 < symbol(%n)) : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @early_once(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected no 'once' in stage loops}}
  fuser_loop.tile %r[0] = %x[0] once [thread_x] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @once_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected block and thread types, but got serial}}
  fuser_loop.tile %r[0] = %x[0] once [serial] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @once_twice(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected each type once, but got thread_x twice}}
  fuser_loop.tile %r[0] = %x[0] replicated [thread_x, thread_x] : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @unwritten(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  fuser_loop.tile %x[0] = %r[0] : (!r) -> !x of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @scheduled(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an op without 'inline_at', which the loops state, but got 1}}
  fuser_loop.tile %r[0] = fuser.exp(%x[0]) {inline_at = 1 : i64} : (!x) -> !r of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @other_dialect(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an op of the fuser dialect, but got math.exp}}
  fuser_loop.tile %r[0] = math.exp(%x[0]) : (!x) -> !r of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @unregistered(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a registered op in a tile}}
  fuser_loop.tile %r[0] = fuser.expp(%x[0]) : (!x) -> !r of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @element_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an input with elements of}}
  fuser_loop.tile %r[0] = fuser.exp(%x[0]) : (!x) -> !r of (tensor<?xf64>) -> tensor<?xf64>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @result_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an output with elements of}}
  fuser_loop.tile %r[0] = fuser.cast(%x[0]) : (!x) -> !r of (tensor<?xf32>) -> tensor<?xf64>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @scalar_buffer(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected an access of each buffer that is read, and of no scalar}}
  fuser_loop.tile %r[0] = fuser.exp(%x scalar) : (!x) -> !r of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @op_types(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected the type of the op to be a function type}}
  fuser_loop.tile %r[0] = fuser.exp(%x[0]) : (!x) -> !r of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<4xf32, register>

fuser_loop.kernel @buffer_types(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected the types of inputs and outputs as a function type}}
  fuser_loop.tile %r[0] = %x[0] : !x of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @offset_early(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected an offset of a buffer in shared memory from stage placed on, and not before}}
  %s = fuser_loop.buffer at 0 : !s
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @offset_missing(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected an offset of a buffer in shared memory from stage placed on, and not before}}
  %s = fuser_loop.buffer : !s
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @offset_of_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected an offset of a buffer in shared memory only}}
  %a = fuser_loop.buffer at 0 : !a
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @offset_alignment(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected an offset that is a multiple of 16 bytes, but got 8}}
  %s = fuser_loop.buffer at 8 : !s
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @overlap(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{this buffer, which has bytes 0 to 1024, is in use at the same time}}
  %s = fuser_loop.buffer at 0 : !s
  // expected-error @+1 {{expected bytes 512 to 1536 of shared memory for this buffer alone}}
  %t = fuser_loop.buffer at 512 : !s
  fuser_loop.tile %s[0] = %x[0] : (!x) -> !s of tensor<?xf32>
  fuser_loop.tile %t[0] = %x[1] : (!x) -> !s of tensor<?xf32>
  fuser_loop.tile %x[2] = %s[0] : (!s) -> !x of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @barrier_early(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage placed index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected barriers from stage synchronized on, but got placed}}
  fuser_loop.barrier
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @barrier_missing(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  // expected-note @+1 {{the buffer is here}}
  %s = fuser_loop.buffer at 0 : !s
  fuser_loop.for %t to (64) on thread_x {
    fuser_loop.tile %s[%t] = %x[%t] : (!x) -> !s of tensor<?xf32>
    // expected-error @+1 {{expected a barrier between the write of a buffer in shared memory and its read}}
    fuser_loop.tile %x[%t] = %s[63 - %t] : (!s) -> !x of tensor<?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @barrier_of_some_threads(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage synchronized index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (64) on thread_x {
    // expected-error @+1 {{expected a guard over the indices of loops that are written out}}
    fuser_loop.barrier if (0 < %t)
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @barrier_in_branch(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (64) on thread_x {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%t < 32) {
      // expected-error @+1 {{expected no branch around what threads execute together}}
      fuser_loop.barrier
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @combine_late(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected shuffles and exchanges from stage reduced on}}
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @combine_nothing(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected thread or block types to combine over}}
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @combine_lanes(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected 1 lane, or the 2, 4, 8 or 16 of the last dimension of each accumulator, but got 4}}
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 4 : !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @combine_unwritten(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @combine_elements(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected a reduction, but got fuser.exp}}
  fuser_loop.combine %a by fuser.exp over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @combine_components(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected a buffer for each of 1 accumulators, but got 2}}
  fuser_loop.combine %a, %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 1 : !a, !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @shuffle_early(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected shuffles from stage reduced on, but got loops}}
  fuser_loop.tile %a[] = shuffle 1 fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @shuffle_distance(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected a distance of 1, 2, 4, 8 or 16 threads, but got 3}}
  fuser_loop.tile %a[] = shuffle 3 fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @shuffle_input(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected no input of step shuffle}}
  fuser_loop.tile %a[] = shuffle 1 fuser.sum(%x[0]) {dims = array<i64: 0>} : (!x) -> !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @shuffle_in_branch(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  fuser_loop.for %t to (64) on thread_x {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%t < 32) {
      // expected-error @+1 {{expected no branch around what threads execute together}}
      fuser_loop.tile %a{0} by 1 align 4 = shuffle 1 fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

// Rows of 16 threads: two of them are a warp. A barrier is one of all threads of the block.
fuser_loop.kernel @shuffle_in_branch_of_half_warps(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [16, 4, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a{0} by 1 align 4 = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  fuser_loop.for %t to (4) on thread_y {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%t < symbol(%n)) {
      // expected-error @+1 {{expected no branch around what threads execute together, unless all of them take it}}
      fuser_loop.tile %a{0} by 1 align 4 = shuffle 1 fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @barrier_in_branch_of_warps(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage guarded index_bits 64 threads [32, 4, 1] grid [1, 1, 1] {
  fuser_loop.for %t to (4) on thread_y {
    // expected-note @+1 {{the branch is here}}
    fuser_loop.if (%t < symbol(%n)) {
      // expected-error @+1 {{expected no branch around what threads execute together, unless all of them take it}}
      fuser_loop.barrier
    }
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @unwritten_accumulator(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  fuser_loop.tile %a[] = accumulate fuser.sum(%x[0]) {dims = array<i64: 0>} : (!x) -> !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @element_step(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a reduction or a scan, but got fuser.exp}}
  fuser_loop.tile %a[] = accumulate fuser.exp(%x[0]) : (!x) -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @no_op(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected valid keyword}}
  fuser_loop.tile %a[] = initial %x[0] : (!x) -> !a of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @accumulator_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %b = fuser_loop.buffer : !fuser_loop.buffer<f16, register>
  // expected-error @+1 {{expected accumulators of 'f32' in registers, but got '!fuser_loop.buffer<f16, register>'}}
  fuser_loop.tile %b[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !fuser_loop.buffer<f16, register> of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @accumulator_memory(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %s = fuser_loop.buffer : !s
  // expected-error @+1 {{expected accumulators of 'f32' in registers, but got '!fuser_loop.buffer<256xf32, shared>'}}
  fuser_loop.tile %s[0] = initial fuser.sum() {dims = array<i64: 0>} : () -> !s of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @count(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected one count of reduced elements, but got 0}}
  fuser_loop.tile %x[0] = finalize fuser.sum(%a[]) {dims = array<i64: 0>} : (!a) -> !x of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @fold_of_no_lanes(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
  %v = fuser_loop.buffer : !v
  fuser_loop.tile %v[0] = initial fuser.sum() {dims = array<i64: 0>} : () -> !v of (tensor<?xf32>) -> tensor<f32>
  // expected-error @+1 {{expected a vectorize loop around a fold of its lanes}}
  fuser_loop.tile %a[] = fold fuser.sum(%v[0]) {dims = array<i64: 0>} : (!v) -> !a of (tensor<?xf32>) -> tensor<f32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
!v = !fuser_loop.buffer<4xf32, register>
!s = !fuser_loop.buffer<256xf32, shared>

fuser_loop.kernel @keep(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected 'keep' on a read of registers only}}
  fuser_loop.tile %a[] = %x[0] keep : (!x) -> !a of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @unbounded_data(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-note @+1 {{the index is here}}
  %0 = fuser_loop.index %i[3] : !i
  // expected-error @+1 {{expected a guard that bounds an index that is data}}
  fuser_loop.tile %y[0] = fuser.index_select(%x[%0], %i[3]) {dim = 0 : i64} : (!x, !i) -> !x of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @guard_of_a_sum(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-note @+1 {{the index is here}}
  %0 = fuser_loop.index %i[3] : !i
  // expected-error @+1 {{expected a guard that bounds an index that is data}}
  fuser_loop.tile %y[0] = fuser.index_select(%x[%0] where (%0 + 1 < symbol(%n)), %i[3]) {dim = 0 : i64} : (!x, !i) -> !x of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @index_of_floats(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected integers of 8 to 64 bits, but got 'f32'}}
  %0 = fuser_loop.index %x[3] : !x
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @index_without_indices(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected 1 indices of '!fuser_loop.buffer<?xi64, global>', but got 0}}
  %0 = fuser_loop.index %i[] : !i
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @guarded_index(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected no guard of an index: its tile has one}}
  %0 = fuser_loop.index %i[3] where (3 < symbol(%n)) : !i
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @index_of_two_tiles(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected one tile, in the same block, that uses the index}}
  %0 = fuser_loop.index %i[3] : !i
  fuser_loop.tile %y[0] = fuser.index_select(%x[%0] where (%0 < symbol(%n)), %i[3]) {dim = 0 : i64} : (!x, !i) -> !x of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  fuser_loop.tile %y[1] = fuser.index_select(%x[%0] where (%0 < symbol(%n)), %i[3]) {dim = 0 : i64} : (!x, !i) -> !x of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @index_outside(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected one tile, in the same block, that uses the index}}
  %0 = fuser_loop.index %i[3] : !i
  fuser_loop.for %t to (4) {
    fuser_loop.tile %y[%t] = fuser.index_select(%x[%0] where (%0 < symbol(%n)), %i[3]) {dim = 0 : i64} : (!x, !i) -> !x of (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @index_by_offset(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected indices of each access in stage loops}}
  %0 = fuser_loop.index %i{3} by 1 align 8 : !i
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @index_by_indices(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage accessed index_bits 64 threads [1, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected an offset of each access in stage accessed}}
  %0 = fuser_loop.index %i[3] : !i
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

!r = !fuser_loop.buffer<2xi64, register>

fuser_loop.kernel @unwritten_index(%n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a buffer that is written before it is read}}
  %0 = fuser_loop.index %r[1] : !r
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @one_term(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected two indices, but got 1}}
  %0 = fuser_loop.xor (symbol(%n))
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @two_extents(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected one extent, but got 2}}
  %0 = fuser_loop.whole to (4, 4)
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @no_whole_index(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  // expected-error @+1 {{expected 1 root indices and 2 indices of dimensions that are read whole, but got 1}}
  fuser_loop.tile %y[3] = fuser.scatter(%x[0], %i[0], %x[3]) {dim = 0 : i64} at [3] : (!x, !i, !x) -> !x of (tensor<?xf32>, tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @whole_at_a_constant(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8, %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %0 = fuser_loop.whole to (symbol(%n))
  // expected-error @+1 {{expected a 'fuser_loop.whole' for each dimension that is read whole, after the root indices}}
  fuser_loop.tile %y[3] = fuser.scatter(%x[%0] where (%0 < symbol(%n)), %i[0], %x[3]) {dim = 0 : i64} at [3, %0, 0] : (!x, !i, !x) -> !x of (tensor<?xf32>, tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32>
}

// -----

fuser_loop.kernel @mma_extent(%n: index from #fuser_gpu.size<0, 0>) stage loops index_bits 32 {
  // expected-error @+1 {{expected a constant extent of a loop on mma}}
  fuser_loop.for %i to (symbol(%n)) on mma {
  }
}

// -----

fuser_loop.kernel @mma_stage() stage accessed index_bits 32 threads [32, 1, 1] grid [1, 1, 1] {
  // expected-error @+1 {{expected a matrix instruction in place of mma loops from stage accessed on}}
  fuser_loop.for %i to (16) on mma {
  }
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!i = !fuser_loop.buffer<?xi64, global>

fuser_loop.kernel @unbounded_write(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8,
                                   %y: !x from #fuser_gpu.pointer<2> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 32 {
  // expected-note @+1 {{the index is here}}
  %0 = fuser_loop.index %i[3] : !i
  // expected-error @+1 {{expected a guard that bounds an index that is data}}
  fuser_loop.tile %y[%0] = %x[3] combine add : (!x) -> !x of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>

fuser_loop.kernel @combined_products(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4)
    stage loops index_bits 32 {
  // expected-error @+1 {{expected to combine by add, min or max, but got #fuser<scatter_reduce mul>}}
  fuser_loop.tile %y[3] = %x[3] combine mul : (!x) -> !x of tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @combined_registers(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4)
    stage loops index_bits 32 {
  %r = fuser_loop.buffer : !r
  // expected-error @+1 {{expected a tile that moves an element to an argument of the kernel, or to shared memory, to combine it there}}
  fuser_loop.tile %r[] = %x[3] combine add : (!x) -> !r of tensor<?xf32>
}
