// RUN: fuser-run %s --device=host --check --sizes=8x3x4x2 | FileCheck %s
// The rows have a pitch, so that the merged dimension is no dimension of the argument in memory, and
// dynamic sizes, so that it cannot be split into all of them either: the loops run over what can be
// split off, and the argument is indexed by remainders.
// CHECK: output 0: ok, 192 elements
fuser.fusion @f(%x: tensor<8x?x?x2xf32>) -> tensor<?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3], strided = [0, 1]>]} {
  %0 = fuser.reshape %x : tensor<8x?x?x2xf32> -> tensor<?xf32>
  %1 = fuser.add %0, %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}
