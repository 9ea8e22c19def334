// RUN: fuser-run %s --device=host --check --program=rope --sizes=2x3x5x64,5x32,5x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rope --sizes=1x1x1x64,1x32,1x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rope --sizes=2x0x5x64,5x32,5x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=odd --sizes=3x5x6,5x3,5x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=heads --sizes=2x7x3x64,7x1x32,7x1x32 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=products --sizes=1001x2,1001x2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=products --sizes=1x2,1x2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=products --sizes=0x2,0x2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=triples --sizes=77x3,77x3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=bools --sizes=37x13,37x13,37x13 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=eight --sizes=5x13,5x13,5x13,5x13,5x13,5x13,5x13,5x13 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-emit-ptx="chip=sm_90a output=%t.ptx" -o /dev/null
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// Elements of several values in turn, and every n-th element of one value: one kernel each, which loads and stores vectors.

// CHECK: kernels {{ *}}[[NAME:.*]]_0: grid
// CHECK-NOT: {{^}} {{ *}}[[NAME]]_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// 8 bf16 elements of a row, 4 f32 angles.
// PTX-LABEL: .entry rope_0(
// PTX-NOT: ld.global{{.*}}.b16
// PTX-COUNT-3: ld.global.nc.v4.b32
// PTX-NOT: ld.global
// PTX: st.global.v4.b32
// PTX-NOT: st.global
// PTX-LABEL: .entry products_0(
// PTX-NOT: ld.global
// PTX-COUNT-2: ld.global.nc.v4.b32
// PTX-NOT: ld.global
// PTX: st.global.v4.b32
// PTX-NOT: st.global
// PTX: .entry

