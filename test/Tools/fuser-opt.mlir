// RUN: fuser-opt %s --canonicalize | FileCheck %s

// The tool knows upstream dialects and passes.
// CHECK-LABEL: func.func @folds
// CHECK: %[[C:.*]] = arith.constant 3 : i32
// CHECK: return %[[C]]
func.func @folds() -> i32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 2 : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
