// The product of two matrices, element by element.
fuser.fusion @mul(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.mul %x, %y : tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
