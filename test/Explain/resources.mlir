// RUN: fuser-explain %s --program=pointwise --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=POINTWISE
// RUN: fuser-explain %s --program=transpose --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=TRANSPOSE
// RUN: fuser-explain %s --program=row_sum --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=ROW-SUM
// RUN: fuser-explain %s --program=column_sum --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=COLUMN-SUM
// RUN: fuser-explain %s --program=softmax --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=SOFTMAX
// RUN: fuser-explain %s --program=long_softmax --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=LONG-SOFTMAX
// RUN: fuser-explain %s --program=norm_backward --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=NORM-BACKWARD
// RUN: fuser-explain %s --program=row_scan --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=ROW-SCAN
// RUN: fuser-explain %s --program=column_scan --format=json --target=h200 | %python %S/Inputs/print_resources.py | FileCheck %s --check-prefix=COLUMN-SCAN
// What each scheduler says of the blocks, threads, registers, loads and shared memory of its kernel.

// POINTWISE: pointwise: 32768 x 128, 36 registers, 32 bytes in flight, 0 bytes shared
fuser.fusion @pointwise(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.add %x, %y : tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// TRANSPOSE: transpose: 4096 x 512, 40 registers, 32 bytes in flight, 16384 bytes shared
fuser.fusion @transpose(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<4096x4096xf32> -> tensor<4096x4096xf32>
  %1 = fuser.add %0, %y : tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// ROW-SUM: reduction: 4096 x 512, 40 registers, 32 bytes in flight, 0 bytes shared
fuser.fusion @row_sum(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %0 = fuser.sum %x dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  fuser.return %0 : tensor<4096xf32>
}

// COLUMN-SUM: reduction: 256 x 512, 48 registers, 64 bytes in flight, 0 bytes shared
fuser.fusion @column_sum(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %0 = fuser.sum %x dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  fuser.return %0 : tensor<4096xf32>
}

// SOFTMAX: inner_persistent: 4096 x 256, 48 registers, 64 bytes in flight, 0 bytes shared
fuser.fusion @softmax(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.max %x dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %3 = fuser.exp %2 : tensor<4096x4096xf32>
  %4 = fuser.sum %3 dims [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %6 = fuser.div %3, %5 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  fuser.return %6 : tensor<4096x4096xf32>
}

// LONG-SOFTMAX: streaming: 64 x 256, 48 registers, 128 bytes in flight, 0 bytes shared
fuser.fusion @long_softmax(%x: tensor<64x1000000xf32>) -> tensor<64x1000000xf32> {
  %0 = fuser.max %x dims [1] : tensor<64x1000000xf32> -> tensor<64xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<64x1000000xf32>, tensor<64x1xf32>) -> tensor<64x1000000xf32>
  %3 = fuser.exp %2 : tensor<64x1000000xf32>
  %4 = fuser.sum %3 dims [1] : tensor<64x1000000xf32> -> tensor<64xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<64xf32> -> tensor<64x1xf32>
  %6 = fuser.div %3, %5 : (tensor<64x1000000xf32>, tensor<64x1xf32>) -> tensor<64x1000000xf32>
  fuser.return %6 : tensor<64x1000000xf32>
}

// NORM-BACKWARD: inner_outer: 264 x 256, 124 registers, 128 bytes in flight, 0 bytes shared
fuser.fusion @norm_backward(%g: tensor<4096x1024xf32>, %x: tensor<4096x1024xf32>) -> (tensor<4096x1024xf32>, tensor<1024xf32>) {
  %0 = fuser.mul %g, %x : tensor<4096x1024xf32>
  %1 = fuser.sum %0 dims [1] : tensor<4096x1024xf32> -> tensor<4096xf32>
  %2 = fuser.broadcast %1 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %3 = fuser.mul %x, %2 : (tensor<4096x1024xf32>, tensor<4096x1xf32>) -> tensor<4096x1024xf32>
  %4 = fuser.sub %g, %3 : tensor<4096x1024xf32>
  %5 = fuser.sum %0 dims [0] : tensor<4096x1024xf32> -> tensor<1024xf32>
  fuser.return %4, %5 : tensor<4096x1024xf32>, tensor<1024xf32>
}

// ROW-SCAN: scan: 4096 x 320, 64 registers, 64 bytes in flight, 0 bytes shared
fuser.fusion @row_scan(%x: tensor<4096x5000xf32>) -> tensor<4096x5000xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<4096x5000xf32> -> tensor<4096x5000xf32>
  fuser.return %0 : tensor<4096x5000xf32>
}

// COLUMN-SCAN: scan: 1256 x 512, 96 registers, 128 bytes in flight, 0 bytes shared
fuser.fusion @column_scan(%x: tensor<4096x5000xf32>) -> tensor<4096x5000xf32> {
  %0 = fuser.cumsum %x dim 0 : tensor<4096x5000xf32> -> tensor<4096x5000xf32>
  fuser.return %0 : tensor<4096x5000xf32>
}
