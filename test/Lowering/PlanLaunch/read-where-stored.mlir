// An element of an argument that the kernel writes is read where the conditions of the stores of what is computed from it hold.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch))" | FileCheck %s

!x = !fuser_loop.buffer<?xf32, global>
!r = !fuser_loop.buffer<1xf32, register>

// Of 100 rows of blocks, the first stores: the others would read what it has written.
// CHECK-LABEL: fuser_loop.kernel @first_row(
// CHECK: fuser_loop.for %[[ROW:.*]] to (100) on block_y {
// CHECK: fuser_loop.tile %{{.*}}[0] = %arg0[{{.*}}] if ({{.*}} < symbol(%arg2), %[[ROW]] == 0)
// CHECK: fuser_loop.tile %{{.*}}[0] = %arg1[{{.*}}] if ({{.*}} < symbol(%arg2))
fuser_loop.kernel @first_row(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4 readonly, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 32 {
  fuser_loop.for %r to (100) on block_y {
    fuser_loop.for %b to (symbol(%n) ceildiv 64) on block_x {
      fuser_loop.for %t to (64) on thread_x {
        %v = fuser_loop.buffer : !r
        fuser_loop.tile %v[0] = %x[%b * 64 + %t] if (%b * 64 + %t < symbol(%n)) : (!x) -> !r of tensor<?xf32>
        %w = fuser_loop.buffer : !r
        fuser_loop.tile %w[0] = %y[%b * 64 + %t] if (%b * 64 + %t < symbol(%n)) : (!x) -> !r of tensor<?xf32>
        %s = fuser_loop.buffer : !r
        fuser_loop.tile %s[0] = fuser.mul(%v[0], %w[0]) if (%b * 64 + %t < symbol(%n)) : (!r, !r) -> !r of (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        fuser_loop.tile %x[%b * 64 + %t] = %s[0] if (%b * 64 + %t < symbol(%n), %r == 0) : (!r) -> !x of tensor<?xf32>
      }
    }
  }
}

// Not where another store of it has no such condition.
// CHECK-LABEL: fuser_loop.kernel @all_rows(
// CHECK: fuser_loop.tile %{{.*}}[0] = %arg0[{{.*}}] if ({{.*}} < symbol(%arg2))
fuser_loop.kernel @all_rows(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %y: !x from #fuser_gpu.pointer<1> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 32 {
  fuser_loop.for %r to (100) on block_y {
    fuser_loop.for %b to (symbol(%n) ceildiv 64) on block_x {
      fuser_loop.for %t to (64) on thread_x {
        %v = fuser_loop.buffer : !r
        fuser_loop.tile %v[0] = %x[%b * 64 + %t] if (%b * 64 + %t < symbol(%n)) : (!x) -> !r of tensor<?xf32>
        fuser_loop.tile %x[%b * 64 + %t] = fuser.exp(%v[0]) if (%b * 64 + %t < symbol(%n), %r == 0) : (!r) -> !x of (tensor<?xf32>) -> tensor<?xf32>
        fuser_loop.tile %y[(%r * symbol(%n) + %b * 64) + %t] = fuser.neg(%v[0]) if (%b * 64 + %t < symbol(%n)) : (!r) -> !x of (tensor<?xf32>) -> tensor<?xf32>
      }
    }
  }
}
