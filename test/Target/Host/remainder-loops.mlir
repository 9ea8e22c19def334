// Loops over remainders by a power of two are not vectorized: LLVM 22 would read consecutive elements of %0.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// CHECK: output 0: ok
fuser.fusion @remainder(%arg0: tensor<8x8xf32>) -> tensor<8x16xf32> {
  %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>]} : tensor<8x8xf32>
  %1 = fuser.repeat %0 [1, 2] {domains = [#fuser.domain<root = [i0, e1, i2], merge(e1, i2) -> i3, split(i3, 96) -> (i4, i5), split(i5, 64) -> (i6, i7), logical = [i0, i3], loop = [i0, i4, i6, i7], allocation = [i0, i3]>]} : tensor<8x8xf32> -> tensor<8x16xf32>
  %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<8x16xf32>
  fuser.return %2 : tensor<8x16xf32>
}
