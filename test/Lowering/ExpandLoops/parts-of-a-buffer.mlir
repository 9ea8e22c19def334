// A buffer of registers that holds what two tiles load, each under a guard of its own: where the second guard does not hold, the
// buffer keeps what the first tile has loaded.
// RUN: fuser-opt %s --fuser-expand-loops --canonicalize --cse | FileCheck %s

!x = !fuser_loop.buffer<512xf32, global>
!y = !fuser_loop.buffer<256xf32, global>
!r = !fuser_loop.buffer<1xf32, register>

// CHECK-LABEL: gpu.func @parts
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %thread_id_x, %c100
// CHECK: %[[A:.*]] = scf.if %[[FIRST]] -> (f32) {
// CHECK: } else {
// CHECK-NEXT: scf.yield %{{.*}} : f32
// CHECK: %[[B:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK-NEXT: %[[SECOND:.*]] = memref.load
// CHECK-NEXT: scf.yield %[[SECOND]] : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[A]] : f32
// CHECK: arith.addf %[[B]], %{{.*}} : f32
fuser_loop.kernel @parts(%x: !x from #fuser_gpu.pointer<0> strides [1] align 16 readonly noalias, %y: !y from #fuser_gpu.pointer<1> strides [1] align 16 noalias)
    stage guarded index_bits 32 threads [128, 1, 1] grid [2, 1, 1] {
  fuser_loop.for %b to (2) on block_x {
    fuser_loop.for %t to (128) on thread_x {
      %r = fuser_loop.buffer : !r
      %s = fuser_loop.buffer : !r
      fuser_loop.if (%t < 100) {
        fuser_loop.tile %r{0} by 1 align 4 = %x{128 * %b + %t} by 1 align 4 : (!x) -> !r of tensor<512xf32>
      }
      fuser_loop.if (127 - %t < 28) {
        fuser_loop.tile %r{0} by 1 align 4 = %x{128 * %b + %t + 200} by 1 align 4 : (!x) -> !r of tensor<512xf32>
      }
      fuser_loop.if (%t < 100) {
        fuser_loop.tile %s{0} by 1 align 4 = %x{128 * %b + %t} by 1 align 4 : (!x) -> !r of tensor<512xf32>
      }
      fuser_loop.tile %y{128 * %b + %t} by 1 align 4 = fuser.add(%r{0} by 1 align 4, %s{0} by 1 align 4) : (!r, !r) -> !y of (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    }
  }
}
