// RUN: fuser-explain %s --program=mixed --target=h200 --sizes=4096x4096,4096x4096,4096x4096 2>/dev/null | FileCheck %s --check-prefix=MIXED
// RUN: fuser-explain %s --program=mixed --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: fuser-explain %s --program=marked 2>/dev/null | FileCheck %s --check-prefix=MARKED
// RUN: fuser-explain %s --program=circle 2>/dev/null | FileCheck %s --check-prefix=CIRCLE
// RUN: fuser-explain %s --program=ignored 2>/dev/null | FileCheck %s --check-prefix=IGNORED
// RUN: fuser-explain %s --program=transposed --device-file=%S/Inputs/no-shared-memory.txt --format=json | FileCheck %s --check-prefix=DEVICE
// Why a value passes through memory: each of the reasons.

// S3.6: the refusal that cuts the fusion is shown, with its code.
// MIXED: asked {{.*}} 1 taken apart, 1 parts
// MIXED: segment 0 {{.*}} reduction
// MIXED: segment 1 {{.*}} reduction
// MIXED: boundaries
// MIXED-NEXT: 0 -> 1  %2 (67 MB)  no scheduler takes both: inner_persistent [mixed-reductions]: expected reductions over the same dimensions
// REMARK: remark: segment 0: reduction
// REMARK: remark: boundary of segments 0 and 1: no scheduler takes both: inner_persistent [mixed-reductions]
fuser.fusion @mixed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.add %x, %y : tensor<?x?xf32>
  %1 = fuser.add %0, %z : tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3, %mean = fuser.var_mean %2 dims [0] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %4 = fuser.sum %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %3, %4 : tensor<?xf32>, tensor<?xf32>
}

// Sizes known at run time only are said to be unknown.
// MARKED: sizes       not known: each dimension is taken to be 2048
// MARKED: boundaries
// MARKED-NEXT: 0 -> 1  %1 (8.19 KB)  a fuser.segment_set asks for it
fuser.fusion @marked(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.relu %x : tensor<?xf32>
  %1 = fuser.segment_set %0 : tensor<?xf32>
  %2 = fuser.neg %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}

// S3.5: requests that would make a circle.
// CIRCLE: boundaries
// CIRCLE: 0 -> 2  %0 (8.19 KB)  segments would depend on each other in a circle
fuser.fusion @circle(%x: tensor<?xf32>) -> tensor<?xf32> {
  %t = fuser.relu %x : tensor<?xf32>
  %s = fuser.segment_set %t : tensor<?xf32>
  %e = fuser.exp %s : tensor<?xf32>
  %u = fuser.segment_set %e : tensor<?xf32>
  %y = fuser.add %u, %t : tensor<?xf32>
  fuser.return %y : tensor<?xf32>
}

// S3.5 case (v): a mark that is no cut.
// IGNORED: not honoured: %1 = fuser.segment_set %0
fuser.fusion @ignored(%x: tensor<?xf32>) -> tensor<?xf32> {
  %t = fuser.relu %x : tensor<?xf32>
  %s = fuser.segment_set %t : tensor<?xf32>
  %y = fuser.add %s, %t : tensor<?xf32>
  fuser.return %y : tensor<?xf32>
}

// A device without the shared memory that a schedule needs: that scheduler refuses with the number, another one takes it.
// DEVICE: "queries"
// DEVICE: "code": "no-shared-memory"
// DEVICE: "sentence": "expected 1024 bytes of shared memory for a block, but the device has 0"
// DEVICE: "scheduler": "pointwise"
fuser.fusion @transposed(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
