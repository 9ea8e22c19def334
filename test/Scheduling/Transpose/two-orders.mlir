// RUN: fuser-explain %s --target=h200 --program=two --sizes=4096x4096 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --target=h200 --program=nchw --sizes=8x64x32x32 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --target=h200 --program=copied --sizes=4096x4096 | FileCheck %s --check-prefix=COPY
// RUN: fuser-run %s --device=host --target=h200 --check --program=two --sizes=517x330 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=two --sizes=256x128 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=two --sizes=0x128 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=nchw --sizes=3x40x24x17 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=both --sizes=530x330,330x530 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=copied --sizes=517x330 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=copied --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=view_and_copy | FileCheck %s
// S0.1: a value in two orders is stored twice by one tiled kernel, next to transposed inputs too; a copy to another
// layout is a tiled kernel.
// ONE: fused       1 kernel
// ONE: transpose,
// COPY: fused       1 kernel, 67 MB read, 67 MB written
// COPY: copy       @copied_copy_0: transpose, copies a buffer
// CHECK: check {{.*}} ok
// CHECK-NOT: wrong

fuser.fusion @two(%x: tensor<?x?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.relu %x : tensor<?x?xbf16>
  fuser.return %0, %0 : tensor<?x?xbf16>, tensor<?x?xbf16>
}

fuser.fusion @nchw(%x: tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
    attributes {output_orders = [array<i64: 0, 2, 3, 1>, array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.tanh %x : tensor<?x?x?x?xf32>
  fuser.return %0, %0 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

fuser.fusion @both(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 0, 1>]} {
  %0 = fuser.permute %y [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.add %x, %0 : tensor<?x?xf32>
  %2 = fuser.permute %1 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @copied(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  fuser.return %x : tensor<?x?xf32>
}

// One output is a view of the argument, the other one is stored.
fuser.fusion @view_and_copy(%x: tensor<37x50xbf16>) -> (tensor<50x37xbf16>, tensor<50x37xbf16>)
    attributes {output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
  %0 = fuser.permute %x [1, 0] : tensor<37x50xbf16> -> tensor<50x37xbf16>
  fuser.return %0, %0 : tensor<50x37xbf16>, tensor<50x37xbf16>
}
