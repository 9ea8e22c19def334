// Products of warp groups parse, print and survive canonicalization and CSE.
// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s

!as = memref<8192xbf16, #gpu.address_space<workgroup>>
!bs = memref<16384xbf16, #gpu.address_space<workgroup>>
!hs = memref<4096xf16, #gpu.address_space<workgroup>>

// CHECK-LABEL: func.func @products
// CHECK: fuser_gpu.fence_async
// CHECK: fuser_gpu.wgmma_fence
// CHECK: %[[D:.*]] = fuser_gpu.wgmma %{{.*}}[%{{.*}}] rows <128, transposed = false, pitch = 0>, %{{.*}}[%{{.*}}] rows <128, transposed = true, pitch = 4096>, %{{.*}} : memref<8192xbf16, {{.*}}>, memref<16384xbf16, {{.*}}>, vector<128xf32>
// CHECK: %[[E:.*]] = fuser_gpu.wgmma {{.*}}, %[[D]] :
// CHECK: fuser_gpu.wgmma_commit
// CHECK: fuser_gpu.wgmma_wait 1
// CHECK: fuser_gpu.wgmma_wait 0 of %[[E]] : vector<128xf32>
func.func @products(%a: !as, %b: !bs, %c: vector<128xf32>, %i: index, %j: index) -> vector<128xf32> {
  fuser_gpu.fence_async
  gpu.barrier
  fuser_gpu.wgmma_fence
  %d = fuser_gpu.wgmma %a[%i] rows <128, transposed = false, pitch = 0>, %b[%j] rows <128, transposed = true, pitch = 4096>, %c : !as, !bs, vector<128xf32>
  %e = fuser_gpu.wgmma %a[%i] rows <128, transposed = false, pitch = 0>, %b[%j] rows <128, transposed = true, pitch = 4096>, %d : !as, !bs, vector<128xf32>
  fuser_gpu.wgmma_commit
  fuser_gpu.wgmma_wait 1
  %r = fuser_gpu.wgmma_wait 0 of %e : vector<128xf32>
  return %r : vector<128xf32>
}

// Rows of 32 and 64 bytes, and halves.
// CHECK-LABEL: func.func @halves
// CHECK: rows <64, transposed = true, pitch = 512>, {{.*}} rows <32, transposed = false, pitch = 0>, {{.*}} vector<4xf32>
// CHECK: fuser_gpu.wgmma_wait 0 of %{{.*}}, %{{.*}} : vector<4xf32>, vector<4xf32>
func.func @halves(%a: !hs, %c: vector<4xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>) {
  %d = fuser_gpu.wgmma %a[%i] rows <64, transposed = true, pitch = 512>, %a[%i] rows <32, transposed = false, pitch = 0>, %c : !hs, !hs, vector<4xf32>
  %e = fuser_gpu.wgmma %a[%i] rows <64, transposed = true, pitch = 512>, %a[%i] rows <32, transposed = false, pitch = 0>, %c : !hs, !hs, vector<4xf32>
  fuser_gpu.wgmma_commit
  %r:2 = fuser_gpu.wgmma_wait 0 of %d, %e : vector<4xf32>, vector<4xf32>
  return %r#0, %r#1 : vector<4xf32>, vector<4xf32>
}

// CHECK: fuser_gpu.wgmma<64, 256, 16, bf16, lhs = <128, transposed = false, pitch = 0>, rhs = <128, transposed = true, pitch = 4096>>
func.func private @attribute() attributes {using = #fuser_gpu.wgmma<64, 256, 16, bf16, lhs = <128, transposed = false, pitch = 0>, rhs = <128, transposed = true, pitch = 4096>>}

// CHECK-LABEL: func.func @registers
// CHECK-NEXT: fuser_gpu.set_max_registers decrease 40
// CHECK-NEXT: fuser_gpu.set_max_registers decrease 40
// CHECK-NEXT: fuser_gpu.set_max_registers increase 232
func.func @registers() {
  fuser_gpu.set_max_registers decrease 40
  fuser_gpu.set_max_registers decrease 40
  fuser_gpu.set_max_registers increase 232
  return
}
