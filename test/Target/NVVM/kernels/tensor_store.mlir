// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// FIRST-CHIP: 90
// Each block stores a box of 64 x 64 elements, as many of them as y has. x has whole boxes. Rows of 128 bytes are swizzled in shared
// memory.
// CHECK: .visible .entry tensor_store(
// CHECK: st.shared.v4
// CHECK: fence.proxy.async
// CHECK: bar{{(rier)?}}.sync
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [{{.*}}, {{{.*}}, {{.*}}}], [{{.*}}];
// CHECK: cp.async.bulk.commit_group;
// CHECK: cp.async.bulk.wait_group.read 0;
// OLD: error: 'fuser_gpu.{{.*}}' op expected a chip with

!map = !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>
!tile = memref<64x64xbf16, #gpu.address_space<workgroup>>
gpu.module @tensor_store attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @tensor_store(
      %map: !map {fuser_gpu.bind = #fuser_gpu.tensor_map<1, dims = [0, 1]>},
      %x: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %columns: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>})
      workgroup(%s: !tile {llvm.align = 1024 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<()[s0, s1] -> (s1 ceildiv 64, s0 ceildiv 64, 1)>,
                                                       symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row = arith.muli %by, %c64 : index
    %column = arith.muli %bx, %c64 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
    %r = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %base = arith.muli %half, %c4 : index
    %pattern = arith.remui %r, %c8 : index
    %from = arith.addi %row, %r : index
    %start = arith.muli %from, %columns : index
    %begin = arith.addi %start, %column : index
    scf.for %i = %c0 to %c4 step %c1 {
      %chunk = arith.addi %base, %i : index
      %place = arith.xori %chunk, %pattern : index
      %to = arith.muli %place, %c8 : index
      %offset = arith.muli %chunk, %c8 : index
      %at = arith.addi %begin, %offset : index
      %v = vector.load %xs[%at] {alignment = 16} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
      vector.store %v, %s[%r, %to] {alignment = 16} : !tile, vector<8xbf16>
    }
    fuser_gpu.fence_async
    gpu.barrier
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      fuser_gpu.store_tensor %s[%c0, %c0] to %map[%row, %column] : !tile, !map
      fuser_gpu.store_commit
      fuser_gpu.store_wait 0
    }
    gpu.return
  }
}
