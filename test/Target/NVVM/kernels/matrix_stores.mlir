// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s
// FIRST-CHIP: 90

// The transpose of a matrix of bf16: a warp has 16 x 16 elements, as four matrices of 8 x 8 that one instruction stores to shared
// memory, each transposed. Launch: grid (columns / 16, rows / 16, 1), block (32, 1, 1).
// CHECK: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%{{.*}}], {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}};
// CHECK: bar.sync
// CHECK: st.global
!bf16s = memref<2147483647xbf16, strided<[1]>>
!tile = memref<256xbf16, #gpu.address_space<workgroup>>
gpu.module @matrix_stores attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @matrix_stores(%px: memref<bf16>, %py: memref<bf16>, %rows: index, %columns: index) workgroup(%tile: !tile {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    // Rows t / 4 and t / 4 + 8, and columns 2 * (t mod 4) and the next one of each 8.
    %first_row = arith.muli %by, %c16 : index
    %first_column = arith.muli %bx, %c16 : index
    %q = arith.divui %t, %c4 : index
    %p = arith.remui %t, %c4 : index
    %p2 = arith.muli %p, %c2 : index
    %r0 = arith.addi %first_row, %q : index
    %r1 = arith.addi %r0, %c8 : index
    %col0 = arith.addi %first_column, %p2 : index
    %o0 = arith.muli %r0, %columns : index
    %o1 = arith.muli %r1, %columns : index
    %at00 = arith.addi %o0, %col0 : index
    %at10 = arith.addi %o1, %col0 : index
    %at01 = arith.addi %at00, %c8 : index
    %at11 = arith.addi %at10, %c8 : index
    %v00 = vector.load %x[%at00] : !bf16s, vector<2xbf16>
    %v10 = vector.load %x[%at10] : !bf16s, vector<2xbf16>
    %v01 = vector.load %x[%at01] : !bf16s, vector<2xbf16>
    %v11 = vector.load %x[%at11] : !bf16s, vector<2xbf16>
    %e:2 = vector.to_elements %v00 : vector<2xbf16>
    %f:2 = vector.to_elements %v10 : vector<2xbf16>
    %g:2 = vector.to_elements %v01 : vector<2xbf16>
    %h:2 = vector.to_elements %v11 : vector<2xbf16>
    %all = vector.from_elements %e#0, %e#1, %f#0, %f#1, %g#0, %g#1, %h#0, %h#1 : vector<8xbf16>
    // Lane 8 * m + r names row r of matrix m: the first two are in the first 8 rows of the transposed tile.
    %r = arith.remui %t, %c8 : index
    %m = arith.divui %t, %c8 : index
    %lower = arith.divui %m, %c2 : index
    %right = arith.remui %m, %c2 : index
    %lower8 = arith.muli %lower, %c8 : index
    %right8 = arith.muli %right, %c8 : index
    %tile_row = arith.addi %lower8, %r : index
    %row_at = arith.muli %tile_row, %c16 : index
    %store_at = arith.addi %row_at, %right8 : index
    fuser_gpu.stmatrix transposed %all, %tile[%store_at] : vector<8xbf16>, !tile
    gpu.barrier
    // Half of a row of the tile.
    %half = arith.remui %t, %c2 : index
    %half8 = arith.muli %half, %c8 : index
    %read_row = arith.divui %t, %c2 : index
    %read_at = arith.muli %t, %c8 : index
    %row = vector.load %tile[%read_at] : !tile, vector<8xbf16>
    %to_row = arith.addi %first_column, %read_row : index
    %to_first = arith.muli %to_row, %rows : index
    %to_column = arith.addi %first_row, %half8 : index
    %to = arith.addi %to_first, %to_column : index
    vector.store %row, %y[%to] : !bf16s, vector<8xbf16>
    gpu.return
  }
}
