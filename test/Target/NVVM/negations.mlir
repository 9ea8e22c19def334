// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// ptxas makes one instruction of two signed maxima and takes the negated operand in their middle for the operand itself:
// the negation is written as ~x + 1.
// CHECK-LABEL: .entry beside_maxima(
// CHECK-NOT: neg.s32
// CHECK: not.b32
// CHECK: add.s32 {{.*}}, 1;
// CHECK: max.s32
gpu.module @beside_maxima {
  gpu.func @beside_maxima(%y: memref<i32>, %a: i32, %b: i32, %c: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %n = arith.subi %c0, %b : i32
    %m = arith.maxsi %a, %n : i32
    %r = arith.maxsi %m, %c : i32
    memref.store %r, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry short(
// CHECK-NOT: neg.s16
// CHECK: not.b16
// CHECK: min.s16
gpu.module @short {
  gpu.func @short(%y: memref<i16>, %a: i16, %b: i16, %c: i16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : i16
    %n = arith.subi %c0, %b : i16
    %m = arith.minsi %a, %n : i16
    %r = arith.minsi %m, %c : i16
    memref.store %r, %y[] : memref<i16>
    gpu.return
  }
}

// -----

// Products and quotients with -2^k become negations when instructions are selected.
// CHECK-LABEL: .entry powers_of_two(
// CHECK-NOT: neg.s32
// CHECK-COUNT-3: not.b32
// CHECK-NOT: neg.s32
// CHECK: st.global
gpu.module @powers_of_two {
  gpu.func @powers_of_two(%y: memref<i32>, %a: i32, %b: i32, %c: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %m2 = arith.constant -2 : i32
    %m64 = arith.constant -64 : i32
    %n = arith.muli %b, %m2 : i32
    %d = arith.divsi %b, %m64 : i32
    %e = arith.muli %a, %m64 : i32
    %m = arith.minsi %a, %n : i32
    %r = arith.minsi %m, %c : i32
    %s = arith.minsi %r, %d : i32
    %t = arith.minsi %s, %e : i32
    memref.store %t, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry short_products(
// CHECK-NOT: neg.s16
// CHECK-COUNT-2: not.b16
// CHECK-NOT: neg.s16
// CHECK: max.s16x2
gpu.module @short_products {
  gpu.func @short_products(%y: memref<vector<2xi16>>, %a: vector<2xi16>, %b: vector<2xi16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %m4 = arith.constant dense<-4> : vector<2xi16>
    %n = arith.muli %b, %m4 : vector<2xi16>
    %m = arith.maxsi %a, %n : vector<2xi16>
    memref.store %m, %y[] : memref<vector<2xi16>>
    gpu.return
  }
}

// -----

// Where no minimum and no maximum is, negations stay what they are, and so do those of floats.
// CHECK-LABEL: .entry alone(
// CHECK-NOT: not.b32
// CHECK: neg.s32
gpu.module @alone {
  gpu.func @alone(%y: memref<i32>, %b: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %n = arith.subi %c0, %b : i32
    memref.store %n, %y[] : memref<i32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: .entry floats(
// CHECK: neg.f32
gpu.module @floats {
  gpu.func @floats(%y: memref<f32>, %z: memref<i32>, %a: f32, %b: f32, %i: i32, %j: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %n = arith.negf %b : f32
    %m = arith.maxnumf %a, %n : f32
    %k = arith.maxsi %i, %j : i32
    memref.store %m, %y[] : memref<f32>
    memref.store %k, %z[] : memref<i32>
    gpu.return
  }
}
