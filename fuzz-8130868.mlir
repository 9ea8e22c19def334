// Seed 8130868: fault
// OutOfBounds: kernel 'f_0', block (0, 0, 0), thread (0, 15, 0): expected memref.load at program:8:10 inside of the 2400 elements of its buffer, but got element 536871073
// fuser-run FILE --device=host --check --sizes=200,200
// step: split op 0 0 8 1
// step: split op 0 1 96 1
// step: split op 1 0 96 1
// step: memory op 0 shared
module {
  fuser.fusion @f(%x0: tensor<200xf32>, %x1: tensor<200xf32>) -> tensor<202xf32> {
    %0 = fuser.tanh %x1 {domains = [#fuser.domain<logical = [i0], split(i0, 8) -> (i1, i2), split(i2, 96) -> (i3, i4), loop = [i1, i3, i4], allocation = [i0]>], memory = #fuser.memory<shared>} : tensor<200xf32>
    %cst = arith.constant 1.500000e+00 : f32
    %1 = fuser.pad %0 low [2] high [0] value %cst {domains = [#fuser.domain<logical = [i0], split(i0, 96) -> (i1, i2), loop = [i1, i2], allocation = [i0]>]} : tensor<200xf32>, f32 -> tensor<202xf32>
    %2 = fuser.set %1 {domains = [#fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<202xf32>
    fuser.return %2 : tensor<202xf32>
  }
}