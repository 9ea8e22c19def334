// RUN: fuser-explain %s --program=softmax | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax_constant | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=rms_norm | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=rms_norm_constant | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax_backward | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax_backward_constant | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=layer_norm | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=layer_norm_constant | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=scan | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=scan_constant | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=known_size | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=whole_and_parts | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=rows_and_columns | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=joined | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=sum_and_part | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar o=8 --scalar n=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar o=5 --scalar n=38 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_constant --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rms_norm --sizes=9x64,64 --scalar o=8 --scalar n=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rms_norm --sizes=9x64,64 --scalar o=5 --scalar n=38 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rms_norm_constant --sizes=9x64,64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_backward --sizes=9x64,9x64 --scalar o=8 --scalar n=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_backward --sizes=9x64,9x64 --scalar o=5 --scalar n=38 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_backward_constant --sizes=9x64,9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm --sizes=9x64,64 --scalar o=8 --scalar n=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm --sizes=9x64,64 --scalar o=5 --scalar n=38 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm_constant --sizes=9x64,64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan --sizes=9x64 --scalar o=8 --scalar n=16 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan --sizes=9x64 --scalar o=5 --scalar n=38 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan_constant --sizes=9x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x101 --scalar o=99 --scalar n=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x101 --scalar o=101 --scalar n=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x101 --scalar o=0 --scalar n=101 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=0x64 --scalar o=3 --scalar n=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=3x4096 --scalar o=77 --scalar n=4000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=known_size --sizes=6x40 --scalar o=9 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=known_size --sizes=6x40 --scalar o=24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=whole_and_parts --sizes=9x64 --scalar o=5 --scalar n=30 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=whole_and_parts --sizes=9x33 --scalar o=0 --scalar n=33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rows_and_columns --sizes=9x64 --scalar a=2 --scalar b=5 --scalar o=7 --scalar n=40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined --sizes=9x64 --scalar o=24 --scalar n=40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=joined --sizes=9x33 --scalar o=10 --scalar n=23 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_part --sizes=9x33 --scalar o=3 --scalar n=5 | FileCheck %s
// RUN: not fuser-run %s --device=host --check --program=softmax --sizes=9x33 --scalar o=30 --scalar n=4 2>&1 | FileCheck %s --check-prefix=LONG
// S2.1, S2.4, S2.6: a crop of a norm or of a scan along its rows is stored by the kernel that computes the rows, wherever it is.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: 1 kernel,
// LONG: box of 'fuser.slice'{{.*}} but got 4 and 3

fuser.fusion @softmax(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %z : tensor<?x?xf32>
}

fuser.fusion @softmax_constant(%x: tensor<?x?xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, 8] [%r, 16] : tensor<?x?xf32> -> tensor<?x16xf32>
  fuser.return %z : tensor<?x16xf32>
}

fuser.fusion @rms_norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %s = fuser.mul %x, %x : tensor<?x?xf32>
  %m = fuser.mean %s dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %q = fuser.rsqrt %b : tensor<?x1xf32>
  %t = fuser.mul %x, %q : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %y = fuser.mul %t, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %z : tensor<?x?xf32>
}

fuser.fusion @rms_norm_constant(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %s = fuser.mul %x, %x : tensor<?x?xf32>
  %m = fuser.mean %s dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %q = fuser.rsqrt %b : tensor<?x1xf32>
  %t = fuser.mul %x, %q : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %y = fuser.mul %t, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, 8] [%r, 16] : tensor<?x?xf32> -> tensor<?x16xf32>
  fuser.return %z : tensor<?x16xf32>
}

fuser.fusion @softmax_backward(%x: tensor<?x?xf32>, %g: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %p = fuser.mul %g, %x : tensor<?x?xf32>
  %s = fuser.sum %p dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %b = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %d = fuser.sub %g, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %y = fuser.mul %d, %x : tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %z : tensor<?x?xf32>
}

fuser.fusion @softmax_backward_constant(%x: tensor<?x?xf32>, %g: tensor<?x?xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %p = fuser.mul %g, %x : tensor<?x?xf32>
  %s = fuser.sum %p dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %b = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %d = fuser.sub %g, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %y = fuser.mul %d, %x : tensor<?x?xf32>
  %z = fuser.slice %y [0, 8] [%r, 16] : tensor<?x?xf32> -> tensor<?x16xf32>
  fuser.return %z : tensor<?x16xf32>
}

fuser.fusion @layer_norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %eps = arith.constant 1.0e-5 : f32
  %var, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.add %1, %eps : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %4 = fuser.rsqrt %3 : tensor<?x1xf32>
  %5 = fuser.mul %2, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %y = fuser.mul %5, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %z : tensor<?x?xf32>
}

fuser.fusion @layer_norm_constant(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %eps = arith.constant 1.0e-5 : f32
  %var, %mean = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.add %1, %eps : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %4 = fuser.rsqrt %3 : tensor<?x1xf32>
  %5 = fuser.mul %2, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %y = fuser.mul %5, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, 8] [%r, 16] : tensor<?x?xf32> -> tensor<?x16xf32>
  fuser.return %z : tensor<?x16xf32>
}

fuser.fusion @scan(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = fuser.exp %x : tensor<?x?xf32>
  %y = fuser.cumsum %e dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %z : tensor<?x?xf32>
}

fuser.fusion @scan_constant(%x: tensor<?x?xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = fuser.exp %x : tensor<?x?xf32>
  %y = fuser.cumsum %e dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %z = fuser.slice %y [0, 8] [%r, 16] : tensor<?x?xf32> -> tensor<?x16xf32>
  fuser.return %z : tensor<?x16xf32>
}

fuser.fusion @known_size(%x: tensor<6x40xf32>, %o: index) -> tensor<6x16xf32> {
  %0 = fuser.max %x dims [1] : tensor<6x40xf32> -> tensor<6xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<6xf32> -> tensor<6x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<6x40xf32>, tensor<6x1xf32>) -> tensor<6x40xf32>
  %3 = fuser.slice %2 [0, %o] [6, 16] : tensor<6x40xf32> -> tensor<6x16xf32>
  fuser.return %3 : tensor<6x16xf32>
}

// The norm has other readers.
fuser.fusion @whole_and_parts(%x: tensor<?x?xf32>, %o: index, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  %t = fuser.slice %y [0, 3] [%r, 4] : tensor<?x?xf32> -> tensor<?x4xf32>
  fuser.return %y, %z, %t : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x4xf32>
}

// In both dimensions, below a cast.
fuser.fusion @rows_and_columns(%x: tensor<?x?xf32>, %a: index, %b: index, %o: index, %n: index) -> tensor<?x?xbf16> {
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %h = fuser.cast %y : tensor<?x?xf32> to tensor<?x?xbf16>
  %z = fuser.slice %h [%a, %o] [%b, %n] : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %z : tensor<?x?xbf16>
}

// Two parts in another order: a rotation of rows.
fuser.fusion @joined(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %z = fuser.slice %y [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  %t = fuser.slice %y [0, 0] [%r, %o] : tensor<?x?xf32> -> tensor<?x?xf32>
  %k = fuser.cat %z, %t dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %k : tensor<?x?xf32>
}

fuser.fusion @sum_and_part(%x: tensor<?x?xf32>, %o: index, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.slice %0 [%o] [%n] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
