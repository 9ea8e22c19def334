// silu(gate) * up, the two halves of each row of one buffer. The number of columns is static, as in a layer.
fuser.fusion @swiglu_packed_bf16(%h: tensor<?x28672xbf16>) -> tensor<?x14336xbf16> {
  %c0 = arith.constant 0 : index
  %h_0 = tensor.dim %h, %c0 : tensor<?x28672xbf16>
  %0 = fuser.slice %h [0, 0] [%h_0, 14336] : tensor<?x28672xbf16> -> tensor<?x14336xbf16>
  %1 = fuser.slice %h [0, 14336] [%h_0, 14336] : tensor<?x28672xbf16> -> tensor<?x14336xbf16>
  %2 = fuser.cast %0 : tensor<?x14336xbf16> to tensor<?x14336xf32>
  %3 = fuser.silu %2 : tensor<?x14336xf32>
  %4 = fuser.cast %1 : tensor<?x14336xbf16> to tensor<?x14336xf32>
  %5 = fuser.mul %3, %4 : tensor<?x14336xf32>
  %6 = fuser.cast %5 : tensor<?x14336xf32> to tensor<?x14336xbf16>
  fuser.return %6 : tensor<?x14336xbf16>
}
