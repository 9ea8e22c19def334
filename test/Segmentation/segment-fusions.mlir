// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-segment-fusions | FileCheck %s
// RUN: fuser-opt %s --split-input-file --verify-diagnostics --fuser-segment-fusions --fuser-segment-fusions | FileCheck %s
// Which ops run together (spec S3), and what their kernels and the host function look like.

// S3.1, S3.2 case (i): the mark cuts; each piece is accepted.
// CHECK-LABEL: fuser.kernel @marked_0
// CHECK-NEXT: fuser.relu
// CHECK-NEXT: fuser.segment_set
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @marked_1
// CHECK-NEXT: fuser.neg
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.host @marked
// CHECK: %[[T:.*]] = fuser.alloc
// CHECK: %[[R0:.*]] = fuser.launch @marked_0 ins({{.*}}) outs(%[[T]]
// CHECK: %[[Y:.*]] = fuser.alloc
// CHECK: %[[R1:.*]] = fuser.launch @marked_1 ins(%[[R0]] {{.*}}) outs(%[[Y]]
// CHECK: fuser.free %[[R0]]
// CHECK: fuser.return %[[R1]]
fuser.fusion @marked(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// -----

// S3.1 case (ii): a matrix product by hand, and a cast behind the mark. The value between the kernels has the sizes that
// the fusion knows.
// CHECK-LABEL: fuser.kernel @product_0
// CHECK-COUNT-2: fuser.broadcast
// CHECK: fuser.mul
// CHECK: fuser.sum
// CHECK: fuser.segment_set
// CHECK-LABEL: fuser.kernel @product_1(%arg0: tensor<?x64xf32>)
// CHECK-SAME: facts = [#fuser.fact<divisible 0[0], 8>]
// CHECK-NEXT: fuser.cast
// CHECK-NEXT: fuser.return
fuser.fusion @product(%a: tensor<?x?xf16>, %b: tensor<64x?xf16>) -> tensor<?x64xf16>
    attributes {facts = [#fuser.fact<divisible 0[0], 8>]} {
  %0 = fuser.cast %a : tensor<?x?xf16> to tensor<?x?xf32>
  %1 = fuser.cast %b : tensor<64x?xf16> to tensor<64x?xf32>
  %2 = fuser.broadcast %0 dims [1] : tensor<?x?xf32> -> tensor<?x1x?xf32>
  %3 = fuser.broadcast %1 dims [0] : tensor<64x?xf32> -> tensor<1x64x?xf32>
  %4 = fuser.mul %2, %3 : (tensor<?x1x?xf32>, tensor<1x64x?xf32>) -> tensor<?x64x?xf32>
  %5 = fuser.sum %4 dims [2] : tensor<?x64x?xf32> -> tensor<?x64xf32>
  %6 = fuser.segment_set %5 : tensor<?x64xf32>
  %7 = fuser.cast %6 : tensor<?x64xf32> to tensor<?x64xf16>
  fuser.return %7 : tensor<?x64xf16>
}

// -----

// S3.1 case (iii): two marks on one value: two groups.
// CHECK-LABEL: fuser.kernel @two_marks_0
// CHECK-NEXT: fuser.add
// CHECK-NEXT: fuser.segment_set
// CHECK-NEXT: fuser.segment_set
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @two_marks_1
// CHECK-NEXT: fuser.add
// CHECK-NEXT: fuser.return
fuser.fusion @two_marks(%x: tensor<?xf32>) -> tensor<?xf32> {
  %t = fuser.add %x, %x : tensor<?xf32>
  %s0 = fuser.segment_set %t : tensor<?xf32>
  %s1 = fuser.segment_set %t : tensor<?xf32>
  %0 = fuser.add %s0, %s1 : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}

// -----

// S3.1 case (iv): what the mark defines is an output as well: it is stored once and stays alive.
// CHECK-LABEL: fuser.kernel @output_0
// CHECK-LABEL: fuser.kernel @output_1
// CHECK-LABEL: fuser.host @output
// CHECK: %[[R0:.*]] = fuser.launch @output_0
// CHECK: %[[R1:.*]] = fuser.launch @output_1 ins({{.*}}%[[R0]]
// CHECK-NOT: fuser.free
// CHECK: fuser.return %[[R0]], %[[R1]]
fuser.fusion @output(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %t = fuser.add %x, %y : tensor<?xf32>
  %r = fuser.segment_set %t : tensor<?xf32>
  %0 = fuser.mul %r, %y : tensor<?xf32>
  fuser.return %r, %0 : tensor<?xf32>, tensor<?xf32>
}

// -----

// S3.5 case (v): the mark is no cut: one kernel, no cycle, and a remark.
// CHECK-LABEL: fuser.kernel @no_cut_0
// CHECK-NEXT: fuser.relu
// CHECK-NEXT: fuser.segment_set
// CHECK-NEXT: fuser.add
// CHECK-NOT: fuser.kernel @no_cut_1
fuser.fusion @no_cut(%x: tensor<?xf32>) -> tensor<?xf32> {
  %t = fuser.relu %x : tensor<?xf32>
  // expected-remark @below {{this boundary is not honoured: its two sides are connected without a mark as well}}
  %s = fuser.segment_set %t : tensor<?xf32>
  // expected-note @below {{by this user}}
  %y = fuser.add %s, %t : tensor<?xf32>
  fuser.return %y : tensor<?xf32>
}

// -----

// S3.5: the first and the last op are connected past the mark, but the mark's user depends on one and feeds the other:
// joining them would make a circle, so they are cut by the marks in front of them.
// CHECK-LABEL: fuser.kernel @circle_0
// CHECK-NEXT: fuser.relu
// CHECK-NEXT: fuser.segment_set
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @circle_1
// CHECK-NEXT: fuser.exp
// CHECK-NEXT: fuser.segment_set
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @circle_2
// CHECK-NEXT: fuser.add
// CHECK-NEXT: fuser.return
fuser.fusion @circle(%x: tensor<?xf32>) -> tensor<?xf32> {
  %t = fuser.relu %x : tensor<?xf32>
  %s = fuser.segment_set %t : tensor<?xf32>
  %e = fuser.exp %s : tensor<?xf32>
  %u = fuser.segment_set %e : tensor<?xf32>
  %y = fuser.add %u, %t : tensor<?xf32>
  fuser.return %y : tensor<?xf32>
}

// -----

// S3.3: a softmax and a variance over the other axis: no scheduler takes both. What saves most is merged first, with what lies
// between; the operand of the last op goes to the kernel that needs it.
// CHECK-LABEL: fuser.kernel @refused_0(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK: fuser.max
// CHECK: fuser.exp
// CHECK: fuser.sum
// CHECK: fuser.div
// CHECK-LABEL: fuser.kernel @refused_1(%{{.*}}: tensor<?xf32>, %{{.*}}: tensor<?x?xf32>) -> tensor<?xf32>
// CHECK-SAME: facts = [#fuser.fact<equal 0[0], 1[1]>]
// CHECK-NEXT: fuser.var_mean
// CHECK-NEXT: fuser.mul
// CHECK-NOT: fuser.kernel @refused_2
fuser.fusion @refused(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %m = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %d = fuser.sub %x, %mb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = fuser.exp %d : tensor<?x?xf32>
  %s = fuser.sum %e dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %sb = fuser.broadcast %s dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %y = fuser.div %e, %sb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %c, %cm = fuser.var_mean %y dims [0] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %cw = fuser.mul %c, %w : tensor<?xf32>
  fuser.return %y, %cw : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// A cast that two kernels need is computed in both: reading the short elements twice is less than storing the long ones.
// CHECK-LABEL: fuser.kernel @recomputed_0(%x: tensor<?x?xbf16>)
// CHECK-NEXT: fuser.cast
// CHECK-NEXT: fuser.var_mean
// CHECK-NEXT: fuser.return
// CHECK-LABEL: fuser.kernel @recomputed_1(%x: tensor<?x?xbf16>)
// CHECK-NEXT: fuser.cast
// CHECK-NEXT: fuser.sum
// CHECK-NEXT: fuser.return
fuser.fusion @recomputed(%x: tensor<?x?xbf16>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %1, %mean = fuser.var_mean %0 dims [0] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %2 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The result is stored in the argument where its kernel is the last to read it; else it is copied there at the end.
// CHECK-LABEL: fuser.kernel @aliased_0
// CHECK-LABEL: fuser.kernel @aliased_1
// CHECK-SAME: aliases = [#fuser.alias<output 0, input 0>]
// CHECK-LABEL: fuser.host @aliased(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK: %[[B:.*]] = fuser.alloc
// CHECK: %[[R0:.*]] = fuser.launch @aliased_0 ins(%[[X]], %[[Y]] {{.*}} outs(%[[B]]
// CHECK: %[[R1:.*]] = fuser.launch @aliased_1 ins(%[[Y]], %[[R0]] {{.*}} outs(%[[Y]]
// CHECK: %[[C:.*]] = fuser.copy %[[R0]] into %[[X]]
// CHECK: fuser.free %[[R0]]
// CHECK: fuser.return %[[C]], %[[R1]]
fuser.fusion @aliased(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>, #fuser.alias<output 1, input 1>]} {
  %0 = fuser.add %x, %y : tensor<?xf32>
  %1 = fuser.segment_set %0 : tensor<?xf32>
  %2 = fuser.mul %1, %y : tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A scalar that is made of the size of an inner value is computed by the host function; others by the kernel.
// CHECK-LABEL: fuser.kernel @scalars_0(%x: tensor<?xf32>, %a: f32)
// CHECK: arith.addf
// CHECK-LABEL: fuser.kernel @scalars_1(%arg0: tensor<?xf32>, %arg1: index)
// CHECK: arith.index_cast
// CHECK-LABEL: fuser.host @scalars
// CHECK: fuser.launch @scalars_1 ins(%{{.*}}, %{{.*}} : tensor<?xf32>, index)
fuser.fusion @scalars(%x: tensor<?xf32>, %a: f32) -> tensor<?xf32> {
  %b = arith.addf %a, %a : f32
  %0 = fuser.mul %x, %b : (tensor<?xf32>, f32) -> tensor<?xf32>
  %1 = fuser.segment_set %0 : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %1, %c0 : tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %f = arith.sitofp %i : i64 to f32
  %2 = fuser.div %1, %f : (tensor<?xf32>, f32) -> tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
