// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-convert-host-to-gpu | FileCheck %s
// What stock dialects have no word for is a function that the embedder supplies.

gpu.module @wait {
  // All blocks wait for each other: a workspace, and a launch in which all are resident.
  gpu.func @wait(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>},
                 %w: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = true>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<()[s0] -> (s0, 1, 1)>, symbols = [#fuser_gpu.size<0, 0>],
                                                       workspaces = [affine_map<()[s0] -> (64)>], cooperative = true>} {
    gpu.return
  }
}

// CHECK: func.func private @fuser_library_sort(memref<?xf32>, memref<?xf32>)
// CHECK: func.func private @fuser_launch_cooperative_wait(index, index, index, index, index, index, index, memref<f32>, memref<f32>, memref<i32>)
// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32, strided<[1]>>, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[Y:.*]] = gpu.alloc (%{{.*}}) : memref<?xf32>
// CHECK: %[[W:.*]] = gpu.alloc (%{{.*}}) : memref<?xi8>
// CHECK: gpu.memset %[[W]]
// CHECK: %[[PW:.*]] = memref.view %[[W]]
// CHECK: func.call @fuser_launch_cooperative_wait({{.*}}, %[[PW]])
// CHECK: gpu.dealloc %[[W]]
// CHECK: %[[Z:.*]] = gpu.alloc
// CHECK: call @fuser_library_sort(%[[Y]], %[[Z]])
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step
// CHECK: return %[[Z]]
fuser.host @host(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = fuser.alloc(%m) : tensor<?xf32>
  // expected-remark @+1 {{expected the embedder to supply the function 'fuser_launch_cooperative_wait': gpu.launch_func has no cooperative form}}
  %1 = fuser.launch @wait::@wait ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  %2 = fuser.alloc(%m) : tensor<?xf32>
  // expected-remark @+1 {{expected the embedder to supply the function 'fuser_library_sort' for a routine of a library}}
  %3 = fuser.library_call "sort" ins(%1 : tensor<?xf32>) outs(%2 : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @+1 {{the iterations of this loop run in order}}
  fuser.for %i to %n streams 4 {
    %4 = fuser.view %3 [%i] [1] : tensor<?xf32> -> tensor<1xf32>
  }
  fuser.return %3 : tensor<?xf32>
}

// -----

fuser.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.neg %x : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
fuser.host @early(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.alloc() : tensor<4xf32>
  // expected-error @+1 {{expected a kernel that is lowered to kernel IR, but got @k}}
  %1 = fuser.launch @k ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}
