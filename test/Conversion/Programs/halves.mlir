// RUN: fuser-run %s --device=host --check --size x=7x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size x=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size x=3x0 | FileCheck %s
// Sums of bf16: each op of the body rounds, the sum accumulates in f32.

// CHECK: check {{ *}}output 0: ok
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @halves(%x: tensor<?x?xbf16>) -> tensor<?xbf16> {
  %one = arith.constant 1.0 : bf16
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %e = tensor.empty(%m) : tensor<?xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<?xbf16>) -> tensor<?xbf16>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xbf16>) outs(%f : tensor<?xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %a = arith.addf %in, %one : bf16
    %s = arith.addf %a, %out : bf16
    linalg.yield %s : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
