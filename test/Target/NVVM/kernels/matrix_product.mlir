// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null | FileCheck %s

// The product of two matrices of 64 x 64 bf16: a warp has 16 rows and 8 columns, by four matrix instructions. The rows of a
// are loaded as they are, those of b transposed. Launch: grid (8, 4, 1), block (32, 1, 1).
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: st.global
!bf16s = memref<2147483647xbf16, strided<[1]>>
!f32s = memref<2147483647xf32, strided<[1]>>
!rows = memref<1024xbf16, #gpu.address_space<workgroup>>
!columns = memref<512xbf16, #gpu.address_space<workgroup>>
gpu.module @matrix_product {
  gpu.func @matrix_product(%pa: memref<bf16>, %pb: memref<bf16>, %py: memref<f32>) workgroup(%rows: !rows, %columns: !columns) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %a = memref.reinterpret_cast %pa to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %b = memref.reinterpret_cast %pb to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to !bf16s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    // 16 rows of a, and 8 columns of all 64 rows of b.
    %first = arith.muli %by, %c1024 : index
    %t8 = arith.muli %t, %c8 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %o = arith.muli %i, %c256 : index
      %at = arith.addi %o, %t8 : index
      %from = arith.addi %first, %at : index
      %v = vector.load %a[%from] : !bf16s, vector<8xbf16>
      vector.store %v, %rows[%at] : !rows, vector<8xbf16>
    }
    %column = arith.muli %bx, %c8 : index
    scf.for %i = %c0 to %c64 step %c32 {
      %row = arith.addi %i, %t : index
      %to = arith.muli %row, %c8 : index
      %o = arith.muli %row, %c64 : index
      %from = arith.addi %o, %column : index
      %v = vector.load %b[%from] : !bf16s, vector<8xbf16>
      vector.store %v, %columns[%to] : !columns, vector<8xbf16>
    }
    gpu.barrier
    %t_row = arith.remui %t, %c16 : index
    %t_half = arith.divui %t, %c16 : index
    %a_row = arith.muli %t_row, %c64 : index
    %a_step = arith.muli %t_half, %c8 : index
    %a_at = arith.addi %a_row, %a_step : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%so = %zero) -> vector<4xf32> {
      %i = arith.addi %a_at, %k : index
      %lhs = fuser_gpu.ldmatrix %rows[%i] : !rows -> vector<8xbf16>
      %k_row = arith.addi %k, %t_row : index
      %j = arith.muli %k_row, %c8 : index
      %rhs = fuser_gpu.ldmatrix transposed %columns[%j] : !columns -> vector<4xbf16>
      %next = fuser_gpu.mma %lhs, %rhs, %so : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
      scf.yield %next : vector<4xf32>
    }
    // Rows t / 4 and t / 4 + 8, columns 2 * (t mod 4) and the next one.
    %upper = vector.extract_strided_slice %sum {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %lower = vector.extract_strided_slice %sum {offsets = [2], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %r = arith.divui %t, %c4 : index
    %q = arith.remui %t, %c4 : index
    %q2 = arith.muli %q, %c2 : index
    %col = arith.addi %column, %q2 : index
    %block_row = arith.muli %by, %c16 : index
    %r0 = arith.addi %block_row, %r : index
    %r1 = arith.addi %r0, %c8 : index
    %o0 = arith.muli %r0, %c64 : index
    %o1 = arith.muli %r1, %c64 : index
    %to0 = arith.addi %o0, %col : index
    %to1 = arith.addi %o1, %col : index
    vector.store %upper, %y[%to0] : !f32s, vector<2xf32>
    vector.store %lower, %y[%to1] : !f32s, vector<2xf32>
    gpu.return
  }
}
