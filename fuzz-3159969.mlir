// Seed 3159969: fault
// OutOfBounds: kernel 'f_0', block (0, 0, 0), thread (0, 1, 0): expected memref.store at program:2:3 inside of the box of parameter 2 (sizes [24, 1, 8], strides [8, 8, 1], 768 bytes), but got 4 bytes at offset 772
// fuser-run FILE --device=host --check --sizes=8x24
// step: reorder op 4 1 0 2
// step: split op 4 1 4 1
// step: split op 4 3 64 1
// step: merge op 4 0 1
// step: parallelize op 4 loop 0 @unswitch
// step: parallelize op 4 loop 3 @thread_y
module {
  fuser.fusion @f(%arg0: tensor<?x?xf32>) -> (tensor<?x1x?xf32>, tensor<?x1x?xf32>, tensor<?x1xf32>) attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>, #fuser.fact<at_most 0[0], 8>, #fuser.fact<at_most 0[1], 26>]} {
    %0 = fuser.broadcast %arg0 dims [2] {domains = [#fuser.domain<logical = [i0, i1, b2], loop = [i0, i1, b2], allocation = [i0, i1, b2]>]} : tensor<?x?xf32> -> tensor<?x?x1xf32>
    %1 = fuser.permute %0 [1, 2, 0] {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>]} : tensor<?x?x1xf32> -> tensor<?x1x?xf32>
    %2 = fuser.mean %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1, b2], loop = [i0, r1, b2], allocation = [i0, b2]>]} : tensor<?x?x1xf32> -> tensor<?x1xf32>
    %3 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>], memory = #fuser.memory<global>} : tensor<?x1x?xf32>
    %4 = fuser.set %1 {domains = [#fuser.domain<logical = [i0, b1, i2], split(i0, 4) -> (i3, i4), split(i2, 64) -> (i5, i6), merge(b1, i3) -> i7, loop = [i7 @unswitch, i4, i5, i6 @thread_y], allocation = [i0, b1, i2]>], memory = #fuser.memory<global>} : tensor<?x1x?xf32>
    %5 = fuser.set %2 {domains = [#fuser.domain<logical = [i0, b1], loop = [i0, b1], allocation = [i0, b1]>], memory = #fuser.memory<global>} : tensor<?x1xf32>
    fuser.return %3, %4, %5 : tensor<?x1x?xf32>, tensor<?x1x?xf32>, tensor<?x1xf32>
  }
}