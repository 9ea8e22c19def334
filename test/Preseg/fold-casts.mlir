// RUN: fuser-opt %s --fuser-fold-casts > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-fold-casts | diff %t.after.mlir -
// RUN: fuser-run %s --program=chain --device=reference --sizes=37x5 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=chain --device=reference --sizes=37x5 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: fuser-run %s --program=chain --device=host --sizes=37x5 --check
// RUN: fuser-run %t.after.mlir --program=chain --device=host --sizes=37x5 --check
// RUN: fuser-run %s --program=integers --device=reference --sizes=1000 --range 0=-40000:40000 --save-output=%t.before.npy
// RUN: fuser-run %t.after.mlir --program=integers --device=reference --sizes=1000 --range 0=-40000:40000 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// RUN: cmp %t.before.2.npy %t.after.2.npy
// RUN: fuser-run %s --program=parts --device=host --sizes=3x70,5x70 --check
// RUN: fuser-run %t.after.mlir --program=parts --device=host --sizes=3x70,5x70 --check
// A cast that keeps every value is a step that the next cast can do without; results stay bit for bit.

// There and back is nothing; two steps up are one.
// CHECK-LABEL: fuser.fusion @chain
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x5xbf16>)
// CHECK-NEXT: %[[WIDE:.*]] = fuser.cast %[[X]] : tensor<?x5xbf16> to tensor<?x5xf64>
// CHECK-NEXT: fuser.return %[[X]], %[[WIDE]]
fuser.fusion @chain(%x: tensor<?x5xbf16>) -> (tensor<?x5xbf16>, tensor<?x5xf64>) {
  %0 = fuser.cast %x : tensor<?x5xbf16> to tensor<?x5xf32>
  %1 = fuser.cast %0 : tensor<?x5xf32> to tensor<?x5xbf16>
  %2 = fuser.cast %0 : tensor<?x5xf32> to tensor<?x5xf64>
  fuser.return %1, %2 : tensor<?x5xbf16>, tensor<?x5xf64>
}

// Integers wrap from wider integers, also beyond the target's range.
// CHECK-LABEL: fuser.fusion @integers
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?xi32>)
// CHECK-NEXT: %[[NARROW:.*]] = fuser.cast %[[X]] : tensor<?xi32> to tensor<?xi16>
// CHECK-NEXT: %[[FLOAT:.*]] = fuser.cast %[[X]] : tensor<?xi32> to tensor<?xf32>
// CHECK-NEXT: %[[BOOL:.*]] = fuser.cast %[[X]] : tensor<?xi32> to tensor<?xi1>
// CHECK-NEXT: fuser.return %[[NARROW]], %[[FLOAT]], %[[BOOL]]
fuser.fusion @integers(%x: tensor<?xi32>) -> (tensor<?xi16>, tensor<?xf32>, tensor<?xi1>) {
  %0 = fuser.cast %x : tensor<?xi32> to tensor<?xi64>
  %1 = fuser.cast %0 : tensor<?xi64> to tensor<?xi16>
  %2 = fuser.cast %x : tensor<?xi32> to tensor<?xf64>
  %3 = fuser.cast %2 : tensor<?xf64> to tensor<?xf32>
  %4 = fuser.cast %2 : tensor<?xf64> to tensor<?xi1>
  fuser.return %1, %3, %4 : tensor<?xi16>, tensor<?xf32>, tensor<?xi1>
}

// What does not fit saturates from a float and wraps from an integer: not the same, but for types that hold all.
// CHECK-LABEL: fuser.fusion @saturates
// CHECK: %[[F:.*]] = fuser.cast %{{.*}} : tensor<?xi32> to tensor<?xf64>
// CHECK-NEXT: %[[NARROW:.*]] = fuser.cast %[[F]] : tensor<?xf64> to tensor<?xi8>
// CHECK-NEXT: %[[WIDE:.*]] = fuser.cast %{{.*}} : tensor<?xi32> to tensor<?xi64>
// CHECK-NEXT: fuser.return %[[NARROW]], %[[WIDE]]
fuser.fusion @saturates(%x: tensor<?xi32>) -> (tensor<?xi8>, tensor<?xi64>) {
  %0 = fuser.cast %x : tensor<?xi32> to tensor<?xf64>
  %1 = fuser.cast %0 : tensor<?xf64> to tensor<?xi8>
  %2 = fuser.cast %0 : tensor<?xf64> to tensor<?xi64>
  fuser.return %1, %2 : tensor<?xi8>, tensor<?xi64>
}

