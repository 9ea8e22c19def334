// RUN: fuser-opt %s --fuser-vectorize-accesses | FileCheck %s
// RUN: fuser-opt %s --fuser-vectorize-accesses=vector-atomics=false | FileCheck %s --check-prefix=SCALARS
// What all lanes add at one index of rows is added at once, if it is f32 and the target can; the index is read once.

!s = !fuser_loop.buffer<64x8xf32, global>
!y = !fuser_loop.buffer<99x8xf32, global>
!n = !fuser_loop.buffer<64x8xi32, global>
!m = !fuser_loop.buffer<99x8xi32, global>
!i = !fuser_loop.buffer<64xi64, global>
!j = !fuser_loop.buffer<64x8xi64, global>

// CHECK-LABEL: fuser_loop.kernel @rows
// SCALARS-LABEL: fuser_loop.kernel @rows
fuser_loop.kernel @rows(%s: !s from #fuser_gpu.pointer<0> strides [8, 1] align 16 readonly noalias, %i: !i from #fuser_gpu.pointer<1> strides [1] align 8 readonly noalias,
                        %y: !y from #fuser_gpu.pointer<2> strides [8, 1] align 16 noalias, %n: !n from #fuser_gpu.pointer<3> strides [8, 1] align 16 readonly noalias,
                        %m: !m from #fuser_gpu.pointer<4> strides [8, 1] align 16 noalias)
    stage synchronized index_bits 32 threads [2, 1, 1] grid [64, 1, 1] {
  fuser_loop.for %b to (64) on block_x {
    fuser_loop.for %t to (2) on thread_x {
      fuser_loop.for %v to (4) on vectorize {
        // CHECK: %[[K:.*]] = fuser_loop.index %{{.*}}{%{{.*}}} by 4 align 8
        // CHECK-NEXT: fuser_loop.tile %{{.*}}{%[[K]] * 8 + %[[T:.*]] * 4 + %[[V:.*]]} by 4 align 16 where (%[[K]] < 99) = %{{.*}} by 4 align 16 combine add
        // SCALARS: fuser_loop.tile %{{.*}} by 1 align 4 where ({{.*}} < 99) = %{{.*}} by 4 align 16 combine add
        %0 = fuser_loop.index %i[%b] : !i
        fuser_loop.tile %y[%0, %t * 4 + %v] where (%0 < 99) = %s[%b, %t * 4 + %v] combine add : (!s) -> !y of tensor<f32>
        // CHECK: fuser_loop.tile %{{.*}} by 1 align 4 where ({{.*}} < 99) = %{{.*}} by 4 align 16 combine min
        %1 = fuser_loop.index %i[%b] : !i
        fuser_loop.tile %y[%1, %t * 4 + %v] where (%1 < 99) = %s[%b, %t * 4 + %v] combine min : (!s) -> !y of tensor<f32>
        // CHECK: fuser_loop.tile %{{.*}} by 1 align 4 where ({{.*}} < 99) = %{{.*}} by 4 align 16 combine add
        %2 = fuser_loop.index %i[%b] : !i
        fuser_loop.tile %m[%2, %t * 4 + %v] where (%2 < 99) = %n[%b, %t * 4 + %v] combine add : (!n) -> !m of tensor<i32>
        // CHECK: fuser_loop.tile %{{.*}} by 4 align 16 where ({{.*}} < 99) = %{{.*}} by 4 align 16{{$}}
        %3 = fuser_loop.index %i[%b] : !i
        fuser_loop.tile %m[%3, %t * 4 + %v] where (%3 < 99) = %n[%b, %t * 4 + %v] : (!n) -> !m of tensor<i32>
      }
    }
  }
}

// Lanes with indices of their own.
// CHECK-LABEL: fuser_loop.kernel @lanes
fuser_loop.kernel @lanes(%s: !s from #fuser_gpu.pointer<0> strides [8, 1] align 16 readonly noalias, %i: !j from #fuser_gpu.pointer<1> strides [8, 1] align 16 readonly noalias,
                         %y: !y from #fuser_gpu.pointer<2> strides [8, 1] align 16 noalias)
    stage synchronized index_bits 32 threads [2, 1, 1] grid [64, 1, 1] {
  fuser_loop.for %b to (64) on block_x {
    fuser_loop.for %t to (2) on thread_x {
      fuser_loop.for %v to (4) on vectorize {
        // CHECK: fuser_loop.tile %{{.*}} by 1 align 4 where ({{.*}} < 99) = %{{.*}} by 4 align 16 combine add
        %0 = fuser_loop.index %i[%b, %t * 4 + %v] : !j
        fuser_loop.tile %y[%0, %t * 4 + %v] where (%0 < 99) = %s[%b, %t * 4 + %v] combine add : (!s) -> !y of tensor<f32>
      }
    }
  }
}
