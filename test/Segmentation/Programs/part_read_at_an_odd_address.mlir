// RUN: fuser-run %s --device=host --check --sizes=128 | FileCheck %s
// A part whose address has no known divisor is stored for its other readers as well.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG
fuser.fusion @read_at_an_odd_address(%x: tensor<128xbf16>) -> tensor<130xbf16> {
  %0 = fuser.max %x dims [0] : tensor<128xbf16> -> tensor<bf16>
  %1 = fuser.broadcast %0 dims [0] : tensor<bf16> -> tensor<1xbf16>
  %2 = fuser.sub %x, %1 : (tensor<128xbf16>, tensor<1xbf16>) -> tensor<128xbf16>
  %3 = fuser.mul %x, %2 : tensor<128xbf16>
  %4 = fuser.reshape %3 : tensor<128xbf16> -> tensor<1x32x4xbf16>
  %5 = fuser.sum %4 dims [1] : tensor<1x32x4xbf16> -> tensor<1x4xbf16>
  %6 = fuser.max %5 dims [1] : tensor<1x4xbf16> -> tensor<1xbf16>
  %7 = fuser.expand %6 : tensor<1xbf16> -> tensor<2xbf16>
  %8 = fuser.cat %7, %3 dim 0 : (tensor<2xbf16>, tensor<128xbf16>) -> tensor<130xbf16>
  fuser.return %8 : tensor<130xbf16>
}
