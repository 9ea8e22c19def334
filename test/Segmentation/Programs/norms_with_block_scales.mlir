// RUN: fuser-explain %s --program=rms --sizes=4096x4096,4096 | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=sum_and_rows --device=host --check --sizes=1024x0 | FileCheck %s --check-prefix=EMPTY
// RUN: fuser-run %s --program=sum_and_rows --device=host --check --sizes=1024x4 | FileCheck %s
// RUN: fuser-run %s --program=sum_and_rows --device=host --check --sizes=1024x33 | FileCheck %s
// RUN: fuser-explain %s --program=add_rms | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=layer_norm --sizes=4096x1280,1280 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=softmax --sizes=4096x2048 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=vectors --sizes=4096x64,64 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=long_rows | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=merged --sizes=4096x1024 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=transposed_scales --sizes=4096x1024 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=expanded --sizes=4096x1024 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=dynamic_n --sizes=4096x4096 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=row_and_block --sizes=4096x1024 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=residual_after --sizes=4096x1024,4096x1024,4096x8 | FileCheck %s --check-prefix=ONE
// RUN: fuser-explain %s --program=rms | FileCheck %s --check-prefix=ONE
// RUN: fuser-run %s --program=rms --device=host --check --sizes=3x4096,4096 | FileCheck %s
// RUN: fuser-run %s --program=add_rms --device=host --check --sizes=5x96,96,5x96 | FileCheck %s
// RUN: fuser-run %s --program=layer_norm --device=host --check --sizes=7x1280,1280 | FileCheck %s
// RUN: fuser-run %s --program=softmax --device=host --check --sizes=3x2048 | FileCheck %s
// RUN: fuser-run %s --program=softmax --device=host --check --sizes=0x2048 | FileCheck %s
// RUN: fuser-run %s --program=vectors --device=host --check --sizes=19x64,64 | FileCheck %s
// RUN: fuser-run %s --program=long_rows --device=host --check --sizes=2x131072 | FileCheck %s
// RUN: fuser-run %s --program=merged --device=host --check --sizes=3x1024 | FileCheck %s
// RUN: fuser-run %s --program=transposed_scales --device=host --check --sizes=5x1024 | FileCheck %s
// RUN: fuser-run %s --program=expanded --device=host --check --sizes=5x1024 | FileCheck %s
// RUN: fuser-run %s --program=dynamic_n --device=host --check --sizes=5x1024 | FileCheck %s
// RUN: fuser-run %s --program=dynamic_n --device=host --check --sizes=5x384 | FileCheck %s
// RUN: fuser-run %s --program=dynamic_n --device=host --check --sizes=1x128 | FileCheck %s
// RUN: fuser-run %s --program=row_and_block --device=host --check --sizes=5x1024 | FileCheck %s
// RUN: fuser-run %s --program=residual_after --device=host --check --sizes=5x1024,5x1024,5x8 | FileCheck %s
// A norm and a scale for each block of its rows are one kernel: reductions of rows and of parts of rows share their threads (ADR 105).

// ONE: fused {{ *}}1 kernel,
// ONE: inner_persistent
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// An RMS norm with a weight; a scale for each 128 elements.
fuser.fusion @rms(%x: tensor<?x4096xbf16>, %w: tensor<4096xbf16>) -> (tensor<?x4096xf8E4M3FN>, tensor<?x32xf32>) {
  %xf = fuser.cast %x : tensor<?x4096xbf16> to tensor<?x4096xf32>
  %eps = arith.constant 1.0e-5 : f32
  %sq = fuser.mul %xf, %xf : tensor<?x4096xf32>
  %msr = fuser.mean %sq dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %me = fuser.add %msr, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rs = fuser.rsqrt %me : tensor<?xf32>
  %rb = fuser.broadcast %rs dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %nn = fuser.mul %xf, %rb : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  %wf = fuser.cast %w : tensor<4096xbf16> to tensor<4096xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %y = fuser.mul %nn, %wb : (tensor<?x4096xf32>, tensor<1x4096xf32>) -> tensor<?x4096xf32>
  %g = fuser.reshape %y : tensor<?x4096xf32> -> tensor<?x32x128xf32>
  %a = fuser.abs %g : tensor<?x32x128xf32>
  %am = fuser.max %a dims [2] : tensor<?x32x128xf32> -> tensor<?x32xf32>
  %c = arith.constant 448.0 : f32
  %am1 = fuser.add %am, %eps : (tensor<?x32xf32>, f32) -> tensor<?x32xf32>
  %s = fuser.div %am1, %c : (tensor<?x32xf32>, f32) -> tensor<?x32xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x32xf32> -> tensor<?x32x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x32x128xf32>, tensor<?x32x1xf32>) -> tensor<?x32x128xf32>
  %qc = fuser.cast %q : tensor<?x32x128xf32> to tensor<?x32x128xf8E4M3FN>
  %qo = fuser.reshape %qc : tensor<?x32x128xf8E4M3FN> -> tensor<?x4096xf8E4M3FN>
  fuser.return %qo, %s : tensor<?x4096xf8E4M3FN>, tensor<?x32xf32>
}

