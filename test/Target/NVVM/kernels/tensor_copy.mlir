// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// FIRST-CHIP: 90
// The assembler keeps 8 bytes on the stack for sm_120.
// LAST-CHIP: 100
// Each block copies one box of 64 x 64 elements. Rows have 128 bytes, whose chunks of 8 elements are swizzled in shared memory.
// What lies outside of the tensor is 0 in y, whose rows have whole boxes.
// CHECK: .visible .entry tensor_copy(
// CHECK-NEXT: .param .align 64 .b8 tensor_copy_param_0[128]
// CHECK: mbarrier.init.shared{{(::cta)?}}.b64
// CHECK: mbarrier.arrive.expect_tx{{.*}}.b64 {{.*}};
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}, {{{.*}}, {{.*}}}], [{{.*}}];
// CHECK-NOT: .local
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: ld.shared.v4
// OLD: error: 'fuser_gpu.mbarrier_init' op expected a chip with bulk copies (sm_90 or later), but got 'sm_80'

!map = !fuser_gpu.tensor_map<64x64xbf16, swizzle = 128>
!tile = memref<64x64xbf16, #gpu.address_space<workgroup>>
!barrier = memref<1xi64, #gpu.address_space<workgroup>>
gpu.module @tensor_copy attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @tensor_copy(
      %map: !map {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1]>},
      %y: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %columns: index {fuser_gpu.bind = #fuser_gpu.size<1, 1>})
      workgroup(%s: !tile {llvm.align = 1024 : i64}, %f: !barrier) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<()[s0, s1] -> (s1 ceildiv 64, s0 ceildiv 64, 1)>,
                                                       symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 8192 : index
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row = arith.muli %by, %c64 : index
    %column = arith.muli %bx, %c64 : index
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      fuser_gpu.mbarrier_init %f[%c0] count 1 : !barrier
      fuser_gpu.mbarrier_fence
      fuser_gpu.mbarrier_expect %f[%c0] bytes %bytes : !barrier
      fuser_gpu.copy_tensor %map[%row, %column] to %s[%c0, %c0] signal %f[%c0] : !map, !tile, !barrier
    }
    gpu.barrier
    fuser_gpu.mbarrier_wait %f[%c0] phase %c0 : !barrier
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
    %r = arith.divui %t, %c2 : index
    %half = arith.remui %t, %c2 : index
    %base = arith.muli %half, %c4 : index
    %pattern = arith.remui %r, %c8 : index
    %to = arith.addi %row, %r : index
    %start = arith.muli %to, %columns : index
    %begin = arith.addi %start, %column : index
    scf.for %i = %c0 to %c4 step %c1 {
      %chunk = arith.addi %base, %i : index
      %place = arith.xori %chunk, %pattern : index
      %from = arith.muli %place, %c8 : index
      %v = vector.load %s[%r, %from] {alignment = 16} : !tile, vector<8xbf16>
      %offset = arith.muli %chunk, %c8 : index
      %at = arith.addi %begin, %offset : index
      vector.store %v, %ys[%at] {alignment = 16} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
    }
    gpu.return
  }
}
