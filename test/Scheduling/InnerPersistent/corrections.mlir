// RUN: fuser-opt %s --fuser-segment-fusions='target=h200' --fuser-choose-schedules='target=h200' --fuser-apply-schedules | FileCheck %s
// RUN: fuser-run %s --program=known --device=host --target=h200 --sizes=13x1000 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=unknown --device=host --target=h200 --sizes=13x1009 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: fuser-run %s --program=unknown --device=host --target=h200 --sizes=13x1 --check | FileCheck %s --check-prefix=NUMBERS
// Variances with a correction are decomposed too where the row stays in registers.
// NUMBERS: kernels {{.*}}_0: grid {{13|1}}, block
// NUMBERS: check {{.*}} ok

// CHECK-LABEL: fuser.kernel @known_0
// CHECK-NOT: fuser.var_mean
// CHECK: %[[N:.*]] = arith.constant 9.990000e+02 : f32
// CHECK: %[[S:.*]] = fuser.sum
// CHECK: fuser.div %[[S]], %[[N]]
fuser.fusion @known(%x: tensor<?x1000xf32>) -> tensor<?x1000xf32> {
  %var, %mean = fuser.var_mean %x dims [1] correction 1 : tensor<?x1000xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sqrt %0 : tensor<?x1xf32>
  %3 = fuser.sub %x, %1 : (tensor<?x1000xf32>, tensor<?x1xf32>) -> tensor<?x1000xf32>
  %4 = fuser.div %3, %2 : (tensor<?x1000xf32>, tensor<?x1xf32>) -> tensor<?x1000xf32>
  fuser.return %4 : tensor<?x1000xf32>
}

// CHECK-LABEL: fuser.kernel @unknown_0
// CHECK-NOT: fuser.var_mean
// CHECK: arith.maxsi
// CHECK: %[[D:.*]] = arith.sitofp
// CHECK: %[[T:.*]] = fuser.sum
// CHECK: fuser.div %[[T]], %[[D]]
fuser.fusion @unknown(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %var, %mean = fuser.var_mean %x dims [1] correction 1 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %0 = fuser.broadcast %var dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.broadcast %mean dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sqrt %0 : tensor<?x1xf32>
  %3 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.div %3, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}
