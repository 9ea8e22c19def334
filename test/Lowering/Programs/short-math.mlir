// RUN: fuser-run %s --device=host --check --program=tanh_f16 --sizes=4096 --range=x=-0.4:0.4
// RUN: fuser-run %s --device=host --check --program=tanh_f16 --sizes=4096 --range=x=-0.002:0.002
// RUN: fuser-run %s --device=host --check --program=tanh_f16 --sizes=4096 --range=x=-20:20
// RUN: fuser-run %s --device=host --check --program=tanh_bf16 --sizes=4096 --range=x=-200:200
// RUN: fuser-run %s --device=host --check --program=gelu_slope --sizes=64x512,64x512 --range=x=-8:8
// RUN: fuser-run %s --device=host --check --program=masked_statistics --sizes=5x3000,5
// RUN: fuser-run %s --device=host --check --program=masked_statistics --sizes=3x7,3
// RUN: fuser-run %s --device=host --check --program=fp8 --sizes=33x77,33x77 --range=x=-600:600 --range=y=-70000:70000
// Short math against the reference: near 0, where tanh changes its form, and far outside.

fuser.fusion @tanh_f16(%x: tensor<?xf16>) -> tensor<?xf16> {
  %0 = fuser.tanh %x : tensor<?xf16>
  fuser.return %0 : tensor<?xf16>
}

fuser.fusion @tanh_bf16(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = fuser.tanh %x : tensor<?xbf16>
  fuser.return %0 : tensor<?xbf16>
}

fuser.fusion @gelu_slope(%dy: tensor<?x?xbf16>, %x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = fuser.gelu_backward %dy, %x {approximate} : tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}

// The statistics of rows whose first elements are -inf, of a row that is -inf, and of one with +inf.
fuser.fusion @masked_statistics(%x: tensor<?x?xf32>, %first: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %few = arith.constant 4 : i64
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = fuser.iota %zero, %step length(%n) : i64, i64 -> tensor<?xi64>
  %1 = fuser.lt %0, %few : (tensor<?xi64>, i64) -> tensor<?xi1>
  %2 = fuser.broadcast %1 dims [0] : tensor<?xi1> -> tensor<1x?xi1>
  %3 = fuser.where %2, %low, %x : (tensor<1x?xi1>, f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %max, %sum = fuser.max_sum_exp %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %4 = fuser.where %2, %high, %x : (tensor<1x?xi1>, f32, tensor<?x?xf32>) -> tensor<?x?xf32>
  %max2, %sum2 = fuser.max_sum_exp %4 dims [1] : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %5 = fuser.add %max, %first : tensor<?xf32>
  fuser.return %5, %sum, %max2, %sum2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Beyond the largest finite numbers too.
fuser.fusion @fp8(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>) {
  %0 = fuser.cast %x : tensor<?x?xf32> to tensor<?x?xf8E4M3FN>
  %1 = fuser.cast %y : tensor<?x?xf32> to tensor<?x?xf8E5M2>
  fuser.return %0, %1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>
}
