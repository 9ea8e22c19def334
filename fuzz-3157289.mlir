// Seed 3157289: fault
// OutOfBounds: kernel 'f_0', block (0, 0, 0), thread (0, 0, 0): expected memref.load at program:2:3 inside of the box of parameter 0 ('arg0', sizes [8, 8], strides [8, 1], 256 bytes), but got 4 bytes at offset 256
// fuser-run FILE --device=host --check --sizes=8x8,17x8
// step: split op 1 2 16 1
// step: merge op 1 1 2
// step: split op 1 1 8 1
// step: split op 1 0 2 1
// step: parallelize op 1 loop 3 @unswitch
// step: parallelize op 1 loop 4 @thread_x
module {
  fuser.fusion @f(%arg0: tensor<8x8xf32>, %arg1: tensor<?x8xf32>) -> tensor<8x1x8xf32> {
    %0 = fuser.broadcast %arg0 dims [1] {domains = [#fuser.domain<logical = [i0, b1, i2], loop = [i0, b1, i2], allocation = [i0, b1, i2]>]} : tensor<8x8xf32> -> tensor<8x1x8xf32>
    %1 = fuser.set %0 {domains = [#fuser.domain<logical = [i0, b1, i2], split(i2, 16) -> (i3, i4), merge(b1, i3) -> i5, split(i5, 8) -> (i6, i7), split(i0, 2) -> (i8, i9), loop = [i8, i9, i6, i7 @unswitch, i4 @thread_x], allocation = [i0, b1, i2]>], memory = #fuser.memory<global>} : tensor<8x1x8xf32>
    fuser.return %1 : tensor<8x1x8xf32>
  }
}