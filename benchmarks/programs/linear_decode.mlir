// x @ w.t() with few rows.
fuser.fusion @linear_decode_bf16(%x: tensor<?x?xbf16>, %w: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.linear %x, %w : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
