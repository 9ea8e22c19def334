module {
  fuser.fusion @rows(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>, %arg2: f32) -> (tensor<?x?xf32>, tensor<?xf32>) attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit, unit], facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<equal 0[1], 1[0]>, #fuser.fact<aligned 0, 16>], input_ids = array<i64: 0, 1, 2>, mesh = #fuser.mesh<device_x = 2>, output_orders = [array<i64: 1, 0>, unit]} {
    %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, outer 4) -> (i4, i5), merge(i0, i4) -> i6, loop = [i6 @block_x, i5 @thread_x, i3 @vectorize], allocation = [i0 strided, i1]>], inline_at = 1 : i64, memory = #fuser.memory<shared>} : tensor<?x?xf32>
    %1 = fuser.broadcast %arg1 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
    %2 = fuser.add %0, %1 {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "follow-reference", reference = "argument 0">]} : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
    %3 = fuser.add %2, %arg2 : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
    %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    fuser.return %3, %4 : tensor<?x?xf32>, tensor<?xf32>
  }
  fuser.kernel @halves(%arg0: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.pointwise<threads = 256, vector = 4>} {
    %cst = arith.constant 5.000000e-01 : f32
    %0 = fuser.mul %arg0, %cst : (tensor<?xf32>, f32) -> tensor<?xf32>
    fuser.return %0 : tensor<?xf32>
  }
  fuser.host @runs(%arg0: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %0 = fuser.alloc(%dim) order [0] : tensor<?xf32>
    %1 = fuser.launch @halves ins(%arg0 : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
    %2 = fuser.alloc(%dim) : tensor<?xf32>
    %3 = fuser.library_call "sort" ins(%1 : tensor<?xf32>) outs(%2 : tensor<?xf32>) options {descending} -> tensor<?xf32>
    fuser.free %1 : tensor<?xf32>
    %4 = fuser.view %3 [%c0] [4] : tensor<?xf32> -> tensor<4xf32>
    %5 = fuser.place %4 into %3 [%c0] : tensor<4xf32> into tensor<?xf32>
    %6 = fuser.library_call "touch" outs(%5 : tensor<?xf32>) -> tensor<?xf32>
    fuser.return %6 : tensor<?xf32>
  }
  fuser.fusion @library(%arg0: tensor<?x4xf32>, %arg1: index) -> tensor<?xf32> {
    %0 = fuser.library "sort"(%arg0, %arg0 : tensor<?x4xf32>, tensor<?x4xf32>) sizes(%arg1) options {descending} -> tensor<?xf32>
    %1:2 = fuser.library "noise"() {domains = [#fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>, #fuser.domain<logical = [i0], loop = [i0], allocation = [i0]>], inline_at = 0 : i64, memory = #fuser.memory<global>} -> tensor<4xf32>, tensor<4xf32>
    fuser.return %0 : tensor<?xf32>
  }
  fuser.fusion @families(%arg0: tensor<?x?xf32>, %arg1: tensor<?x8xi64>, %arg2: i64) -> (tensor<?x?xf32>, tensor<?x8xf32>) {
    %cst = arith.constant -1.000000e+00 : f32
    %0 = fuser.cumsum %arg0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
    %1 = fuser.take_along_axis %0, %arg1 dim 1 : tensor<?x?xf32>, tensor<?x8xi64> -> tensor<?x8xf32>
    %2 = fuser.scatter %1 at %arg1 into %arg0 dim 1 reduce add : tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x?xf32>
    %3 = fuser.gelu %1 : tensor<?x8xf32>
    fuser.return %2, %3 : tensor<?x?xf32>, tensor<?x8xf32>
  }
}

