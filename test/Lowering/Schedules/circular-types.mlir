// RUN: fuser-run %s --device=host --check --program=complex --sizes=3x200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=double --sizes=2x33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=bytes --sizes=3x200 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=bools --sizes=1x72 | FileCheck %s
// Elements of 1 to 16 bytes: a complex number is one, and a bool is a byte.

// CHECK: check {{.*}} ok
#t = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x]>
#v = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i4, i5), split(i4, 8) -> (i2, i3), loop = [i0 @block_x, i2, i3 @thread_x, i5 @vectorize]>
fuser.fusion @complex(%x: tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>> {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xcomplex<f64>>
  %1 = fuser.set %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xcomplex<f64>>
  fuser.return %1 : tensor<?x?xcomplex<f64>>
}
fuser.fusion @double(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = fuser.set %x {domains = [#t], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf64>
  %1 = fuser.set %0 {domains = [#t], memory = #fuser.memory<global>} : tensor<?x?xf64>
  fuser.return %1 : tensor<?x?xf64>
}
fuser.fusion @bytes(%x: tensor<?x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#v], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xf8E4M3FN>
  %1 = fuser.set %0 {domains = [#v], memory = #fuser.memory<global>} : tensor<?x?xf8E4M3FN>
  fuser.return %1 : tensor<?x?xf8E4M3FN>
}
fuser.fusion @bools(%x: tensor<?x?xi1>) -> tensor<?x?xi1> attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#v], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 4 : i64} : tensor<?x?xi1>
  %1 = fuser.set %0 {domains = [#v], memory = #fuser.memory<global>} : tensor<?x?xi1>
  fuser.return %1 : tensor<?x?xi1>
}
