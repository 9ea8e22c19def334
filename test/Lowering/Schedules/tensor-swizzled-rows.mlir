// RUN: fuser-run %s --program=rows_of_32 --device=host --check --sizes=100x72 | FileCheck %s
// RUN: fuser-run %s --program=rows_of_64 --device=host --check --sizes=100x72 | FileCheck %s
// RUN: fuser-run %s --program=rows_of_256 --device=host --check --sizes=100x72 | FileCheck %s
// RUN: fuser-run %s --program=each_row_of_64 --device=host --check --sizes=100x72 | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir 2>&1 | FileCheck %s --check-prefix=IR
// Chunks of 16 bytes in rows of 32 and 64 bytes: the hardware swizzles them by the number of the 128 bytes that they are in,
// not by that of the row. Other rows, and other numbers, are copied by all threads.

// CHECK: check {{.*}} ok
// IR: remark: expected indices that follow from the loops, but a swizzle gives one, or expected the swizzle of chunks of 16 bytes in rows of 32, 64 or 128 bytes: the threads of the block copy instead of one of them
// IR: remark: expected indices that follow from the loops, but a swizzle gives one, or expected the swizzle of chunks of 16 bytes in rows of 32, 64 or 128 bytes: the threads of the block copy instead of one of them
// IR-NOT: remark
// IR-LABEL: gpu.func @rows_of_32_0(
// IR: fuser_gpu.copy_tensor {{.*}} : !fuser_gpu.tensor_map<64x16xbf16, swizzle = 32>
// IR-LABEL: gpu.func @rows_of_64_0(
// IR: fuser_gpu.copy_tensor {{.*}} : !fuser_gpu.tensor_map<64x32xbf16, swizzle = 64>
// IR-LABEL: gpu.func @rows_of_256_0(
// IR-NOT: fuser_gpu.copy_tensor
// IR-LABEL: gpu.func @each_row_of_64_0(
// IR-NOT: fuser_gpu.copy_tensor
#t_rowsof32 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 16) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 4) -> (i12, i13), swizzle(i12, i8, 1) -> (i10, i11), split(i12, 8) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_z, i13 @thread_x, i9 @vectorize], allocation = [i2, i4, i10, i13, i11, i9]>
#y_rowsof32 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 16) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 4) -> (i12, i13), split(i12, 8) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_z, i13 @thread_x, i9 @vectorize]>
fuser.fusion @rows_of_32(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#t_rowsof32], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xbf16>
  %1 = fuser.neg %0 {domains = [#y_rowsof32], memory = #fuser.memory<global>} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
#t_rowsof64 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 2) -> (i12, i13), swizzle(i12, i8, 1) -> (i10, i11), split(i12, 16) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_z, i13 @thread_x, i9 @vectorize], allocation = [i2, i4, i10, i13, i11, i9]>
#y_rowsof64 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 2) -> (i12, i13), split(i12, 16) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_z, i13 @thread_x, i9 @vectorize]>
fuser.fusion @rows_of_64(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#t_rowsof64], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xbf16>
  %1 = fuser.neg %0 {domains = [#y_rowsof64], memory = #fuser.memory<global>} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
#t_rowsof256 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 128) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 32) -> (i6, i7), swizzle(i3, i8, 1) -> (i10, i11), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_x, i9 @vectorize], allocation = [i2, i4, i10, i11, i9]>
#y_rowsof256 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 128) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 32) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_x, i9 @vectorize]>
fuser.fusion @rows_of_256(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#t_rowsof256], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xbf16>
  %1 = fuser.neg %0 {domains = [#y_rowsof256], memory = #fuser.memory<global>} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
#t_eachrowof64 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 32) -> (i6, i7), swizzle(i3, i8, 1) -> (i10, i11), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_x, i9 @vectorize], allocation = [i2, i4, i10, i11, i9]>
#y_eachrowof64 = #fuser.domain<logical = [i0, i1], split(i0, 64) -> (i2, i3), split(i1, 32) -> (i4, i5), split(i5, 8) -> (i8, i9), split(i3, 32) -> (i6, i7), loop = [i2 @block_x, i4, i6 @unroll, i8 @thread_y, i7 @thread_x, i9 @vectorize]>
fuser.fusion @each_row_of_64(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.set %x {domains = [#t_eachrowof64], memory = #fuser.memory<shared>, inline_at = 2 : i64, fuser.stages = 3 : i64, fuser.copy_engine = "bulk", fuser.copy_role = "producer"} : tensor<?x?xbf16>
  %1 = fuser.neg %0 {domains = [#y_eachrowof64], memory = #fuser.memory<global>} : tensor<?x?xbf16>
  fuser.return %1 : tensor<?x?xbf16>
}
