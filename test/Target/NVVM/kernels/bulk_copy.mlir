// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// FIRST-CHIP: 90
// The block reverses each tile of 256 elements of a row of n, a multiple of 4, which one thread copies to two stages in turn.
// CHECK: .visible .entry bulk_copy(
// CHECK-COUNT-2: mbarrier.init.shared{{(::cta)?}}.b64 [{{.*}}], {{.*}};
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: mbarrier.arrive.expect_tx{{.*}}.b64 {{.*}};
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{{.*}}], [{{.*}}], {{.*}}, [{{.*}}];
// CHECK: bar.sync
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
// CHECK: ld.shared
// OLD: error: 'fuser_gpu.mbarrier_init' op expected a chip with bulk copies (sm_90 or later), but got 'sm_80'

!row = memref<?xf32, strided<[1]>>
!stages = memref<512xf32, #gpu.address_space<workgroup>>
!barriers = memref<2xi64, #gpu.address_space<workgroup>>
gpu.module @bulk_copy attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @bulk_copy(
      %x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}) workgroup(%s: !stages, %f: !barriers) kernel
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
    %more = arith.addi %n, %c255 : index
    %tiles = arith.divui %more, %c256 : index
    %isFirst = arith.cmpi eq, %t, %c0 : index
    scf.if %isFirst {
      fuser_gpu.mbarrier_init %f[%c0] count 1 : !barriers
      fuser_gpu.mbarrier_init %f[%c1] count 1 : !barriers
      fuser_gpu.mbarrier_fence
      %count = arith.minsi %n, %c256 : index
      %bytes = arith.muli %count, %c4 : index
      fuser_gpu.mbarrier_expect %f[%c0] bytes %bytes : !barriers
      %any = arith.cmpi ugt, %count, %c0 : index
      scf.if %any {
        fuser_gpu.copy_bulk %count of %xs[%c0] to %s[%c0] signal %f[%c0] : !row, !stages, !barriers
      }
    }
    gpu.barrier
    scf.for %k = %c0 to %tiles step %c1 {
      %stage = arith.remui %k, %c2 : index
      %phase = arith.divui %k, %c2 : index
      fuser_gpu.mbarrier_wait %f[%stage] phase %phase : !barriers
      gpu.barrier
      %ahead = arith.addi %k, %c1 : index
      %exists = arith.cmpi ult, %ahead, %tiles : index
      %fills = arith.andi %isFirst, %exists : i1
      scf.if %fills {
        %next = arith.remui %ahead, %c2 : index
        %from = arith.muli %ahead, %c256 : index
        %into = arith.muli %next, %c256 : index
        %rest = arith.subi %n, %from : index
        %count = arith.minsi %rest, %c256 : index
        %bytes = arith.muli %count, %c4 : index
        fuser_gpu.mbarrier_expect %f[%next] bytes %bytes : !barriers
        fuser_gpu.copy_bulk %count of %xs[%from] to %s[%into] signal %f[%next] : !row, !stages, !barriers
      }
      %base = arith.muli %stage, %c256 : index
      %tile = arith.muli %k, %c256 : index
      %rest = arith.subi %n, %tile : index
      %last = arith.minsi %rest, %c256 : index
      %first = arith.muli %t, %c4 : index
      scf.for %v = %c0 to %c4 step %c1 {
        %i = arith.addi %first, %v : index
        %inside = arith.cmpi ult, %i, %last : index
        scf.if %inside {
          %before = arith.subi %last, %c1 : index
          %j = arith.subi %before, %i : index
          %at = arith.addi %base, %j : index
          %value = memref.load %s[%at] : !stages
          %to = arith.addi %tile, %i : index
          memref.store %value, %ys[%to] : !row
        }
      }
    }
    gpu.return
  }
}
