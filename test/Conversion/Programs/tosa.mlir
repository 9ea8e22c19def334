// RUN: fuser-run %s --program=argmax --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=gather --range i=0:10 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=reduce --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=reduce_bool --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=pointwise --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=shapes --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=ints --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=casts --range x=-100:100 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=select --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=concat_pad --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=dyn --size x=5x33 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=pool --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=avg_pool --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=rescale --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=table --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=matmul --device=host --check | FileCheck %s
// Ops of TOSA.

// CHECK: check {{ *}}output 0: ok

func.func @argmax(%x: tensor<4x33xf32>) -> tensor<33xi32> {
  %0 = tosa.argmax %x {axis = 0 : i32} : (tensor<4x33xf32>) -> tensor<33xi32>
  return %0 : tensor<33xi32>
}
func.func @gather(%v: tensor<2x10x4xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %0 = tosa.gather %v, %i : (tensor<2x10x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
func.func @reduce(%x: tensor<4x33xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x33xf32>) -> tensor<4x1xf32>
  %1 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x33xf32>) -> tensor<4x1xf32>
  %2 = tosa.reduce_product %x {axis = 1 : i32} : (tensor<4x33xf32>) -> tensor<4x1xf32>
  return %0, %1, %2 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}
func.func @reduce_bool(%x: tensor<4x33xi1>) -> (tensor<4x1xi1>, tensor<4x1xi1>) {
  %0 = tosa.reduce_any %x {axis = 1 : i32} : (tensor<4x33xi1>) -> tensor<4x1xi1>
  %1 = tosa.reduce_all %x {axis = 1 : i32} : (tensor<4x33xi1>) -> tensor<4x1xi1>
  return %0, %1 : tensor<4x1xi1>, tensor<4x1xi1>
}
func.func @pointwise(%x: tensor<4x33xf32>, %y: tensor<1x33xf32>) -> (tensor<4x33xf32>, tensor<4x33xf32>) {
  %0 = tosa.add %x, %y : (tensor<4x33xf32>, tensor<1x33xf32>) -> tensor<4x33xf32>
  %1 = tosa.sigmoid %0 : (tensor<4x33xf32>) -> tensor<4x33xf32>
  %2 = tosa.clamp %1 {min_val = 0.2 : f32, max_val = 0.8 : f32} : (tensor<4x33xf32>) -> tensor<4x33xf32>
  %3 = tosa.maximum %0, %2 : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xf32>
  %4 = tosa.tanh %3 : (tensor<4x33xf32>) -> tensor<4x33xf32>
  %5 = tosa.rsqrt %2 : (tensor<4x33xf32>) -> tensor<4x33xf32>
  %6 = tosa.pow %2, %5 : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xf32>
  %7 = tosa.erf %6 : (tensor<4x33xf32>) -> tensor<4x33xf32>
  return %4, %7 : tensor<4x33xf32>, tensor<4x33xf32>
}
func.func @shapes(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<2x12xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<2x3xf32>) {
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %s = tosa.const_shape {values = dense<[2, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.reshape %x, %s : (tensor<4x6xf32>, !tosa.shape<2>) -> tensor<2x12xf32>
  %m = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.tile %x, %m : (tensor<4x6xf32>, !tosa.shape<2>) -> tensor<8x6xf32>
  %3 = tosa.reverse %x {axis = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %st = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %sz = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %4 = tosa.slice %x, %st, %sz : (tensor<4x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4 : tensor<6x4xf32>, tensor<2x12xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<2x3xf32>
}
func.func @ints(%x: tensor<16xi32>, %y: tensor<16xi32>) -> (tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi8>, tensor<16xi32>) {
  %one = "tosa.const"() {values = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %0 = tosa.bitwise_and %x, %y : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  %1 = tosa.logical_right_shift %x, %one : (tensor<16xi32>, tensor<1xi32>) -> tensor<16xi32>
  %2 = tosa.clz %x : (tensor<16xi32>) -> tensor<16xi32>
  %3 = tosa.cast %x : (tensor<16xi32>) -> tensor<16xi8>
  %4 = tosa.arithmetic_right_shift %x, %one {round = false} : (tensor<16xi32>, tensor<1xi32>) -> tensor<16xi32>
  return %0, %1, %2, %3, %4 : tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi8>, tensor<16xi32>
}
func.func @casts(%x: tensor<16xf32>, %b: tensor<16xi1>) -> (tensor<16xi32>, tensor<16xi8>, tensor<16xi1>, tensor<16xf16>, tensor<16xf32>) {
  %0 = tosa.cast %x : (tensor<16xf32>) -> tensor<16xi32>
  %1 = tosa.cast %x : (tensor<16xf32>) -> tensor<16xi8>
  %2 = tosa.cast %x : (tensor<16xf32>) -> tensor<16xi1>
  %3 = tosa.cast %x : (tensor<16xf32>) -> tensor<16xf16>
  %4 = tosa.cast %b : (tensor<16xi1>) -> tensor<16xf32>
  return %0, %1, %2, %3, %4 : tensor<16xi32>, tensor<16xi8>, tensor<16xi1>, tensor<16xf16>, tensor<16xf32>
}
func.func @select(%c: tensor<16xi1>, %x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %0 = tosa.select %c, %x, %y : (tensor<16xi1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @concat_pad(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>) -> tensor<4x10xf32> {
  %0 = tosa.concat %x, %y {axis = 1 : i32} : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %p = tosa.const_shape {values = dense<[1, 1, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() {values = dense<3.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %1 = tosa.pad %0, %p, %v : (tensor<2x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<4x10xf32>
  return %1 : tensor<4x10xf32>
}
func.func @dyn(%x: tensor<?x33xf32>) -> tensor<?x33xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x33xf32>) -> tensor<?x1xf32>
  %1 = tosa.sub %x, %0 : (tensor<?x33xf32>, tensor<?x1xf32>) -> tensor<?x33xf32>
  %2 = tosa.exp %1 : (tensor<?x33xf32>) -> tensor<?x33xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<?x33xf32>) -> tensor<?x1xf32>
  %4 = tosa.reciprocal %3 : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %sh = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %5 = tosa.mul %2, %4, %sh : (tensor<?x33xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x33xf32>
  return %5 : tensor<?x33xf32>
}
func.func @pool(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
func.func @avg_pool(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
func.func @rescale(%x: tensor<4x8xi32>) -> tensor<4x8xi8> {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %iz = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %oz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %iz, %oz {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}
func.func @table(%x: tensor<4x8xi8>) -> tensor<4x8xi8> {
  %t = "tosa.const"() {values = dense<3> : tensor<256xi8>} : () -> tensor<256xi8>
  %0 = tosa.table %x, %t : (tensor<4x8xi8>, tensor<256xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}
func.func @matmul(%x: tensor<2x4x8xf32>, %y: tensor<2x8x5xf32>) -> tensor<2x4x5xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %x, %y, %z, %z : (tensor<2x4x8xf32>, tensor<2x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
