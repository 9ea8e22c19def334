// RUN: fuser-run %s --device=host --check --sizes=5x77 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=13x64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x1000 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x33 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// RUN: fuser-opt %s --fuser-phase-preseg --fuser-phase-segmentation --transform-interpreter --fuser-phase-apply --fuser-phase-lowering \
// RUN:   | FileCheck %s --check-prefix=IR
// Softmax with a warp for each row and four rows to a block: rows stay in registers, and nobody waits.

// CHECK: check {{.*}} ok
// IR: gpu.func @softmax_0{{.*}}known_block_size = array<i32: 32, 4, 1>
// IR-NOT: gpu.barrier
// IR: gpu.shuffle
// IR-NOT: gpu.barrier
fuser.fusion @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {facts = [#fuser.fact<at_most 0[1], 1024>]} {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %3 = fuser.exp %2 : tensor<?x?xf32>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @softmax_0 in %module : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    // [rows / 4, 4, columns / 32, 32]
    transform.fuser.split %y at 0 by 4 : !transform.any_op
    transform.fuser.split %y at 2 by 32 : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 1 as thread_y : !transform.any_op
    transform.fuser.parallelize %y at 3 as thread_x : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.fuser.inline_most %kernel : !transform.any_op
    transform.yield
  }
}
