// RUN: fuser-opt %s --fuser-hoist-slices | FileCheck %s
// Slices of sizes that depend on each other are merged up to six of them: each makes what is guarded several times as long.

// CHECK-LABEL: fuser.fusion @steps_6
// CHECK-COUNT-1: = fuser.slice
// CHECK-NOT: = fuser.slice
// CHECK: fuser.sum
fuser.fusion @steps_6(%x: tensor<?x64xf32>, %a0: index, %a1: index, %a2: index, %a3: index, %a4: index, %a5: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x64xf32>
  %0 = fuser.sum %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %d1 = arith.subi %n0, %a0 : index
  %n1 = arith.maxsi %d1, %c0 : index
  %1 = fuser.slice %0 [0] [%n1] : tensor<?xf32> -> tensor<?xf32>
  %d2 = arith.subi %n1, %a1 : index
  %n2 = arith.maxsi %d2, %c0 : index
  %2 = fuser.slice %1 [0] [%n2] : tensor<?xf32> -> tensor<?xf32>
  %d3 = arith.subi %n2, %a2 : index
  %n3 = arith.maxsi %d3, %c0 : index
  %3 = fuser.slice %2 [0] [%n3] : tensor<?xf32> -> tensor<?xf32>
  %d4 = arith.subi %n3, %a3 : index
  %n4 = arith.maxsi %d4, %c0 : index
  %4 = fuser.slice %3 [0] [%n4] : tensor<?xf32> -> tensor<?xf32>
  %d5 = arith.subi %n4, %a4 : index
  %n5 = arith.maxsi %d5, %c0 : index
  %5 = fuser.slice %4 [0] [%n5] : tensor<?xf32> -> tensor<?xf32>
  %d6 = arith.subi %n5, %a5 : index
  %n6 = arith.maxsi %d6, %c0 : index
  %6 = fuser.slice %5 [0] [%n6] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %6 : tensor<?xf32>
}

// CHECK-LABEL: fuser.fusion @steps_8
// CHECK-COUNT-3: = fuser.slice
// CHECK-NOT: = fuser.slice
// CHECK: fuser.sum
fuser.fusion @steps_8(%x: tensor<?x64xf32>, %a0: index, %a1: index, %a2: index, %a3: index, %a4: index, %a5: index, %a6: index, %a7: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x64xf32>
  %0 = fuser.sum %x dims [1] : tensor<?x64xf32> -> tensor<?xf32>
  %d1 = arith.subi %n0, %a0 : index
  %n1 = arith.maxsi %d1, %c0 : index
  %1 = fuser.slice %0 [0] [%n1] : tensor<?xf32> -> tensor<?xf32>
  %d2 = arith.subi %n1, %a1 : index
  %n2 = arith.maxsi %d2, %c0 : index
  %2 = fuser.slice %1 [0] [%n2] : tensor<?xf32> -> tensor<?xf32>
  %d3 = arith.subi %n2, %a2 : index
  %n3 = arith.maxsi %d3, %c0 : index
  %3 = fuser.slice %2 [0] [%n3] : tensor<?xf32> -> tensor<?xf32>
  %d4 = arith.subi %n3, %a3 : index
  %n4 = arith.maxsi %d4, %c0 : index
  %4 = fuser.slice %3 [0] [%n4] : tensor<?xf32> -> tensor<?xf32>
  %d5 = arith.subi %n4, %a4 : index
  %n5 = arith.maxsi %d5, %c0 : index
  %5 = fuser.slice %4 [0] [%n5] : tensor<?xf32> -> tensor<?xf32>
  %d6 = arith.subi %n5, %a5 : index
  %n6 = arith.maxsi %d6, %c0 : index
  %6 = fuser.slice %5 [0] [%n6] : tensor<?xf32> -> tensor<?xf32>
  %d7 = arith.subi %n6, %a6 : index
  %n7 = arith.maxsi %d7, %c0 : index
  %7 = fuser.slice %6 [0] [%n7] : tensor<?xf32> -> tensor<?xf32>
  %d8 = arith.subi %n7, %a7 : index
  %n8 = arith.maxsi %d8, %c0 : index
  %8 = fuser.slice %7 [0] [%n8] : tensor<?xf32> -> tensor<?xf32>
  fuser.return %8 : tensor<?xf32>
}
