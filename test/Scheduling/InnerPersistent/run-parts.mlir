// RUN: fuser-run %s --device=host --check --program=rotated_even --sizes=2x5x3x128,128,5x128,5x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rotated_even --sizes=0x5x3x128,128,5x128,5x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rotated_even --sizes=1x1x3x128,128,1x128,1x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rotated_odd --sizes=2x5x3x10,10,5x10,5x10 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined_odd --sizes=7x31,7x17 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined_sink --sizes=70x64,70x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined_sink --sizes=0x64,0x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=cut_again --sizes=3x5x7x40,5x1 | FileCheck %s --check-prefix=CUT
// RUN: fuser-run %s --device=host --check --program=cut_again --sizes=3x1x7x40,1x1 | FileCheck %s --check-prefix=CUT
// RUN: fuser-run %s --device=host --check --program=cut_again --sizes=0x5x7x40,5x1 | FileCheck %s --check-prefix=CUT
// RUN: fuser-run %s --device=host --check --program=shifted --sizes=9x48 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=differences --sizes=9x48 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=after --sizes=2x5x64,5x64,5x64 | FileCheck %s
// Rows that join parts, or read arguments at offsets: one kernel.

// CHECK: kernels {{ *}}{{[a-z_]+}}_0: grid
// CHECK-NEXT: compile
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// CUT: kernels {{ *}}{{[a-z_]+}}_0: grid
// CUT-NEXT: {{ *}}{{[a-z_]+}}_1: grid
// CUT-NEXT: compile
// CUT: check {{.*}} ok

// A norm of heads of 128 elements, and a rotation of their halves by angles of positions.
fuser.fusion @rotated_even(%x: tensor<?x?x3x128xbf16>, %w: tensor<128xbf16>, %c: tensor<?x128xbf16>, %s: tensor<?x128xbf16>) -> tensor<?x?x3x128xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x3x128xbf16>
  %t = tensor.dim %x, %c1 : tensor<?x?x3x128xbf16>
  %eps = arith.constant 1.0e-06 : f32
  %0 = fuser.cast %x : tensor<?x?x3x128xbf16> to tensor<?x?x3x128xf32>
  %1 = fuser.mul %0, %0 : tensor<?x?x3x128xf32>
  %2 = fuser.mean %1 dims [3] : tensor<?x?x3x128xf32> -> tensor<?x?x3xf32>
  %3 = fuser.broadcast %2 dims [3] : tensor<?x?x3xf32> -> tensor<?x?x3x1xf32>
  %4 = fuser.add %3, %eps : (tensor<?x?x3x1xf32>, f32) -> tensor<?x?x3x1xf32>
  %5 = fuser.rsqrt %4 : tensor<?x?x3x1xf32>
  %6 = fuser.mul %0, %5 : (tensor<?x?x3x128xf32>, tensor<?x?x3x1xf32>) -> tensor<?x?x3x128xf32>
  %7 = fuser.broadcast %w dims [0, 1, 2] : tensor<128xbf16> -> tensor<1x1x1x128xbf16>
  %8 = fuser.cast %7 : tensor<1x1x1x128xbf16> to tensor<1x1x1x128xf32>
  %9 = fuser.mul %6, %8 : (tensor<?x?x3x128xf32>, tensor<1x1x1x128xf32>) -> tensor<?x?x3x128xf32>
  %10 = fuser.cast %9 : tensor<?x?x3x128xf32> to tensor<?x?x3x128xbf16>
  %11 = fuser.broadcast %c dims [0, 2] : tensor<?x128xbf16> -> tensor<1x?x1x128xbf16>
  %12 = fuser.mul %10, %11 : (tensor<?x?x3x128xbf16>, tensor<1x?x1x128xbf16>) -> tensor<?x?x3x128xbf16>
  %13 = fuser.slice %10 [0, 0, 0, 64] [%b, %t, 3, 64] : tensor<?x?x3x128xbf16> -> tensor<?x?x3x64xbf16>
  %14 = fuser.neg %13 : tensor<?x?x3x64xbf16>
  %15 = fuser.slice %10 [0, 0, 0, 0] [%b, %t, 3, 64] : tensor<?x?x3x128xbf16> -> tensor<?x?x3x64xbf16>
  %16 = fuser.cat %14, %15 dim 3 : (tensor<?x?x3x64xbf16>, tensor<?x?x3x64xbf16>) -> tensor<?x?x3x128xbf16>
  %17 = fuser.broadcast %s dims [0, 2] : tensor<?x128xbf16> -> tensor<1x?x1x128xbf16>
  %18 = fuser.mul %16, %17 : (tensor<?x?x3x128xbf16>, tensor<1x?x1x128xbf16>) -> tensor<?x?x3x128xbf16>
  %19 = fuser.add %12, %18 : tensor<?x?x3x128xbf16>
  fuser.return %19 : tensor<?x?x3x128xbf16>
}

