// RUN: fuser-opt %s --split-input-file --fuser-convert-fuser-to-linalg --verify-diagnostics | FileCheck %s
// Fusions of ops with a plain form become functions; others stay whole, and a remark says why. (Numbers: against-upstream.test.)

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @normalize(%arg0: tensor<?x8xbf16>) -> tensor<?x8xbf16>
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]]], iterator_types = ["parallel", "reduction"]}
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}}#[[FIRST]]
// CHECK: arith.divf
// CHECK-NOT: fuser.
fuser.fusion @normalize(%x: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %s = fuser.sum %x dims [1] : tensor<?x8xbf16> -> tensor<?xbf16>
  %b = fuser.broadcast %s dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %0 = fuser.div %x, %b : (tensor<?x8xbf16>, tensor<?x1xbf16>) -> tensor<?x8xbf16>
  fuser.return %0 : tensor<?x8xbf16>
}

// -----

// Each group of dimensions is merged, then split.
// CHECK-LABEL: func.func @reshapes
// CHECK: %[[A:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2], [3]] : tensor<?x4x6x?xf32> into tensor<?x24x?xf32>
// CHECK: tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2], [3, 4]] {{.*}} : tensor<?x24x?xf32> into tensor<?x8x3x?x2xf32>
// CHECK: tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2]] : tensor<?x?x4xf32> into tensor<?x?xf32>
fuser.fusion @reshapes(%x: tensor<?x4x6x?xf32>, %y: tensor<?x?x4xf32>) -> (tensor<?x8x3x?x2xf32>, tensor<?x?xf32>) {
  %0 = fuser.reshape %x : tensor<?x4x6x?xf32> -> tensor<?x8x3x?x2xf32>
  %1 = fuser.reshape %y : tensor<?x?x4xf32> -> tensor<?x?xf32>
  fuser.return %0, %1 : tensor<?x8x3x?x2xf32>, tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @shapes
// CHECK: tensor.pad
// CHECK: tensor.extract_slice
// CHECK: tensor.concat
// CHECK: tensor.collapse_shape
// CHECK: linalg.fill
// CHECK: tensor.insert_slice
fuser.fusion @shapes(%x: tensor<4x6xf32>, %v: f32, %n: index) -> (tensor<56xf32>, tensor<8x?xf32>) {
  %p = fuser.pad %x low [0, 1] high [0, 1] value %v : tensor<4x6xf32>, f32 -> tensor<4x8xf32>
  %s = fuser.slice %p [1, 0] [3, 8] : tensor<4x8xf32> -> tensor<3x8xf32>
  %c = fuser.cat %s, %p dim 0 : (tensor<3x8xf32>, tensor<4x8xf32>) -> tensor<7x8xf32>
  %r = fuser.reshape %c : tensor<7x8xf32> -> tensor<56xf32>
  %f = fuser.full %v sizes(%n) : f32 -> tensor<8x?xf32>
  %i = fuser.insert_slice %x into %f [2, 0] : tensor<4x6xf32> into tensor<8x?xf32>
  fuser.return %r, %i : tensor<56xf32>, tensor<8x?xf32>
}

// -----

// A matrix product and a call of it.
// CHECK-LABEL: func.func @product
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-LABEL: func.func @caller
// CHECK: call @product(
fuser.fusion @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = fuser.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  fuser.return %0 : tensor<4x2xf32>
}
func.func @caller(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = fuser.call @product(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: fuser.fusion @gathers
// CHECK: fuser.exp
fuser.fusion @gathers(%x: tensor<8xf32>, %i: tensor<4xi64>) -> tensor<4xf32> {
  %0 = fuser.exp %x : tensor<8xf32>
  // expected-remark @below {{not converted, and neither is its fusion: it has no equivalent in linalg}}
  %1 = fuser.gather %0, %i dim 0 : tensor<8xf32>, tensor<4xi64> -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

// expected-remark @below {{not converted, and neither is its fusion: linalg has no equivalent of required orders of outputs}}
fuser.fusion @ordered(%x: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {output_orders = [array<i64: 1, 0>]} {
  %0 = fuser.exp %x : tensor<8x4xf32>
  fuser.return %0 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: fuser.fusion @forgotten
fuser.fusion @forgotten(%x: tensor<2x3x4xf32>) -> tensor<?xf32> {
  // expected-remark @below {{not converted, and neither is its fusion: expected a static result where sizes are static, but got a dynamic one}}
  %0 = fuser.reshape %x : tensor<2x3x4xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: fuser.fusion @forgotten_parts
fuser.fusion @forgotten_parts(%x: tensor<5x6x4xf32>) -> tensor<5x?x3x4xf32> {
  // expected-remark @below {{not converted, and neither is its fusion: expected a static result where sizes are static, but got a dynamic one}}
  %0 = fuser.reshape %x : tensor<5x6x4xf32> -> tensor<5x?x3x4xf32>
  fuser.return %0 : tensor<5x?x3x4xf32>
}
