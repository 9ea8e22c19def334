// RUN: fuser-run %s --device=host --check --check-accesses --program=merged --sizes=8x3x4x2 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --check-accesses --program=other_factors --sizes=4x8x6x2 | FileCheck %s --implicit-check-not=fallback
// RUN: fuser-run %s --device=host --check --check-accesses --program=other_factors --sizes=1x3x64x2 | FileCheck %s --implicit-check-not=fallback
// CHECK: output 0: ok

// The rows have a pitch, so that the merged dimension is no dimension of the argument in memory, and
// dynamic sizes, so that it cannot be split into all of them either: the loops run over what can be
// split off, and the argument is indexed by remainders.
fuser.fusion @merged(%x: tensor<8x?x?x2xf32>) -> tensor<?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3], strided = [0, 1]>]} {
  %0 = fuser.reshape %x : tensor<8x?x?x2xf32> -> tensor<?xf32>
  %1 = fuser.add %0, %0 : tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// The result has other factors of the same whole: it can split off the last one of the argument's,
// but not those before it, which have dynamic sizes.
fuser.fusion @other_factors(%x: tensor<?x?x?x2xf32>) -> tensor<192x?xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3], strided = [1, 3]>]} {
  %0 = fuser.reshape %x : tensor<?x?x?x2xf32> -> tensor<192x?xf32>
  %1 = fuser.exp %0 : tensor<192x?xf32>
  fuser.return %1 : tensor<192x?xf32>
}
