// RUN: fuser-run %s --device=host --check --sizes=5x64,64 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x8,8 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=3x4104,4104 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0x16,16 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// RUN: fuser-opt %s --fuser-phase-preseg --fuser-phase-segmentation --transform-interpreter \
// RUN:   | fuser-opt --fuser-interpret-schedules=only-erase -o %t.mlir
// RUN: fuser-run %t.mlir --device=host --check --sizes=7x40,40 | FileCheck %s
// Vectors of 8, two of them loaded before the first is used; what was scheduled by fuser-opt runs as well as the script.

// CHECK: check {{.*}} ok
// IR: gpu.func @scale_0{{.*}}known_block_size = array<i32: 128, 1, 1>
// IR: vector.load {{.*}} vector<8xbf16>
// IR: vector.store {{.*}} vector<8xbf16>
fuser.fusion @scale(%x: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<equal 0[1], 1[0]>]} {
  %0 = fuser.broadcast %w dims [0] : tensor<?xbf16> -> tensor<1x?xbf16>
  %1 = fuser.mul %x, %0 : (tensor<?x?xbf16>, tensor<1x?xbf16>) -> tensor<?x?xbf16>
  %2 = fuser.relu %1 : tensor<?x?xbf16>
  fuser.return %2 : tensor<?x?xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @scale_0 in %module : (!transform.any_op) -> !transform.any_op
    transform.fuser.add_facts %kernel [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>,
                                       #fuser.fact<aligned 2, 16>] : !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %w = transform.fuser.cache_load %kernel[1] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    // [rows, columns / 2048, 2, 128, 8]
    transform.fuser.split %y at 1 by 8 : !transform.any_op
    transform.fuser.split %y at 1 by 128 : !transform.any_op
    transform.fuser.split %y at 1 by 2 : !transform.any_op
    transform.fuser.parallelize %y at 0 as block_y : !transform.any_op
    transform.fuser.parallelize %y at 1 as block_x : !transform.any_op
    transform.fuser.parallelize %y at 2 as unroll : !transform.any_op
    transform.fuser.parallelize %y at 3 as thread_x : !transform.any_op
    transform.fuser.parallelize %y at 4 as vectorize : !transform.any_op
    transform.fuser.propagate %y : !transform.any_op
    transform.fuser.inline_most %kernel limit %x, %w to [2, 2] : !transform.any_op, !transform.any_op, !transform.any_op
    transform.yield
  }
}
