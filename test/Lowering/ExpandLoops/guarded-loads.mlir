// Loads under guards: paddings and shifted reads.
// RUN: fuser-opt %s --split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" 2>/dev/null | FileCheck %s

// A row has 24 vectors: all that a thread does is under one guard, and the others are of the padding. The constant is what a
// branch has that loads nothing, in 32-bit words.
// CHECK-LABEL: gpu.func @three_taps
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<8xbf16>
// CHECK: %[[IN_ROW:.*]] = arith.cmpi ult, %thread_id_x, %c24
// CHECK: %[[HAS_BEFORE:.*]] = arith.cmpi ult, %{{.*}}, %c55
// CHECK: %[[HAS_AFTER:.*]] = arith.cmpi ult, %{{.*}}, %c55
// CHECK: scf.if %[[IN_ROW]] {
// CHECK-NEXT: vector.load
// CHECK-NEXT: %{{.*}}:4 = scf.if %[[HAS_BEFORE]] -> (i32, i32, i32, i32) {
// CHECK-NEXT: %[[LOADED:.*]] = vector.load
// CHECK-NEXT: vector.bitcast %[[LOADED]] : vector<8xbf16> to vector<4xi32>
// CHECK: } else {
// CHECK-NEXT: vector.bitcast %[[ZEROS]] : vector<8xbf16> to vector<4xi32>
// CHECK: scf.if %[[HAS_AFTER]] -> (i32, i32, i32, i32) {
// CHECK-NOT: arith.select
// CHECK-NOT: scf.if
// CHECK: vector.store
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: gpu.return
fuser.kernel @three_taps(%x: tensor<4096x56x192xbf16>) -> tensor<4096x56x192xbf16> {
  %zero = arith.constant 0.0 : f64
  %a = fuser.slice %x [0, 0, 0] [4096, 55, 192] : tensor<4096x56x192xbf16> -> tensor<4096x55x192xbf16>
  %b = fuser.slice %x [0, 1, 0] [4096, 55, 192] : tensor<4096x56x192xbf16> -> tensor<4096x55x192xbf16>
  %before = fuser.pad %a low [0, 1, 0] high [0, 0, 0] value %zero : tensor<4096x55x192xbf16>, f64 -> tensor<4096x56x192xbf16>
  %after = fuser.pad %b low [0, 0, 0] high [0, 1, 0] value %zero : tensor<4096x55x192xbf16>, f64 -> tensor<4096x56x192xbf16>
  %0 = fuser.add %before, %x : (tensor<4096x56x192xbf16>, tensor<4096x56x192xbf16>) -> tensor<4096x56x192xbf16>
  %1 = fuser.add %0, %after : (tensor<4096x56x192xbf16>, tensor<4096x56x192xbf16>) -> tensor<4096x56x192xbf16>
  fuser.return %1 : tensor<4096x56x192xbf16>
}

// -----

