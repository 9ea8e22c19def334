// Without a run there are no values: sizes may be larger than the memory of the machine.
// RUN: fuser-run %s --device=host --no-run --size=x=1048576x1048576 --dump-after=choose 2>&1 | FileCheck %s
// RUN: not fuser-run %s --device=host --size=x=1048576x1048576 2>&1 | FileCheck %s --check-prefix=MEMORY
// CHECK: fuser.kernel @f_0
// CHECK-SAME: schedule = #fuser_sched.pointwise
// MEMORY: argument 0 (x): expected arguments that fit the machine's {{[0-9]+}} bytes of memory, but up to this one they take 17592186044416 bytes
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
