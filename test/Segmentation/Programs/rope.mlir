// RUN: fuser-run %s --device=host --check --sizes=2x3x5x128,5x128,5x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1x128,1x128,1x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x3x5x128,5x128,5x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x2x129x128,129x128,129x128 | FileCheck %s
// Rotary embedding: halves swapped, one negated.

// CHECK: kernels {{ *}}rope_0: grid
// CHECK-NOT: rope_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @rope(%q: tensor<?x?x?x128xbf16>, %cos: tensor<?x128xf32>, %sin: tensor<?x128xf32>) -> tensor<?x?x?x128xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x?x128xbf16>
  %h = tensor.dim %q, %c1 : tensor<?x?x?x128xbf16>
  %s = tensor.dim %q, %c2 : tensor<?x?x?x128xbf16>
  %c = fuser.broadcast %cos dims [0, 1] : tensor<?x128xf32> -> tensor<1x1x?x128xf32>
  %n = fuser.broadcast %sin dims [0, 1] : tensor<?x128xf32> -> tensor<1x1x?x128xf32>
  %low = fuser.slice %q [0, 0, 0, 0] [%b, %h, %s, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %high = fuser.slice %q [0, 0, 0, 64] [%b, %h, %s, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %minus = fuser.neg %high : tensor<?x?x?x64xbf16>
  %turned = fuser.cat %minus, %low dim 3 : (tensor<?x?x?x64xbf16>, tensor<?x?x?x64xbf16>) -> tensor<?x?x?x128xbf16>
  %qf = fuser.cast %q : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %tf = fuser.cast %turned : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %x = fuser.mul %qf, %c : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %y = fuser.mul %tf, %n : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %z = fuser.add %x, %y : tensor<?x?x?x128xf32>
  %0 = fuser.cast %z : tensor<?x?x?x128xf32> to tensor<?x?x?x128xbf16>
  fuser.return %0 : tensor<?x?x?x128xbf16>
}
