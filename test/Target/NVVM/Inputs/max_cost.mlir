// Run by max-cost.test: four elements of a thread are four instructions, and eight packed ones are, without a comparison.

// CHECK: .entry row_0
// CHECK-NOT: setp.nan
// CHECK-COUNT-4: max.NaN.f32
// CHECK-NOT: max.NaN.f32
fuser.fusion @row(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.maximum %x, %y : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// CHECK: .entry packed_0
// CHECK-NOT: setp.nan
// CHECK-COUNT-4: max.NaN.bf16x2
// CHECK-NOT: max.NaN
fuser.fusion @packed(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = fuser.maximum %x, %y : tensor<?xbf16>
  fuser.return %0 : tensor<?xbf16>
}
