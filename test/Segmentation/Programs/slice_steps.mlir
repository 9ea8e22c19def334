// RUN: fuser-run %s --program=outer --device=host --check --sizes=33x129 --scalar=o=5 --scalar=n=7 | FileCheck %s
// RUN: fuser-run %s --program=outer --device=host --check --sizes=9x64 --scalar=o=0 --scalar=n=0 | FileCheck %s
// RUN: fuser-run %s --program=inner --device=host --check --sizes=33x129 --scalar=o=5 --scalar=n=31 | FileCheck %s
// RUN: fuser-run %s --program=inner --device=host --check --sizes=64x512 --scalar=o=8 --scalar=n=126 | FileCheck %s
// RUN: fuser-run %s --program=inner --device=host --check --sizes=1x9 --scalar=o=5 --scalar=n=1 | FileCheck %s
// RUN: fuser-run %s --program=both --device=host --check --sizes=66x256 | FileCheck %s
// RUN: fuser-run %s --program=both --device=host --check --sizes=66x255 | FileCheck %s
// RUN: fuser-run %s --program=middle --device=host --check --sizes=5x40x33 --scalar=o=3 --scalar=n=9 | FileCheck %s
// RUN: fuser-run %s --program=chain --device=host --check --sizes=65x300 | FileCheck %s
// RUN: fuser-run %s --program=reduced --device=host --check --sizes=65x300 | FileCheck %s
// Slices with steps: in every dimension, with offsets and sizes that only a call knows, of arguments and of what a kernel
// computes, read by functions of elements, by reductions, by each other, and as outputs.
// CHECK: check {{.*}} ok
// CHECK-NOT: mismatch

fuser.fusion @outer(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = fuser.slice %x [%o, 0] [%n, %columns] strides [4, 1] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.tanh %0 : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

fuser.fusion @inner(%x: tensor<?x?xf32>, %o: index, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %0 = fuser.tanh %x : tensor<?x?xf32>
  %1 = fuser.slice %0 [0, %o] [%rows, %n] strides [1, 4] : tensor<?x?xf32> -> tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  fuser.return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

fuser.fusion @both(%x: tensor<66x?xbf16>) -> (tensor<22x127xbf16>, tensor<66x?xbf16>) {
  %0 = fuser.neg %x : tensor<66x?xbf16>
  %1 = fuser.slice %0 [2, 1] [22, 127] strides [3, 2] : tensor<66x?xbf16> -> tensor<22x127xbf16>
  %2 = fuser.exp %1 : tensor<22x127xbf16>
  fuser.return %2, %0 : tensor<22x127xbf16>, tensor<66x?xbf16>
}

fuser.fusion @middle(%x: tensor<?x?x?xf32>, %o: index, %n: index) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %0 = fuser.slice %x [0, %o, 0] [%a, %n, %c] strides [1, 4, 1] : tensor<?x?x?xf32> -> tensor<?x?x?xf32>
  fuser.return %0 : tensor<?x?x?xf32>
}

// Steps of steps: every sixth element, from number 7 on.
fuser.fusion @chain(%x: tensor<?x300xf32>) -> tensor<?x48xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x300xf32>
  %0 = fuser.slice %x [0, 4] [%rows, 98] strides [1, 3] : tensor<?x300xf32> -> tensor<?x98xf32>
  %1 = fuser.abs %0 : tensor<?x98xf32>
  %2 = fuser.slice %1 [0, 1] [%rows, 48] strides [1, 2] : tensor<?x98xf32> -> tensor<?x48xf32>
  fuser.return %2 : tensor<?x48xf32>
}

fuser.fusion @reduced(%x: tensor<?x300xf32>) -> (tensor<?xf32>, tensor<100xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x300xf32>
  %0 = fuser.abs %x : tensor<?x300xf32>
  %1 = fuser.slice %0 [0, 0] [%rows, 100] strides [1, 3] : tensor<?x300xf32> -> tensor<?x100xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x100xf32> -> tensor<?xf32>
  %3 = fuser.max %1 dims [0] : tensor<?x100xf32> -> tensor<100xf32>
  fuser.return %2, %3 : tensor<?xf32>, tensor<100xf32>
}
