// %3 and %4 share the outer loops of %0 and %1, although %3 is not inlined: %4 reads what its own iteration has stored.
// The stand-ins of both have the repeat's factor as their extent. At index 0 of its stand-in, %3 had stored what the
// loops come to later.
// RUN: fuser-run %s --device=host --check | FileCheck %s
// CHECK: output 0: ok, 49 elements
// CHECK: output 1: ok, 98 elements
fuser.fusion @f(%arg0: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<14x7x1xf32>) {
  %0 = fuser.set %arg0 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i0) -> i3, split(i3, 3) -> (i4, i5), broadcast() -> b6, loop = [i5, i4, b6, i1], allocation = [i0, i1]>], inline_at = 4 : i64} : tensor<7x7xf32>
  %1 = fuser.broadcast %0 dims [2] {domains = [#fuser.domain<logical = [i0, i1, b2], broadcast() -> b3, merge(b3, i0) -> i4, split(i4, 3) -> (i5, i6), loop = [i6, i5, b2, i1], allocation = [i0, i1, b2]>], inline_at = 4 : i64} : tensor<7x7xf32> -> tensor<7x7x1xf32>
  %2 = fuser.sum %1 dims [2] {domains = [#fuser.domain<logical = [i0, i1, r2], broadcast() -> b3, merge(b3, i0) -> i4, split(i4, 3) -> (i5, i6), loop = [i6, i5, r2, i1], allocation = [i0, i1]>], inline_at = 2 : i64} : tensor<7x7x1xf32> -> tensor<7x7xf32>
  %3 = fuser.abs %0 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i0) -> i3, split(i3, 3) -> (i4, i5), broadcast() -> b6, loop = [i5, i4, b6, i1], allocation = [i0, i1]>], memory = #fuser.memory<shared>} : tensor<7x7xf32>
  %4 = fuser.add %2, %3 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i0) -> i3, split(i3, 3) -> (i4, i5), broadcast() -> b6, loop = [i5, i4, b6, i1], allocation = [i0, i1]>]} : tensor<7x7xf32>
  %5 = fuser.repeat %1 [2, 1, 1] {domains = [#fuser.domain<root = [e0, i1, i2, b3], merge(e0, i1) -> i4, split(i4, 3) -> (i5, i6), logical = [i4, i2, b3], loop = [i6, i5, b3, i2], allocation = [i4, i2, b3]>], memory = #fuser.memory<shared>} : tensor<7x7x1xf32> -> tensor<14x7x1xf32>
  %6 = fuser.set %4 {domains = [#fuser.domain<logical = [i0, i1], broadcast() -> b2, merge(b2, i0) -> i3, split(i3, 3) -> (i4, i5), broadcast() -> b6, loop = [i5, i4, b6, i1], allocation = [i0, i1]>], memory = #fuser.memory<global>} : tensor<7x7xf32>
  %7 = fuser.set %5 {domains = [#fuser.domain<logical = [i0, i1, b2], split(i0, 3) -> (i3, i4), loop = [i4, i3, b2, i1], allocation = [i0, i1, b2]>], memory = #fuser.memory<global>} : tensor<14x7x1xf32>
  fuser.return %6, %7 : tensor<7x7xf32>, tensor<14x7x1xf32>
}
