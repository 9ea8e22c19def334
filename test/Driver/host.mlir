// RUN: fuser-run %s --device=host --program=affine --size x=17x33 --size w=33 --check | FileCheck %s
// RUN: fuser-run %s --device=host --program=affine --size x=1x1 --size w=1 --check
// RUN: fuser-run %s --device=host --program=affine --size x=0x33 --size w=33 --check
// RUN: fuser-run %s --device=host --program=column_major --size x=5x7 --check --save-output=%t.host.npy
// RUN: fuser-run %s --device=reference --program=column_major --size x=5x7 --save-output=%t.reference.npy
// RUN: cmp %t.host.npy %t.reference.npy
// RUN: fuser-run %s --device=host --program=in_place --size x=100 --size acc=100 --check
// RUN: fuser-run %s --device=host --program=affine --sizes=8x8,8 --target=h200
// RUN: not fuser-run %s --device=host --program=affine --sizes=8x8,8 --target=toaster 2>&1 | FileCheck %s --check-prefix=TARGET
// A program compiled for the host device gives what the reference gives, also for orders other than row-major.

// CHECK: program     @affine
// CHECK: device
// CHECK: kernels     affine_0: grid {{[0-9x]+}}, block {{[0-9x]+}}
// CHECK: compile     {{.*}}segmentation {{.*}}choose {{.*}}apply {{.*}}lowering {{.*}}load {{.*}}; total {{.*}} ms
// CHECK: outputs     0: 17x33xf32
// CHECK: check       output 0: ok, 561 elements
// TARGET: fuser-run: {{.*}}toaster
fuser.fusion @affine(%x: tensor<?x?xf32>, %w: tensor<?xf32>, %s: f32) -> tensor<?x?xf32> {
  %0 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.mul %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.add %1, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

fuser.fusion @column_major(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.neg %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}

fuser.fusion @in_place(%x: tensor<?xf32>, %acc: tensor<?xf32>) -> tensor<?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %0 = fuser.add %x, %acc : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
