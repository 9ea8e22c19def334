// RUN: fuser-opt %s --fuser-lower-to-nvvm -split-input-file | FileCheck %s

// Division of data is defined for every divisor: none reaches LLVM unguarded.
// CHECK-LABEL: llvm.func @data
// CHECK-SAME: %[[X:[a-z0-9]+]]: i32, %[[D:[a-z0-9]+]]: i32
gpu.module @data {
  gpu.func @data(%y: memref<i32>, %x: i32, %d: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[D]], %{{.*}} : i32
    // CHECK: %[[MINUS:.*]] = llvm.icmp "eq" %[[D]], %{{.*}} : i32
    // CHECK: %[[LEAST:.*]] = llvm.icmp "eq" %[[X]], %{{.*}} : i32
    // CHECK: %[[OVER:.*]] = llvm.and %[[MINUS]], %[[LEAST]]
    // CHECK: %[[BAD:.*]] = llvm.or %[[ZERO]], %[[OVER]]
    // CHECK: %[[SAFE:.*]] = llvm.select %[[BAD]], %{{.*}}, %[[D]]
    // CHECK: %[[Q:.*]] = llvm.sdiv %[[X]], %[[SAFE]]
    // CHECK: llvm.select %[[ZERO]], %{{.*}}, %[[Q]]
    %q = arith.divsi %x, %d : i32
    // CHECK: %[[R:.*]] = llvm.urem
    // CHECK: llvm.select %{{.*}}, %[[X]], %[[R]]
    %r = arith.remui %x, %d : i32
    // CHECK: %[[FAR:.*]] = llvm.icmp "uge" %[[D]]
    // CHECK: %[[S:.*]] = llvm.shl
    // CHECK: llvm.select %[[FAR]], %{{.*}}, %[[S]]
    %s = arith.shli %x, %d : i32
    // CHECK: %[[M:.*]] = llvm.intr.umin(%[[D]]
    // CHECK: llvm.ashr %[[X]], %[[M]]
    %a = arith.shrsi %x, %d : i32
    %qr = arith.addi %q, %r : i32
    %sa = arith.addi %s, %a : i32
    %all = arith.addi %qr, %sa : i32
    memref.store %all, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// A harmless constant needs no guard, and neither does index arithmetic.
// CHECK-LABEL: llvm.func @harmless
// CHECK-NOT: llvm.select
// CHECK: llvm.sdiv
// CHECK-NOT: llvm.select
// CHECK: llvm.udiv %{{.*}}, %{{.*}} : i32
// CHECK-NOT: llvm.select
// CHECK: llvm.return
gpu.module @harmless attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @harmless(%y: memref<i32>, %x: i32, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %three = arith.constant 3 : i32
    %q = arith.divsi %x, %three : i32
    %s = arith.shli %q, %three : i32
    %t = gpu.thread_id x
    %i = arith.divui %t, %n : index
    %j = arith.index_cast %i : index to i32
    %a = arith.addi %s, %j : i32
    memref.store %a, %y[] : memref<i32>
    gpu.return
  }
}
