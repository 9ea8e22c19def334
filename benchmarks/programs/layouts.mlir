// What an order costs: relu of channels-last images, bf16.

// The output follows its input.
fuser.fusion @follow(%x: tensor<?x?x?x?xbf16>) -> tensor<?x?x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>]} {
  %0 = fuser.relu %x : tensor<?x?x?x?xbf16>
  fuser.return %0 : tensor<?x?x?x?xbf16>
}

// The program requires a contiguous output: a transpose in the same kernel.
fuser.fusion @required(%x: tensor<?x?x?x?xbf16>) -> tensor<?x?x?x?xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [0, 2, 3, 1]>], output_orders = [array<i64: 0, 1, 2, 3>]} {
  %0 = fuser.relu %x : tensor<?x?x?x?xbf16>
  fuser.return %0 : tensor<?x?x?x?xbf16>
}