// A sum that is also an output; rows of one length, too few for a warp in each part.
fuser.fusion @add_rms(%x: tensor<5x96xbf16>, %w: tensor<96xbf16>, %r: tensor<5x96xbf16>) -> (tensor<5x96xi8>, tensor<5x2xf32>, tensor<5x96xbf16>) {
  %xf = fuser.cast %x : tensor<5x96xbf16> to tensor<5x96xf32>
  %eps = arith.constant 1.0e-5 : f32
  %rf = fuser.cast %r : tensor<5x96xbf16> to tensor<5x96xf32>
  %h = fuser.add %xf, %rf : tensor<5x96xf32>
  %hd = fuser.cast %h : tensor<5x96xf32> to tensor<5x96xbf16>
  %sq = fuser.mul %h, %h : tensor<5x96xf32>
  %msr = fuser.mean %sq dims [1] : tensor<5x96xf32> -> tensor<5xf32>
  %me = fuser.add %msr, %eps : (tensor<5xf32>, f32) -> tensor<5xf32>
  %rs = fuser.rsqrt %me : tensor<5xf32>
  %rb = fuser.broadcast %rs dims [1] : tensor<5xf32> -> tensor<5x1xf32>
  %nn = fuser.mul %h, %rb : (tensor<5x96xf32>, tensor<5x1xf32>) -> tensor<5x96xf32>
  %wf = fuser.cast %w : tensor<96xbf16> to tensor<96xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<96xf32> -> tensor<1x96xf32>
  %y = fuser.mul %nn, %wb : (tensor<5x96xf32>, tensor<1x96xf32>) -> tensor<5x96xf32>
  %g = fuser.reshape %y : tensor<5x96xf32> -> tensor<5x2x48xf32>
  %a = fuser.abs %g : tensor<5x2x48xf32>
  %am = fuser.max %a dims [2] : tensor<5x2x48xf32> -> tensor<5x2xf32>
  %c = arith.constant 127.0 : f32
  %am1 = fuser.add %am, %eps : (tensor<5x2xf32>, f32) -> tensor<5x2xf32>
  %s = fuser.div %am1, %c : (tensor<5x2xf32>, f32) -> tensor<5x2xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<5x2xf32> -> tensor<5x2x1xf32>
  %q = fuser.div %g, %sb : (tensor<5x2x48xf32>, tensor<5x2x1xf32>) -> tensor<5x2x48xf32>
  %qr = fuser.round %q : tensor<5x2x48xf32>
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %q1 = fuser.maximum %qr, %lo : (tensor<5x2x48xf32>, f32) -> tensor<5x2x48xf32>
  %q2 = fuser.minimum %q1, %hi : (tensor<5x2x48xf32>, f32) -> tensor<5x2x48xf32>
  %qc = fuser.cast %q2 : tensor<5x2x48xf32> to tensor<5x2x48xi8>
  %qo = fuser.reshape %qc : tensor<5x2x48xi8> -> tensor<5x96xi8>
  fuser.return %qo, %s, %hd : tensor<5x96xi8>, tensor<5x2xf32>, tensor<5x96xbf16>
}

