// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// Every payload travels as 32-bit pieces; the mask word holds the width.

// CHECK-LABEL: .entry i1(
// CHECK: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
gpu.module @i1 {
  gpu.func @i1(%p: memref<i32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %v = memref.load %p[] : memref<i32>
    %b = arith.cmpi slt, %v, %one : i32
    %r = fuser_gpu.shuffle xor %b, %one width 32 : i1
    %s = arith.extui %r : i1 to i32
    memref.store %s, %p[] : memref<i32>
    gpu.return
  }
}

// -----

// The group of 8 lanes: (32 - 8) << 8 = 6144, and 31 or 0 to bound the lane.
// CHECK-LABEL: .entry modes(
// CHECK: shfl.sync.down.b32 {{.*}}, 1, 6175, -1;
// CHECK: shfl.sync.up.b32 {{.*}}, 1, 6144, -1;
// CHECK: shfl.sync.idx.b32 {{.*}}, 1, 6175, -1;
gpu.module @modes {
  gpu.func @modes(%p: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %v = memref.load %p[] : memref<f32>
    %a = fuser_gpu.shuffle down %v, %one width 8 : f32
    %b = fuser_gpu.shuffle up %a, %one width 8 : f32
    %c = fuser_gpu.shuffle idx %b, %one width 8 : f32
    memref.store %c, %p[] : memref<f32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry f64(
// CHECK-COUNT-2: shfl.sync.bfly.b32
// CHECK-NOT: shfl
gpu.module @f64 {
  gpu.func @f64(%p: memref<f64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %v = memref.load %p[] : memref<f64>
    %r = fuser_gpu.shuffle xor %v, %one width 32 : f64
    memref.store %r, %p[] : memref<f64>
    gpu.return
  }
}

// -----

// Two bf16 in one piece.
// CHECK-LABEL: .entry packed(
// CHECK-COUNT-2: shfl.sync.bfly.b32
// CHECK-NOT: shfl
gpu.module @packed {
  gpu.func @packed(%p: memref<bf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %ps = memref.reinterpret_cast %p to offset: [0], sizes: [4], strides: [1] : memref<bf16> to memref<4xbf16, strided<[1]>>
    %v = vector.load %ps[%c0] : memref<4xbf16, strided<[1]>>, vector<4xbf16>
    %r = fuser_gpu.shuffle xor %v, %one width 32 : vector<4xbf16>
    vector.store %r, %ps[%c0] : memref<4xbf16, strided<[1]>>, vector<4xbf16>
    gpu.return
  }
}

// -----

// An odd size is padded; `index` has the module's width.
// CHECK-LABEL: .entry odd(
// CHECK-COUNT-3: shfl.sync.bfly.b32
// CHECK-NOT: shfl
gpu.module @odd attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @odd(%p: memref<f16>, %n: index, %q: memref<i32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %ps = memref.reinterpret_cast %p to offset: [0], sizes: [3], strides: [1] : memref<f16> to memref<3xf16, strided<[1]>>
    %v = vector.load %ps[%c0] : memref<3xf16, strided<[1]>>, vector<3xf16>
    %r = fuser_gpu.shuffle xor %v, %one width 32 : vector<3xf16>
    vector.store %r, %ps[%c0] : memref<3xf16, strided<[1]>>, vector<3xf16>
    %t = gpu.thread_id x
    %m = arith.addi %t, %n : index
    %o = fuser_gpu.shuffle xor %m, %one width 32 : index
    %i = arith.index_cast %o : index to i32
    memref.store %i, %q[] : memref<i32>
    gpu.return
  }
}
