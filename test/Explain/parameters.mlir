// A kernel has no more parameters than a launch passes: 8 bytes for each pointer, size, stride and scalar.
// RUN: fuser-explain %s --device-file=%S/Inputs/few-parameters.txt | FileCheck %s
// RUN: fuser-explain %s | FileCheck %s --check-prefix=H100
// H100: segment 0 {{.*}} 11 ops
// H100-NOT: segment 1
// CHECK: segment 0
// CHECK: segment 1
// CHECK: [too-many-parameters]: expected at most 64 bytes of parameters for {{[0-9]+}} tensors, but got {{[0-9]+}}
fuser.fusion @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %d: tensor<?xf32>, %e: tensor<?xf32>, %f: tensor<?xf32>,
                %g: tensor<?xf32>, %h: tensor<?xf32>, %i: tensor<?xf32>, %j: tensor<?xf32>, %k: tensor<?xf32>, %l: tensor<?xf32>)
    -> tensor<?xf32> {
  %0 = fuser.add %a, %b : tensor<?xf32>
  %1 = fuser.add %0, %c : tensor<?xf32>
  %2 = fuser.add %1, %d : tensor<?xf32>
  %3 = fuser.add %2, %e : tensor<?xf32>
  %4 = fuser.add %3, %f : tensor<?xf32>
  %5 = fuser.add %4, %g : tensor<?xf32>
  %6 = fuser.add %5, %h : tensor<?xf32>
  %7 = fuser.add %6, %i : tensor<?xf32>
  %8 = fuser.add %7, %j : tensor<?xf32>
  %9 = fuser.add %8, %k : tensor<?xf32>
  %10 = fuser.add %9, %l : tensor<?xf32>
  fuser.return %10 : tensor<?xf32>
}