// Deviations and variance.
fuser.fusion @layer_norm(%x: tensor<?x1280xf32>, %w: tensor<1280xf32>) -> (tensor<?x1280xi8>, tensor<?x20xf32>) {
  %eps = arith.constant 1.0e-5 : f32
  %mur = fuser.mean %x dims [1] : tensor<?x1280xf32> -> tensor<?xf32>
  %mub = fuser.broadcast %mur dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %ce = fuser.sub %x, %mub : (tensor<?x1280xf32>, tensor<?x1xf32>) -> tensor<?x1280xf32>
  %va, %mu2 = fuser.var_mean %x dims [1] correction 0 : tensor<?x1280xf32> -> tensor<?xf32>, tensor<?xf32>
  %me = fuser.add %va, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rs = fuser.rsqrt %me : tensor<?xf32>
  %rb = fuser.broadcast %rs dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %nn = fuser.mul %ce, %rb : (tensor<?x1280xf32>, tensor<?x1xf32>) -> tensor<?x1280xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<1280xf32> -> tensor<1x1280xf32>
  %y = fuser.mul %nn, %wb : (tensor<?x1280xf32>, tensor<1x1280xf32>) -> tensor<?x1280xf32>
  %g = fuser.reshape %y : tensor<?x1280xf32> -> tensor<?x20x64xf32>
  %a = fuser.abs %g : tensor<?x20x64xf32>
  %am = fuser.max %a dims [2] : tensor<?x20x64xf32> -> tensor<?x20xf32>
  %c = arith.constant 127.0 : f32
  %am1 = fuser.add %am, %eps : (tensor<?x20xf32>, f32) -> tensor<?x20xf32>
  %s = fuser.div %am1, %c : (tensor<?x20xf32>, f32) -> tensor<?x20xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x20xf32> -> tensor<?x20x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x20x64xf32>, tensor<?x20x1xf32>) -> tensor<?x20x64xf32>
  %qr = fuser.round %q : tensor<?x20x64xf32>
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %q1 = fuser.maximum %qr, %lo : (tensor<?x20x64xf32>, f32) -> tensor<?x20x64xf32>
  %q2 = fuser.minimum %q1, %hi : (tensor<?x20x64xf32>, f32) -> tensor<?x20x64xf32>
  %qc = fuser.cast %q2 : tensor<?x20x64xf32> to tensor<?x20x64xi8>
  %qo = fuser.reshape %qc : tensor<?x20x64xi8> -> tensor<?x1280xi8>
  fuser.return %qo, %s : tensor<?x1280xi8>, tensor<?x20xf32>
}

// Parts of 4 threads; the rows stay in their shape of three dimensions.
fuser.fusion @softmax(%x: tensor<?x2048xf16>) -> (tensor<?x64x32xf8E4M3FN>, tensor<?x64xf32>) {
  %xf = fuser.cast %x : tensor<?x2048xf16> to tensor<?x2048xf32>
  %eps = arith.constant 1.0e-5 : f32
  %mxr = fuser.max %xf dims [1] : tensor<?x2048xf32> -> tensor<?xf32>
  %mxb = fuser.broadcast %mxr dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %ce = fuser.sub %xf, %mxb : (tensor<?x2048xf32>, tensor<?x1xf32>) -> tensor<?x2048xf32>
  %e = fuser.exp %ce : tensor<?x2048xf32>
  %sur = fuser.sum %e dims [1] : tensor<?x2048xf32> -> tensor<?xf32>
  %sb0 = fuser.broadcast %sur dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %e, %sb0 : (tensor<?x2048xf32>, tensor<?x1xf32>) -> tensor<?x2048xf32>
  %g = fuser.reshape %y : tensor<?x2048xf32> -> tensor<?x64x32xf32>
  %a = fuser.abs %g : tensor<?x64x32xf32>
  %am = fuser.max %a dims [2] : tensor<?x64x32xf32> -> tensor<?x64xf32>
  %c = arith.constant 448.0 : f32
  %am1 = fuser.add %am, %eps : (tensor<?x64xf32>, f32) -> tensor<?x64xf32>
  %s = fuser.div %am1, %c : (tensor<?x64xf32>, f32) -> tensor<?x64xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x64xf32> -> tensor<?x64x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x64x32xf32>, tensor<?x64x1xf32>) -> tensor<?x64x32xf32>
  %qc = fuser.cast %q : tensor<?x64x32xf32> to tensor<?x64x32xf8E4M3FN>
  fuser.return %qc, %s : tensor<?x64x32xf8E4M3FN>, tensor<?x64xf32>
}

