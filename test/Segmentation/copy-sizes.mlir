// RUN: fuser-run %s --target=h200 --no-run --dump-after=choose 2>/dev/null | FileCheck %s
// A kernel that copies a computed value into an argument has sizes of its own; those of the program are of other arguments.

// CHECK: fuser.kernel @copied_copy_0(%{{.*}}: tensor<999x64xf32>, %{{.*}}: tensor<999x64xf32>)
// CHECK-SAME: fuser_sched.sizes = [array<i64: 999, 64>, array<i64: 999, 64>]
fuser.fusion @copied(%i: tensor<500x64xi64>, %y: tensor<64xf32>, %x: tensor<999x64xf32>) -> tensor<999x64xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>], arg_layouts = [unit, unit, #fuser.layout<order = [0, 1], strided = [0]>]} {
  %b = fuser.broadcast %y dims [0] : tensor<64xf32> -> tensor<1x64xf32>
  %g = fuser.gather %x, %i dim 0 : tensor<999x64xf32>, tensor<500x64xi64> -> tensor<500x64xf32>
  %s = fuser.add %g, %b : (tensor<500x64xf32>, tensor<1x64xf32>) -> tensor<500x64xf32>
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<500x64xf32>, tensor<500x64xi64>, tensor<999x64xf32>
  fuser.return %0 : tensor<999x64xf32>
}
