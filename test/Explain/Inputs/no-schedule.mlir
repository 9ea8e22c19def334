// Domains that contradict each other: the kernel cannot be lowered.
#wrong = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#wrong], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
