// RUN: fuser-explain %s --program=softmax | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=padded --sizes=64x1000 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=layer_norm | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=whole_and_part | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=two_parts | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=0x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_odd --sizes=9x65 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_middle --sizes=2x3x5x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=padded --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=padded --sizes=9x9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=padded --sizes=9x5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm --sizes=7x96,96,40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=whole_and_part --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=two_parts --sizes=9x64 | FileCheck %s
// RUN: not fuser-run %s --device=host --check --program=padded --sizes=9x4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// S2.1, S2.6: a part of a norm along its rows is stored by the kernel that computes the norm.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: 1 kernel,
// NEGATIVE: got 0 and -1

fuser.fusion @softmax(%x: tensor<?x64xf32>) -> tensor<?x24xf32> {
  %c0 = arith.constant 0 : index
  %0 = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %3 = fuser.exp %2 : tensor<?x64xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %7 = fuser.slice %6 [0, 16] [%n, 24] : tensor<?x64xf32> -> tensor<?x24xf32>
  fuser.return %7 : tensor<?x24xf32>
}

// Offsets and sizes that vectors do not divide, and ops after the part.
fuser.fusion @softmax_odd(%x: tensor<?x65xbf16>) -> tensor<?x23xbf16> {
  %c0 = arith.constant 0 : index
  %0 = fuser.max %x dims [1] : tensor<?x65xbf16> -> tensor<?xbf16>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<?x65xbf16>, tensor<?x1xbf16>) -> tensor<?x65xbf16>
  %3 = fuser.exp %2 : tensor<?x65xbf16>
  %4 = fuser.sum %3 dims [1] : tensor<?x65xbf16> -> tensor<?xbf16>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %6 = fuser.div %3, %5 : (tensor<?x65xbf16>, tensor<?x1xbf16>) -> tensor<?x65xbf16>
  %n = tensor.dim %x, %c0 : tensor<?x65xbf16>
  %7 = fuser.slice %6 [0, 13] [%n, 23] : tensor<?x65xbf16> -> tensor<?x23xbf16>
  %8 = fuser.neg %7 : tensor<?x23xbf16>
  fuser.return %8 : tensor<?x23xbf16>
}

// A part of one of two normalized dimensions.
fuser.fusion @softmax_middle(%x: tensor<2x3x5x24xf32>) -> tensor<2x3x2x24xf32> {
  %0 = fuser.max %x dims [2, 3] : tensor<2x3x5x24xf32> -> tensor<2x3xf32>
  %1 = fuser.broadcast %0 dims [2, 3] : tensor<2x3xf32> -> tensor<2x3x1x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<2x3x5x24xf32>, tensor<2x3x1x1xf32>) -> tensor<2x3x5x24xf32>
  %3 = fuser.slice %2 [0, 0, 2, 0] [2, 3, 2, 24] : tensor<2x3x5x24xf32> -> tensor<2x3x2x24xf32>
  fuser.return %3 : tensor<2x3x2x24xf32>
}

// A negative padding, of a row of unknown length.
fuser.fusion @padded(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.pad %2 low [0, -2] high [0, -3] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// Ops after the part read other arguments at its own indices.
fuser.fusion @layer_norm(%x: tensor<?x96xf32>, %w: tensor<96xf32>, %b: tensor<40xf32>) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %eps = arith.constant 1.0e-5 : f32
  %var, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x96xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %0 : (tensor<?x96xf32>, tensor<?x1xf32>) -> tensor<?x96xf32>
  %3 = fuser.add %1, %eps : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %4 = fuser.rsqrt %3 : tensor<?x1xf32>
  %5 = fuser.mul %2, %4 : (tensor<?x96xf32>, tensor<?x1xf32>) -> tensor<?x96xf32>
  %6 = fuser.broadcast %w dims [0] : tensor<96xf32> -> tensor<1x96xf32>
  %7 = fuser.mul %5, %6 : (tensor<?x96xf32>, tensor<1x96xf32>) -> tensor<?x96xf32>
  %n = tensor.dim %x, %c0 : tensor<?x96xf32>
  %8 = fuser.slice %7 [0, 8] [%n, 40] : tensor<?x96xf32> -> tensor<?x40xf32>
  %9 = fuser.broadcast %b dims [0] : tensor<40xf32> -> tensor<1x40xf32>
  %10 = fuser.add %8, %9 : (tensor<?x40xf32>, tensor<1x40xf32>) -> tensor<?x40xf32>
  fuser.return %10 : tensor<?x40xf32>
}

fuser.fusion @whole_and_part(%x: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x30xf32>) {
  %c0 = arith.constant 0 : index
  %0 = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %3 = fuser.slice %2 [0, 3] [%n, 30] : tensor<?x64xf32> -> tensor<?x30xf32>
  fuser.return %2, %3 : tensor<?x64xf32>, tensor<?x30xf32>
}

// Two parts at different offsets are windows of what is computed whole.
fuser.fusion @two_parts(%x: tensor<?x64xf32>) -> (tensor<?x30xf32>, tensor<?x20xf32>) {
  %c0 = arith.constant 0 : index
  %0 = fuser.max %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %3 = fuser.slice %2 [0, 3] [%n, 30] : tensor<?x64xf32> -> tensor<?x30xf32>
  %4 = fuser.slice %2 [0, 40] [%n, 20] : tensor<?x64xf32> -> tensor<?x20xf32>
  fuser.return %3, %4 : tensor<?x30xf32>, tensor<?x20xf32>
}
