// x / (1 - p) with probability 1 - p, else 0. The gradient is the same fusion on the gradient: it draws the same numbers again.
fuser.fusion @dropout(%x: tensor<?x?xbf16>, %p: f32, %seed: i64, %offset: i64) -> tensor<?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %columns = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %keep = arith.subf %one, %p : f32
  %scale = arith.divf %one, %keep : f32
  %u = fuser.random_uniform %seed, %offset sizes(%rows, %columns) : tensor<?x?xf32>
  %kept = fuser.lt %u, %keep : (tensor<?x?xf32>, f32) -> tensor<?x?xi1>
  %scaled = fuser.mul %x, %scale : (tensor<?x?xbf16>, f32) -> tensor<?x?xbf16>
  %0 = fuser.where %kept, %scaled, %zero : (tensor<?x?xi1>, tensor<?x?xbf16>, f32) -> tensor<?x?xbf16>
  fuser.return %0 : tensor<?x?xbf16>
}
