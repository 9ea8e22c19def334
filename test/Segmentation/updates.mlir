// RUN: fuser-opt %s --fuser-place-pushes --fuser-segment-fusions 2>/dev/null | FileCheck %s
// What an op updates in its buffer: a kernel of its own writes the value, which is the result's buffer.

// A temporary value is written into the buffer of the output, and what is stored is computed by the kernel that stores it.
// CHECK-LABEL: fuser.kernel @temporary_0
// CHECK: fuser.full
// CHECK: fuser.kernel @temporary_1({{.*}}, %[[X:[a-z0-9]*]]: tensor<999x4xf32>) -> tensor<999x4xf32> attributes {aliases = [#fuser.alias<output 0, input 2>]}
// CHECK: fuser.exp
// CHECK: fuser.push %{{.*}} into %[[X]]
// CHECK-LABEL: fuser.host @temporary
// CHECK: %[[B:.*]] = fuser.alloc()
// CHECK-NEXT: %[[F:.*]] = fuser.launch @temporary_0 outs(%[[B]]
// CHECK-NEXT: %[[R:.*]] = fuser.launch @temporary_1 ins({{.*}}, %[[F]] : {{.*}}) outs(%[[F]]
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @temporary(%s: tensor<500x4xf32>, %i: tensor<500x4xi64>) -> tensor<999x4xf32> {
  %zero = arith.constant 0.0 : f32
  %x = fuser.full %zero : f32 -> tensor<999x4xf32>
  %t = fuser.exp %s : tensor<500x4xf32>
  %0 = fuser.push %t at %i into %x dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  fuser.return %0 : tensor<999x4xf32>
}

// An argument that the output is stored in is updated where it is.
// CHECK-LABEL: fuser.host @in_place
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<999x4xf32>)
// CHECK-NEXT: %[[R:.*]] = fuser.launch @in_place_0 ins({{.*}}, %[[X]] : {{.*}}) outs(%[[X]]
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @in_place(%s: tensor<500x4xf32>, %i: tensor<500x4xi64>, %x: tensor<999x4xf32>) -> tensor<999x4xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  fuser.return %0 : tensor<999x4xf32>
}

// Not if the kernel that updates it reads it.
// CHECK-LABEL: fuser.host @read_again
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<999x4xf32>)
// CHECK: %[[B:.*]] = fuser.alloc()
// CHECK: %[[C:.*]] = fuser.launch @read_again_0 ins(%[[X]] : tensor<999x4xf32>) outs(%[[B]]
// CHECK: %[[R:.*]] = fuser.launch @read_again_1 ins({{.*}}) outs(%[[C]]
// CHECK: %[[D:.*]] = fuser.copy %[[R]] into %[[X]]
// CHECK: fuser.return %[[D]]
fuser.fusion @read_again(%i: tensor<500x4xi64>, %x: tensor<999x4xf32>) -> tensor<999x4xf32>
    attributes {aliases = [#fuser.alias<output 0, input 1>]} {
  %s = fuser.gather %x, %i dim 0 : tensor<999x4xf32>, tensor<500x4xi64> -> tensor<500x4xf32>
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  fuser.return %0 : tensor<999x4xf32>
}

// Readers of the result are in other kernels, and its buffer is freed after them.
// CHECK-LABEL: fuser.host @readers
// CHECK: %[[B:.*]] = fuser.alloc()
// CHECK-NEXT: %[[F:.*]] = fuser.launch @readers_0 {{.*}} outs(%[[B]]
// CHECK-NEXT: %[[P:.*]] = fuser.launch @readers_1 {{.*}} outs(%[[F]]
// CHECK-NEXT: %[[Q:.*]] = fuser.launch @readers_2 {{.*}} outs(%[[P]]
// CHECK: %[[R:.*]] = fuser.launch @readers_3 ins(%[[Q]]
// CHECK-NEXT: fuser.free %[[Q]]
// CHECK-NEXT: fuser.return %[[R]]
fuser.fusion @readers(%s: tensor<500x4xf32>, %i: tensor<500x4xi64>, %x: tensor<999x4xf32>) -> tensor<999x4xf32> {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  %1 = fuser.push %s at %i into %0 dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  %2 = fuser.neg %1 : tensor<999x4xf32>
  fuser.return %2 : tensor<999x4xf32>
}

// With gaps between its rows as well: what updates it and what reads the result get its strides.
// CHECK-LABEL: fuser.kernel @gaps_0
// CHECK-SAME: aliases = [#fuser.alias<output 0, input 2>], arg_layouts = [unit, unit, #fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<aligned 2, 8>]
// CHECK-LABEL: fuser.kernel @gaps_1
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<aligned 0, 8>]
// CHECK-LABEL: fuser.host @gaps
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<999x4xf32>)
// CHECK-NEXT: %[[R:.*]] = fuser.launch @gaps_0 ins({{.*}}, %[[X]] : {{.*}}) outs(%[[X]]
// CHECK-NOT: fuser.copy
// CHECK: fuser.launch @gaps_1 ins(%[[R]]
// CHECK-NOT: fuser.copy
// CHECK: fuser.return
fuser.fusion @gaps(%s: tensor<500x4xf32>, %i: tensor<500x4xi64>, %x: tensor<999x4xf32>) -> (tensor<999x4xf32>, tensor<999xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 2>], arg_layouts = [unit, unit, #fuser.layout<order = [0, 1], strided = [0]>], facts = [#fuser.fact<aligned 2, 8>]} {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  %1 = fuser.sum %0 dims [1] : tensor<999x4xf32> -> tensor<999xf32>
  fuser.return %0, %1 : tensor<999x4xf32>, tensor<999xf32>
}

// Gaps do not allow a reshape of the result as a view: the reader has it inside.
// CHECK-LABEL: fuser.kernel @reshaped_1(
// CHECK-SAME: tensor<999x4xf32>) -> tensor<37xf32> attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]}
// CHECK-LABEL: fuser.host @reshaped
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<999x4xf32>)
// CHECK-NEXT: %[[R:.*]] = fuser.launch @reshaped_0 ins({{.*}}) outs(%[[X]]
// CHECK: fuser.launch @reshaped_1 ins(%[[R]]
fuser.fusion @reshaped(%s: tensor<500x4xf32>, %i: tensor<500x4xi64>, %x: tensor<999x4xf32>) -> (tensor<999x4xf32>, tensor<37xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 2>], arg_layouts = [unit, unit, #fuser.layout<order = [0, 1], strided = [0]>]} {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<500x4xf32>, tensor<500x4xi64>, tensor<999x4xf32>
  %1 = fuser.reshape %0 : tensor<999x4xf32> -> tensor<27x37x4xf32>
  %2 = fuser.sum %1 dims [0, 2] : tensor<27x37x4xf32> -> tensor<37xf32>
  fuser.return %0, %2 : tensor<999x4xf32>, tensor<37xf32>
}
