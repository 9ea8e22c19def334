// RUN: fuser-run %s --device=host --target=h200 --check | FileCheck %s
// A table is copied to row-major order, and the next kernel selects rows of the copy.
// CHECK: kernels {{.*}}rows_0: {{.*}} bytes of dynamic shared memory
// CHECK: rows_1
// CHECK: check {{.*}} ok

fuser.fusion @rows(%table: tensor<1030x1028xbf16>, %i: tensor<4099xi64>) -> tensor<4099x1028xbf16>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>, unit], output_orders = [array<i64: 0, 1>]} {
  %0 = fuser.index_select %table, %i dim 0 : tensor<1030x1028xbf16>, tensor<4099xi64> -> tensor<4099x1028xbf16>
  %1 = fuser.add %0, %0 : tensor<4099x1028xbf16>
  fuser.return %1 : tensor<4099x1028xbf16>
}
