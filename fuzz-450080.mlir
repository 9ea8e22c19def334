// Seed 450080: fault
// DataRace: kernel 'f_0', block (0, 0, 0), thread (0, 1, 0): expected vector.load at program:1:17 to be ordered with vector.store at program:22:9 of thread (0, 0, 0), but no barrier is between them and both touch byte 0 of parameter 0 ('x0', sizes [8, 8], strides [8, 1], 256 bytes)
// fuser-run FILE --device=host --check --sizes=8x8,8x8
module {
  fuser.fusion @f(%x0: tensor<8x8xf32>, %x1: tensor<8x8xf32>) -> (tensor<8x14xf32>, tensor<8xf32>, tensor<8x8xf32>) attributes {aliases = [#fuser.alias<output 2, input 0>]} {
    %cst = arith.constant 1.500000e+00 : f32
    %0 = fuser.full %cst : f32 -> tensor<8x14xf32>
    %c3_i64 = arith.constant 3 : i64
    %c-1_i64 = arith.constant -1 : i64
    %1 = fuser.iota %c3_i64, %c-1_i64 : i64, i64 -> tensor<8xi64>
    %2 = fuser.broadcast %1 dims [1] : tensor<8xi64> -> tensor<8x1xi64>
    %c0_i64 = arith.constant 0 : i64
    %c-2_i64 = arith.constant -2 : i64
    %3 = fuser.iota %c0_i64, %c-2_i64 : i64, i64 -> tensor<8xi64>
    %4 = fuser.broadcast %3 dims [0] : tensor<8xi64> -> tensor<1x8xi64>
    %5 = fuser.add %2, %4 : (tensor<8x1xi64>, tensor<1x8xi64>) -> tensor<8x8xi64>
    %6 = fuser.push %x1 at %5 into %0 dim 1 reduce add : tensor<8x8xf32>, tensor<8x8xi64>, tensor<8x14xf32>
    %7 = fuser.gt %x1, %x0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xi1>
    %8 = fuser.where %7, %x1, %x1 : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %9 = fuser.max %6 dims [1] : tensor<8x14xf32> -> tensor<8xf32>
    %10 = fuser.sum %6 dims [1] : tensor<8x14xf32> -> tensor<8xf32>
    %11 = fuser.broadcast %10 dims [1] : tensor<8xf32> -> tensor<8x1xf32>
    %12 = fuser.div %6, %11 : (tensor<8x14xf32>, tensor<8x1xf32>) -> tensor<8x14xf32>
    fuser.return %12, %9, %8 : tensor<8x14xf32>, tensor<8xf32>, tensor<8x8xf32>
  }
}