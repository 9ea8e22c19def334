// S2.1: a border whose sizes and offsets the kernel computes by ops that are no affine expressions.
// RUN: fuser-run %s --device=host --check --program=size_host --scalar o=3 --scalar m=2 --scalar n=4 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=size_host --scalar o=16 --scalar m=4 --scalar n=0 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=offset_host --scalar m=1 --scalar n=2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=offset_host --scalar m=0 --scalar n=0 | FileCheck %s

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.kernel @size(%x: tensor<4xf32>, %v: f32, %o: index, %m: index, %n: index) -> (tensor<4xf32>, tensor<20xf32>) {
  %s = arith.maxsi %m, %n : index
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], loop = [i0 @thread_x]>], memory = #fuser.memory<global>} : tensor<4xf32>
  %1 = fuser.border %v outside [%o] [%s] : f32 -> tensor<20xf32>
  fuser.return %0, %1 : tensor<4xf32>, tensor<20xf32>
}

fuser.host @size_host(%x: tensor<4xf32>, %v: f32, %o: index, %m: index, %n: index) -> tensor<20xf32> {
  %0 = fuser.alloc() : tensor<20xf32>
  %1 = fuser.view %0 [%o] [4] : tensor<20xf32> -> tensor<4xf32>
  %2:2 = fuser.launch @size ins(%x, %v, %o, %m, %n : tensor<4xf32>, f32, index, index, index) outs(%1, %0 : tensor<4xf32>, tensor<20xf32>) -> tensor<4xf32>, tensor<20xf32>
  %3 = fuser.place %2#0 into %2#1 [%o] : tensor<4xf32> into tensor<20xf32>
  fuser.return %3 : tensor<20xf32>
}
#d = #fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x]>
fuser.kernel @offset(%x: tensor<6x4xf32>, %b: tensor<6x4xf32>, %v: f32, %m: index, %n: index) -> (tensor<6x4xf32>, tensor<8x7xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>], arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>, unit, unit, unit]} {
  %o = arith.maxsi %m, %n : index
  %0 = fuser.exp %x {domains = [#d], memory = #fuser.memory<global>} : tensor<6x4xf32>
  %1 = fuser.border %v outside [%o, 3] [6, 4] : f32 -> tensor<8x7xf32>
  fuser.return %0, %1 : tensor<6x4xf32>, tensor<8x7xf32>
}

fuser.host @offset_host(%x: tensor<6x4xf32>, %v: f32, %m: index, %n: index) -> tensor<8x7xf32> {
  %o = arith.maxsi %m, %n : index
  %0 = fuser.alloc() : tensor<8x7xf32>
  %1 = fuser.view %0 [%o, 3] [6, 4] : tensor<8x7xf32> -> tensor<6x4xf32>
  %2:2 = fuser.launch @offset ins(%x, %1, %v, %m, %n : tensor<6x4xf32>, tensor<6x4xf32>, f32, index, index) outs(%1, %0 : tensor<6x4xf32>, tensor<8x7xf32>) -> tensor<6x4xf32>, tensor<8x7xf32>
  %3 = fuser.place %2#0 into %2#1 [%o, 3] : tensor<6x4xf32> into tensor<8x7xf32>
  fuser.return %3 : tensor<8x7xf32>
}
