// Seed 462821: internal
// program:7:9: error: 'fuser.reshape' op expected a dynamic result dimension for the operand's dynamic ones, but got none
//   %v6 = fuser.reshape %v3 : tensor<?x1xf32> -> tensor<?xf32>
//         ^
// fuser-run FILE --device=host --check --sizes=31x100x1,31x2x1,2x1x1x31,8,8,513x0,513x0,3x31,3x31,33x33x7,33x33x7 --range=i0=-1:101 --range=i1=0:2
module {
  fuser.fusion @f(%x0: tensor<31x100x1xf32>, %i0: tensor<31x?x1xi64>, %i1: tensor<?x1x1x31xi64>, %l0: tensor<8xf32>, %g0: tensor<8xf32>, %l1: tensor<513x0xf32>, %g1: tensor<513x0xf32>, %l2: tensor<?x?xf32>, %g2: tensor<?x?xf32>, %l3: tensor<?x?x?xf32>, %g3: tensor<?x?x?xf32>) -> (tensor<21x1x6x31xf32>, tensor<?x1xf32>, tensor<?x1x2xf32>, tensor<8xf32>, tensor<513x0xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>) attributes {aliases = [#fuser.alias<output 3, input 3>, #fuser.alias<output 4, input 5>, #fuser.alias<output 5, input 7>, #fuser.alias<output 6, input 9>]} {
    %0 = fuser.take_along_axis %x0, %i0 dim 1 : tensor<31x100x1xf32>, tensor<31x?x1xi64> -> tensor<31x?x1xf32>
    %1 = fuser.reshape %0 : tensor<31x?x1xf32> -> tensor<?x1xf32>
    %2 = fuser.sum %x0 dims [0, 1] : tensor<31x100x1xf32> -> tensor<1xf32>
    %3 = fuser.reshape %1 : tensor<?x1xf32> -> tensor<?xf32>
    %4 = fuser.permute %0 [1, 0, 2] : tensor<31x?x1xf32> -> tensor<?x31x1xf32>
    %5 = fuser.minimum %2, %3 : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
    %6 = fuser.reshape %5 : tensor<?xf32> -> tensor<?x1x2xf32>
    %7 = fuser.reshape %4 : tensor<?x31x1xf32> -> tensor<?x1x1x31xf32>
    %cst = arith.constant 1.500000e+00 : f32
    %8 = fuser.full %cst : f32 -> tensor<21x1x6x31xf32>
    %c17_i64 = arith.constant 17 : i64
    %c0_i64 = arith.constant 0 : i64
    %9 = fuser.iota %c17_i64, %c0_i64 : i64, i64 -> tensor<2xi64>
    %10 = fuser.broadcast %9 dims [1, 2, 3] : tensor<2xi64> -> tensor<2x1x1x1xi64>
    %c0_i64_0 = arith.constant 0 : i64
    %c-2_i64 = arith.constant -2 : i64
    %11 = fuser.iota %c0_i64_0, %c-2_i64 : i64, i64 -> tensor<31xi64>
    %12 = fuser.broadcast %11 dims [0, 1, 2] : tensor<31xi64> -> tensor<1x1x1x31xi64>
    %13 = fuser.add %10, %12 : (tensor<2x1x1x1xi64>, tensor<1x1x1x31xi64>) -> tensor<2x1x1x31xi64>
    %14 = fuser.push %7 at %13 into %8 dim 0 reduce add : tensor<?x1x1x31xf32>, tensor<2x1x1x31xi64>, tensor<21x1x6x31xf32>
    %15 = fuser.mul %l0, %g0 : tensor<8xf32>
    %16 = fuser.mul %l1, %g1 : tensor<513x0xf32>
    %17 = fuser.mul %l2, %g2 : tensor<?x?xf32>
    %18 = fuser.mul %l3, %g3 : tensor<?x?x?xf32>
    fuser.return %14, %1, %6, %15, %16, %17, %18 : tensor<21x1x6x31xf32>, tensor<?x1xf32>, tensor<?x1x2xf32>, tensor<8xf32>, tensor<513x0xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>
  }
}