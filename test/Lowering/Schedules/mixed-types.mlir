// RUN: fuser-run %s --device=host --check --sizes=100,100,100 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1,1,1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=33,33,33 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=0,0,0 | FileCheck %s
// f64, i64, bf16 and bool side by side; bools in shared memory.

// CHECK: check {{.*}} ok
#d = #fuser.domain<logical = [i0], split(i0, 32) -> (i1, i2), loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>
fuser.fusion @m(%x: tensor<?xf64>, %y: tensor<?xi64>, %z: tensor<?xbf16>) -> (tensor<?xi1>, tensor<?xf64>, tensor<?xbf16>, tensor<?xi64>) {
  %0 = fuser.set %x {domains = [#d], inline_at = 2 : i64} : tensor<?xf64>
  %1 = fuser.cast %y {domains = [#d], inline_at = 2 : i64} : tensor<?xi64> to tensor<?xf64>
  %2 = fuser.lt %0, %1 {domains = [#d], inline_at = 1 : i64, memory = #fuser.memory<shared>} : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xi1>
  %3 = fuser.cast %z {domains = [#d], inline_at = 2 : i64} : tensor<?xbf16> to tensor<?xf64>
  %4 = fuser.where %2, %3, %0 {domains = [#d], inline_at = 2 : i64} : (tensor<?xi1>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %5 = fuser.set %2 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xi1>
  %6 = fuser.set %4 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf64>
  %7 = fuser.cast %4 {domains = [#d], memory = #fuser.memory<global>} : tensor<?xf64> to tensor<?xbf16>
  %8 = fuser.add %y, %y {domains = [#d], memory = #fuser.memory<global>} : tensor<?xi64>
  fuser.return %5, %6, %7, %8 : tensor<?xi1>, tensor<?xf64>, tensor<?xbf16>, tensor<?xi64>
}
