// RUN: fuser-run %s --device=host --check --sizes=8 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A buffer over a resized id: who reads the value finds its elements behind the border.

// CHECK: check {{.*}} ok
// IR: memref<12xf32, #gpu.address_space<workgroup>>
// IR: %[[AT:.*]] = arith.addi %{{.*}}, %c2
// IR: memref.load %{{.*}}[%[[AT]]] : memref<12xf32
#border = #fuser.domain<logical = [i0], resize(i0, 2, 2) -> i1, loop = [i1 @thread_x], allocation = [i0]>
#inside = #fuser.domain<logical = [i0], loop = [i0 @thread_x], allocation = [i0]>
fuser.fusion @border(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.exp %x {domains = [#border], memory = #fuser.memory<shared>} : tensor<8xf32>
  %1 = fuser.neg %0 {domains = [#inside], memory = #fuser.memory<global>} : tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
