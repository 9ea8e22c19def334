// RUN: not fuser-translate %s --fuser-to-ptx --target=h200 2>&1 | FileCheck %s
// Arguments of parts that two ops number differently: no array of parameters holds them.

// CHECK: error: 'fuser_gpu.part_argument' op expected the 3 arguments of another op from 0 on, but got 2
// CHECK-NOT: .entry
gpu.module @k {
  gpu.func @k(%x0: i64 {fuser_gpu.bind = #fuser_gpu.scalar<0>}, %x1: i64 {fuser_gpu.bind = #fuser_gpu.scalar<0>},
              %x2: i64 {fuser_gpu.bind = #fuser_gpu.scalar<0>}, %y: memref<i64> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} {
    %part = gpu.block_id x
    %a = fuser_gpu.part_argument %part of %x0, %x1, %x2 : i64
    %b = fuser_gpu.part_argument %part of %x0, %x1 : i64
    %sum = arith.addi %a, %b : i64
    memref.store %sum, %y[] : memref<i64>
    gpu.return
  }
}
fuser.host @f(%x: i64, %y: tensor<i64>) -> tensor<i64> {
  %0 = fuser.launch @k::@k ins(%x : i64) outs(%y : tensor<i64>) -> tensor<i64>
  fuser.return %0 : tensor<i64>
}
