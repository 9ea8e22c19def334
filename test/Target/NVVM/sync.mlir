// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// CHECK-LABEL: .entry fences(
// CHECK: fence.acq_rel.cta
// CHECK: fence.acq_rel.gpu
// CHECK: fence.acq_rel.sys
gpu.module @fences {
  gpu.func @fences(%x: memref<f32>, %v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    fuser_gpu.fence block
    memref.store %v, %x[] : memref<f32>
    fuser_gpu.fence device
    memref.store %v, %x[] : memref<f32>
    fuser_gpu.fence system
    gpu.return
  }
}

// -----

// The counter wraps after the last ticket by itself.
// CHECK-LABEL: .entry ticket(
// CHECK: fence.acq_rel.gpu
// CHECK: atom.global.inc.u32
// CHECK: fence.acq_rel.gpu
gpu.module @ticket {
  gpu.func @ticket(%c: memref<i32>, %y: memref<i32>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = fuser_gpu.ticket %c[], %n : memref<i32>
    memref.store %t, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// The last block has the ticket before the number of blocks, and all of its threads know.
// CHECK-LABEL: .entry last(
// CHECK: bar.sync
// CHECK: add.s32 [[LAST:%r[0-9]+]], {{%r[0-9]+}}, -1;
// CHECK: atom.global.inc.u32 [[TICKET:%r[0-9]+]], {{.*}}, [[LAST]];
// CHECK: setp.eq.b32 {{%p[0-9]+}}, [[TICKET]], [[LAST]];
// CHECK: bar.red.or.pred
gpu.module @last {
  gpu.func @last(%c: memref<i32>, %y: memref<i32>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %last = fuser_gpu.last_block %c[], %n : memref<i32>
    %t = arith.extui %last : i1 to i32
    memref.store %t, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry await(
// CHECK: [[AWAIT:L__BB[0-9_]+]]:
// CHECK: ld.acquire.gpu.global.b32
// CHECK: bra {{.*}}[[AWAIT]];
// CHECK: st.global
gpu.module @await {
  gpu.func @await(%c: memref<i32>, %y: memref<i32>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    fuser_gpu.await %c[] : memref<i32>
    memref.store %n, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// One thread arrives and waits for the flip of the top bit, the others at the
// second barrier. Twice on one counter: nothing is merged.
// CHECK-LABEL: .entry grid(
// CHECK: bar.sync
// CHECK: fence.acq_rel.gpu
// CHECK: atom.global.add.u32 [[OLD:%r[0-9]+]]
// CHECK: [[WAIT:L__BB[0-9_]+]]:
// CHECK: ld.relaxed.gpu.global.b32 [[NOW:%r[0-9]+]]
// CHECK: xor.b32 {{.*}}, [[OLD]], [[NOW]]
// CHECK: bra {{.*}}[[WAIT]];
// CHECK: fence.acq_rel.gpu
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: atom.global.add.u32
// CHECK: ld.relaxed.gpu.global.b32
// CHECK: bar.sync
gpu.module @grid {
  gpu.func @grid(%c: memref<i32>, %x: memref<f32>, %v: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    fuser_gpu.grid_sync %c[] : memref<i32>
    memref.store %v, %x[] : memref<f32>
    fuser_gpu.grid_sync %c[] : memref<i32>
    gpu.return
  }
}

// -----

// All reads of a thread's number have the range of the block, so that none of them loses what comparisons with it say.
// CHECK-LABEL: .entry bounded(
// CHECK-NOT: setp{{.*}}, {{99|100}};
// CHECK: ret
gpu.module @bounded {
  gpu.func @bounded(%c: memref<i32>, %x: memref<f32>, %v: f32) kernel attributes {known_block_size = array<i32: 32, 16, 1>} {
    %c100 = arith.constant 100 : index
    %y = gpu.thread_id y
    fuser_gpu.grid_sync %c[] : memref<i32>
    %inside = arith.cmpi ult, %y, %c100 : index
    scf.if %inside {
      memref.store %v, %x[] : memref<f32>
    }
    gpu.return
  }
}