fuser.fusion @rope(%x: tensor<?x?x?x64xbf16>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> tensor<?x?x?x64xbf16> {
  %i0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %i0 : tensor<?x?x?x64xbf16>
  %i1 = arith.constant 1 : index
  %d1 = tensor.dim %x, %i1 : tensor<?x?x?x64xbf16>
  %i2 = arith.constant 2 : index
  %d2 = tensor.dim %x, %i2 : tensor<?x?x?x64xbf16>
  %e0 = fuser.slice %x [0, 0, 0, 0] [%d0, %d1, %d2, 32] strides [1, 1, 1, 2] : tensor<?x?x?x64xbf16> -> tensor<?x?x?x32xbf16>
  %e = fuser.cast %e0 : tensor<?x?x?x32xbf16> to tensor<?x?x?x32xf32>
  %o0 = fuser.slice %x [0, 0, 0, 1] [%d0, %d1, %d2, 32] strides [1, 1, 1, 2] : tensor<?x?x?x64xbf16> -> tensor<?x?x?x32xbf16>
  %o = fuser.cast %o0 : tensor<?x?x?x32xbf16> to tensor<?x?x?x32xf32>
  %cb = fuser.broadcast %c dims [0, 1] : tensor<?x32xf32> -> tensor<1x1x?x32xf32>
  %cf = fuser.cast %cb : tensor<1x1x?x32xf32> to tensor<1x1x?x32xf32>
  %sb = fuser.broadcast %s dims [0, 1] : tensor<?x32xf32> -> tensor<1x1x?x32xf32>
  %sf = fuser.cast %sb : tensor<1x1x?x32xf32> to tensor<1x1x?x32xf32>
  %ec = fuser.mul %e, %cf : (tensor<?x?x?x32xf32>, tensor<1x1x?x32xf32>) -> tensor<?x?x?x32xf32>
  %os = fuser.mul %o, %sf : (tensor<?x?x?x32xf32>, tensor<1x1x?x32xf32>) -> tensor<?x?x?x32xf32>
  %es = fuser.mul %e, %sf : (tensor<?x?x?x32xf32>, tensor<1x1x?x32xf32>) -> tensor<?x?x?x32xf32>
  %oc = fuser.mul %o, %cf : (tensor<?x?x?x32xf32>, tensor<1x1x?x32xf32>) -> tensor<?x?x?x32xf32>
  %re = fuser.sub %ec, %os : tensor<?x?x?x32xf32>
  %im = fuser.add %es, %oc : tensor<?x?x?x32xf32>
  %re1 = fuser.broadcast %re dims [4] : tensor<?x?x?x32xf32> -> tensor<?x?x?x32x1xf32>
  %im1 = fuser.broadcast %im dims [4] : tensor<?x?x?x32xf32> -> tensor<?x?x?x32x1xf32>
  %j = fuser.cat %re1, %im1 dim 4 : (tensor<?x?x?x32x1xf32>, tensor<?x?x?x32x1xf32>) -> tensor<?x?x?x32x2xf32>
  %fl = fuser.reshape %j : tensor<?x?x?x32x2xf32> -> tensor<?x?x?x64xf32>
  %r = fuser.cast %fl : tensor<?x?x?x64xf32> to tensor<?x?x?x64xbf16>
  fuser.return %r : tensor<?x?x?x64xbf16>
}

fuser.fusion @products(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %nx = tensor.dim %x, %c0 : tensor<?x2xf32>
  %xs0 = fuser.slice %x [0, 0] [%nx, 1] : tensor<?x2xf32> -> tensor<?x1xf32>
  %x0 = fuser.squeeze %xs0 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  %xs1 = fuser.slice %x [0, 1] [%nx, 1] : tensor<?x2xf32> -> tensor<?x1xf32>
  %x1 = fuser.squeeze %xs1 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  %ny = tensor.dim %y, %c0 : tensor<?x2xf32>
  %ys0 = fuser.slice %y [0, 0] [%ny, 1] : tensor<?x2xf32> -> tensor<?x1xf32>
  %y0 = fuser.squeeze %ys0 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  %ys1 = fuser.slice %y [0, 1] [%ny, 1] : tensor<?x2xf32> -> tensor<?x1xf32>
  %y1 = fuser.squeeze %ys1 dims [1] : tensor<?x1xf32> -> tensor<?xf32>
  %p0 = fuser.mul %x0, %y1 : tensor<?xf32>
  %q0 = fuser.sub %p0, %x1 : tensor<?xf32>
  %b0 = fuser.broadcast %q0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %p1 = fuser.mul %x1, %y0 : tensor<?xf32>
  %q1 = fuser.sub %p1, %x0 : tensor<?xf32>
  %b1 = fuser.broadcast %q1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %r = fuser.cat %b0, %b1 dim 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  fuser.return %r : tensor<?x2xf32>
}

fuser.fusion @odd(%x: tensor<?x?x6xf32>, %c: tensor<?x3xf32>, %s: tensor<?x3xf32>) -> tensor<?x?x6xf32> {
  %i0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %i0 : tensor<?x?x6xf32>
  %i1 = arith.constant 1 : index
  %d1 = tensor.dim %x, %i1 : tensor<?x?x6xf32>
  %e0 = fuser.slice %x [0, 0, 0] [%d0, %d1, 3] strides [1, 1, 2] : tensor<?x?x6xf32> -> tensor<?x?x3xf32>
  %e = fuser.cast %e0 : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %o0 = fuser.slice %x [0, 0, 1] [%d0, %d1, 3] strides [1, 1, 2] : tensor<?x?x6xf32> -> tensor<?x?x3xf32>
  %o = fuser.cast %o0 : tensor<?x?x3xf32> to tensor<?x?x3xf32>
  %cb = fuser.broadcast %c dims [0] : tensor<?x3xf32> -> tensor<1x?x3xf32>
  %cf = fuser.cast %cb : tensor<1x?x3xf32> to tensor<1x?x3xf32>
  %sb = fuser.broadcast %s dims [0] : tensor<?x3xf32> -> tensor<1x?x3xf32>
  %sf = fuser.cast %sb : tensor<1x?x3xf32> to tensor<1x?x3xf32>
  %ec = fuser.mul %e, %cf : (tensor<?x?x3xf32>, tensor<1x?x3xf32>) -> tensor<?x?x3xf32>
  %os = fuser.mul %o, %sf : (tensor<?x?x3xf32>, tensor<1x?x3xf32>) -> tensor<?x?x3xf32>
  %es = fuser.mul %e, %sf : (tensor<?x?x3xf32>, tensor<1x?x3xf32>) -> tensor<?x?x3xf32>
  %oc = fuser.mul %o, %cf : (tensor<?x?x3xf32>, tensor<1x?x3xf32>) -> tensor<?x?x3xf32>
  %re = fuser.sub %ec, %os : tensor<?x?x3xf32>
  %im = fuser.add %es, %oc : tensor<?x?x3xf32>
  %re1 = fuser.broadcast %re dims [3] : tensor<?x?x3xf32> -> tensor<?x?x3x1xf32>
  %im1 = fuser.broadcast %im dims [3] : tensor<?x?x3xf32> -> tensor<?x?x3x1xf32>
  %j = fuser.cat %re1, %im1 dim 3 : (tensor<?x?x3x1xf32>, tensor<?x?x3x1xf32>) -> tensor<?x?x3x2xf32>
  %fl = fuser.reshape %j : tensor<?x?x3x2xf32> -> tensor<?x?x6xf32>
  %r = fuser.cast %fl : tensor<?x?x6xf32> to tensor<?x?x6xf32>
  fuser.return %r : tensor<?x?x6xf32>
}

fuser.fusion @heads(%x: tensor<?x?x?x64xbf16>, %c: tensor<?x1x32xbf16>, %s: tensor<?x1x32xbf16>) -> tensor<?x?x?x64xbf16> {
  %i0 = arith.constant 0 : index
  %d0 = tensor.dim %x, %i0 : tensor<?x?x?x64xbf16>
  %i1 = arith.constant 1 : index
  %d1 = tensor.dim %x, %i1 : tensor<?x?x?x64xbf16>
  %i2 = arith.constant 2 : index
  %d2 = tensor.dim %x, %i2 : tensor<?x?x?x64xbf16>
  %e0 = fuser.slice %x [0, 0, 0, 0] [%d0, %d1, %d2, 32] strides [1, 1, 1, 2] : tensor<?x?x?x64xbf16> -> tensor<?x?x?x32xbf16>
  %e = fuser.cast %e0 : tensor<?x?x?x32xbf16> to tensor<?x?x?x32xf32>
  %o0 = fuser.slice %x [0, 0, 0, 1] [%d0, %d1, %d2, 32] strides [1, 1, 1, 2] : tensor<?x?x?x64xbf16> -> tensor<?x?x?x32xbf16>
  %o = fuser.cast %o0 : tensor<?x?x?x32xbf16> to tensor<?x?x?x32xf32>
  %cb = fuser.broadcast %c dims [0] : tensor<?x1x32xbf16> -> tensor<1x?x1x32xbf16>
  %cf = fuser.cast %cb : tensor<1x?x1x32xbf16> to tensor<1x?x1x32xf32>
  %sb = fuser.broadcast %s dims [0] : tensor<?x1x32xbf16> -> tensor<1x?x1x32xbf16>
  %sf = fuser.cast %sb : tensor<1x?x1x32xbf16> to tensor<1x?x1x32xf32>
  %ec = fuser.mul %e, %cf : (tensor<?x?x?x32xf32>, tensor<1x?x1x32xf32>) -> tensor<?x?x?x32xf32>
  %os = fuser.mul %o, %sf : (tensor<?x?x?x32xf32>, tensor<1x?x1x32xf32>) -> tensor<?x?x?x32xf32>
  %es = fuser.mul %e, %sf : (tensor<?x?x?x32xf32>, tensor<1x?x1x32xf32>) -> tensor<?x?x?x32xf32>
  %oc = fuser.mul %o, %cf : (tensor<?x?x?x32xf32>, tensor<1x?x1x32xf32>) -> tensor<?x?x?x32xf32>
  %re = fuser.sub %ec, %os : tensor<?x?x?x32xf32>
  %im = fuser.add %es, %oc : tensor<?x?x?x32xf32>
  %re1 = fuser.broadcast %re dims [4] : tensor<?x?x?x32xf32> -> tensor<?x?x?x32x1xf32>
  %im1 = fuser.broadcast %im dims [4] : tensor<?x?x?x32xf32> -> tensor<?x?x?x32x1xf32>
  %j = fuser.cat %re1, %im1 dim 4 : (tensor<?x?x?x32x1xf32>, tensor<?x?x?x32x1xf32>) -> tensor<?x?x?x32x2xf32>
  %fl = fuser.reshape %j : tensor<?x?x?x32x2xf32> -> tensor<?x?x?x64xf32>
  %r = fuser.cast %fl : tensor<?x?x?x64xf32> to tensor<?x?x?x64xbf16>
  fuser.return %r : tensor<?x?x?x64xbf16>
}

fuser.fusion @triples(%x: tensor<?x3xbf16>, %y: tensor<?x3xbf16>) -> tensor<?x3xbf16> {
  %c0 = arith.constant 0 : index
  %nx = tensor.dim %x, %c0 : tensor<?x3xbf16>
  %xs0 = fuser.slice %x [0, 0] [%nx, 1] : tensor<?x3xbf16> -> tensor<?x1xbf16>
  %x0 = fuser.squeeze %xs0 dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
  %xs1 = fuser.slice %x [0, 1] [%nx, 1] : tensor<?x3xbf16> -> tensor<?x1xbf16>
  %x1 = fuser.squeeze %xs1 dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
  %xs2 = fuser.slice %x [0, 2] [%nx, 1] : tensor<?x3xbf16> -> tensor<?x1xbf16>
  %x2 = fuser.squeeze %xs2 dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
  %ny = tensor.dim %y, %c0 : tensor<?x3xbf16>
  %ys0 = fuser.slice %y [0, 0] [%ny, 1] : tensor<?x3xbf16> -> tensor<?x1xbf16>
  %y0 = fuser.squeeze %ys0 dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
  %ys1 = fuser.slice %y [0, 1] [%ny, 1] : tensor<?x3xbf16> -> tensor<?x1xbf16>
  %y1 = fuser.squeeze %ys1 dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
  %ys2 = fuser.slice %y [0, 2] [%ny, 1] : tensor<?x3xbf16> -> tensor<?x1xbf16>
  %y2 = fuser.squeeze %ys2 dims [1] : tensor<?x1xbf16> -> tensor<?xbf16>
  %p0 = fuser.mul %x0, %y1 : tensor<?xbf16>
  %q0 = fuser.sub %p0, %x1 : tensor<?xbf16>
  %b0 = fuser.broadcast %q0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %p1 = fuser.mul %x1, %y2 : tensor<?xbf16>
  %q1 = fuser.sub %p1, %x2 : tensor<?xbf16>
  %b1 = fuser.broadcast %q1 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %p2 = fuser.mul %x2, %y0 : tensor<?xbf16>
  %q2 = fuser.sub %p2, %x0 : tensor<?xbf16>
  %b2 = fuser.broadcast %q2 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %r = fuser.cat %b0, %b1, %b2 dim 1 : (tensor<?x1xbf16>, tensor<?x1xbf16>, tensor<?x1xbf16>) -> tensor<?x3xbf16>
  fuser.return %r : tensor<?x3xbf16>
}

fuser.fusion @bools(%a0: tensor<?x?xi1>, %a1: tensor<?x?xi1>, %a2: tensor<?x?xi1>) -> tensor<?x?x3xi1> {
  %p0 = fuser.logical_not %a0 : tensor<?x?xi1>
  %b0 = fuser.broadcast %p0 dims [2] : tensor<?x?xi1> -> tensor<?x?x1xi1>
  %b1 = fuser.broadcast %a1 dims [2] : tensor<?x?xi1> -> tensor<?x?x1xi1>
  %p2 = fuser.logical_not %a2 : tensor<?x?xi1>
  %b2 = fuser.broadcast %p2 dims [2] : tensor<?x?xi1> -> tensor<?x?x1xi1>
  %r = fuser.cat %b0, %b1, %b2 dim 2 : (tensor<?x?x1xi1>, tensor<?x?x1xi1>, tensor<?x?x1xi1>) -> tensor<?x?x3xi1>
  fuser.return %r : tensor<?x?x3xi1>
}

fuser.fusion @eight(%a0: tensor<?x?xf32>, %a1: tensor<?x?xf32>, %a2: tensor<?x?xf32>, %a3: tensor<?x?xf32>, %a4: tensor<?x?xf32>, %a5: tensor<?x?xf32>, %a6: tensor<?x?xf32>, %a7: tensor<?x?xf32>) -> tensor<?x?x8xf32> {
  %p0 = fuser.exp %a0 : tensor<?x?xf32>
  %b0 = fuser.broadcast %p0 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %b1 = fuser.broadcast %a1 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %p2 = fuser.exp %a2 : tensor<?x?xf32>
  %b2 = fuser.broadcast %p2 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %b3 = fuser.broadcast %a3 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %p4 = fuser.exp %a4 : tensor<?x?xf32>
  %b4 = fuser.broadcast %p4 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %b5 = fuser.broadcast %a5 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %p6 = fuser.exp %a6 : tensor<?x?xf32>
  %b6 = fuser.broadcast %p6 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %b7 = fuser.broadcast %a7 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %r = fuser.cat %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7 dim 2 : (tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x8xf32>
  fuser.return %r : tensor<?x?x8xf32>
}
