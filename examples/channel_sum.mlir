// The sum of each channel: a reduction over the outer axis.
fuser.fusion @channel_sum(%x: tensor<?x?xbf16>) -> tensor<?xbf16> {
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %sum = fuser.sum %xf dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %0 = fuser.cast %sum : tensor<?xf32> to tensor<?xbf16>
  fuser.return %0 : tensor<?xbf16>
}
