// RUN: fuser-opt %s --fuser-preseg --fuser-segment-fusions 2>/dev/null | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=99x4,99x4,99x4 --range=i=0:99 | FileCheck %s --check-prefix=VALUES
// An operand of an update that is laid out otherwise than the result: the kernel that writes it has the order of the buffer.

// CHECK-LABEL: fuser.kernel @transposed_0
// CHECK-SAME: arg_layouts = [#fuser.layout<order = [1, 0]>], output_orders = [array<i64: 0, 1>]
// CHECK-LABEL: fuser.host @transposed
// CHECK: %[[B:.*]] = fuser.alloc(%{{.*}}, %{{.*}}) : tensor<?x?xf32>
// CHECK: %[[C:.*]] = fuser.launch @transposed_0 {{.*}} outs(%[[B]]
// CHECK: fuser.launch @transposed_1 {{.*}} outs(%[[C]]
// VALUES: check output 0: ok
fuser.fusion @transposed(%s: tensor<?x?xf32>, %i: tensor<?x?xi64>, %x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [unit, unit, #fuser.layout<order = [1, 0]>]} {
  %0 = fuser.push %s at %i into %x dim 0 reduce add : tensor<?x?xf32>, tensor<?x?xi64>, tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
