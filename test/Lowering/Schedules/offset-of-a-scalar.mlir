// RUN: fuser-run %s --device=host --check --size x=20 --scalar o=3 | FileCheck %s
// RUN: fuser-run %s --device=host --check --size x=20 --scalar o=12 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=IR
// A value of the kernel is read at an offset that is known at the call: element by element, as the vector may begin anywhere.

// CHECK: check {{.*}} ok
// IR: vector.load
// IR-COUNT-4: memref.load %{{.*}}, #gpu.address_space<workgroup>>
// IR: vector.store
#row = #fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @thread_x, i2 @vectorize], allocation = [i0]>
fuser.fusion @part(%x: tensor<20xf32>, %o: index) -> tensor<8xf32> attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 2, 16>]} {
  %0 = fuser.neg %x {domains = [#row], memory = #fuser.memory<shared>} : tensor<20xf32>
  %1 = fuser.slice %0 [%o] [8] {domains = [#row], memory = #fuser.memory<global>} : tensor<20xf32> -> tensor<8xf32>
  fuser.return %1 : tensor<8xf32>
}
