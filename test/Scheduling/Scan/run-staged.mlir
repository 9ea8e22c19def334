// RUN: fuser-run %s --device=host --target=h200 --check --program=odd --sizes=5000x999 | FileCheck %s --check-prefixes=CHECK,WARP
// RUN: fuser-run %s --device=host --target=h200 --check --program=odd --sizes=5003x999 | FileCheck %s --check-prefixes=CHECK,WARP
// RUN: fuser-run %s --device=host --target=h200 --check --program=exclusive --sizes=60001x33 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=exclusive --sizes=60000x33 | FileCheck %s --check-prefixes=CHECK,THREAD
// RUN: fuser-run %s --device=host --target=h200 --check --program=pairs --sizes=5001x1002,5001 | FileCheck %s --check-prefixes=CHECK,PAIRS
// Rows that pass through shared memory on their way to and from a scan; the last block has fewer rows.

// WARP: block 32x4, 23984 bytes of dynamic shared memory
// THREAD: block 1x128, 33792 bytes of dynamic shared memory
// PAIRS: block 32x4, 16032 bytes of dynamic shared memory
// CHECK: check {{.*}} ok

fuser.fusion @odd(%x: tensor<?x?xbf16>) -> tensor<?x?xf32> {
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// The input is used again after the scan.
fuser.fusion @exclusive(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.sub %0, %x : tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

// A factor of each row.
fuser.fusion @pairs(%x: tensor<?x?xbf16>, %s: tensor<?xbf16>) -> tensor<?x?xbf16> {
  %b = fuser.broadcast %s dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
  %0 = fuser.mul %x, %b : (tensor<?x?xbf16>, tensor<?x1xbf16>) -> tensor<?x?xbf16>
  %1 = fuser.cumsum %0 dim 1 : tensor<?x?xbf16> -> tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
