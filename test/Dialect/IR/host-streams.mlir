// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic | fuser-opt | FileCheck %s
// Streams and events of a host function.

// CHECK-LABEL: fuser.host @f
// CHECK-NEXT: fuser.record 0
// CHECK-NEXT: fuser.stream 1
// CHECK-NEXT: fuser.wait 0
// CHECK-NEXT: fuser.return
fuser.host @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  fuser.record 0
  fuser.stream 1
  fuser.wait 0
  fuser.return %x : tensor<8xf32>
}
