// Rotary embedding of q and k of shape (batch, sequence, heads, 128).
fuser.fusion @rope_bf16(%q: tensor<?x?x?x128xbf16>, %k: tensor<?x?x?x128xbf16>, %cos: tensor<?x128xbf16>, %sin: tensor<?x128xbf16>) -> (tensor<?x?x?x128xbf16>, tensor<?x?x?x128xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %q_0 = tensor.dim %q, %c0 : tensor<?x?x?x128xbf16>
  %q_1 = tensor.dim %q, %c1 : tensor<?x?x?x128xbf16>
  %q_2 = tensor.dim %q, %c2 : tensor<?x?x?x128xbf16>
  %0 = fuser.cast %q : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %1 = fuser.slice %0 [0, 0, 0, 0] [%q_0, %q_1, %q_2, 64] : tensor<?x?x?x128xf32> -> tensor<?x?x?x64xf32>
  %2 = fuser.slice %0 [0, 0, 0, 64] [%q_0, %q_1, %q_2, 64] : tensor<?x?x?x128xf32> -> tensor<?x?x?x64xf32>
  %3 = fuser.neg %2 : tensor<?x?x?x64xf32>
  %4 = fuser.cat %3, %1 dim 3 : (tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>) -> tensor<?x?x?x128xf32>
  %5 = fuser.cast %cos : tensor<?x128xbf16> to tensor<?x128xf32>
  %6 = fuser.broadcast %5 dims [0, 2] : tensor<?x128xf32> -> tensor<1x?x1x128xf32>
  %7 = fuser.mul %0, %6 : (tensor<?x?x?x128xf32>, tensor<1x?x1x128xf32>) -> tensor<?x?x?x128xf32>
  %8 = fuser.cast %sin : tensor<?x128xbf16> to tensor<?x128xf32>
  %9 = fuser.broadcast %8 dims [0, 2] : tensor<?x128xf32> -> tensor<1x?x1x128xf32>
  %10 = fuser.mul %4, %9 : (tensor<?x?x?x128xf32>, tensor<1x?x1x128xf32>) -> tensor<?x?x?x128xf32>
  %11 = fuser.add %7, %10 : tensor<?x?x?x128xf32>
  %12 = fuser.cast %11 : tensor<?x?x?x128xf32> to tensor<?x?x?x128xbf16>
  %k_0 = tensor.dim %k, %c0 : tensor<?x?x?x128xbf16>
  %k_1 = tensor.dim %k, %c1 : tensor<?x?x?x128xbf16>
  %k_2 = tensor.dim %k, %c2 : tensor<?x?x?x128xbf16>
  %13 = fuser.cast %k : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %14 = fuser.slice %13 [0, 0, 0, 0] [%k_0, %k_1, %k_2, 64] : tensor<?x?x?x128xf32> -> tensor<?x?x?x64xf32>
  %15 = fuser.slice %13 [0, 0, 0, 64] [%k_0, %k_1, %k_2, 64] : tensor<?x?x?x128xf32> -> tensor<?x?x?x64xf32>
  %16 = fuser.neg %15 : tensor<?x?x?x64xf32>
  %17 = fuser.cat %16, %14 dim 3 : (tensor<?x?x?x64xf32>, tensor<?x?x?x64xf32>) -> tensor<?x?x?x128xf32>
  %18 = fuser.cast %cos : tensor<?x128xbf16> to tensor<?x128xf32>
  %19 = fuser.broadcast %18 dims [0, 2] : tensor<?x128xf32> -> tensor<1x?x1x128xf32>
  %20 = fuser.mul %13, %19 : (tensor<?x?x?x128xf32>, tensor<1x?x1x128xf32>) -> tensor<?x?x?x128xf32>
  %21 = fuser.cast %sin : tensor<?x128xbf16> to tensor<?x128xf32>
  %22 = fuser.broadcast %21 dims [0, 2] : tensor<?x128xf32> -> tensor<1x?x1x128xf32>
  %23 = fuser.mul %17, %22 : (tensor<?x?x?x128xf32>, tensor<1x?x1x128xf32>) -> tensor<?x?x?x128xf32>
  %24 = fuser.add %20, %23 : tensor<?x?x?x128xf32>
  %25 = fuser.cast %24 : tensor<?x?x?x128xf32> to tensor<?x?x?x128xbf16>
  fuser.return %12, %25 : tensor<?x?x?x128xbf16>, tensor<?x?x?x128xbf16>
}
