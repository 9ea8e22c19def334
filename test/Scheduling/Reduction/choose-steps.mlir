// RUN: fuser-opt %s --fuser-choose-schedules="only=reduction target=h200" | FileCheck %s
// Of fewer than 16384 rows, each gets the threads and vectors per step that leave the fewest lanes idle in its last step.

// CHECK-LABEL: fuser.kernel @narrow_33
// CHECK-SAME: <pattern = inner, threads_x = 64>
fuser.kernel @narrow_33(%x: tensor<16383x33xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x33xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_65
// CHECK-SAME: <pattern = inner>
fuser.kernel @narrow_65(%x: tensor<16383x65xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x65xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_129
// CHECK-SAME: <pattern = inner, threads_x = 64, unroll = 3>
fuser.kernel @narrow_129(%x: tensor<16383x129xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x129xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_193
// CHECK-SAME: <pattern = inner, threads_x = 256>
fuser.kernel @narrow_193(%x: tensor<16383x193xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x193xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_257
// CHECK-SAME: <pattern = inner, threads_x = 64, unroll = 5>
fuser.kernel @narrow_257(%x: tensor<16383x257xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x257xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_321
// CHECK-SAME: <pattern = inner, unroll = 3>
fuser.kernel @narrow_321(%x: tensor<16383x321xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x321xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_449
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 2>
fuser.kernel @narrow_449(%x: tensor<16383x449xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x449xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_513
// CHECK-SAME: <pattern = inner, threads_x = 64, unroll = 9>
fuser.kernel @narrow_513(%x: tensor<16383x513xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x513xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_577
// CHECK-SAME: <pattern = inner, unroll = 5>
fuser.kernel @narrow_577(%x: tensor<16383x577xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x577xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_641
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 3>
fuser.kernel @narrow_641(%x: tensor<16383x641xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x641xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_897
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 4>
fuser.kernel @narrow_897(%x: tensor<16383x897xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x897xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_1025
// CHECK-SAME: <pattern = inner, unroll = 9>
fuser.kernel @narrow_1025(%x: tensor<16383x1025xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1025xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_1153
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 5>
fuser.kernel @narrow_1153(%x: tensor<16383x1153xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1153xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_1345
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 6>
fuser.kernel @narrow_1345(%x: tensor<16383x1345xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1345xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_1857
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 8>
fuser.kernel @narrow_1857(%x: tensor<16383x1857xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1857xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_2049
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 9>
fuser.kernel @narrow_2049(%x: tensor<16383x2049xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x2049xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_2305
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 10>
fuser.kernel @narrow_2305(%x: tensor<16383x2305xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x2305xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @narrow_2753
// CHECK-SAME: <pattern = inner, threads_x = 256, unroll = 12>
fuser.kernel @narrow_2753(%x: tensor<16383x2753xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x2753xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_33
// CHECK-SAME: <pattern = inner, threads_x = 64, vector = 4>
fuser.kernel @wide_33(%x: tensor<16383x132xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x132xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_65
// CHECK-SAME: <pattern = inner, vector = 4>
fuser.kernel @wide_65(%x: tensor<16383x260xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x260xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_129
// CHECK-SAME: <pattern = inner, threads_x = 64, vector = 4, unroll = 3>
fuser.kernel @wide_129(%x: tensor<16383x516xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x516xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_193
// CHECK-SAME: <pattern = inner, threads_x = 256, vector = 4>
fuser.kernel @wide_193(%x: tensor<16383x772xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x772xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_257
// CHECK-SAME: <pattern = inner, threads_x = 64, vector = 4, unroll = 5>
fuser.kernel @wide_257(%x: tensor<16383x1028xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1028xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_321
// CHECK-SAME: <pattern = inner, vector = 4, unroll = 3>
fuser.kernel @wide_321(%x: tensor<16383x1284xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1284xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_385
// CHECK-SAME: <pattern = inner, threads_x = 64, vector = 4, unroll = 7>
fuser.kernel @wide_385(%x: tensor<16383x1540xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1540xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_449
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4>
fuser.kernel @wide_449(%x: tensor<16383x1796xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x1796xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_577
// CHECK-SAME: <pattern = inner, vector = 4, unroll = 5>
fuser.kernel @wide_577(%x: tensor<16383x2308xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x2308xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_641
// CHECK-SAME: <pattern = inner, threads_x = 256, vector = 4, unroll = 3>
fuser.kernel @wide_641(%x: tensor<16383x2564xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x2564xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_769
// CHECK-SAME: <pattern = inner, vector = 4, unroll = 7>
fuser.kernel @wide_769(%x: tensor<16383x3076xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x3076xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_897
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 2>
fuser.kernel @wide_897(%x: tensor<16383x3588xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x3588xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_1153
// CHECK-SAME: <pattern = inner, threads_x = 256, vector = 4, unroll = 5>
fuser.kernel @wide_1153(%x: tensor<16383x4612xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x4612xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_1345
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 3>
fuser.kernel @wide_1345(%x: tensor<16383x5380xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x5380xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_1601
// CHECK-SAME: <pattern = inner, threads_x = 256, vector = 4, unroll = 7>
fuser.kernel @wide_1601(%x: tensor<16383x6404xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x6404xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_1857
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 4>
fuser.kernel @wide_1857(%x: tensor<16383x7428xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x7428xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_2305
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 5>
fuser.kernel @wide_2305(%x: tensor<16383x9220xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x9220xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_2753
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 6>
fuser.kernel @wide_2753(%x: tensor<16383x11012xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x11012xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// CHECK-LABEL: fuser.kernel @wide_3201
// CHECK-SAME: <pattern = inner, threads_x = 512, vector = 4, unroll = 7>
fuser.kernel @wide_3201(%x: tensor<16383x12804xf32>) -> tensor<16383xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16383x12804xf32> -> tensor<16383xf32>
  fuser.return %0 : tensor<16383xf32>
}

// Of more, each gets a warp or a part of one.

// CHECK-LABEL: fuser.kernel @many_33
// CHECK-SAME: <pattern = inner, threads_x = 8, threads_y = 32, unroll = 5>
fuser.kernel @many_33(%x: tensor<16384x33xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x33xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_65
// CHECK-SAME: <pattern = inner, threads_x = 16, threads_y = 16, unroll = 5>
fuser.kernel @many_65(%x: tensor<16384x65xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x65xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_129
// CHECK-SAME: <pattern = inner, threads_x = 32, threads_y = 8, unroll = 5>
fuser.kernel @many_129(%x: tensor<16384x129xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x129xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_1023
// CHECK-SAME: <pattern = inner, threads_x = 32, threads_y = 8, unroll = 8>
fuser.kernel @many_1023(%x: tensor<16384x1023xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x1023xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_1025
// CHECK-SAME: <pattern = inner, unroll = 9>
fuser.kernel @many_1025(%x: tensor<16384x1025xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x1025xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// As few threads as have 32 bytes of a row each, of at most eight vectors.
// CHECK-LABEL: fuser.kernel @many_7
// CHECK-SAME: <pattern = inner, threads_x = 1, threads_y = 256, unroll = 7>
fuser.kernel @many_7(%x: tensor<16384x7xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x7xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_20
// CHECK-SAME: <pattern = inner, threads_x = 4, threads_y = 64, vector = 4, unroll = 2>
fuser.kernel @many_20(%x: tensor<100000x20xf32>) -> tensor<100000xf32> {
  %0 = fuser.sum %x dims [1] : tensor<100000x20xf32> -> tensor<100000xf32>
  fuser.return %0 : tensor<100000xf32>
}

// CHECK-LABEL: fuser.kernel @many_31
// CHECK-SAME: <pattern = inner, threads_x = 4, threads_y = 64, unroll = 8>
fuser.kernel @many_31(%x: tensor<100000x31xbf16>) -> tensor<100000xbf16> {
  %0 = fuser.max %x dims [1] : tensor<100000x31xbf16> -> tensor<100000xbf16>
  fuser.return %0 : tensor<100000xbf16>
}

// Windows of up to 32 bytes, whose rows together have wide vectors.
// CHECK-LABEL: fuser.kernel @many_10
// CHECK-SAME: <pattern = window, vector = 4>
fuser.kernel @many_10(%x: tensor<1000000x10xbf16>) -> tensor<1000000xbf16> {
  %0 = fuser.max %x dims [1] : tensor<1000000x10xbf16> -> tensor<1000000xbf16>
  fuser.return %0 : tensor<1000000xbf16>
}

// CHECK-LABEL: fuser.kernel @many_wide_33
// CHECK-SAME: <pattern = inner, threads_x = 8, threads_y = 32, vector = 4, unroll = 5>
fuser.kernel @many_wide_33(%x: tensor<16384x132xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x132xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_wide_256
// CHECK-SAME: <pattern = inner, threads_x = 32, threads_y = 8, vector = 4, unroll = 8>
fuser.kernel @many_wide_256(%x: tensor<16384x1024xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x1024xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}

// CHECK-LABEL: fuser.kernel @many_wide_257
// CHECK-SAME: <pattern = inner, threads_x = 64, vector = 4, unroll = 5>
fuser.kernel @many_wide_257(%x: tensor<16384x1028xf32>) -> tensor<16384xf32> {
  %0 = fuser.sum %x dims [1] : tensor<16384x1028xf32> -> tensor<16384xf32>
  fuser.return %0 : tensor<16384xf32>
}
