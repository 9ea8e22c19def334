// RUN: fuser-opt %s --fuser-preseg > %t.whole.mlir
// RUN: fuser-opt %s --fuser-resolve-stride-orders | fuser-opt --fuser-substitute-extents | fuser-opt --fuser-remove-empty | fuser-opt --fuser-reduce-pads | fuser-opt --fuser-cancel-splits \
// RUN:   | fuser-opt --fuser-multiply-outer-products | fuser-opt --fuser-expand-repeats | fuser-opt --fuser-cancel-broadcasts \
// RUN:   | fuser-opt --fuser-hoist-gathers | fuser-opt --fuser-sink-repeats | fuser-opt --fuser-hoist-pads \
// RUN:   | fuser-opt --fuser-fold-casts | fuser-opt --fuser-clone-indices | fuser-opt --fuser-substitute-extents | fuser-opt --fuser-narrow-boundaries | fuser-opt --fuser-mark-aliases \
// RUN:   | fuser-opt --fuser-protect-updates \
// RUN:   | fuser-opt --fuser-infer-allocation-order | fuser-opt --fuser-finalize-domains | fuser-opt --fuser-verify-distribution > %t.pieces.mlir
// RUN: diff %t.whole.mlir %t.pieces.mlir
// RUN: fuser-opt %t.whole.mlir --fuser-preseg | diff %t.whole.mlir -
// RUN: FileCheck %s < %t.whole.mlir
// RUN: fuser-run %s --device=reference --sizes=6x1,1x5,6x5,6x5 --save-output=%t.before.npy
// RUN: fuser-run %t.whole.mlir --device=reference --sizes=6x1,1x5,6x5,6x5 --save-output=%t.after.npy
// RUN: cmp %t.before.0.npy %t.after.0.npy
// RUN: cmp %t.before.1.npy %t.after.1.npy
// Preseg stops and starts again between any two passes, a second run changes nothing, and each pass finds what the ones
// before it left.

// The product's cast up and the cast down cancel; the empty operand goes, and with it the join; the halves of y are whole.
// CHECK-LABEL: fuser.fusion @all
// CHECK-SAME: (%[[A:[a-z0-9]+]]: tensor<?x1xbf16>, %[[B:[a-z0-9]+]]: tensor<1x5xbf16>, %[[Y:[a-z0-9]+]]: tensor<6x5xf32>, %[[ACC:[a-z0-9]+]]: tensor<6x5xf32>)
// CHECK-SAME: facts = [#fuser.fact<at_least 0[0], 6>, #fuser.fact<at_most 0[0], 6>]
// CHECK-NOT: fuser.cat
// CHECK-NOT: fuser.slice
// CHECK-NOT: fuser.matmul
// CHECK: %[[P:.*]] = fuser.mul %{{.*}}, %{{.*}} : (tensor<6x1xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
// CHECK: %[[E:.*]] = fuser.tanh %[[Y]]
// CHECK: %[[S:.*]] = fuser.add %[[P]], %[[E]]
// CHECK: fuser.segment_set
// CHECK: fuser.return
fuser.fusion @all(%a: tensor<?x1xbf16>, %b: tensor<1x5xbf16>, %y: tensor<6x5xf32>, %acc: tensor<6x5xf32>)
    -> (tensor<6x5xf32>, tensor<6x5xf32>) attributes {aliases = [#fuser.alias<output 1, input 3>]} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x1xbf16>
  %none = fuser.full %zero sizes(%n) : f32 -> tensor<?x0xf32>
  %0 = fuser.matmul %a, %b : tensor<?x1xbf16>, tensor<1x5xbf16> -> tensor<?x5xf32>
  %1 = fuser.cast %0 : tensor<?x5xf32> to tensor<?x5xf64>
  %2 = fuser.cast %1 : tensor<?x5xf64> to tensor<?x5xf32>
  %3 = fuser.cat %2, %none dim 1 : (tensor<?x5xf32>, tensor<?x0xf32>) -> tensor<?x5xf32>
  %4 = fuser.slice %y [0, 0] [6, 2] : tensor<6x5xf32> -> tensor<6x2xf32>
  %5 = fuser.slice %y [0, 2] [6, 3] : tensor<6x5xf32> -> tensor<6x3xf32>
  %6 = fuser.tanh %4 : tensor<6x2xf32>
  %7 = fuser.tanh %5 : tensor<6x3xf32>
  %8 = fuser.cat %6, %7 dim 1 : (tensor<6x2xf32>, tensor<6x3xf32>) -> tensor<6x5xf32>
  %9 = fuser.add %3, %8 : (tensor<?x5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %10 = fuser.sum %acc dims [0] : tensor<6x5xf32> -> tensor<5xf32>
  %11 = fuser.broadcast %10 dims [0] : tensor<5xf32> -> tensor<1x5xf32>
  %12 = fuser.mul %9, %11 : (tensor<6x5xf32>, tensor<1x5xf32>) -> tensor<6x5xf32>
  fuser.return %9, %12 : tensor<6x5xf32>, tensor<6x5xf32>
}