// A thread has four places of a row: twelve taps are six loads, two of them under guards of the padding. The other guards are
// known, since 56 is a multiple of 4. All loads and stores are in one branch.
// CHECK-LABEL: gpu.func @rows
// CHECK: %[[IN_ROW:.*]] = arith.cmpi ult, %thread_id_x, %c24
// CHECK-NEXT: scf.if %[[IN_ROW]] {
// CHECK-COUNT-4: vector.load %[[X:.*]][%{{.*}}] {{.*}}vector<8xbf16>
// CHECK-NOT: vector<8xbf16>
// CHECK-COUNT-9: vector.load %{{.*}} : memref<2147483647xf32
// CHECK: scf.if %{{.*}} -> (i32, i32, i32, i32) {
// CHECK-NEXT: vector.load %[[X]]
// CHECK-COUNT-3: vector.store
// CHECK: scf.if %{{.*}} -> (i32, i32, i32, i32) {
// CHECK-NEXT: vector.load %[[X]]
// CHECK-NOT: vector.load
// CHECK-NOT: scf.if
// CHECK: vector.store
// CHECK-NEXT: {{^ *[}]$}}
// CHECK-NEXT: gpu.return
fuser.kernel @rows(%x: tensor<4096x56x192xbf16>, %w0: tensor<1x1x192xf32>, %w1: tensor<1x1x192xf32>, %w2: tensor<1x1x192xf32>, %w3: tensor<1x1x192xf32>, %w4: tensor<1x1x192xf32>, %w5: tensor<1x1x192xf32>, %w6: tensor<1x1x192xf32>, %w7: tensor<1x1x192xf32>, %w8: tensor<1x1x192xf32>) -> tensor<4096x56x192xbf16> {
  %zero = arith.constant 0.0 : f64
  %a = fuser.slice %x [0, 0, 0] [4096, 55, 192] : tensor<4096x56x192xbf16> -> tensor<4096x55x192xbf16>
  %b = fuser.slice %x [0, 1, 0] [4096, 55, 192] : tensor<4096x56x192xbf16> -> tensor<4096x55x192xbf16>
  %before = fuser.pad %a low [0, 1, 0] high [0, 0, 0] value %zero : tensor<4096x55x192xbf16>, f64 -> tensor<4096x56x192xbf16>
  %after = fuser.pad %b low [0, 0, 0] high [0, 1, 0] value %zero : tensor<4096x55x192xbf16>, f64 -> tensor<4096x56x192xbf16>
  %c0 = fuser.cast %before : tensor<4096x56x192xbf16> to tensor<4096x56x192xf32>
  %m0 = fuser.mul %c0, %w0 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %c1 = fuser.cast %x : tensor<4096x56x192xbf16> to tensor<4096x56x192xf32>
  %m1 = fuser.mul %c1, %w1 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %c2 = fuser.cast %after : tensor<4096x56x192xbf16> to tensor<4096x56x192xf32>
  %m2 = fuser.mul %c2, %w2 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %s1 = fuser.add %m0, %m1 : (tensor<4096x56x192xf32>, tensor<4096x56x192xf32>) -> tensor<4096x56x192xf32>
  %s2 = fuser.add %s1, %m2 : (tensor<4096x56x192xf32>, tensor<4096x56x192xf32>) -> tensor<4096x56x192xf32>
  %s3 = fuser.add %s2, %w3 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %s4 = fuser.mul %s3, %w4 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %s5 = fuser.add %s4, %w5 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %s6 = fuser.mul %s5, %w6 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %s7 = fuser.add %s6, %w7 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %s8 = fuser.mul %s7, %w8 : (tensor<4096x56x192xf32>, tensor<1x1x192xf32>) -> tensor<4096x56x192xf32>
  %result = fuser.cast %s8 : tensor<4096x56x192xf32> to tensor<4096x56x192xbf16>
  fuser.return %result : tensor<4096x56x192xbf16>
}

// -----

// Three of the elements before those of a vector are its own: they are in the row in any case. The fourth one is loaded.
// CHECK-LABEL: gpu.func @differences
// CHECK: %[[VECTOR:.*]] = vector.load
// CHECK: vector.extract %[[VECTOR]][0]
// CHECK: vector.extract %[[VECTOR]][1]
// CHECK: vector.extract %[[VECTOR]][2]
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK-NEXT: memref.load
// CHECK-NOT: memref.load
// CHECK: vector.store
fuser.kernel @differences(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %zero = arith.constant 0.0 : f64
  %a = fuser.slice %x [0, 0] [8192, 1023] : tensor<8192x1024xf32> -> tensor<8192x1023xf32>
  %before = fuser.pad %a low [0, 1] high [0, 0] value %zero : tensor<8192x1023xf32>, f64 -> tensor<8192x1024xf32>
  %0 = fuser.sub %x, %before : tensor<8192x1024xf32>
  fuser.return %0 : tensor<8192x1024xf32>
}

// -----

// A selection by a condition that the guard of the load does not have stays: one element of a row is replaced.
// CHECK-LABEL: gpu.func @masked
// CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xbf16>
// CHECK: vector.store
fuser.kernel @masked(%x: tensor<4096x56x192xbf16>, %m: tensor<4096x56x1xi1>) -> tensor<4096x56x192xbf16> {
  %zero = arith.constant 0.0 : f64
  %a = fuser.slice %x [0, 0, 0] [4096, 55, 192] : tensor<4096x56x192xbf16> -> tensor<4096x55x192xbf16>
  %before = fuser.pad %a low [0, 1, 0] high [0, 0, 0] value %zero : tensor<4096x55x192xbf16>, f64 -> tensor<4096x56x192xbf16>
  %0 = fuser.where %m, %before, %x : (tensor<4096x56x1xi1>, tensor<4096x56x192xbf16>, tensor<4096x56x192xbf16>) -> tensor<4096x56x192xbf16>
  fuser.return %0 : tensor<4096x56x192xbf16>
}

// -----

// Scalars keep their selections: nothing is gained.
// CHECK-LABEL: gpu.func @scalars
// CHECK-NOT: scf.yield %cst
// CHECK: arith.select %{{.*}} : bf16
fuser.kernel @scalars(%x: tensor<4096x113xbf16>) -> tensor<4096x113xbf16> {
  %zero = arith.constant 0.0 : f64
  %a = fuser.slice %x [0, 0] [4095, 113] : tensor<4096x113xbf16> -> tensor<4095x113xbf16>
  %before = fuser.pad %a low [1, 0] high [0, 0] value %zero : tensor<4095x113xbf16>, f64 -> tensor<4096x113xbf16>
  fuser.return %before : tensor<4096x113xbf16>
}
