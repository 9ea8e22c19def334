// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_75 output=-" -o /dev/null 2>/dev/null | FileCheck %s --check-prefix=OLD

// The block reverses each tile of 256 elements of a row, which it copies to two stages in turn. Elements beyond the n of the
// row become 0: y has whole tiles.
// CHECK: .visible .entry async_copy(
// CHECK: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %{{.*}};
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: bar.sync
// CHECK: cp.async.cg.shared.global
// CHECK: ld.shared
// OLD-NOT: cp.async

!row = memref<?xf32, strided<[1]>>
!stages = memref<512xf32, #gpu.address_space<workgroup>>
gpu.module @async_copy attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @async_copy(
      %x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}) workgroup(%s: !stages) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<()[s0] -> (1, 1, 1)>, symbols = [#fuser_gpu.size<0, 0>]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c255 = arith.constant 255 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<f32> to !row
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1] : memref<f32> to !row
    %mine = arith.muli %t, %c4 : index
    %more = arith.addi %n, %c255 : index
    %tiles = arith.divui %more, %c256 : index
    %left = arith.subi %n, %mine : index
    %first0 = arith.maxsi %left, %c0 : index
    %first = arith.minsi %first0, %c4 : index
    fuser_gpu.copy_async 4 of %xs[%mine] to %s[%mine] existing %first : !row, !stages
    fuser_gpu.copy_commit
    scf.for %k = %c0 to %tiles step %c1 {
      fuser_gpu.copy_wait 0
      gpu.barrier
      %next = arith.addi %k, %c1 : index
      %ahead = arith.muli %next, %c256 : index
      %from = arith.addi %ahead, %mine : index
      %rest = arith.subi %n, %from : index
      %rest0 = arith.maxsi %rest, %c0 : index
      %count = arith.minsi %rest0, %c4 : index
      %stage = arith.remui %next, %c2 : index
      %place = arith.muli %stage, %c256 : index
      %into = arith.addi %place, %mine : index
      fuser_gpu.copy_async 4 of %xs[%from] to %s[%into] existing %count : !row, !stages
      fuser_gpu.copy_commit
      %own = arith.remui %k, %c2 : index
      %base = arith.muli %own, %c256 : index
      %tile = arith.muli %k, %c256 : index
      scf.for %v = %c0 to %c4 step %c1 {
        %i = arith.addi %mine, %v : index
        %j = arith.subi %c255, %i : index
        %at = arith.addi %base, %j : index
        %value = memref.load %s[%at] : !stages
        %to = arith.addi %tile, %i : index
        memref.store %value, %ys[%to] : !row
      }
    }
    // The copies of the iteration that does not exist have read nothing.
    fuser_gpu.copy_wait 0
    gpu.return
  }
}
