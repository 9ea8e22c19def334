// RUN: fuser-explain %s --program=sum | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=outer_sum | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=known_rows | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=integers | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=three_dims | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=layer_norm | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=transposed | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=scan | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=sum_and_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax_and_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=variance | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=kept_dim | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=pad_of_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=of_two_results | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=2 --scalar h=3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=0 --scalar h=0 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=-2 --scalar h=-3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=4 --scalar h=-3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=-3 --scalar h=4 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=-9 --scalar h=0 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=-12 --scalar h=5 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=6 --scalar h=-14 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=-4 --scalar h=-5 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=0x5 --scalar l=0 --scalar h=2 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum --sizes=1x0 --scalar l=-1 --scalar h=0 --scalar v=1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=outer_sum --sizes=40x24 --scalar l=3 --scalar h=-8 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=outer_sum --sizes=40x24 --scalar l=-8 --scalar h=9 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=known_rows --sizes=12x40 --scalar l=-5 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=known_rows --sizes=12x40 --scalar l=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=known_rows --sizes=12x40 --scalar l=-13 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=integers --sizes=9x33 --scalar l=5 --scalar h=-4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=integers --sizes=9x33 --scalar l=1 --scalar h=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_dims --sizes=5x7x20 --scalar a=1 --scalar b=-2 --scalar c=-3 --scalar d=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_dims --sizes=5x7x20 --scalar a=-7 --scalar b=3 --scalar c=1 --scalar d=1 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar a=-1 --scalar b=-2 --scalar c=-3 --scalar d=-4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar a=2 --scalar b=-3 --scalar c=-5 --scalar d=6 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar a=0 --scalar b=0 --scalar c=-40 --scalar d=10 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar a=-3 --scalar b=1 --scalar c=50 --scalar d=-60 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x64 --scalar a=0 --scalar b=0 --scalar c=0 --scalar d=-64 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax --sizes=9x101 --scalar a=-1 --scalar b=3 --scalar c=-5 --scalar d=1 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm --sizes=7x96,96 --scalar c=-5 --scalar d=3 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm --sizes=7x96,96 --scalar c=8 --scalar d=-8 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=layer_norm --sizes=7x77,77 --scalar c=1 --scalar d=1 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=transposed --sizes=70x48 --scalar a=1 --scalar b=-2 --scalar c=-3 --scalar d=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=transposed --sizes=70x48 --scalar a=-1 --scalar b=2 --scalar c=3 --scalar d=-4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan --sizes=9x50 --scalar a=1 --scalar b=-2 --scalar c=-3 --scalar d=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=scan --sizes=9x50 --scalar a=0 --scalar b=0 --scalar c=3 --scalar d=-4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_pad --sizes=9x33 --scalar l=2 --scalar h=3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_pad --sizes=9x33 --scalar l=-2 --scalar h=-3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_pad --sizes=9x33 --scalar l=4 --scalar h=-3 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=sum_and_pad --sizes=9x33 --scalar l=-12 --scalar h=5 --scalar v=1.5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_and_pad --sizes=9x64 --scalar a=1 --scalar b=2 --scalar c=3 --scalar d=4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_and_pad --sizes=9x64 --scalar a=-1 --scalar b=-2 --scalar c=-3 --scalar d=-4 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=softmax_and_pad --sizes=9x64 --scalar a=2 --scalar b=-3 --scalar c=-5 --scalar d=6 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_two_results --sizes=9x33 --scalar l=-2 --scalar h=3 --scalar v=2 --scalar i=7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_two_results --sizes=9x33 --scalar l=2 --scalar h=1 --scalar v=2 --scalar i=7 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=variance --sizes=9x33 --scalar l=-2 --scalar h=3 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=kept_dim --sizes=9x33 --scalar l=-2 --scalar h=3 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=kept_dim --sizes=9x33 --scalar l=2 --scalar h=-1 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_pad --sizes=9x33 --scalar a=2 --scalar b=1 --scalar c=-4 --scalar d=3 --scalar v=2 --scalar u=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_pad --sizes=9x33 --scalar a=-2 --scalar b=-1 --scalar c=4 --scalar d=-3 --scalar v=2 --scalar u=3 | FileCheck %s
// RUN: fuser-explain %s --program=pad_of_constant_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=crop_of_pad | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=pad_of_crop | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --device=host --check --program=pad_of_constant_pad --sizes=9x33 --scalar c=2 --scalar d=1 --scalar v=2 --scalar u=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_constant_pad --sizes=9x33 --scalar c=-3 --scalar d=-1 --scalar v=2 --scalar u=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_constant_pad --sizes=9x33 --scalar c=-14 --scalar d=20 --scalar v=2 --scalar u=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_constant_pad --sizes=9x33 --scalar c=3 --scalar d=-13 --scalar v=2 --scalar u=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop_of_pad --sizes=9x33 --scalar l=2 --scalar h=3 --scalar o=1 --scalar n=12 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop_of_pad --sizes=9x33 --scalar l=-2 --scalar h=3 --scalar o=5 --scalar n=5 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop_of_pad --sizes=9x33 --scalar l=4 --scalar h=-12 --scalar o=0 --scalar n=1 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=crop_of_pad --sizes=9x33 --scalar l=1 --scalar h=1 --scalar o=11 --scalar n=0 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_crop --sizes=9x64 --scalar l=2 --scalar h=3 --scalar o=1 --scalar n=20 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_crop --sizes=9x64 --scalar l=-2 --scalar h=3 --scalar o=5 --scalar n=28 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_crop --sizes=9x64 --scalar l=4 --scalar h=-12 --scalar o=30 --scalar n=8 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=pad_of_crop --sizes=9x64 --scalar l=-9 --scalar h=4 --scalar o=1 --scalar n=6 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_cat --sizes=3x40,3x40 --scalar a=-7 --scalar b=5 --scalar c=2 --scalar d=8 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_cat --sizes=3x40,3x40 --scalar a=-2 --scalar b=3 --scalar c=-4 --scalar d=1 --scalar v=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=of_cat --sizes=3x40,3x40 --scalar a=4 --scalar b=-9 --scalar c=0 --scalar d=0 --scalar v=2 | FileCheck %s
// RUN: not fuser-run %s --device=host --check --program=pad_of_pad --sizes=9x33 --scalar a=-12 --scalar b=2 --scalar c=5 --scalar d=5 --scalar v=1 --scalar u=1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fuser-run %s --device=host --check --program=crop_of_pad --sizes=9x33 --scalar l=2 --scalar h=3 --scalar o=3 --scalar n=12 --scalar v=1 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not fuser-run %s --device=host --check --program=sum --sizes=9x33 --scalar l=-12 --scalar h=2 --scalar v=1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fuser-run %s --device=host --check --program=softmax --sizes=9x33 --scalar a=0 --scalar b=0 --scalar c=-30 --scalar d=-4 --scalar v=1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// S2.1, S2.3, S2.6: a pad by amounts that may be negative at run time is one kernel, which stores what remains of its result in a
// box and the border around it.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
// ONE: 1 kernel,
// NEGATIVE: box of 'fuser.pad'{{.*}} but got 0 and -1
// OUTSIDE: box of 'fuser.slice'{{.*}} but got 12 and 11

