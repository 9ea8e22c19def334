// RUN: fuser-opt %s | FileCheck %s
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s

// CHECK-LABEL: func.func @shuffle
func.func @shuffle(%f: f32, %l: i64, %b: i1, %h: vector<2xbf16>, %i: index, %offset: i32) {
  // CHECK: fuser_gpu.shuffle xor %{{.*}}, %{{.*}} width 32 : f32
  %0 = fuser_gpu.shuffle xor %f, %offset width 32 : f32
  // CHECK: fuser_gpu.shuffle down %{{.*}}, %{{.*}} width 16 : i64
  %1 = fuser_gpu.shuffle down %l, %offset width 16 : i64
  // CHECK: fuser_gpu.shuffle up %{{.*}}, %{{.*}} width 8 : i1
  %2 = fuser_gpu.shuffle up %b, %offset width 8 : i1
  // CHECK: fuser_gpu.shuffle idx %{{.*}}, %{{.*}} width 4 : vector<2xbf16>
  %3 = fuser_gpu.shuffle idx %h, %offset width 4 : vector<2xbf16>
  // CHECK: fuser_gpu.shuffle idx %{{.*}}, %{{.*}} width 2 : index
  %4 = fuser_gpu.shuffle idx %i, %offset width 2 : index
  return
}

// CHECK-LABEL: func.func @approx
func.func @approx(%x: f32, %v: vector<4xf32>) -> (f32, vector<4xf32>) {
  // CHECK: fuser_gpu.approx exp2 %{{.*}} : f32
  %0 = fuser_gpu.approx exp2 %x : f32
  // CHECK: fuser_gpu.approx tanh %{{.*}} ftz : vector<4xf32>
  %1 = fuser_gpu.approx tanh %v ftz : vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}

// CHECK-LABEL: func.func @keep
func.func @keep(%x: bf16, %v: vector<8xbf16>) -> (bf16, vector<8xbf16>) {
  // CHECK: fuser_gpu.keep %{{.*}} : bf16
  %0 = fuser_gpu.keep %x : bf16
  // CHECK: fuser_gpu.keep %{{.*}} : vector<8xbf16>
  %1 = fuser_gpu.keep %v : vector<8xbf16>
  return %0, %1 : bf16, vector<8xbf16>
}

// CHECK-LABEL: func.func @memory
func.func @memory(%x: memref<?xbf16, strided<[1]>>, %y: memref<f32>, %i: index) {
  // CHECK: fuser_gpu.load %{{.*}}[%{{.*}}] cache cs align 16 : memref<?xbf16, strided<[1]>>, vector<8xbf16>
  %0 = fuser_gpu.load %x[%i] cache cs align 16 : memref<?xbf16, strided<[1]>>, vector<8xbf16>
  // CHECK: fuser_gpu.load %{{.*}}[] cache nc : memref<f32>, f32
  %1 = fuser_gpu.load %y[] cache nc : memref<f32>, f32
  // CHECK: fuser_gpu.store %{{.*}}, %{{.*}}[%{{.*}}] cache evict_first align 16 : vector<8xbf16>, memref<?xbf16, strided<[1]>>
  fuser_gpu.store %0, %x[%i] cache evict_first align 16 : vector<8xbf16>, memref<?xbf16, strided<[1]>>
  // CHECK: fuser_gpu.store %{{.*}}, %{{.*}}[] cache none : f32, memref<f32>
  fuser_gpu.store %1, %y[] cache none : f32, memref<f32>
  return
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%x: memref<?x?xf32, strided<[?, 1]>>, %v: vector<4xf32>, %i: index) {
  // CHECK: fuser_gpu.atomic_add %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] align 16 : vector<4xf32>, memref<?x?xf32, strided<[?, 1]>>
  fuser_gpu.atomic_add %v, %x[%i, %i] align 16 : vector<4xf32>, memref<?x?xf32, strided<[?, 1]>>
  return
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%one: memref<i32>, %many: memref<?xi32>, %i: index, %n: i32) -> (i32, i1) {
  // CHECK: fuser_gpu.fence device
  fuser_gpu.fence device
  // CHECK: fuser_gpu.ticket %{{.*}}[%{{.*}}], %{{.*}} : memref<?xi32>
  %0 = fuser_gpu.ticket %many[%i], %n : memref<?xi32>
  // CHECK: fuser_gpu.await %{{.*}}[%{{.*}}] : memref<?xi32>
  fuser_gpu.await %many[%i] : memref<?xi32>
  // CHECK: fuser_gpu.last_block %{{.*}}[], %{{.*}} : memref<i32>
  %1 = fuser_gpu.last_block %one[], %n : memref<i32>
  // CHECK: fuser_gpu.grid_sync %{{.*}}[] : memref<i32>
  fuser_gpu.grid_sync %one[] : memref<i32>
  return %0, %1 : i32, i1
}
