// RUN: fuser-explain %s --program=expand | FileCheck %s --check-prefix=EXPAND
// RUN: fuser-explain %s --program=split | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=merged | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=of_cat | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=of_interior | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=expand | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=split --sizes=3x512x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=split --sizes=0x512x20 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=merged | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=small_parts | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_cat | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_interior | FileCheck %s
// S2.4: only the rows that are read are computed, whatever reshapes, expands or joins them.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: 1 kernel,

// EXPAND: fuser.sum {{.*}} tensor<5x64xf32>
// EXPAND: fuser.expand {{.*}} tensor<5x3xf32>

fuser.fusion @expand(%x: tensor<1000x64xf32>) -> tensor<5x3xf32> {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<1000xf32> -> tensor<1000x1xf32>
  %2 = fuser.expand %1 : tensor<1000x1xf32> -> tensor<1000x16xf32>
  %3 = fuser.slice %2 [10, 2] [5, 3] : tensor<1000x16xf32> -> tensor<5x3xf32>
  fuser.return %3 : tensor<5x3xf32>
}

fuser.fusion @split(%x: tensor<?x512x20xf32>) -> tensor<?x2x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x512x20xf32>
  %0 = fuser.sum %x dims [2] : tensor<?x512x20xf32> -> tensor<?x512xf32>
  %1 = fuser.reshape %0 : tensor<?x512xf32> -> tensor<?x8x64xf32>
  %2 = fuser.slice %1 [0, 3, 0] [%n, 2, 64] : tensor<?x8x64xf32> -> tensor<?x2x64xf32>
  fuser.return %2 : tensor<?x2x64xf32>
}

fuser.fusion @merged(%x: tensor<8x64x10xf32>) -> tensor<128xf32> {
  %0 = fuser.sum %x dims [2] : tensor<8x64x10xf32> -> tensor<8x64xf32>
  %1 = fuser.reshape %0 : tensor<8x64xf32> -> tensor<512xf32>
  %2 = fuser.slice %1 [192] [128] : tensor<512xf32> -> tensor<128xf32>
  fuser.return %2 : tensor<128xf32>
}

fuser.fusion @small_parts(%x: tensor<1000x64xf32>) -> (tensor<5xf32>, tensor<7xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.slice %0 [10] [5] : tensor<1000xf32> -> tensor<5xf32>
  %2 = fuser.slice %0 [20] [7] : tensor<1000xf32> -> tensor<7xf32>
  fuser.return %1, %2 : tensor<5xf32>, tensor<7xf32>
}

fuser.fusion @of_cat(%x: tensor<1000x64xf32>, %y: tensor<100x64xf32>) -> tensor<5xf32> {
  %0 = fuser.sum %x dims [1] : tensor<1000x64xf32> -> tensor<1000xf32>
  %1 = fuser.max %y dims [1] : tensor<100x64xf32> -> tensor<100xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<1000xf32>, tensor<100xf32>) -> tensor<1100xf32>
  %3 = fuser.slice %2 [1010] [5] : tensor<1100xf32> -> tensor<5xf32>
  fuser.return %3 : tensor<5xf32>
}

fuser.fusion @of_interior(%x: tensor<5x64xf32>) -> tensor<3xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.sum %x dims [1] : tensor<5x64xf32> -> tensor<5xf32>
  %1 = fuser.pad %0 low [3] high [4] value %v : tensor<5xf32>, f32 -> tensor<12xf32>
  %2 = fuser.slice %1 [3] [3] strides [2] : tensor<12xf32> -> tensor<3xf32>
  fuser.return %2 : tensor<3xf32>
}
