// RUN: fuser-run %s --target=h200 --no-run --dump-after=choose 2>/dev/null | FileCheck %s
// An output that is stored in an argument has its address: vectors that the argument does not allow are not chosen, also
// where the kernel does not read it.

// CHECK-LABEL: fuser.kernel @unaligned
// CHECK-SAME: facts = [#fuser.fact<aligned 1, 4>]
// CHECK-NOT: vector
// CHECK: fuser.return
fuser.fusion @unaligned(%x: tensor<4096x1024xf32>, %into: tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>], facts = [#fuser.fact<aligned 1, 4>]} {
  %0 = fuser.exp %x : tensor<4096x1024xf32>
  fuser.return %0 : tensor<4096x1024xf32>
}
