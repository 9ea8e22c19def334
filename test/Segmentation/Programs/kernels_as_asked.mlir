// RUN: fuser-run %s --program=order --device=host --check --check-accesses --sizes=128x1x1 | FileCheck %s --implicit-check-not=WRONG --implicit-check-not=fallback
// RUN: fuser-run %s --program=stores --device=host --check --check-accesses --sizes=128 | FileCheck %s --implicit-check-not=WRONG --implicit-check-not=fallback
// RUN: fuser-run %s --program=view --device=host --check --check-accesses --sizes=17x16x16,10 --range=i=0:4352 | FileCheck %s --implicit-check-not=WRONG --implicit-check-not=fallback
// Segmentation asks about the kernels that outlining builds: no kernel is split because it has other outputs.
// CHECK: output 0: ok
// CHECK: output 1: ok

// The outputs are in the order of the program's.
fuser.fusion @order(%x: tensor<128x1x1xf32>) -> (tensor<128x2x1xf32>, tensor<2x1x2x8x8xf32>) {
  %0 = fuser.expand %x : tensor<128x1x1xf32> -> tensor<128x2x1xf32>
  %1 = fuser.permute %0 [1, 2, 0] : tensor<128x2x1xf32> -> tensor<2x1x128xf32>
  %2 = fuser.reshape %1 : tensor<2x1x128xf32> -> tensor<2x1x2x8x8xf32>
  %3 = fuser.max %2 dims [4] : tensor<2x1x2x8x8xf32> -> tensor<2x1x2x8xf32>
  %4 = fuser.broadcast %3 dims [4] : tensor<2x1x2x8xf32> -> tensor<2x1x2x8x1xf32>
  %5 = fuser.sub %2, %4 : (tensor<2x1x2x8x8xf32>, tensor<2x1x2x8x1xf32>) -> tensor<2x1x2x8x8xf32>
  %6 = fuser.abs %0 : tensor<128x2x1xf32>
  fuser.return %6, %5 : tensor<128x2x1xf32>, tensor<2x1x2x8x8xf32>
}

// The kernel of the last repeat recomputes the first one only if the other kernel can store what that reads.
fuser.fusion @stores(%x: tensor<128xf16>) -> (tensor<f16>, tensor<512xf16>, tensor<1024xf16>) {
  %0 = fuser.repeat %x [4] : tensor<128xf16> -> tensor<512xf16>
  %1 = fuser.silu %0 : tensor<512xf16>
  %2 = fuser.repeat %1 [2] : tensor<512xf16> -> tensor<1024xf16>
  %3 = fuser.mul %1, %1 : tensor<512xf16>
  %4 = fuser.sum %3 dims [0] : tensor<512xf16> -> tensor<f16>
  fuser.return %4, %1, %2 : tensor<f16>, tensor<512xf16>, tensor<1024xf16>
}

// A view of an argument is not an output of the kernel.
fuser.fusion @view(%x: tensor<?x16x16xf32>, %i: tensor<10xi64>) -> (tensor<10xf32>, tensor<?x256xf32>) {
  %0 = fuser.reshape %x : tensor<?x16x16xf32> -> tensor<?xf32>
  %1 = fuser.reshape %x : tensor<?x16x16xf32> -> tensor<?x256xf32>
  %2 = fuser.max %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %3 = fuser.broadcast %2 dims [0] : tensor<f32> -> tensor<1xf32>
  %4 = fuser.sub %0, %3 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %5 = fuser.exp %4 : tensor<?xf32>
  %6 = fuser.sum %5 dims [0] : tensor<?xf32> -> tensor<f32>
  %7 = fuser.broadcast %6 dims [0] : tensor<f32> -> tensor<1xf32>
  %8 = fuser.div %5, %7 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %9 = fuser.index_select %8, %i dim 0 : tensor<?xf32>, tensor<10xi64> -> tensor<10xf32>
  fuser.return %9, %1 : tensor<10xf32>, tensor<?x256xf32>
}
