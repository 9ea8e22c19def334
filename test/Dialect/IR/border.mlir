// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// What a kernel stores outside of the boxes of its other outputs.

// CHECK-LABEL: fuser.kernel @one
// CHECK: fuser.border %{{.*}} sizes(%{{.*}}) outside [1, 0] [4, 8] : f32 -> tensor<?x8xbf16>
fuser.kernel @one(%v: f32, %n: index) -> tensor<?x8xbf16> {
  %0 = fuser.border %v sizes(%n) outside [1, 0] [4, 8] : f32 -> tensor<?x8xbf16>
  fuser.return %0 : tensor<?x8xbf16>
}

// CHECK-LABEL: fuser.kernel @two
// CHECK: fuser.border %{{.*}} outside [0, 0, 4, %{{.*}}] [4, 8, %{{.*}}, 2] : i64 -> tensor<8x8xi32>
fuser.kernel @two(%v: i64, %o: index, %m: index) -> tensor<8x8xi32> {
  %0 = fuser.border %v outside [0, 0, 4, %o] [4, 8, %m, 2] : i64 -> tensor<8x8xi32>
  fuser.return %0 : tensor<8x8xi32>
}
