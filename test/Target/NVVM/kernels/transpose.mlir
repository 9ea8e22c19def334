// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s

// CHECK-NOT: .local
// CHECK: .maxntid 32, 8, 1
// CHECK: .shared .align {{16|32}} .b8 __wg_transpose_0[4096]
// CHECK: ld.global.nc.b32
// CHECK: xor.b32
// CHECK: st.shared.b32
// CHECK: bar.sync
// CHECK: ld.shared.b32
// CHECK: st.global.b32

// y = transpose(x), f32, tiles of 32 x 32 through shared memory. The column
// within a row of the tile is xored with the row, so that rows and columns are
// free of bank conflicts without padding.
gpu.module @transpose attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @transpose(
      %x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %rows: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>},
      %cols: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>})
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 8, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0, s1] -> (s1 ceildiv 32, s0 ceildiv 32, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>]>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %n = arith.muli %rows, %cols : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %col0 = arith.muli %bx, %c32 : index
    %row0 = arith.muli %by, %c32 : index
    %col = arith.addi %col0, %tx : index
    %colIn = arith.cmpi slt, %col, %cols : index
    scf.for %k = %ty to %c32 step %c8 {
      %row = arith.addi %row0, %k : index
      %rowIn = arith.cmpi slt, %row, %rows : index
      %in = arith.andi %rowIn, %colIn : i1
      scf.if %in {
        %r = arith.muli %row, %cols : index
        %i = arith.addi %r, %col : index
        %v = memref.load %xs[%i] : memref<?xf32, strided<[1]>>
        %swizzled = arith.xori %tx, %k : index
        memref.store %v, %tile[%k, %swizzled] : memref<32x32xf32, #gpu.address_space<workgroup>>
      }
    }
    gpu.barrier
    %outCol = arith.addi %row0, %tx : index
    %outColIn = arith.cmpi slt, %outCol, %rows : index
    scf.for %k = %ty to %c32 step %c8 {
      %outRow = arith.addi %col0, %k : index
      %outRowIn = arith.cmpi slt, %outRow, %cols : index
      %in = arith.andi %outRowIn, %outColIn : i1
      scf.if %in {
        %swizzled = arith.xori %k, %tx : index
        %v = memref.load %tile[%tx, %swizzled] : memref<32x32xf32, #gpu.address_space<workgroup>>
        %r = arith.muli %outRow, %rows : index
        %i = arith.addi %r, %outCol : index
        memref.store %v, %ys[%i] : memref<?xf32, strided<[1]>>
      }
    }
    gpu.return
  }
}
