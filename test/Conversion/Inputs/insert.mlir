// Insertion into a fill, of the maxima of windows, transposed.
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @insert(%x: tensor<?x16xf32>) -> tensor<19x?xf32> {
  %v = arith.constant -1.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %m = arith.addi %n, %c3 : index
  %e = tensor.empty(%m) : tensor<?x19xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?x19xf32>) -> tensor<?x19xf32>
  %p = tensor.insert_slice %x into %f[0, 1] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<?x19xf32>
  %t = tensor.empty(%m) : tensor<19x?xf32>
  %0 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x19xf32>) outs(%t : tensor<19x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.sin %in : f32
    linalg.yield %s : f32
  } -> tensor<19x?xf32>
  return %0 : tensor<19x?xf32>
}
