// RUN: fuser-opt %s --fuser-apply-schedules | FileCheck %s
// Rows are over blocks, as are the parts of their columns, and what is combined in shared memory first is marked.

// CHECK-LABEL: fuser.kernel @parts
// CHECK: fuser.push {{.*}} loop = [i0 @block_x, i{{[0-9]+}} @block_y, i{{[0-9]+}}, i{{[0-9]+}} @unroll, i{{[0-9]+}} @thread_x, i{{[0-9]+}} @vectorize]{{.*}}, fuser.privatized, memory = #fuser.memory<global>}
fuser.kernel @parts(%x: tensor<64x4096xi32>, %y: tensor<64x256xi32>) -> tensor<64x256xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>], schedule = #fuser_sched.accumulation<threads = 64, vector = 4, unroll = 2, steps = 4>} {
  %0 = fuser.push %x at %x into %y dim 1 reduce add : tensor<64x4096xi32>, tensor<64x4096xi32>, tensor<64x256xi32>
  fuser.return %0 : tensor<64x256xi32>
}

// Without rows.
// CHECK-LABEL: fuser.kernel @whole
// CHECK: fuser.push {{.*}} loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, i{{[0-9]+}} @thread_x]{{.*}}, fuser.privatized, memory = #fuser.memory<global>}
fuser.kernel @whole(%x: tensor<?xi32>, %y: tensor<256xi32>) -> tensor<256xi32>
    attributes {aliases = [#fuser.alias<output 0, input 1>], schedule = #fuser_sched.accumulation<steps = 4>} {
  %0 = fuser.push %x at %x into %y dim 0 reduce add : tensor<?xi32>, tensor<?xi32>, tensor<256xi32>
  fuser.return %0 : tensor<256xi32>
}

// Each of several updates is marked, and has the same loops.
// CHECK-LABEL: fuser.kernel @two
// CHECK-COUNT-2: fuser.push {{.*}} loop = [i{{[0-9]+}} @block_x, i{{[0-9]+}}, i{{[0-9]+}} @thread_x]{{.*}}, fuser.privatized, memory = #fuser.memory<global>}
fuser.kernel @two(%x: tensor<?xi32>, %y: tensor<256xi32>, %z: tensor<99xi32>) -> (tensor<256xi32>, tensor<99xi32>)
    attributes {aliases = [#fuser.alias<output 0, input 1>, #fuser.alias<output 1, input 2>], schedule = #fuser_sched.accumulation<steps = 4>} {
  %0 = fuser.push %x at %x into %y dim 0 reduce add : tensor<?xi32>, tensor<?xi32>, tensor<256xi32>
  %1 = fuser.push %x at %x into %z dim 0 reduce max : tensor<?xi32>, tensor<?xi32>, tensor<99xi32>
  fuser.return %0, %1 : tensor<256xi32>, tensor<99xi32>
}
