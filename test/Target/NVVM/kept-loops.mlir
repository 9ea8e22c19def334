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
