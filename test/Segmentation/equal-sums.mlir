// RUN: fuser-run %s --device=host --check --program=sums --sizes=1000,300,1168 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: fuser-run %s --device=host --check --program=sums --sizes=0,132,0 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: not fuser-run %s --device=host --program=sums --sizes=1000,300,1169 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: fuser-run %s --device=host --check --program=number --sizes=1024 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: not fuser-run %s --device=host --program=number --sizes=1023 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: fuser-run %s --device=host --check --program=quotient --sizes=3 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: not fuser-run %s --device=host --program=quotient --sizes=4 2>&1 | FileCheck %s --check-prefix=QUOTIENT
// RUN: fuser-run %s --device=host --check --program=halves --sizes=62,32 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: not fuser-run %s --device=host --program=halves --sizes=62,31 2>&1 | FileCheck %s --check-prefix=HALVES
// Ops that demand the equality of two sums of sizes are in one kernel: the equality determines one of the sizes.

// ONE-NOT: fallback
// ONE: kernels {{.*}}_0:
// ONE-NOT: _1:
// CHECK: check {{.*}} ok

// SUMS: expected x.size[0] + y.size[0] == z.size[0] + 132 (sizes of 'fuser.add'), but got 1300 and 1301
fuser.fusion @sums(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.cat %x, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = fuser.pad %z low [2] high [130] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
  %2 = fuser.add %0, %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// One size is a number.
// NUMBER: expected x.size[0] + 8 == 1032
fuser.fusion @number(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2040 = arith.constant 2040 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %n2 = arith.addi %n, %n : index
  %n3 = arith.addi %n2, %n : index
  %length = arith.subi %n3, %c2040 : index
  %start = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %0 = fuser.iota %start, %step length(%length) : i32, i32 -> tensor<?xi32>
  %1 = fuser.cast %0 : tensor<?xi32> to tensor<?xf32>
  %2 = fuser.pad %x low [4] high [4] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
  %3 = fuser.add %2, %1 : tensor<?xf32>
  fuser.return %3 : tensor<?xf32>
}

// Also of a quotient without remainder: n / 3 is n - 2.
// QUOTIENT: expected x.size[0] == ceildiv(x.size[0], 3) * 3 (sizes of 'fuser.reshape')
fuser.fusion @quotient(%x: tensor<?xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %length = arith.subi %n, %c2 : index
  %start = arith.constant 5 : i32
  %step = arith.constant 1 : i32
  %0 = fuser.reshape %x : tensor<?xf32> -> tensor<?x3xf32>
  %1 = fuser.iota %start, %step length(%length) : i32, i32 -> tensor<?xi32>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xi32> -> tensor<?x1xi32>
  %3 = fuser.cast %2 : tensor<?x1xi32> to tensor<?x1xf32>
  %4 = fuser.mul %0, %3 : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
  fuser.return %4 : tensor<?x3xf32>
}

// HALVES: expected ceildiv(x.size[0] + 2, 2) == y.size[0] (sizes of 'fuser.mul'), but got 32 and 31
fuser.fusion @halves(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?x2xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = fuser.pad %x low [1] high [1] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x2xf32>
  %2 = fuser.broadcast %y dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.mul %1, %2 : (tensor<?x2xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
  fuser.return %3 : tensor<?x2xf32>
}