// A norm of heads of 10 elements, and a rotation of their halves by angles of positions.
fuser.fusion @rotated_odd(%x: tensor<?x?x3x10xf32>, %w: tensor<10xf32>, %c: tensor<?x10xf32>, %s: tensor<?x10xf32>) -> tensor<?x?x3x10xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x3x10xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x3x10xf32>
  %eps = arith.constant 1.0e-06 : f32
  %0 = fuser.cast %x : tensor<?x?x3x10xf32> to tensor<?x?x3x10xf32>
  %1 = fuser.mul %0, %0 : tensor<?x?x3x10xf32>
  %2 = fuser.mean %1 dims [3] : tensor<?x?x3x10xf32> -> tensor<?x?x3xf32>
  %3 = fuser.broadcast %2 dims [3] : tensor<?x?x3xf32> -> tensor<?x?x3x1xf32>
  %4 = fuser.add %3, %eps : (tensor<?x?x3x1xf32>, f32) -> tensor<?x?x3x1xf32>
  %5 = fuser.rsqrt %4 : tensor<?x?x3x1xf32>
  %6 = fuser.mul %0, %5 : (tensor<?x?x3x10xf32>, tensor<?x?x3x1xf32>) -> tensor<?x?x3x10xf32>
  %7 = fuser.broadcast %w dims [0, 1, 2] : tensor<10xf32> -> tensor<1x1x1x10xf32>
  %8 = fuser.cast %7 : tensor<1x1x1x10xf32> to tensor<1x1x1x10xf32>
  %9 = fuser.mul %6, %8 : (tensor<?x?x3x10xf32>, tensor<1x1x1x10xf32>) -> tensor<?x?x3x10xf32>
  %10 = fuser.cast %9 : tensor<?x?x3x10xf32> to tensor<?x?x3x10xf32>
  %11 = fuser.broadcast %c dims [0, 2] : tensor<?x10xf32> -> tensor<1x?x1x10xf32>
  %12 = fuser.mul %10, %11 : (tensor<?x?x3x10xf32>, tensor<1x?x1x10xf32>) -> tensor<?x?x3x10xf32>
  %13 = fuser.slice %10 [0, 0, 0, 5] [%b, %t, 3, 5] : tensor<?x?x3x10xf32> -> tensor<?x?x3x5xf32>
  %14 = fuser.neg %13 : tensor<?x?x3x5xf32>
  %15 = fuser.slice %10 [0, 0, 0, 0] [%b, %t, 3, 5] : tensor<?x?x3x10xf32> -> tensor<?x?x3x5xf32>
  %16 = fuser.cat %14, %15 dim 3 : (tensor<?x?x3x5xf32>, tensor<?x?x3x5xf32>) -> tensor<?x?x3x10xf32>
  %17 = fuser.broadcast %s dims [0, 2] : tensor<?x10xf32> -> tensor<1x?x1x10xf32>
  %18 = fuser.mul %16, %17 : (tensor<?x?x3x10xf32>, tensor<1x?x1x10xf32>) -> tensor<?x?x3x10xf32>
  %19 = fuser.add %12, %18 : tensor<?x?x3x10xf32>
  fuser.return %19 : tensor<?x?x3x10xf32>
}

// A softmax of two tensors side by side (logits and a sink, here of 31 and 17 elements).
fuser.fusion @joined_odd(%x: tensor<?x31xf32>, %y: tensor<?x17xf32>) -> tensor<?x48xf32> {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x31xf32>, tensor<?x17xf32>) -> tensor<?x48xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x48xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x48xf32>, tensor<?x1xf32>) -> tensor<?x48xf32>
  %4 = fuser.exp %3 : tensor<?x48xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x48xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.div %4, %6 : (tensor<?x48xf32>, tensor<?x1xf32>) -> tensor<?x48xf32>
  fuser.return %7 : tensor<?x48xf32>
}

// A softmax of two tensors side by side (logits and a sink, here of 64 and 1 elements).
fuser.fusion @joined_sink(%x: tensor<?x64xf32>, %y: tensor<?x1xf32>) -> tensor<?x65xf32> {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x65xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x65xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x65xf32>, tensor<?x1xf32>) -> tensor<?x65xf32>
  %4 = fuser.exp %3 : tensor<?x65xf32>
  %5 = fuser.sum %4 dims [1] : tensor<?x65xf32> -> tensor<?xf32>
  %6 = fuser.broadcast %5 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %7 = fuser.div %4, %6 : (tensor<?x65xf32>, tensor<?x1xf32>) -> tensor<?x65xf32>
  fuser.return %7 : tensor<?x65xf32>
}

// The mean of rows that are moved by one element, which the norm reads next to what is left of them.
fuser.fusion @shifted(%x: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [0, 1] high [0, -1] value %z : tensor<?x48xf32>, f32 -> tensor<?x48xf32>
  %1 = fuser.mean %0 dims [1] : tensor<?x48xf32> -> tensor<?xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x48xf32>, tensor<?x1xf32>) -> tensor<?x48xf32>
  %4 = fuser.mul %3, %x : tensor<?x48xf32>
  fuser.return %4 : tensor<?x48xf32>
}

