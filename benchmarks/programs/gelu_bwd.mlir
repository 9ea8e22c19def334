// The gradient of gelu(x + b), the form with tanh.
fuser.fusion @gelu_bwd_bf16(%dy: tensor<?x?xbf16>, %x: tensor<?x?xbf16>, %b: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %k0 = arith.constant 0.7978845608028654 : f32
  %k1 = arith.constant 0.044715 : f32
  %k2 = arith.constant 1.0 : f32
  %k3 = arith.constant 0.5 : f32
  %k4 = arith.constant 0.1070322243 : f32
  %0 = fuser.cast %dy : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %2 = fuser.cast %b : tensor<?xbf16> to tensor<?xf32>
  %3 = fuser.broadcast %2 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %4 = fuser.add %1, %3 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %5 = fuser.mul %k0, %4 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %6 = fuser.mul %k1, %4 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %7 = fuser.mul %6, %4 : tensor<?x?xf32>
  %8 = fuser.add %k2, %7 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %9 = fuser.mul %5, %8 : tensor<?x?xf32>
  %10 = fuser.tanh %9 : tensor<?x?xf32>
  %11 = fuser.mul %k3, %4 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %12 = fuser.mul %10, %10 : tensor<?x?xf32>
  %13 = fuser.sub %k2, %12 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %14 = fuser.mul %11, %13 : tensor<?x?xf32>
  %15 = fuser.mul %k4, %4 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %16 = fuser.mul %15, %4 : tensor<?x?xf32>
  %17 = fuser.add %k0, %16 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %18 = fuser.mul %14, %17 : tensor<?x?xf32>
  %19 = fuser.add %k2, %10 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %20 = fuser.mul %k3, %19 : (f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %21 = fuser.add %18, %20 : tensor<?x?xf32>
  %22 = fuser.mul %0, %21 : tensor<?x?xf32>
  %23 = fuser.cast %22 : tensor<?x?xf32> to tensor<?x?xbf16>
  fuser.return %23 : tensor<?x?xbf16>
}
