// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// Elements of bf16 are halves of 32 bits: the upper one is extended by a mask, the lower one by a shift.
// CHECK-LABEL: .entry extend(
// CHECK: ld.global.v4.b32
// CHECK-NOT: cvt.f32.bf16
// CHECK-DAG: and.b32 {{.*}}, -65536;
// CHECK-DAG: and.b32 {{.*}}, -65536;
// CHECK-DAG: and.b32 {{.*}}, -65536;
// CHECK-DAG: and.b32 {{.*}}, -65536;
// CHECK-DAG: shl.b32 {{.*}}, 16;
// CHECK-DAG: shl.b32 {{.*}}, 16;
// CHECK-DAG: shl.b32 {{.*}}, 16;
// CHECK-DAG: shl.b32 {{.*}}, 16;
// CHECK: ret;
gpu.module @extend {
  gpu.func @extend(%a: memref<bf16>, %b: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %a to offset: [0], sizes: [8], strides: [1] : memref<bf16> to memref<8xbf16>
    %y = memref.reinterpret_cast %b to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
    %c0 = arith.constant 0 : index
    %0 = vector.load %x[%c0] {alignment = 16 : i64} : memref<8xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    vector.store %1, %y[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
    gpu.return
  }
}

// -----

// Not of what a loop reads and adds, nor of fewer elements: the words take registers.
// CHECK-LABEL: .entry sum(
// CHECK-NOT: and.b32 {{.*}}, -65536;
// CHECK: ret;
gpu.module @sum {
  gpu.func @sum(%a: memref<bf16>, %b: memref<f32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %a to offset: [0], sizes: [65536], strides: [1] : memref<bf16> to memref<65536xbf16>
    %y = memref.reinterpret_cast %b to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %0 = scf.for %i = %c0 to %n step %c8 iter_args(%sum = %zero) -> vector<8xf32> {
      %1 = vector.load %x[%i] {alignment = 16 : i64} : memref<65536xbf16>, vector<8xbf16>
      %2 = arith.extf %1 : vector<8xbf16> to vector<8xf32>
      %3 = arith.addf %sum, %2 : vector<8xf32>
      scf.yield %3 : vector<8xf32>
    }
    %4 = vector.load %x[%c0] {alignment = 8 : i64} : memref<65536xbf16>, vector<4xbf16>
    %5 = arith.extf %4 : vector<4xbf16> to vector<4xf32>
    vector.store %0, %y[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
    vector.store %5, %y[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<4xf32>
    gpu.return
  }
}

// -----

// In a loop, what comes from shared memory, or from the iteration before, not what all iterations read.
// CHECK-LABEL: .entry loop(
// CHECK-COUNT-8: cvt.f32.bf16
// CHECK: L__BB{{.*}}:
// CHECK-NOT: cvt.f32.bf16
// CHECK-COUNT-8: and.b32 {{.*}}, -65536;
// CHECK-NOT: cvt.f32.bf16
// CHECK: ret;
gpu.module @loop {
  gpu.func @loop(%a: memref<bf16> {fuser_gpu.readonly, fuser_gpu.noalias}, %b: memref<f32> {fuser_gpu.noalias}, %n: index)
      workgroup(%slots: memref<4096xbf16, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %a to offset: [0], sizes: [65536], strides: [1] : memref<bf16> to memref<65536xbf16>
    %y = memref.reinterpret_cast %b to offset: [0], sizes: [65536], strides: [1] : memref<f32> to memref<65536xf32>
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %first = vector.load %x[%c0] {alignment = 16 : i64} : memref<65536xbf16>, vector<8xbf16>
    vector.store %first, %slots[%n] {alignment = 16 : i64} : memref<4096xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
    gpu.barrier
    %0 = scf.for %i = %c0 to %n step %c8 iter_args(%now = %first) -> vector<8xbf16> {
      %w = vector.load %x[%c8] {alignment = 16 : i64} : memref<65536xbf16>, vector<8xbf16>
      %next = vector.load %x[%i] {alignment = 16 : i64} : memref<65536xbf16>, vector<8xbf16>
      %kept = vector.load %slots[%i] {alignment = 16 : i64} : memref<4096xbf16, #gpu.address_space<workgroup>>, vector<8xbf16>
      %1 = arith.extf %now : vector<8xbf16> to vector<8xf32>
      %2 = arith.extf %kept : vector<8xbf16> to vector<8xf32>
      %3 = arith.extf %w : vector<8xbf16> to vector<8xf32>
      %4 = arith.mulf %1, %2 : vector<8xf32>
      %5 = arith.mulf %4, %3 : vector<8xf32>
      vector.store %5, %y[%i] {alignment = 16 : i64} : memref<65536xf32>, vector<8xf32>
      scf.yield %next : vector<8xbf16>
    }
    gpu.return
  }
}

// -----

// Not elements that come one by one.
// CHECK-LABEL: .entry gather(
// CHECK-COUNT-2: cvt.f32.bf16
gpu.module @gather {
  gpu.func @gather(%a: memref<bf16>, %b: memref<f32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %a to offset: [0], sizes: [8], strides: [1] : memref<bf16> to memref<8xbf16>
    %y = memref.reinterpret_cast %b to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %0 = memref.load %x[%i] : memref<8xbf16>
    %1 = memref.load %x[%c7] : memref<8xbf16>
    %2 = vector.from_elements %0, %1 : vector<2xbf16>
    %3 = arith.extf %2 : vector<2xbf16> to vector<2xf32>
    vector.store %3, %y[%c0] {alignment = 8 : i64} : memref<2xf32>, vector<2xf32>
    gpu.return
  }
}