// Differences of neighbors, less their mean.
fuser.fusion @differences(%x: tensor<?x48xf32>) -> tensor<?x47xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x48xf32>
  %0 = fuser.slice %x [0, 1] [%n, 47] : tensor<?x48xf32> -> tensor<?x47xf32>
  %1 = fuser.slice %x [0, 0] [%n, 47] : tensor<?x48xf32> -> tensor<?x47xf32>
  %2 = fuser.sub %0, %1 : tensor<?x47xf32>
  %3 = fuser.mean %2 dims [1] : tensor<?x47xf32> -> tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.sub %2, %4 : (tensor<?x47xf32>, tensor<?x1xf32>) -> tensor<?x47xf32>
  fuser.return %5 : tensor<?x47xf32>
}

// A norm of what is rotated.
fuser.fusion @after(%x: tensor<?x5x64xf32>, %c: tensor<5x64xf32>, %s: tensor<5x64xf32>) -> tensor<?x5x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5x64xf32>
  %0 = fuser.slice %x [0, 0, 32] [%n, 5, 32] : tensor<?x5x64xf32> -> tensor<?x5x32xf32>
  %1 = fuser.neg %0 : tensor<?x5x32xf32>
  %2 = fuser.slice %x [0, 0, 0] [%n, 5, 32] : tensor<?x5x64xf32> -> tensor<?x5x32xf32>
  %3 = fuser.cat %1, %2 dim 2 : (tensor<?x5x32xf32>, tensor<?x5x32xf32>) -> tensor<?x5x64xf32>
  %4 = fuser.broadcast %s dims [0] : tensor<5x64xf32> -> tensor<1x5x64xf32>
  %5 = fuser.mul %3, %4 : (tensor<?x5x64xf32>, tensor<1x5x64xf32>) -> tensor<?x5x64xf32>
  %6 = fuser.broadcast %c dims [0] : tensor<5x64xf32> -> tensor<1x5x64xf32>
  %7 = fuser.mul %x, %6 : (tensor<?x5x64xf32>, tensor<1x5x64xf32>) -> tensor<?x5x64xf32>
  %8 = fuser.add %7, %5 : tensor<?x5x64xf32>
  %9 = fuser.mul %8, %8 : tensor<?x5x64xf32>
  %10 = fuser.mean %9 dims [2] : tensor<?x5x64xf32> -> tensor<?x5xf32>
  %11 = fuser.broadcast %10 dims [2] : tensor<?x5xf32> -> tensor<?x5x1xf32>
  %12 = fuser.rsqrt %11 : tensor<?x5x1xf32>
  %13 = fuser.mul %8, %12 : (tensor<?x5x64xf32>, tensor<?x5x1xf32>) -> tensor<?x5x64xf32>
  fuser.return %13 : tensor<?x5x64xf32>
}

// A row in f32 that joins a sink, normalized, of which only the first part is stored: besides the sink in f32, one
// kernel. Neither the argument nor the result has the whole row.
fuser.fusion @cut_again(%x: tensor<?x?x7x40xbf16>, %sink: tensor<?x1xbf16>) -> tensor<?x?x7x40xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x7x40xbf16>
  %h = tensor.dim %x, %c1 : tensor<?x?x7x40xbf16>
  %0 = fuser.cast %x : tensor<?x?x7x40xbf16> to tensor<?x?x7x40xf32>
  %1 = fuser.cast %sink : tensor<?x1xbf16> to tensor<?x1xf32>
  %2 = fuser.broadcast %1 dims [0, 2] : tensor<?x1xf32> -> tensor<1x?x1x1xf32>
  %3 = fuser.expand %2 sizes(%b) : tensor<1x?x1x1xf32> -> tensor<?x?x7x1xf32>
  %4 = fuser.cat %0, %3 dim 3 : (tensor<?x?x7x40xf32>, tensor<?x?x7x1xf32>) -> tensor<?x?x7x41xf32>
  %5 = fuser.max %4 dims [3] : tensor<?x?x7x41xf32> -> tensor<?x?x7xf32>
  %6 = fuser.broadcast %5 dims [3] : tensor<?x?x7xf32> -> tensor<?x?x7x1xf32>
  %7 = fuser.sub %4, %6 : (tensor<?x?x7x41xf32>, tensor<?x?x7x1xf32>) -> tensor<?x?x7x41xf32>
  %8 = fuser.exp %7 : tensor<?x?x7x41xf32>
  %9 = fuser.sum %8 dims [3] : tensor<?x?x7x41xf32> -> tensor<?x?x7xf32>
  %10 = fuser.broadcast %9 dims [3] : tensor<?x?x7xf32> -> tensor<?x?x7x1xf32>
  %11 = fuser.div %8, %10 : (tensor<?x?x7x41xf32>, tensor<?x?x7x1xf32>) -> tensor<?x?x7x41xf32>
  %12 = fuser.slice %11 [0, 0, 0, 0] [%b, %h, 7, 40] : tensor<?x?x7x41xf32> -> tensor<?x?x7x40xf32>
  %13 = fuser.cast %12 : tensor<?x?x7x40xf32> to tensor<?x?x7x40xbf16>
  fuser.return %13 : tensor<?x?x7x40xbf16>
}
