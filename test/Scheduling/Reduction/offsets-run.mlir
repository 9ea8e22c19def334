// RUN: fuser-run %s --device=host --target=h200 --check --program=rows --sizes=3x5x43,3x5x41 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rows --sizes=2x7x1026,2x7x1024 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rows --sizes=3x5x2,3x5x0 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=columns --sizes=3x24x9x11,3x24x9x11 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=columns --sizes=2x13x17x8,2x13x17x8 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=columns --sizes=1x8x1x1,1x8x1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=joined --sizes=5x64,3x64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=joined --sizes=0x33,3x33 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=normalized --sizes=17x66 | FileCheck %s
// Kernels with reductions that read arguments at offsets (ADR 182): paddings and joins, along reduced and kept dimensions, in two
// orders, of no elements.
// CHECK: check {{.*}} ok
// CHECK-NOT: {{wrong|mismatch}}

fuser.fusion @rows(%g: tensor<?x?x?xf32>, %x: tensor<?x?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c = arith.constant 0.5 : f64
  %0 = fuser.pad %x low [0, 0, 2] high [0, 0, 0] value %c : tensor<?x?x?xf32>, f64 -> tensor<?x?x?xf32>
  %1 = fuser.mul %g, %0 : tensor<?x?x?xf32>
  %2 = fuser.sum %1 dims [0, 2] : tensor<?x?x?xf32> -> tensor<?xf32>
  %3 = fuser.pad %x low [0, 0, 1] high [0, 0, 1] value %c : tensor<?x?x?xf32>, f64 -> tensor<?x?x?xf32>
  %4 = fuser.mul %g, %3 : tensor<?x?x?xf32>
  %5 = fuser.sum %4 dims [0, 2] : tensor<?x?x?xf32> -> tensor<?xf32>
  %6 = fuser.pad %x low [0, 0, 0] high [0, 0, 2] value %c : tensor<?x?x?xf32>, f64 -> tensor<?x?x?xf32>
  %7 = fuser.mul %g, %6 : tensor<?x?x?xf32>
  %8 = fuser.sum %7 dims [0, 2] : tensor<?x?x?xf32> -> tensor<?xf32>
  fuser.return %2, %5, %8 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @columns(%g: tensor<?x?x?x?xbf16>, %x: tensor<?x?x?x?xbf16>) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>, #fuser.layout<order = [0, 2, 3, 1]>]} {
  %c = arith.constant 0.0 : f64
  %0 = fuser.cast %g : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %1 = fuser.pad %x low [0, 0, 1, 0] high [0, 0, -1, 0] value %c : tensor<?x?x?x?xbf16>, f64 -> tensor<?x?x?x?xbf16>
  %2 = fuser.cast %1 : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %3 = fuser.mul %0, %2 : tensor<?x?x?x?xf32>
  %4 = fuser.sum %3 dims [0, 2, 3] : tensor<?x?x?x?xf32> -> tensor<?xf32>
  %5 = fuser.pad %x low [0, 0, 0, -1] high [0, 0, 0, 1] value %c : tensor<?x?x?x?xbf16>, f64 -> tensor<?x?x?x?xbf16>
  %6 = fuser.cast %5 : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %7 = fuser.mul %0, %6 : tensor<?x?x?x?xf32>
  %8 = fuser.sum %7 dims [0, 2, 3] : tensor<?x?x?x?xf32> -> tensor<?xf32>
  fuser.return %4, %8 : tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @joined(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.cat %x, %y dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.sum %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @normalized(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c = arith.constant 0.0 : f64
  %0 = fuser.pad %x low [1, 3] high [2, 3] value %c : tensor<?x?xf32>, f64 -> tensor<?x?xf32>
  %1 = fuser.mean %0 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}