fuser.fusion @sum(%x: tensor<?x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Across the fastest dimension.
fuser.fusion @outer_sum(%x: tensor<?x?xbf16>, %l: index, %h: index, %v: f32) -> tensor<?xbf16> {
  %0 = fuser.sum %x dims [0] : tensor<?x?xbf16> -> tensor<?xbf16>
  %1 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xbf16>, f32 -> tensor<?xbf16>
  fuser.return %1 : tensor<?xbf16>
}

// One amount is a constant.
fuser.fusion @known_rows(%x: tensor<12x40xf32>, %l: index, %v: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<12x40xf32> -> tensor<12xf32>
  %1 = fuser.pad %0 low [%l] high [2] value %v : tensor<12xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Arithmetic on integer amounts; one is not negative.
fuser.fusion @integers(%x: tensor<?x?xf32>, %l: i64, %h: i64, %v: f32) -> tensor<?xf32> {
  %c3 = arith.constant 3 : i64
  %two = arith.constant 2 : index
  %zero = arith.constant 0 : index
  %a = arith.subi %c3, %l : i64
  %b = arith.index_cast %a : i64 to index
  %c = arith.index_cast %h : i64 to index
  %d = arith.muli %c, %two : index
  %e = arith.maxsi %d, %zero : index
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%b] high [%e] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Two dimensions.
fuser.fusion @three_dims(%x: tensor<?x?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.pad %0 low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// Across and along the rows of a norm, which is computed whole along them.
fuser.fusion @softmax(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xf32> {
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.pad %y low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// Below a cast.
fuser.fusion @layer_norm(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>, %c: index, %d: index, %v: f32) -> tensor<?x?xbf16> {
  %eps = arith.constant 1.0e-5 : f32
  %f = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %var, %mean = fuser.var_mean %f dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %f, %0 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.add %1, %eps : (tensor<?x1xf32>, f32) -> tensor<?x1xf32>
  %4 = fuser.rsqrt %3 : tensor<?x1xf32>
  %5 = fuser.mul %2, %4 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %6 = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %7 = fuser.broadcast %6 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %8 = fuser.mul %5, %7 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %9 = fuser.cast %8 : tensor<?x?xf32> to tensor<?x?xbf16>
  %10 = fuser.pad %9 low [0, %c] high [0, %d] value %v : tensor<?x?xbf16>, f32 -> tensor<?x?xbf16>
  fuser.return %10 : tensor<?x?xbf16>
}

fuser.fusion @transposed(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.exp %0 : tensor<?x?xf32>
  %2 = fuser.pad %1 low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// Along and across the rows of a scan.
fuser.fusion @scan(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.pad %0 low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// S2.3: the value is an output as well.
fuser.fusion @sum_and_pad(%x: tensor<?x?xf32>, %l: index, %h: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

fuser.fusion @softmax_and_pad(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %m0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m1 = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %m2 = fuser.sub %x, %m1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %m3 = fuser.exp %m2 : tensor<?x?xf32>
  %m4 = fuser.sum %m3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %m5 = fuser.broadcast %m4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %m3, %m5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.pad %y low [%a, %c] high [%b, %d] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %y, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Both results of a reduction, by different amounts.
fuser.fusion @of_two_results(%x: tensor<?x?xf32>, %l: index, %h: index, %v: f32, %i: i64) -> (tensor<?xf32>, tensor<?xi64>) {
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = fuser.iota %z, %o length(%m) : i64, i64 -> tensor<?xi64>
  %rb = fuser.broadcast %r dims [0] : tensor<?xi64> -> tensor<1x?xi64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %all = fuser.expand %rb sizes(%n) : tensor<1x?xi64> -> tensor<?x?xi64>
  %0, %1 = fuser.max_with_index %x, %all dims [1] : tensor<?x?xf32>, tensor<?x?xi64> -> tensor<?xf32>, tensor<?xi64>
  %2 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %3 = fuser.pad %1 low [%h] high [%l] value %i : tensor<?xi64>, i64 -> tensor<?xi64>
  fuser.return %2, %3 : tensor<?xf32>, tensor<?xi64>
}

fuser.fusion @variance(%x: tensor<?x?xf32>, %l: index, %h: index, %v: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %0, %1 = fuser.var_mean %x dims [1] correction 1 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %2 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %2, %1 : tensor<?xf32>, tensor<?xf32>
}

// A reduced dimension that is kept with size 1; a pad of a pad.
fuser.fusion @kept_dim(%x: tensor<?x?xf32>, %l: index, %h: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.pad %1 low [%l, 1] high [%h, 2] value %v : tensor<?x1xf32>, f32 -> tensor<?x4xf32>
  %3 = fuser.pad %2 low [0, %h] high [0, 0] value %v : tensor<?x4xf32>, f32 -> tensor<?x?xf32>
  fuser.return %3 : tensor<?x?xf32>
}

// Of different values.
fuser.fusion @pad_of_pad(%x: tensor<?x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32, %u: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%a] high [%b] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.pad %1 low [%c] high [%d] value %u : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// The first one adds elements only.
fuser.fusion @pad_of_constant_pad(%x: tensor<?x?xf32>, %c: index, %d: index, %v: f32, %u: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [2] high [3] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.pad %1 low [%c] high [%d] value %u : tensor<?xf32>, f32 -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// The check of both boxes stays.
fuser.fusion @crop_of_pad(%x: tensor<?x?xf32>, %l: index, %h: index, %o: index, %n: index, %v: f32) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.pad %0 low [%l] high [%h] value %v : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.slice %1 [%o] [%n] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// Along the rows of a norm.
fuser.fusion @pad_of_crop(%x: tensor<?x?xf32>, %l: index, %h: index, %o: index, %n: index, %v: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %x, %c0 : tensor<?x?xf32>
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.slice %2 [0, %o] [%r, %n] : tensor<?x?xf32> -> tensor<?x?xf32>
  %4 = fuser.pad %3 low [0, %l] high [0, %h] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}

// What two kernels store is no window of one value.
fuser.fusion @of_cat(%x: tensor<3x?xf32>, %y: tensor<3x?xf32>, %a: index, %b: index, %c: index, %d: index, %v: f32) -> tensor<?x?xf32> {
  %0 = fuser.max %x dims [1] : tensor<3x?xf32> -> tensor<3xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<3xf32> -> tensor<3x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<3x?xf32>, tensor<3x1xf32>) -> tensor<3x?xf32>
  %3 = fuser.cumsum %y dim 1 : tensor<3x?xf32> -> tensor<3x?xf32>
  %4 = fuser.cat %2, %3 dim 0 : (tensor<3x?xf32>, tensor<3x?xf32>) -> tensor<6x?xf32>
  %5 = fuser.pad %4 low [%a, %c] high [%b, %d] value %v : tensor<6x?xf32>, f32 -> tensor<?x?xf32>
  fuser.return %5 : tensor<?x?xf32>
}
