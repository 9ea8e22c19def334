// Reads of elements of windows.
// RUN: fuser-run %s --no-run --target=h200 --program=rows --dump-after=guarded | FileCheck %s --check-prefix=ROWS
// RUN: fuser-run %s --no-run --target=h200 --program=corners --dump-after=lowering | FileCheck %s --check-prefix=CORNERS
// RUN: fuser-run %s --device=host --check --program=rows | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=corners | FileCheck %s
// CHECK: check {{.*}} ok

// Reads with one guard share a branch, wherever they are used. Those that need more are in branches of their own inside of
// it, and lanes with a condition of their own follow the others.
// ROWS-LABEL: fuser_loop.kernel @rows_0
// ROWS: fuser_loop.if (%[[T:[a-z0-9_]+]] < 7) {
// ROWS-NEXT: = fuser.slice(%arg0{{.*}} + 1} by 1 align 2) {
// ROWS: = fuser.slice(%arg0{{.*}} + 1} by 1 align 2 where
// ROWS: fuser_loop.if ({{.*}} mod 56 - 1 < 55) {
// ROWS-NEXT: = fuser.slice(%arg0{{.*}} - 111} by 1 align 2) {
// ROWS: = fuser.slice(%arg0{{.*}} - 111} by 1 align 2 where
// ROWS: }
// ROWS: = fuser.pad
// ROWS-NOT: fuser_loop.if
// ROWS: fuser.host
fuser.fusion @rows(%x: tensor<2x112x112xbf16>) -> tensor<2x56x56xbf16> {
  %v = arith.constant 0xFF80 : bf16
  %0 = fuser.slice %x [0, 1, 1] [2, 55, 55] strides [1, 2, 2] : tensor<2x112x112xbf16> -> tensor<2x55x55xbf16>
  %1 = fuser.pad %0 low [0, 1, 1] high [0, 0, 0] value %v : tensor<2x55x55xbf16>, bf16 -> tensor<2x56x56xbf16>
  %2 = fuser.slice %x [0, 0, 1] [2, 56, 55] strides [1, 2, 2] : tensor<2x112x112xbf16> -> tensor<2x56x55xbf16>
  %3 = fuser.pad %2 low [0, 0, 1] high [0, 0, 0] value %v : tensor<2x56x55xbf16>, bf16 -> tensor<2x56x56xbf16>
  %4 = fuser.maximum %1, %3 : tensor<2x56x56xbf16>
  %5 = fuser.slice %x [0, 1, 1] [2, 55, 56] strides [1, 2, 2] : tensor<2x112x112xbf16> -> tensor<2x55x56xbf16>
  %6 = fuser.pad %5 low [0, 1, 0] high [0, 0, 0] value %v : tensor<2x55x56xbf16>, bf16 -> tensor<2x56x56xbf16>
  %7 = fuser.maximum %4, %6 : tensor<2x56x56xbf16>
  %8 = fuser.slice %x [0, 0, 1] [2, 56, 56] strides [1, 2, 2] : tensor<2x112x112xbf16> -> tensor<2x56x56xbf16>
  %9 = fuser.maximum %7, %8 : tensor<2x56x56xbf16>
  fuser.return %9 : tensor<2x56x56xbf16>
}

// Of the lanes of a vector only the first one, or the last one, may be outside of a row, and is read after the others.
// CORNERS-LABEL: gpu.func @corners_0
// CORNERS: scf.if %[[ABOVE:.*]] {
// CORNERS-COUNT-7: memref.load %[[X:[a-z0-9_]+]][
// CORNERS-NEXT: scf.if {{.*}} -> (bf16)
// CORNERS-NEXT: memref.load %[[X]][
// CORNERS: scf.if %[[BELOW:.*]] {
// CORNERS-COUNT-7: memref.load %[[X]][
// CORNERS-NEXT: scf.if {{.*}} -> (bf16)
// CORNERS-NEXT: memref.load %[[X]][
// CORNERS-NOT: scf.if
// CORNERS: vector.from_elements %{{.*}}, %[[ABOVE]], %[[ABOVE]], %[[ABOVE]], %[[ABOVE]], %[[ABOVE]], %[[ABOVE]], %[[ABOVE]] :
// CORNERS: vector.from_elements %[[BELOW]], %[[BELOW]], %[[BELOW]], %[[BELOW]], %[[BELOW]], %[[BELOW]], %[[BELOW]], %{{.*}} :
fuser.fusion @corners(%x: tensor<8x64x128xbf16>) -> tensor<8x64x128xbf16> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.slice %x [0, 0, 0] [8, 63, 127] : tensor<8x64x128xbf16> -> tensor<8x63x127xbf16>
  %1 = fuser.pad %0 low [0, 1, 1] high [0, 0, 0] value %z : tensor<8x63x127xbf16>, f32 -> tensor<8x64x128xbf16>
  %2 = fuser.slice %x [0, 1, 1] [8, 63, 127] : tensor<8x64x128xbf16> -> tensor<8x63x127xbf16>
  %3 = fuser.pad %2 low [0, 0, 0] high [0, 1, 1] value %z : tensor<8x63x127xbf16>, f32 -> tensor<8x64x128xbf16>
  %4 = fuser.add %1, %3 : tensor<8x64x128xbf16>
  fuser.return %4 : tensor<8x64x128xbf16>
}
