// RUN: fuser-opt %s --fuser-place-pushes > %t.after.mlir
// RUN: FileCheck %s < %t.after.mlir
// RUN: fuser-opt %t.after.mlir --fuser-place-pushes | diff %t.after.mlir -
// The operand of a push has a buffer that nothing else needs.

// CHECK-LABEL: fuser.fusion @argument
// CHECK-SAME: (%[[S:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<?xi64>, %[[X:.*]]: tensor<99xf32>)
// CHECK-NEXT: %[[B:.*]] = fuser.segment_set %[[X]]
// CHECK-NEXT: %[[R:.*]] = fuser.push %[[S]] at %[[I]] into %[[B]] dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @argument(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<99xf32>) -> tensor<99xf32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  fuser.return %0 : tensor<99xf32>
}

// Half types are combined in f32, but one replaces another as it is.
// CHECK-LABEL: fuser.fusion @half
// CHECK-SAME: (%[[S:.*]]: tensor<?xbf16>, %[[I:.*]]: tensor<?xi64>, %[[X:.*]]: tensor<99xbf16>)
// CHECK-DAG: %[[WS:.*]] = fuser.cast %[[S]] : tensor<?xbf16> to tensor<?xf32>
// CHECK-DAG: %[[WX:.*]] = fuser.cast %[[X]] : tensor<99xbf16> to tensor<99xf32>
// CHECK: %[[B:.*]] = fuser.segment_set %[[WX]] : tensor<99xf32>
// CHECK: %[[W:.*]] = fuser.push %[[WS]] at %[[I]] into %[[B]] dim 0 reduce add
// CHECK: %[[R:.*]] = fuser.cast %[[W]] : tensor<99xf32> to tensor<99xbf16>
// CHECK: %[[C:.*]] = fuser.segment_set %[[R]] : tensor<99xbf16>
// CHECK: fuser.push %[[S]] at %[[I]] into %[[C]] dim 0 : tensor<?xbf16>
fuser.fusion @half(%s: tensor<?xbf16>, %i: tensor<?xi64>, %x: tensor<99xbf16>) -> tensor<99xbf16> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?xbf16>, tensor<?xi64>, tensor<99xbf16>
  %1 = fuser.push %s at %i into %0 dim 0 : tensor<?xbf16>, tensor<?xi64>, tensor<99xbf16>
  fuser.return %1 : tensor<99xbf16>
}

// CHECK-LABEL: fuser.fusion @short_integers
// CHECK: fuser.push %{{.*}} : tensor<?xi32>, tensor<?xi64>, tensor<99xi32>
// CHECK: fuser.cast %{{.*}} : tensor<99xi32> to tensor<99xi8>
fuser.fusion @short_integers(%s: tensor<?xi8>, %i: tensor<?xi64>, %x: tensor<99xi8>) -> tensor<99xi8> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?xi8>, tensor<?xi64>, tensor<99xi8>
  fuser.return %0 : tensor<99xi8>
}

// No atomic access multiplies.
// CHECK-LABEL: fuser.fusion @products
// CHECK-NEXT: fuser.scatter %{{.*}} dim 0 reduce mul
// CHECK-NEXT: fuser.return
fuser.fusion @products(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<99xf32>) -> tensor<99xf32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce mul : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  fuser.return %0 : tensor<99xf32>
}

// The second push is in the buffer of the first one. The third is not, as the result between has another reader, and
// an output is a copy where the result is returned twice.
// CHECK-LABEL: fuser.fusion @readers
// CHECK-NEXT: %[[B:.*]] = fuser.segment_set
// CHECK-NEXT: %[[P:.*]] = fuser.push %{{.*}} into %[[B]]
// CHECK-NEXT: %[[Q:.*]] = fuser.push %{{.*}} into %[[P]]
// CHECK-NEXT: %[[C:.*]] = fuser.segment_set %[[Q]]
// CHECK-NEXT: %[[R:.*]] = fuser.push %{{.*}} into %[[C]]
// CHECK-NEXT: %[[D:.*]] = fuser.segment_set %[[R]]
// CHECK-NEXT: fuser.return %[[Q]], %[[R]], %[[D]]
fuser.fusion @readers(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<99xf32>) -> (tensor<99xf32>, tensor<99xf32>, tensor<99xf32>) {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  %1 = fuser.push %s at %i into %0 dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  %2 = fuser.push %s at %i into %1 dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  fuser.return %1, %2, %2 : tensor<99xf32>, tensor<99xf32>, tensor<99xf32>
}

// Integers in the order of floats; NaN is the least of them.
// CHECK-LABEL: fuser.fusion @minima
// CHECK-SAME: (%[[S:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<?xi64>, %[[X:.*]]: tensor<99xf32>)
// CHECK: %[[SB:.*]] = fuser.bitcast %[[S]] : tensor<?xf32> to tensor<?xi32>
// CHECK: %[[SN:.*]] = fuser.lt %[[SB]], %c0
// CHECK: %[[SM:.*]] = fuser.bitwise_xor %[[SB]], %c2147483647
// CHECK: %[[SK:.*]] = fuser.where %[[SN]], %[[SM]], %[[SB]]
// CHECK: %[[NAN:.*]] = fuser.isnan %[[S]]
// CHECK: %[[KEYS:.*]] = fuser.where %[[NAN]], %c-2147483648{{.*}}, %[[SK]] : (tensor<?xi1>, i64, tensor<?xi32>) -> tensor<?xi32>
// CHECK: %[[B:.*]] = fuser.segment_set
// CHECK: %[[P:.*]] = fuser.push %[[KEYS]] at %[[I]] into %[[B]] dim 0 reduce min : tensor<?xi32>, tensor<?xi64>, tensor<99xi32>
// CHECK: %[[PN:.*]] = fuser.lt %[[P]], %c0
// CHECK: %[[PM:.*]] = fuser.bitwise_xor %[[P]], %c2147483647
// CHECK: %[[PB:.*]] = fuser.where %[[PN]], %[[PM]], %[[P]]
// CHECK: fuser.bitcast %[[PB]] : tensor<99xi32> to tensor<99xf32>
fuser.fusion @minima(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<99xf32>) -> tensor<99xf32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce min : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  fuser.return %0 : tensor<99xf32>
}

// Of two outputs that are the result, the one that is stored in an argument has the buffer.
// CHECK-LABEL: fuser.fusion @aliased_return
// CHECK: %[[P:.*]] = fuser.push
// CHECK-NEXT: %[[C:.*]] = fuser.segment_set %[[P]]
// CHECK-NEXT: fuser.return %[[C]], %[[P]]
fuser.fusion @aliased_return(%s: tensor<?xf32>, %i: tensor<?xi64>, %x: tensor<99xf32>) -> (tensor<99xf32>, tensor<99xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 2>]} {
  %0 = fuser.push %s at %i into %x dim 0 : tensor<?xf32>, tensor<?xi64>, tensor<99xf32>
  fuser.return %0, %0 : tensor<99xf32>, tensor<99xf32>
}
