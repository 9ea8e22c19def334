// RUN: fuser-run %s --target=h200 --no-run --dump-after=lowering 2>/dev/null | FileCheck %s
// A load of one lane states what divides its address, so that code generation joins neighbors: every second element of
// rows with gaps, whose strides are multiples of 16 elements.

// CHECK-LABEL: gpu.func @second
// CHECK-COUNT-2: memref.load {{.*}} {alignment = 16 : i64} : memref<{{.*}}xbf16
// CHECK: vector.store
fuser.fusion @second(%x: tensor<64x100x4096xbf16>) -> tensor<64x50x2048xbf16> attributes {
    arg_layouts = [#fuser.layout<order = [0, 1, 2], strided = [0, 1]>],
    facts = [#fuser.fact<stride_divisible 0[0], 16>, #fuser.fact<stride_divisible 0[1], 16>]} {
  %0 = fuser.slice %x [0, 0, 0] [64, 50, 2048] strides [1, 2, 2] : tensor<64x100x4096xbf16> -> tensor<64x50x2048xbf16>
  %odd = fuser.slice %x [0, 0, 1] [64, 50, 2048] strides [1, 2, 2] : tensor<64x100x4096xbf16> -> tensor<64x50x2048xbf16>
  %1 = fuser.maximum %0, %odd : tensor<64x50x2048xbf16>
  fuser.return %1 : tensor<64x50x2048xbf16>
}
