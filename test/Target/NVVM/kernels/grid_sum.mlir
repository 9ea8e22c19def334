// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s

// The partial sums are written by other blocks: never read through the
// read-only path. The ticket stands between two fences, the answer goes round
// with the second barrier.
// CHECK-NOT: .local
// CHECK: ld.global.nc.b32
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: st.global.b32
// CHECK: bar.sync
// CHECK: fence.acq_rel.gpu
// CHECK-NEXT: atom.global.inc.u32
// CHECK-NEXT: fence.acq_rel.gpu
// CHECK: bar.red.or.pred
// CHECK-NOT: ld.global.nc
// CHECK: ld.global.cg.b32
// CHECK-NOT: ld.global.nc

// Sum of all elements in one launch: each block leaves a partial sum, the last
// one to arrive adds them in the order of the blocks. Deterministic.
gpu.module @grid_sum attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @grid_sum(
      %x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias},
      %partials: memref<f32> {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = false>, fuser_gpu.noalias},
      %counter: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<1, zeroed = true>, fuser_gpu.noalias},
      %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0] -> (s0 ceildiv 4096, 1, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>],
                      workspaces = [affine_map<()[s0] -> ((s0 ceildiv 4096) * 4)>, affine_map<()[s0] -> (4)>]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c4096 = arith.constant 4096 : index
    %zero = arith.constant 0.0 : f32
    %i16 = arith.constant 16 : i32
    %i8 = arith.constant 8 : i32
    %i4 = arith.constant 4 : i32
    %i2 = arith.constant 2 : i32
    %i1 = arith.constant 1 : i32
    %b = gpu.block_id x
    %blocks = gpu.grid_dim x
    %t = gpu.thread_id x
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %ps = memref.reinterpret_cast %partials to offset: [0], sizes: [%blocks], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %b0 = arith.muli %b, %c4096 : index
    %begin = arith.addi %b0, %t : index
    %b1 = arith.addi %b0, %c4096 : index
    %end = arith.minsi %b1, %n : index
    %sum = scf.for %i = %begin to %end step %c32 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %xs[%i] : memref<?xf32, strided<[1]>>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    %totalo16 = fuser_gpu.shuffle xor %sum, %i16 width 32 : f32
    %total16 = arith.addf %sum, %totalo16 : f32
    %totalo8 = fuser_gpu.shuffle xor %total16, %i8 width 32 : f32
    %total8 = arith.addf %total16, %totalo8 : f32
    %totalo4 = fuser_gpu.shuffle xor %total8, %i4 width 32 : f32
    %total4 = arith.addf %total8, %totalo4 : f32
    %totalo2 = fuser_gpu.shuffle xor %total4, %i2 width 32 : f32
    %total2 = arith.addf %total4, %totalo2 : f32
    %totalo1 = fuser_gpu.shuffle xor %total2, %i1 width 32 : f32
    %total = arith.addf %total2, %totalo1 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %total, %ps[%b] : memref<?xf32, strided<[1]>>
    }
    %count = arith.index_cast %blocks : index to i32
    %last = fuser_gpu.last_block %counter[], %count : memref<i32>
    scf.if %last {
      %rest = scf.for %k = %t to %blocks step %c32 iter_args(%acc = %zero) -> (f32) {
        %v = fuser_gpu.load %ps[%k] cache cg : memref<?xf32, strided<[1]>>, f32
        %next = arith.addf %acc, %v : f32
        scf.yield %next : f32
      }
      %allo16 = fuser_gpu.shuffle xor %rest, %i16 width 32 : f32
      %all16 = arith.addf %rest, %allo16 : f32
      %allo8 = fuser_gpu.shuffle xor %all16, %i8 width 32 : f32
      %all8 = arith.addf %all16, %allo8 : f32
      %allo4 = fuser_gpu.shuffle xor %all8, %i4 width 32 : f32
      %all4 = arith.addf %all8, %allo4 : f32
      %allo2 = fuser_gpu.shuffle xor %all4, %i2 width 32 : f32
      %all2 = arith.addf %all4, %allo2 : f32
      %allo1 = fuser_gpu.shuffle xor %all2, %i1 width 32 : f32
      %all = arith.addf %all2, %allo1 : f32
      scf.if %first {
        memref.store %all, %y[] : memref<f32>
      }
    }
    gpu.return
  }
}
