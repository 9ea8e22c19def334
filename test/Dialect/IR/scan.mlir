// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Scans round-trip in their pretty and their generic form.

// CHECK-LABEL: fuser.fusion @scans
fuser.fusion @scans(%x: tensor<?x4xbf16>, %m: tensor<8xi1>) -> (tensor<?x4xbf16>, tensor<8xi64>) {
  // CHECK: fuser.cumsum %x dim 1 : tensor<?x4xbf16> -> tensor<?x4xf32>
  %0 = fuser.cumsum %x dim 1 : tensor<?x4xbf16> -> tensor<?x4xf32>
  // CHECK: fuser.cumprod %{{.*}} dim 0 : tensor<?x4xf32> -> tensor<?x4xbf16>
  %1 = fuser.cumprod %0 dim 0 : tensor<?x4xf32> -> tensor<?x4xbf16>
  // CHECK: fuser.cummax %{{.*}} dim 0 : tensor<?x4xbf16> -> tensor<?x4xbf16>
  %2 = fuser.cummax %1 dim 0 : tensor<?x4xbf16> -> tensor<?x4xbf16>
  // CHECK: fuser.cummin %{{.*}} dim 1 : tensor<?x4xbf16> -> tensor<?x4xbf16>
  %3 = fuser.cummin %2 dim 1 : tensor<?x4xbf16> -> tensor<?x4xbf16>
  // CHECK: fuser.cumsum %m dim 0 : tensor<8xi1> -> tensor<8xi64>
  %4 = fuser.cumsum %m dim 0 : tensor<8xi1> -> tensor<8xi64>
  // CHECK: fuser.cumsum %{{.*}} dim 1 reverse : tensor<?x4xbf16> -> tensor<?x4xbf16>
  %5 = fuser.cumsum %3 dim 1 reverse : tensor<?x4xbf16> -> tensor<?x4xbf16>
  // CHECK: fuser.cumprod %{{.*}} dim 1 exclusive : tensor<?x4xbf16> -> tensor<?x4xbf16>
  %6 = fuser.cumprod %5 dim 1 exclusive : tensor<?x4xbf16> -> tensor<?x4xbf16>
  // CHECK: fuser.logcumsumexp %{{.*}} dim 0 reverse exclusive : tensor<?x4xbf16> -> tensor<?x4xbf16>
  %7 = fuser.logcumsumexp %6 dim 0 reverse exclusive : tensor<?x4xbf16> -> tensor<?x4xbf16>
  fuser.return %7, %4 : tensor<?x4xbf16>, tensor<8xi64>
}
