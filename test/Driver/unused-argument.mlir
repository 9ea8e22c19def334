// RUN: not fuser-run %s --device=reference 2>&1 | FileCheck %s
// No op reads the argument, so that no verifier refuses its type.

// CHECK: fuser-run: argument 1 (y): expected a type that memory can hold, but got tensor<4xi3>
fuser.fusion @f(%x: tensor<4xf32>, %y: tensor<4xi3>) -> tensor<4xf32> {
  %0 = fuser.neg %x : tensor<4xf32>
  fuser.return %0 : tensor<4xf32>
}
