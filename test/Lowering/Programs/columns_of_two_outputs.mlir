// Elements at 2r + c and at 3r + c, the former where c < 2: a code generator that writes one as the other plus r must not take the former
// for an `or` (docs/adr/0051-sums-are-no-ors.md).
// RUN: fuser-run %s --device=host --sizes=7x1x33 --check | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir="sizes=7,1,33" --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s --check-prefix=PTX

// CHECK: output 0: ok
// CHECK: output 1: ok

// PTX: mul.hi.u32 %[[R:r[0-9]+]],
// PTX: sub.s32 %[[C:r[0-9]+]],
// PTX-NOT: or.b32 %{{r[0-9]+}}, %{{r[0-9]+}}, %[[C]];
fuser.fusion @columns(%x: tensor<7x1x?xi32>) -> (tensor<7x2x?xi32>, tensor<7x3x?xi32>) {
  %two = fuser.cat %x, %x dim 1 : (tensor<7x1x?xi32>, tensor<7x1x?xi32>) -> tensor<7x2x?xi32>
  %sum = fuser.add %x, %two : (tensor<7x1x?xi32>, tensor<7x2x?xi32>) -> tensor<7x2x?xi32>
  %three = fuser.cat %sum, %x dim 1 : (tensor<7x2x?xi32>, tensor<7x1x?xi32>) -> tensor<7x3x?xi32>
  fuser.return %two, %three : tensor<7x2x?xi32>, tensor<7x3x?xi32>
}
