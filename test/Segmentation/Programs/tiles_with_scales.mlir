// RUN: fuser-explain %s --program=scales --sizes=4096x4096 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=small_tiles | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=several_in_a_block | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=dynamic --sizes=4096x4096 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=batch_norm | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=short_runs | FileCheck %s --check-prefix=TWO
// RUN: fuser-run %s --program=scales --device=host --check --sizes=256x4096 | FileCheck %s
// RUN: fuser-run %s --program=scales --device=host --check --sizes=0x4096 | FileCheck %s
// RUN: fuser-run %s --program=small_tiles --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=several_in_a_block --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=dynamic --device=host --check --sizes=256x256 | FileCheck %s
// RUN: fuser-run %s --program=batch_norm --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=short_runs --device=host --check | FileCheck %s
// A tile whose runs in memory are apart is kept by the threads of a block, as a row is: a scale for each tile of a matrix is one
// kernel with the quotients (ADR 105).

// ONE: fused {{ *}}1 kernel,
// ONE: inner_persistent
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// Tiles of 128x128 elements; the number of rows is dynamic.
fuser.fusion @scales(%x: tensor<?x4096xbf16>) -> (tensor<?x4096xf8E4M3FN>, tensor<?x32xf32>) {
  %g0 = fuser.reshape %x : tensor<?x4096xbf16> -> tensor<?x128x32x128xbf16>
  %g = fuser.cast %g0 : tensor<?x128x32x128xbf16> to tensor<?x128x32x128xf32>
  %a = fuser.abs %g : tensor<?x128x32x128xf32>
  %m = fuser.max %a dims [1, 3] : tensor<?x128x32x128xf32> -> tensor<?x32xf32>
  %c = arith.constant 448.0 : f32
  %s = fuser.div %m, %c : (tensor<?x32xf32>, f32) -> tensor<?x32xf32>
  %sb = fuser.broadcast %s dims [1, 3] : tensor<?x32xf32> -> tensor<?x1x32x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x128x32x128xf32>, tensor<?x1x32x1xf32>) -> tensor<?x128x32x128xf32>
  %q8 = fuser.cast %q : tensor<?x128x32x128xf32> to tensor<?x128x32x128xf8E4M3FN>
  %qo = fuser.reshape %q8 : tensor<?x128x32x128xf8E4M3FN> -> tensor<?x4096xf8E4M3FN>
  fuser.return %qo, %s : tensor<?x4096xf8E4M3FN>, tensor<?x32xf32>
}

// Tiles of a warp.
fuser.fusion @small_tiles(%x: tensor<96x160xf32>) -> (tensor<96x160xi8>, tensor<3x5xf32>) {
  %g = fuser.reshape %x : tensor<96x160xf32> -> tensor<3x32x5x32xf32>
  %a = fuser.abs %g : tensor<3x32x5x32xf32>
  %s = fuser.max %a dims [1, 3] : tensor<3x32x5x32xf32> -> tensor<3x5xf32>
  %sb = fuser.broadcast %s dims [1, 3] : tensor<3x5xf32> -> tensor<3x1x5x1xf32>
  %c = arith.constant 100.0 : f32
  %q0 = fuser.div %g, %sb : (tensor<3x32x5x32xf32>, tensor<3x1x5x1xf32>) -> tensor<3x32x5x32xf32>
  %q = fuser.mul %q0, %c : (tensor<3x32x5x32xf32>, f32) -> tensor<3x32x5x32xf32>
  %q8 = fuser.cast %q : tensor<3x32x5x32xf32> to tensor<3x32x5x32xi8>
  %qo = fuser.reshape %q8 : tensor<3x32x5x32xi8> -> tensor<96x160xi8>
  fuser.return %qo, %s : tensor<96x160xi8>, tensor<3x5xf32>
}

// Several tiles in a block; the result stays in its shape of four dimensions.
fuser.fusion @several_in_a_block(%x: tensor<96x192xbf16>) -> (tensor<6x16x3x64xbf16>, tensor<6x3xbf16>) {
  %g = fuser.reshape %x : tensor<96x192xbf16> -> tensor<6x16x3x64xbf16>
  %a = fuser.abs %g : tensor<6x16x3x64xbf16>
  %s = fuser.max %a dims [1, 3] : tensor<6x16x3x64xbf16> -> tensor<6x3xbf16>
  %sb = fuser.broadcast %s dims [1, 3] : tensor<6x3xbf16> -> tensor<6x1x3x1xbf16>
  %q0 = fuser.div %g, %sb : (tensor<6x16x3x64xbf16>, tensor<6x1x3x1xbf16>) -> tensor<6x16x3x64xbf16>
  fuser.return %q0, %s : tensor<6x16x3x64xbf16>, tensor<6x3xbf16>
}

// Sizes of a call.
fuser.fusion @dynamic(%x: tensor<?x?xbf16>) -> (tensor<?x128x?x128xf8E4M3FN>, tensor<?x?xf32>) {
  %g0 = fuser.reshape %x groups [1, 1] to [2, 2] : tensor<?x?xbf16> -> tensor<?x128x?x128xbf16>
  %g = fuser.cast %g0 : tensor<?x128x?x128xbf16> to tensor<?x128x?x128xf32>
  %a = fuser.abs %g : tensor<?x128x?x128xf32>
  %s = fuser.max %a dims [1, 3] : tensor<?x128x?x128xf32> -> tensor<?x?xf32>
  %sb = fuser.broadcast %s dims [1, 3] : tensor<?x?xf32> -> tensor<?x1x?x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x128x?x128xf32>, tensor<?x1x?x1xf32>) -> tensor<?x128x?x128xf32>
  %q8 = fuser.cast %q : tensor<?x128x?x128xf32> to tensor<?x128x?x128xf8E4M3FN>
  fuser.return %q8, %s : tensor<?x128x?x128xf8E4M3FN>, tensor<?x?xf32>
}

// A norm over the first and the last of three dimensions; a run of 49 elements is on 64 threads.
fuser.fusion @batch_norm(%x: tensor<8x64x49xf32>) -> tensor<8x64x49xf32> {
  %v, %m = fuser.var_mean %x dims [0, 2] correction 0 : tensor<8x64x49xf32> -> tensor<64xf32>, tensor<64xf32>
  %mb = fuser.broadcast %m dims [0, 2] : tensor<64xf32> -> tensor<1x64x1xf32>
  %vb = fuser.broadcast %v dims [0, 2] : tensor<64xf32> -> tensor<1x64x1xf32>
  %r = fuser.sub %x, %mb : (tensor<8x64x49xf32>, tensor<1x64x1xf32>) -> tensor<8x64x49xf32>
  %r2 = fuser.rsqrt %vb : tensor<1x64x1xf32>
  %r3 = fuser.mul %r, %r2 : (tensor<8x64x49xf32>, tensor<1x64x1xf32>) -> tensor<8x64x49xf32>
  fuser.return %r3 : tensor<8x64x49xf32>
}

// Runs of 8 bytes: a block would read a quarter of each sector.
// TWO: fused {{ *}}2 kernels,
fuser.fusion @short_runs(%x: tensor<64x64x2xf32>) -> tensor<64x64x2xf32> {
  %m = fuser.max %x dims [0, 2] : tensor<64x64x2xf32> -> tensor<64xf32>
  %mb = fuser.broadcast %m dims [0, 2] : tensor<64xf32> -> tensor<1x64x1xf32>
  %r = fuser.sub %x, %mb : (tensor<64x64x2xf32>, tensor<1x64x1xf32>) -> tensor<64x64x2xf32>
  fuser.return %r : tensor<64x64x2xf32>
}
