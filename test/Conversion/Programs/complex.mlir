// RUN: fuser-run %s --device=host --check --sizes=33x40,33x40
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser | FileCheck %s
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser --fuser-convert-fuser-to-linalg 2>&1 | FileCheck %s --check-prefix=BACK

// Ops of the complex dialect come in. Back to linalg they stay: with a reason.

// CHECK-LABEL: fuser.fusion
// CHECK: fuser.mul %{{.*}} : tensor<?x?xcomplex<f32>>
// CHECK: fuser.conj
// CHECK: fuser.exp
// CHECK: fuser.log1p
// CHECK: fuser.expm1
// CHECK: fuser.abs %{{.*}} : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xf32>
// BACK: not converted, and neither is its fusion: expected real elements, but its scalar form is complex
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @magnitude(%x: tensor<?x?xcomplex<f32>>, %y: tensor<?x?xcomplex<f32>>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xcomplex<f32>>
  %n = tensor.dim %x, %c1 : tensor<?x?xcomplex<f32>>
  %init = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xcomplex<f32>>, tensor<?x?xcomplex<f32>>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %out: f32):
    %1 = complex.mul %a, %b : complex<f32>
    %2 = complex.conj %1 : complex<f32>
    %3 = complex.exp %2 : complex<f32>
    %5 = complex.log1p %3 : complex<f32>
    %6 = complex.expm1 %5 : complex<f32>
    %4 = complex.abs %6 : complex<f32>
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
