// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s
// Conversions of f32 to integers that saturate, as kernel IR has them, are instructions, which saturate to 32 and 64 bits, convert
// NaN to 0 (to 32 bits), and round. Selects that do something else stay.

// CHECK-LABEL: .entry saturate(
// CHECK-NOT: setp
// CHECK-COUNT-2: cvt.rzi.s32.f32
// CHECK-NOT: setp
// CHECK: ret;
gpu.module @saturate {
  gpu.func @saturate(%x_base: memref<f32>, %y_base: memref<i32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = memref.reinterpret_cast %x_base to offset: [0], sizes: [2], strides: [1] : memref<f32> to memref<2xf32>
    %y = memref.reinterpret_cast %y_base to offset: [0], sizes: [2], strides: [1] : memref<i32> to memref<2xi32>
    %c0 = arith.constant 0 : index
    %limit = arith.constant dense<0x4F000000> : vector<2xf32>
    %least = arith.constant dense<0xCF000000> : vector<2xf32>
    %max = arith.constant dense<2147483647> : vector<2xi32>
    %min = arith.constant dense<-2147483648> : vector<2xi32>
    %zero = arith.constant dense<0> : vector<2xi32>
    %0 = vector.load %x[%c0] : memref<2xf32>, vector<2xf32>
    %1 = arith.fptosi %0 : vector<2xf32> to vector<2xi32>
    %2 = arith.cmpf oge, %0, %limit : vector<2xf32>
    %3 = arith.select %2, %max, %1 : vector<2xi1>, vector<2xi32>
    %4 = arith.cmpf olt, %0, %least : vector<2xf32>
    %5 = arith.select %4, %min, %3 : vector<2xi1>, vector<2xi32>
    %6 = arith.cmpf uno, %0, %0 : vector<2xf32>
    %7 = arith.select %6, %zero, %5 : vector<2xi1>, vector<2xi32>
    vector.store %7, %y[%c0] : memref<2xi32>, vector<2xi32>
    gpu.return
  }
}

// -----

// A clamp by integers commutes with the rounding. What it bounds needs no other bounds.
// CHECK-LABEL: .entry round(
// CHECK-NOT: {{setp|cvt.rni.f32}}
// CHECK: max.NaN.f32
// CHECK: min.NaN.f32
// CHECK: cvt.rni.s32.f32
// CHECK-NOT: setp
// CHECK: ret;
gpu.module @round {
  gpu.func @round(%x: memref<f32>, %y: memref<i8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %zero = arith.constant 0 : i8
    %0 = memref.load %x[] : memref<f32>
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.fptosi %3 : f32 to i8
    %5 = arith.cmpf uno, %3, %3 : f32
    %6 = arith.select %5, %zero, %4 : i8
    memref.store %6, %y[] : memref<i8>
    gpu.return
  }
}

// -----

// Bounds of narrow integers are those of the instruction's 32 bits. The rounding remains for its other user.
// CHECK-LABEL: .entry narrow(
// CHECK: cvt.rmi.s32.f32
// CHECK-NOT: setp
// CHECK-DAG: min.s32 {{.*}}, 32767;
// CHECK-DAG: max.s32 {{.*}}, -32768;
// CHECK: ret;
gpu.module @narrow {
  gpu.func @narrow(%x: memref<f32>, %y: memref<i16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %limit = arith.constant 32768.0 : f32
    %least = arith.constant -32768.0 : f32
    %max = arith.constant 32767 : i16
    %min = arith.constant -32768 : i16
    %zero = arith.constant 0 : i16
    %x0 = memref.load %x[] : memref<f32>
    %0 = math.floor %x0 : f32
    %1 = arith.fptosi %0 : f32 to i16
    %2 = arith.cmpf oge, %0, %limit : f32
    %3 = arith.select %2, %max, %1 : i16
    %4 = arith.cmpf olt, %0, %least : f32
    %5 = arith.select %4, %min, %3 : i16
    %6 = arith.cmpf uno, %0, %0 : f32
    %7 = arith.select %6, %zero, %5 : i16
    memref.store %7, %y[] : memref<i16>
    gpu.return
  }
}

// -----

// NaN has the least integer of 64 bits. The clamp is not by integers: it does not commute.
// CHECK-LABEL: .entry long(
// CHECK: cvt.rpi.f32.f32
// CHECK: max.NaN.f32
// CHECK-NOT: setp.{{g|l}}
// CHECK-DAG: cvt.rzi.s64.f32
// CHECK-DAG: setp.nan
// CHECK-NOT: setp.{{g|l}}
// CHECK: ret;
gpu.module @long {
  gpu.func @long(%x: memref<f32>, %y: memref<i64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %low = arith.constant -128.5 : f32
    %limit = arith.constant 0x5F000000 : f32
    %max = arith.constant 9223372036854775807 : i64
    %zero = arith.constant 0 : i64
    %x0 = memref.load %x[] : memref<f32>
    %x1 = math.ceil %x0 : f32
    %0 = arith.maximumf %x1, %low : f32
    %1 = arith.fptosi %0 : f32 to i64
    %2 = arith.cmpf oge, %0, %limit : f32
    %3 = arith.select %2, %max, %1 : i64
    %4 = arith.cmpf uno, %0, %0 : f32
    %5 = arith.select %4, %zero, %3 : i64
    memref.store %5, %y[] : memref<i64>
    gpu.return
  }
}

// -----

// Other bounds: selects stay.
// CHECK-LABEL: .entry other(
// CHECK: cvt.rzi.s32.f32
// CHECK-COUNT-2: setp
// CHECK: ret;
gpu.module @other {
  gpu.func @other(%x: memref<f32>, %y: memref<i32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %limit = arith.constant 0x4F000000 : f32
    %max = arith.constant 2147483646 : i32
    %zero = arith.constant 0 : i32
    %0 = memref.load %x[] : memref<f32>
    %1 = arith.fptosi %0 : f32 to i32
    %2 = arith.cmpf oge, %0, %limit : f32
    %3 = arith.select %2, %max, %1 : i32
    %4 = arith.cmpf uno, %0, %0 : f32
    %5 = arith.select %4, %zero, %3 : i32
    memref.store %5, %y[] : memref<i32>
    gpu.return
  }
}
