// Seed 8022766: internal
// program:1:1: error: 'fuser.launch' op expected parts that begin at multiples of 8 bytes, but got an offset or a step of 2 (aligned accesses of kernel 'f_0')
// fuser.fusion @f(%x0: tensor<?x?xf16>, %x1: tensor<1024xf16>) -> (tensor<1020x5xf16>, tensor<1020x5xf16>) attributes {arg_layouts = [unit, unit], output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
// ^
// fuser-run FILE --device=host --check --sizes=16x16,1024
module {
  fuser.fusion @f(%x0: tensor<?x?xf16>, %x1: tensor<1024xf16>) -> (tensor<1020x5xf16>, tensor<1020x5xf16>) attributes {arg_layouts = [unit, unit], output_orders = [array<i64: 0, 1>, array<i64: 1, 0>]} {
    %0 = fuser.slice %x1 [0] [1020] : tensor<1024xf16> -> tensor<1020xf16>
    %1 = fuser.broadcast %0 dims [1] : tensor<1020xf16> -> tensor<1020x1xf16>
    %2 = fuser.slice %x1 [1] [1020] : tensor<1024xf16> -> tensor<1020xf16>
    %3 = fuser.broadcast %2 dims [1] : tensor<1020xf16> -> tensor<1020x1xf16>
    %4 = fuser.slice %x1 [2] [1020] : tensor<1024xf16> -> tensor<1020xf16>
    %5 = fuser.broadcast %4 dims [1] : tensor<1020xf16> -> tensor<1020x1xf16>
    %6 = fuser.slice %x1 [3] [1020] : tensor<1024xf16> -> tensor<1020xf16>
    %7 = fuser.broadcast %6 dims [1] : tensor<1020xf16> -> tensor<1020x1xf16>
    %8 = fuser.slice %x1 [4] [1020] : tensor<1024xf16> -> tensor<1020xf16>
    %9 = fuser.broadcast %8 dims [1] : tensor<1020xf16> -> tensor<1020x1xf16>
    %10 = fuser.cat %1, %3, %5, %7, %9 dim 1 : (tensor<1020x1xf16>, tensor<1020x1xf16>, tensor<1020x1xf16>, tensor<1020x1xf16>, tensor<1020x1xf16>) -> tensor<1020x5xf16>
    %11 = fuser.sub %9, %10 : (tensor<1020x1xf16>, tensor<1020x5xf16>) -> tensor<1020x5xf16>
    fuser.return %11, %11 : tensor<1020x5xf16>, tensor<1020x5xf16>
  }
}