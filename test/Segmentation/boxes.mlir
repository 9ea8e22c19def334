// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions --fuser-verify-layouts | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions | fuser-opt --split-input-file | FileCheck %s
// The host function names what a launch touches of a larger tensor; the kernel is rebased to it (S2.4, S2.5, S2.7).

// S2.7: the offsets stay outside. The view of rows is dense, that of columns has the pitch of its base, with what is known
// of it.
// CHECK-LABEL: fuser.kernel @parts_0(
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: tensor<?x64xf32>, %[[COLUMNS:[a-z0-9]+]]: tensor<?x64xf32>) -> tensor<?x64xf32>
// CHECK-SAME: arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>]
// CHECK-SAME: facts = [#fuser.fact<stride_divisible 1[0], 16>, #fuser.fact<stride_is 1[0], 256>,
// CHECK-NEXT: fuser.mul %[[ROWS]], %[[COLUMNS]]
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.host @parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x64xf32>, %[[Y:[a-z0-9]+]]: tensor<?x256xf32>, %[[O:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[XV:.*]] = fuser.view %[[X]] [%[[O]], 0] [%{{.*}}, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
// CHECK: %[[YV:.*]] = fuser.view %[[Y]] [0, 128] [%{{.*}}, 64] : tensor<?x256xf32> -> tensor<?x64xf32>
// CHECK: fuser.launch @parts_0 ins(%[[XV]], %[[YV]] :
fuser.fusion @parts(%x: tensor<?x64xf32>, %y: tensor<?x256xf32>, %o: index, %n: index) -> tensor<?x64xf32> {
  %rows = fuser.slice %x [%o, 0] [%n, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %y, %c0 : tensor<?x256xf32>
  %columns = fuser.slice %y [0, 128] [%m, 64] : tensor<?x256xf32> -> tensor<?x64xf32>
  %0 = fuser.mul %rows, %columns : tensor<?x64xf32>
  fuser.return %0 : tensor<?x64xf32>
}

// -----

// S2.5, S2.6: a crop (a negative pad) is a view; a pad with a border is not.
// CHECK-LABEL: fuser.kernel @crop_0(%{{.*}}: tensor<5xf32>) -> tensor<8xf32>
// CHECK-NOT: low [-2]
// CHECK: fuser.pad {{.*}} low [3] high [0]
// CHECK-LABEL: fuser.host @crop(
// CHECK: fuser.view %{{.*}} [2] [5] : tensor<10xf32> -> tensor<5xf32>
fuser.fusion @crop(%x: tensor<10xf32>) -> tensor<8xf32> {
  %v = arith.constant 1.0 : f32
  %0 = fuser.pad %x low [-2] high [-3] value %v : tensor<10xf32>, f32 -> tensor<5xf32>
  %1 = fuser.exp %0 : tensor<5xf32>
  %2 = fuser.pad %1 low [3] high [0] value %v : tensor<5xf32>, f32 -> tensor<8xf32>
  fuser.return %2 : tensor<8xf32>
}

// -----

// S2.7: a step between elements is the view's; the fastest dimension is strided then.
// CHECK-LABEL: fuser.kernel @every_other_0(%{{.*}}: tensor<4x3xf32>)
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [0, 1], strided = [0, 1]>]
// CHECK-LABEL: fuser.host @every_other(
// CHECK: fuser.view %{{.*}} [1, 0] [4, 3] strides [1, 2] : tensor<8x6xf32> -> tensor<4x3xf32>
fuser.fusion @every_other(%x: tensor<8x6xf32>) -> tensor<4x3xf32> {
  %0 = fuser.slice %x [1, 0] [4, 3] strides [1, 2] : tensor<8x6xf32> -> tensor<4x3xf32>
  %1 = fuser.neg %0 : tensor<4x3xf32>
  fuser.return %1 : tensor<4x3xf32>
}

// -----

// A part that is read where the whole argument is read too stays in the kernel: a thread can load an element once for both.
// CHECK-LABEL: fuser.kernel @halves_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<16xf32>) -> tensor<16xf32>
// CHECK-DAG: fuser.slice %[[X]] [0] [8]
// CHECK-DAG: fuser.slice %[[X]] [8] [8]
// CHECK-LABEL: fuser.host @halves(
// CHECK-NOT: fuser.view
// CHECK: fuser.launch @halves_0 ins(%{{[a-z0-9]+}} :
fuser.fusion @halves(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = fuser.slice %x [0] [8] : tensor<16xf32> -> tensor<8xf32>
  %b = fuser.slice %x [8] [8] : tensor<16xf32> -> tensor<8xf32>
  %n = fuser.neg %b : tensor<8xf32>
  %r = fuser.cat %n, %a dim 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %0 = fuser.mul %x, %r : tensor<16xf32>
  fuser.return %0 : tensor<16xf32>
}

// -----

// At an offset that would split vectors, it is a second operand.
// CHECK-LABEL: fuser.kernel @misaligned_0(%{{.*}}: tensor<16xf32>, %{{.*}}: tensor<13xf32>)
// CHECK: fuser.slice %{{.*}} [0] [3]
// CHECK-LABEL: fuser.host @misaligned(
// CHECK: fuser.view %{{.*}} [3] [13]
fuser.fusion @misaligned(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = fuser.slice %x [3] [13] : tensor<16xf32> -> tensor<13xf32>
  %b = fuser.slice %x [0] [3] : tensor<16xf32> -> tensor<3xf32>
  %r = fuser.cat %a, %b dim 0 : (tensor<13xf32>, tensor<3xf32>) -> tensor<16xf32>
  %0 = fuser.mul %x, %r : tensor<16xf32>
  fuser.return %0 : tensor<16xf32>
}

// -----

// Rows of a whole that is read too are second operands: no thread has an element of both.
// CHECK-LABEL: fuser.kernel @rows_0(%{{.*}}: tensor<8x16xf32>, %{{.*}}: tensor<4x16xf32>, %{{.*}}: tensor<4x16xf32>)
// CHECK-LABEL: fuser.host @rows(
// CHECK: fuser.view %{{.*}} [4, 0] [4, 16]
fuser.fusion @rows(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %a = fuser.slice %x [4, 0] [4, 16] : tensor<8x16xf32> -> tensor<4x16xf32>
  %b = fuser.slice %x [0, 0] [4, 16] : tensor<8x16xf32> -> tensor<4x16xf32>
  %n = fuser.neg %a : tensor<4x16xf32>
  %r = fuser.cat %n, %b dim 0 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %0 = fuser.mul %x, %r : tensor<8x16xf32>
  fuser.return %0 : tensor<8x16xf32>
}

// -----

// S2.5: an argument that the kernel overwrites is read at its own place, where the schedule sees it.
// CHECK-LABEL: fuser.kernel @in_place_0(
// CHECK: fuser.slice
// CHECK-LABEL: fuser.host @in_place(
// CHECK-NOT: fuser.view
fuser.fusion @in_place(%x: tensor<8xf32>) -> tensor<8xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %a = fuser.slice %x [0] [1] : tensor<8xf32> -> tensor<1xf32>
  %0 = fuser.sub %x, %a : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  fuser.return %0 : tensor<8xf32>
}

// -----

// A part of what another kernel computes: the buffer lives until the part was read.
// CHECK-LABEL: fuser.host @between(
// CHECK: %[[T:.*]] = fuser.launch @between_0
// CHECK: %[[V:.*]] = fuser.view %[[T]] [2, 0] [3, 8] : tensor<8x8xf32> -> tensor<3x8xf32>
// CHECK: fuser.launch @between_1 ins(%[[V]]
// CHECK: fuser.free %[[T]]
fuser.fusion @between(%x: tensor<8x8xf32>) -> tensor<3x8xf32> {
  %0 = fuser.relu %x : tensor<8x8xf32>
  %1 = fuser.segment_set %0 : tensor<8x8xf32>
  %2 = fuser.slice %1 [2, 0] [3, 8] : tensor<8x8xf32> -> tensor<3x8xf32>
  %3 = fuser.exp %2 : tensor<3x8xf32>
  fuser.return %3 : tensor<3x8xf32>
}
