// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s

// A ring of blocks: in each round every block adds 1 to what its neighbour left
// in the round before. Two grid barriers in a loop, on one counter; after r
// rounds block b holds (b + r) mod n + r.
// CHECK: .visible .entry grid_exchange(
// CHECK: atom.global.add.u32
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: ld.global.cg.b32
// CHECK: atom.global.add.u32

gpu.module @grid_exchange attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @grid_exchange(
      %y: memref<i32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias},
      %counter: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = true>, fuser_gpu.noalias},
      %rounds: i32 {fuser_gpu.bind = #fuser_gpu.scalar<1>}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0] -> (s0, 1, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>],
                      workspaces = [affine_map<()[s0] -> (4)>], cooperative = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %b = gpu.block_id x
    %n = gpu.grid_dim x
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1] : memref<i32> to memref<?xi32, strided<[1]>>
    %b1 = arith.addi %b, %c1 : index
    %wraps = arith.cmpi eq, %b1, %n : index
    %next = arith.select %wraps, %c0, %b1 : index
    %own = arith.index_cast %b : index to i32
    scf.if %first {
      memref.store %own, %ys[%b] : memref<?xi32, strided<[1]>>
    }
    %r = arith.index_cast %rounds : i32 to index
    scf.for %k = %c0 to %r step %c1 {
      fuser_gpu.grid_sync %counter[] : memref<i32>
      %v = fuser_gpu.load %ys[%next] cache cg : memref<?xi32, strided<[1]>>, i32
      %w = arith.addi %v, %one : i32
      fuser_gpu.grid_sync %counter[] : memref<i32>
      scf.if %first {
        memref.store %w, %ys[%b] : memref<?xi32, strided<[1]>>
      }
    }
    gpu.return
  }
}
