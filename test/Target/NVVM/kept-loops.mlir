// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// Neither LLVM nor the assembler unrolls a loop with fuser.keep_loop; LLVM unrolls the same loop without it.

// CHECK-LABEL: .entry kept(
// CHECK: .pragma "nounroll";
// CHECK-COUNT-1: st.global
// CHECK-NOT: st.global
// CHECK: bra
gpu.module @kept {
  gpu.func @kept(%out: memref<f32>, %value: f32)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %buffer = memref.reinterpret_cast %out to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1]>>
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %value, %buffer[%i] : memref<4xf32, strided<[1]>>
    } {fuser.keep_loop}
    gpu.return
  }
}

// CHECK-LABEL: .entry unrolled(
// CHECK-NOT: nounroll
// CHECK-COUNT-4: st.global
// CHECK-NOT: bra
gpu.module @unrolled {
  gpu.func @unrolled(%out: memref<f32>, %value: f32)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %buffer = memref.reinterpret_cast %out to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1]>>
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %value, %buffer[%i] : memref<4xf32, strided<[1]>>
    }
    gpu.return
  }
}

// The steps in which blocks combine what each of them has reduced run one after the other in any case. Before the blocks have waited for each other, a loop may be unrolled.
// CHECK-LABEL: .entry finish(
// CHECK-NOT: nounroll
// CHECK-COUNT-3: bar.sync
// CHECK: .pragma "nounroll";
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret
gpu.module @finish {
  gpu.func @finish(%parts: memref<f32>, %out: memref<f32>, %counter: memref<i32>) workgroup(%slots: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c31 = arith.constant 31 : index
    %x = gpu.thread_id x
    %other = arith.subi %c31, %x : index
    %p = memref.reinterpret_cast %parts to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %o = memref.reinterpret_cast %out to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    scf.for %i = %c0 to %c2 step %c1 {
      %base = arith.muli %i, %c32 : index
      %at = arith.addi %base, %x : index
      %v = memref.load %o[%at] : memref<64xf32, strided<[1]>>
      memref.store %v, %p[%at] : memref<64xf32, strided<[1]>>
      gpu.barrier
    }
    fuser_gpu.grid_sync %counter[] : memref<i32>
    scf.for %i = %c0 to %c2 step %c1 {
      %base = arith.muli %i, %c32 : index
      %at = arith.addi %base, %x : index
      %v = memref.load %p[%at] : memref<64xf32, strided<[1]>>
      memref.store %v, %slots[%x] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %w = memref.load %slots[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %w, %o[%at] : memref<64xf32, strided<[1]>>
    }
    gpu.return
  }
}
