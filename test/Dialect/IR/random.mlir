// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --mlir-print-op-generic --mlir-print-debuginfo | fuser-opt | FileCheck %s
// Random numbers round-trip in their pretty and their generic form.

// CHECK-LABEL: fuser.fusion @numbers
fuser.fusion @numbers(%seed: i64, %offset: i64, %n: index, %state: tensor<i64>)
    -> (tensor<?x8xf32>, tensor<bf16>, tensor<?x8xf32>) {
  // CHECK: fuser.random_uniform %seed, %offset sizes(%n) : tensor<?x8xf32>
  %0 = fuser.random_uniform %seed, %offset sizes(%n) : tensor<?x8xf32>
  // CHECK: fuser.random_normal %seed, %offset : tensor<bf16>
  %1 = fuser.random_normal %seed, %offset : tensor<bf16>
  // CHECK: fuser.random_uniform %state, %offset sizes(%n) : tensor<i64> -> tensor<?x8xf32>
  %2 = fuser.random_uniform %state, %offset sizes(%n) : tensor<i64> -> tensor<?x8xf32>
  fuser.return %0, %1, %2 : tensor<?x8xf32>, tensor<bf16>, tensor<?x8xf32>
}
