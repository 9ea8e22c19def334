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
// CHECK: func.func private @fuser_launch_cooperative_wait(index, index, index, index, index, index, index, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32, strided<[1]>>, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[Y:.*]], %{{.*}} = gpu.alloc async [%{{.*}}] (%{{.*}}) : memref<?xf32>
// CHECK: %[[W:.*]], %{{.*}} = gpu.alloc async [%{{.*}}] (%{{.*}}) : memref<?xi32>
// CHECK: gpu.memset async [%{{.*}}] %[[W]]
// CHECK: %[[PW:.*]] = llvm.inttoptr
// CHECK: func.call @fuser_launch_cooperative_wait({{.*}}, %[[PW]])
// CHECK: gpu.dealloc async [%{{.*}}] %[[W]]
// CHECK: %[[Z:.*]], %{{.*}} = gpu.alloc async
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
  // expected-error @+1 {{expected a kernel that is lowered to kernel IR, but got @k: run fuser-to-kernel-ir first}}
  %1 = fuser.launch @k ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a host function with kernels, but got a fusion: run fuser-to-kernel-ir first}}
fuser.fusion @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.neg %x : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}

// -----

gpu.module @k {
  llvm.func @k(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
fuser.host @late(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.alloc() : tensor<4xf32>
  // expected-error @+1 {{run fuser-convert-host-to-gpu before fuser-lower-to-nvvm}}
  %1 = fuser.launch @k::@k ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

gpu.binary @k [#gpu.object<#nvvm.target, assembly = "">]
fuser.host @later(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.alloc() : tensor<4xf32>
  // expected-error @+1 {{run fuser-convert-host-to-gpu before fuser-emit-ptx}}
  %1 = fuser.launch @k::@k ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}

// -----

// A call is on buffers by then.
fuser.host @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuser.alloc() : tensor<4xf32>
  %1 = fuser.copy %x into %0 : tensor<4xf32>, tensor<4xf32>
  fuser.return %1 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected buffers, but got tensors: run one-shot-bufferize before fuser-to-kernel-ir}}
  %0 = fuser.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @flags(
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<4xi1> to memref<4xi8>
// CHECK: %[[Y:.*]] = memref.cast %[[X]] : memref<4xi8> to memref<4xi8, strided<[1]>>
// CHECK: call @mask(%[[Y]])
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<4xi8> to memref<4xi1>
fuser.host @mask(%x: tensor<4xi1>) -> tensor<4xi1> {
  %0 = fuser.alloc() : tensor<4xi1>
  %1 = fuser.copy %x into %0 : tensor<4xi1>, tensor<4xi1>
  fuser.return %1 : tensor<4xi1>
}
func.func @flags(%x: memref<4xi1>) -> memref<4xi1> {
  %0 = fuser.call @mask(%x) : (memref<4xi1>) -> memref<4xi1>
  return %0 : memref<4xi1>
}

// -----

// Stock dialects have no op that makes a tensor map.
gpu.module @boxes {
  gpu.func @boxes(%x: !fuser_gpu.tensor_map<8x8xf32> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [0, 1]>},
                  %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, symbols = []>} {
    gpu.return
  }
}

fuser.host @host(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.alloc() : tensor<8x8xf32>
  // expected-error @+1 {{expected a kernel without tensor maps, which upstream's host IR cannot make, but argument 0 of @boxes::@boxes is one}}
  %1 = fuser.launch @boxes::@boxes ins(%x : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  fuser.return %1 : tensor<8x8xf32>
}