// A part is one vector of a thread.
fuser.fusion @vectors(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>) -> (tensor<?x64xf8E4M3FN>, tensor<?x8xf32>) {
  %xf = fuser.cast %x : tensor<?x64xbf16> to tensor<?x64xf32>
  %eps = arith.constant 1.0e-5 : f32
  %sq = fuser.mul %xf, %xf : tensor<?x64xf32>
  %msr = fuser.mean %sq dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %me = fuser.add %msr, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %rs = fuser.rsqrt %me : tensor<?xf32>
  %rb = fuser.broadcast %rs dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %nn = fuser.mul %xf, %rb : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %wf = fuser.cast %w : tensor<64xbf16> to tensor<64xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %y = fuser.mul %nn, %wb : (tensor<?x64xf32>, tensor<1x64xf32>) -> tensor<?x64xf32>
  %g = fuser.reshape %y : tensor<?x64xf32> -> tensor<?x8x8xf32>
  %a = fuser.abs %g : tensor<?x8x8xf32>
  %am = fuser.max %a dims [2] : tensor<?x8x8xf32> -> tensor<?x8xf32>
  %c = arith.constant 448.0 : f32
  %am1 = fuser.add %am, %eps : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  %s = fuser.div %am1, %c : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x8xf32> -> tensor<?x8x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x8x8xf32>, tensor<?x8x1xf32>) -> tensor<?x8x8xf32>
  %qc = fuser.cast %q : tensor<?x8x8xf32> to tensor<?x8x8xf8E4M3FN>
  %qo = fuser.reshape %qc : tensor<?x8x8xf8E4M3FN> -> tensor<?x64xf8E4M3FN>
  fuser.return %qo, %s : tensor<?x64xf8E4M3FN>, tensor<?x8xf32>
}

// Rows of a cluster of blocks.
fuser.fusion @long_rows(%x: tensor<2x131072xbf16>) -> (tensor<2x131072xf8E4M3FN>, tensor<2x1024xf32>) {
  %xf = fuser.cast %x : tensor<2x131072xbf16> to tensor<2x131072xf32>
  %eps = arith.constant 1.0e-5 : f32
  %mxr = fuser.max %xf dims [1] : tensor<2x131072xf32> -> tensor<2xf32>
  %mxb = fuser.broadcast %mxr dims [1] : tensor<2xf32> -> tensor<2x1xf32>
  %ce = fuser.sub %xf, %mxb : (tensor<2x131072xf32>, tensor<2x1xf32>) -> tensor<2x131072xf32>
  %e = fuser.exp %ce : tensor<2x131072xf32>
  %sur = fuser.sum %e dims [1] : tensor<2x131072xf32> -> tensor<2xf32>
  %sb0 = fuser.broadcast %sur dims [1] : tensor<2xf32> -> tensor<2x1xf32>
  %y = fuser.div %e, %sb0 : (tensor<2x131072xf32>, tensor<2x1xf32>) -> tensor<2x131072xf32>
  %g = fuser.reshape %y : tensor<2x131072xf32> -> tensor<2x1024x128xf32>
  %a = fuser.abs %g : tensor<2x1024x128xf32>
  %am = fuser.max %a dims [2] : tensor<2x1024x128xf32> -> tensor<2x1024xf32>
  %c = arith.constant 448.0 : f32
  %am1 = fuser.add %am, %eps : (tensor<2x1024xf32>, f32) -> tensor<2x1024xf32>
  %s = fuser.div %am1, %c : (tensor<2x1024xf32>, f32) -> tensor<2x1024xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<2x1024xf32> -> tensor<2x1024x1xf32>
  %q = fuser.div %g, %sb : (tensor<2x1024x128xf32>, tensor<2x1024x1xf32>) -> tensor<2x1024x128xf32>
  %qc = fuser.cast %q : tensor<2x1024x128xf32> to tensor<2x1024x128xf8E4M3FN>
  %qo = fuser.reshape %qc : tensor<2x1024x128xf8E4M3FN> -> tensor<2x131072xf8E4M3FN>
  fuser.return %qo, %s : tensor<2x131072xf8E4M3FN>, tensor<2x1024xf32>
}

