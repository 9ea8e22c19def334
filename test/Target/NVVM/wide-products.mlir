// Both halves of a product of 32 bits are results of one instruction: nothing else is done in 64 bits.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s --implicit-check-not="xor.b64" --implicit-check-not="shr.u64"

// CHECK: mul.wide.u32 %product, %[[A:r[0-9]+]], %[[B:r[0-9]+]]; mov.b64 {%[[L:r[0-9]+]], %[[H:r[0-9]+]]}, %product;
// CHECK: xor.b32 %[[X:r[0-9]+]], %[[H]], %[[L]];
// CHECK: mul.wide.u32 %product, %[[X]], %[[B]]; mov.b64 {%[[L2:r[0-9]+]], %[[H2:r[0-9]+]]}, %product;
// CHECK: xor.b32 %{{.*}}, %[[H2]], %[[L2]];
gpu.module @products {
  gpu.func @products(%x: memref<i32>, %a: i32, %b: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %low, %high = arith.mului_extended %a, %b : i32
    %0 = arith.xori %high, %low : i32
    %low2, %high2 = arith.mului_extended %0, %b : i32
    %1 = arith.xori %high2, %low2 : i32
    memref.store %1, %x[] : memref<i32>
    gpu.return
  }
}