// Does not fold when the first cast rounds, saturates or wraps.
// CHECK-LABEL: fuser.fusion @rounds
// CHECK-COUNT-7: fuser.cast
fuser.fusion @rounds(%x: tensor<?xf32>, %y: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>) {
  %0 = fuser.cast %x : tensor<?xf32> to tensor<?xbf16>
  %1 = fuser.cast %0 : tensor<?xbf16> to tensor<?xf32>
  %2 = fuser.cast %x : tensor<?xf32> to tensor<?xi64>
  %3 = fuser.cast %2 : tensor<?xi64> to tensor<?xf32>
  %4 = fuser.cast %y : tensor<?xi32> to tensor<?xf32>
  %5 = fuser.cast %4 : tensor<?xf32> to tensor<?xi32>
  %6 = fuser.cast %0 : tensor<?xbf16> to tensor<?xi32>
  fuser.return %1, %3, %5, %6 : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>
}

// f16 has more digits than bf16 and fewer exponents: neither holds the other.
// CHECK-LABEL: fuser.fusion @halves
// CHECK-COUNT-2: fuser.cast
fuser.fusion @halves(%x: tensor<?xf16>) -> tensor<?xf32> {
  %0 = fuser.cast %x : tensor<?xf16> to tensor<?xbf16>
  %1 = fuser.cast %0 : tensor<?xbf16> to tensor<?xf32>
  fuser.return %1 : tensor<?xf32>
}

// Does not touch a cast that carries a schedule.
// CHECK-LABEL: fuser.fusion @scheduled
// CHECK-COUNT-2: fuser.cast
fuser.fusion @scheduled(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = fuser.cast %x {memory = #fuser.memory<shared>} : tensor<?xbf16> to tensor<?xf32>
  %1 = fuser.cast %0 : tensor<?xf32> to tensor<?xbf16>
  fuser.return %1 : tensor<?xbf16>
}

// A cast to narrower elements of parts that nothing else reads is one of each part.
// CHECK-LABEL: fuser.fusion @parts
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x?xf32>, %[[Y:[a-z0-9]+]]: tensor<5x?xf32>)
// CHECK-NEXT: %[[A:.*]] = fuser.cast %[[X]] : tensor<3x?xf32> to tensor<3x?xbf16>
// CHECK-NEXT: %[[B:.*]] = fuser.cast %[[Y]] : tensor<5x?xf32> to tensor<5x?xbf16>
// CHECK-NEXT: %[[JOINED:.*]] = fuser.cat %[[A]], %[[B]] dim 0
// CHECK-NEXT: fuser.return %[[JOINED]]
fuser.fusion @parts(%x: tensor<3x?xf32>, %y: tensor<5x?xf32>) -> tensor<8x?xbf16> {
  %0 = fuser.cat %x, %y dim 0 : (tensor<3x?xf32>, tensor<5x?xf32>) -> tensor<8x?xf32>
  %1 = fuser.cast %0 : tensor<8x?xf32> to tensor<8x?xbf16>
  fuser.return %1 : tensor<8x?xbf16>
}

// Not if others read the parts, or if the elements become wider.
// CHECK-LABEL: fuser.fusion @parts_of_others
// CHECK-NEXT: fuser.cat
// CHECK-NEXT: fuser.cast
// CHECK-NEXT: fuser.cat
// CHECK-NEXT: fuser.cast
fuser.fusion @parts_of_others(%x: tensor<3x?xf32>, %y: tensor<5x?xf32>) -> (tensor<8x?xf32>, tensor<8x?xbf16>, tensor<8x?xf64>) {
  %0 = fuser.cat %x, %y dim 0 : (tensor<3x?xf32>, tensor<5x?xf32>) -> tensor<8x?xf32>
  %1 = fuser.cast %0 : tensor<8x?xf32> to tensor<8x?xbf16>
  %2 = fuser.cat %y, %x dim 0 : (tensor<5x?xf32>, tensor<3x?xf32>) -> tensor<8x?xf32>
  %3 = fuser.cast %2 : tensor<8x?xf32> to tensor<8x?xf64>
  fuser.return %0, %1, %3 : tensor<8x?xf32>, tensor<8x?xbf16>, tensor<8x?xf64>
}