// The parts of all rows are the rows of a matrix.
fuser.fusion @merged(%x: tensor<?x1024xbf16>) -> (tensor<?x128xf8E4M3FN>, tensor<?xf32>) {
  %xf = fuser.cast %x : tensor<?x1024xbf16> to tensor<?x1024xf32>
  %m0 = fuser.mean %xf dims [1] : tensor<?x1024xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.sub %xf, %mb : (tensor<?x1024xf32>, tensor<?x1xf32>) -> tensor<?x1024xf32>
  %g = fuser.reshape %y : tensor<?x1024xf32> -> tensor<?x128xf32>
  %a = fuser.abs %g : tensor<?x128xf32>
  %s = fuser.max %a dims [1] : tensor<?x128xf32> -> tensor<?xf32>
  %sb = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x128xf32>, tensor<?x1xf32>) -> tensor<?x128xf32>
  %q8 = fuser.cast %q : tensor<?x128xf32> to tensor<?x128xf8E4M3FN>
  fuser.return %q8, %s : tensor<?x128xf8E4M3FN>, tensor<?xf32>
}

// Scales in the layout of a matrix product.
fuser.fusion @transposed_scales(%x: tensor<?x1024xbf16>) -> (tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>) {
  %xf = fuser.cast %x : tensor<?x1024xbf16> to tensor<?x1024xf32>
  %m0 = fuser.mean %xf dims [1] : tensor<?x1024xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.sub %xf, %mb : (tensor<?x1024xf32>, tensor<?x1xf32>) -> tensor<?x1024xf32>
  %g = fuser.reshape %y : tensor<?x1024xf32> -> tensor<?x8x128xf32>
  %a = fuser.abs %g : tensor<?x8x128xf32>
  %s = fuser.max %a dims [2] : tensor<?x8x128xf32> -> tensor<?x8xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x8xf32> -> tensor<?x8x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x8x128xf32>, tensor<?x8x1xf32>) -> tensor<?x8x128xf32>
  %q8 = fuser.cast %q : tensor<?x8x128xf32> to tensor<?x8x128xf8E4M3FN>
  %qo = fuser.reshape %q8 : tensor<?x8x128xf8E4M3FN> -> tensor<?x1024xf8E4M3FN>
  %st = fuser.permute %s [1, 0] : tensor<?x8xf32> -> tensor<8x?xf32>
  fuser.return %qo, %st : tensor<?x1024xf8E4M3FN>, tensor<8x?xf32>
}

// The scales are expanded, not the rows reshaped back.
fuser.fusion @expanded(%x: tensor<?x1024xbf16>) -> (tensor<?x1024xf8E4M3FN>, tensor<?x8xf32>) {
  %xf = fuser.cast %x : tensor<?x1024xbf16> to tensor<?x1024xf32>
  %m0 = fuser.mean %xf dims [1] : tensor<?x1024xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.sub %xf, %mb : (tensor<?x1024xf32>, tensor<?x1xf32>) -> tensor<?x1024xf32>
  %g = fuser.reshape %y : tensor<?x1024xf32> -> tensor<?x8x128xf32>
  %a = fuser.abs %g : tensor<?x8x128xf32>
  %s = fuser.max %a dims [2] : tensor<?x8x128xf32> -> tensor<?x8xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x8xf32> -> tensor<?x8x1xf32>
  %se = fuser.expand %sb : tensor<?x8x1xf32> -> tensor<?x8x128xf32>
  %sr = fuser.reshape %se : tensor<?x8x128xf32> -> tensor<?x1024xf32>
  %q = fuser.div %y, %sr : tensor<?x1024xf32>
  %q8 = fuser.cast %q : tensor<?x1024xf32> to tensor<?x1024xf8E4M3FN>
  fuser.return %q8, %s : tensor<?x1024xf8E4M3FN>, tensor<?x8xf32>
}

