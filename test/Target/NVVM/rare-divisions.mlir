// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s
// A division with fuser.rare stays in its branch; LLVM computes the same one without it in any case, and selects.

// CHECK-LABEL: .entry rare(
// CHECK: bra
// CHECK: div.rn.f32
// CHECK: div.rn.f32
// CHECK: ret
// CHECK-LABEL: .entry other(
// CHECK-NOT: bra
// CHECK: div.rn.f32
// CHECK: div.rn.f32
// CHECK: selp
gpu.module @rare {
  gpu.func @rare(%p: memref<f32>, %y: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = memref.reinterpret_cast %p to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32, strided<[1]>>
    %0 = vector.load %x[%c0] : memref<2xf32, strided<[1]>>, vector<2xf32>
    %1 = vector.broadcast %y : f32 to vector<2xf32>
    %one = arith.constant 1.0 : f32
    %2 = arith.cmpf ogt, %y, %one : f32
    %3 = scf.if %2 -> vector<2xf32> {
      scf.yield %0 : vector<2xf32>
    } else {
      %4 = arith.divf %0, %1 {fuser.rare} : vector<2xf32>
      scf.yield %4 : vector<2xf32>
    }
    vector.store %3, %x[%c0] : memref<2xf32, strided<[1]>>, vector<2xf32>
    gpu.return
  }
}

// -----

gpu.module @other {
  gpu.func @other(%p: memref<f32>, %y: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = memref.reinterpret_cast %p to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32, strided<[1]>>
    %0 = vector.load %x[%c0] : memref<2xf32, strided<[1]>>, vector<2xf32>
    %1 = vector.broadcast %y : f32 to vector<2xf32>
    %one = arith.constant 1.0 : f32
    %2 = arith.cmpf ogt, %y, %one : f32
    %3 = scf.if %2 -> vector<2xf32> {
      scf.yield %0 : vector<2xf32>
    } else {
      %4 = arith.divf %0, %1 : vector<2xf32>
      scf.yield %4 : vector<2xf32>
    }
    vector.store %3, %x[%c0] : memref<2xf32, strided<[1]>>, vector<2xf32>
    gpu.return
  }
}