// The length of a row is known at a call.
fuser.fusion @dynamic_n(%x: tensor<?x?xbf16>) -> (tensor<?x?x128xf8E4M3FN>, tensor<?x?xf32>) {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %m0 = fuser.mean %xf dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.sub %xf, %mb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %g = fuser.reshape %y groups [1, 1] to [1, 2] : tensor<?x?xf32> -> tensor<?x?x128xf32>
  %a = fuser.abs %g : tensor<?x?x128xf32>
  %s = fuser.max %a dims [2] : tensor<?x?x128xf32> -> tensor<?x?xf32>
  %sb = fuser.broadcast %s dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x?x128xf32>, tensor<?x?x1xf32>) -> tensor<?x?x128xf32>
  %q8 = fuser.cast %q : tensor<?x?x128xf32> to tensor<?x?x128xf8E4M3FN>
  fuser.return %q8, %s : tensor<?x?x128xf8E4M3FN>, tensor<?x?xf32>
}

// Neither reduction depends on the other: the argument is read once.
fuser.fusion @row_and_block(%x: tensor<?x1024xf32>) -> (tensor<?xf32>, tensor<?x8xf32>) {
  %m0 = fuser.mean %x dims [1] : tensor<?x1024xf32> -> tensor<?xf32>
  %g = fuser.reshape %x : tensor<?x1024xf32> -> tensor<?x8x128xf32>
  %s = fuser.max %g dims [2] : tensor<?x8x128xf32> -> tensor<?x8xf32>
  fuser.return %m0, %s : tensor<?xf32>, tensor<?x8xf32>
}

// What only a part reads is not kept; scales with an argument of their shape.
fuser.fusion @residual_after(%x: tensor<?x1024xbf16>, %r: tensor<?x1024xbf16>, %z: tensor<?x8xf32>) -> (tensor<?x1024xi8>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %xf = fuser.cast %x : tensor<?x1024xbf16> to tensor<?x1024xf32>
  %m0 = fuser.mean %xf dims [1] : tensor<?x1024xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y0 = fuser.sub %xf, %mb : (tensor<?x1024xf32>, tensor<?x1xf32>) -> tensor<?x1024xf32>
  %rf = fuser.cast %r : tensor<?x1024xbf16> to tensor<?x1024xf32>
  %y = fuser.add %y0, %rf : tensor<?x1024xf32>
  %g = fuser.reshape %y : tensor<?x1024xf32> -> tensor<?x8x128xf32>
  %a = fuser.abs %g : tensor<?x8x128xf32>
  %s = fuser.max %a dims [2] : tensor<?x8x128xf32> -> tensor<?x8xf32>
  %s2 = fuser.mul %s, %z : tensor<?x8xf32>
  %z2 = fuser.exp %z : tensor<?x8xf32>
  %sb = fuser.broadcast %s2 dims [2] : tensor<?x8xf32> -> tensor<?x8x1xf32>
  %q = fuser.div %g, %sb : (tensor<?x8x128xf32>, tensor<?x8x1xf32>) -> tensor<?x8x128xf32>
  %q8 = fuser.cast %q : tensor<?x8x128xf32> to tensor<?x8x128xi8>
  %qo = fuser.reshape %q8 : tensor<?x8x128xi8> -> tensor<?x1024xi8>
  fuser.return %qo, %s2, %z2 : tensor<?x1024xi8>, tensor<?x8xf32>, tensor<?x8xf32>
}

// Parts without elements: a block cannot hold 1024 of them, whatever their size is.
// EMPTY: _1: grid
// EMPTY: output 0: ok
// EMPTY: output 1: ok
fuser.fusion @sum_and_rows(%x: tensor<1024x?xi32>) -> (tensor<1xi32>, tensor<1024xi32>) {
  %0 = fuser.mul %x, %x : tensor<1024x?xi32>
  %1 = fuser.sum %0 dims [1] : tensor<1024x?xi32> -> tensor<1024xi32>
  %2 = fuser.broadcast %0 dims [2] : tensor<1024x?xi32> -> tensor<1024x?x1xi32>
  %3 = fuser.sum %2 dims [0, 1] : tensor<1024x?x1xi32> -> tensor<1xi32>
  fuser.return %3, %1 : tensor<1xi32>, tensor<1024xi32>
}
