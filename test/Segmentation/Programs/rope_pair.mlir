// RUN: fuser-run %s --device=host --check --sizes=2x4x5x128,2x4x5x128,5x128,5x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=2x4x5x128,2x2x5x128,5x128,5x128 | FileCheck %s
// RUN: fuser-run %s --device=host --check --sizes=1x1x1x128,1x1x1x128,1x128,1x128 | FileCheck %s --check-prefix=SHARED
// Rotary embedding of queries and of as many keys, or of fewer, one kernel each; for one query and key, the two are alike and share a launch.

// CHECK: kernels {{ *}}rope_pair_0: grid
// CHECK: rope_pair_1: grid
// CHECK-NOT: rope_pair_2: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// SHARED: kernels {{ *}}rope_pair_batch: grid 2, block
// SHARED-NOT: grid
// SHARED: check {{.*}} ok
// SHARED-NOT: WRONG

fuser.fusion @rope_pair(%q: tensor<?x?x?x128xbf16>, %k: tensor<?x?x?x128xbf16>, %cos: tensor<?x128xf32>, %sin: tensor<?x128xf32>) -> (tensor<?x?x?x128xbf16>, tensor<?x?x?x128xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b_q = tensor.dim %q, %c0 : tensor<?x?x?x128xbf16>
  %h_q = tensor.dim %q, %c1 : tensor<?x?x?x128xbf16>
  %s_q = tensor.dim %q, %c2 : tensor<?x?x?x128xbf16>
  %c = fuser.broadcast %cos dims [0, 1] : tensor<?x128xf32> -> tensor<1x1x?x128xf32>
  %n = fuser.broadcast %sin dims [0, 1] : tensor<?x128xf32> -> tensor<1x1x?x128xf32>
  %low_q = fuser.slice %q [0, 0, 0, 0] [%b_q, %h_q, %s_q, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %high_q = fuser.slice %q [0, 0, 0, 64] [%b_q, %h_q, %s_q, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %minus_q = fuser.neg %high_q : tensor<?x?x?x64xbf16>
  %turned_q = fuser.cat %minus_q, %low_q dim 3 : (tensor<?x?x?x64xbf16>, tensor<?x?x?x64xbf16>) -> tensor<?x?x?x128xbf16>
  %qf_q = fuser.cast %q : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %tf_q = fuser.cast %turned_q : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %x_q = fuser.mul %qf_q, %c : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %y_q = fuser.mul %tf_q, %n : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %z_q = fuser.add %x_q, %y_q : tensor<?x?x?x128xf32>
  %out_q = fuser.cast %z_q : tensor<?x?x?x128xf32> to tensor<?x?x?x128xbf16>
  %b_k = tensor.dim %k, %c0 : tensor<?x?x?x128xbf16>
  %h_k = tensor.dim %k, %c1 : tensor<?x?x?x128xbf16>
  %s_k = tensor.dim %k, %c2 : tensor<?x?x?x128xbf16>
  %low_k = fuser.slice %k [0, 0, 0, 0] [%b_k, %h_k, %s_k, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %high_k = fuser.slice %k [0, 0, 0, 64] [%b_k, %h_k, %s_k, 64] : tensor<?x?x?x128xbf16> -> tensor<?x?x?x64xbf16>
  %minus_k = fuser.neg %high_k : tensor<?x?x?x64xbf16>
  %turned_k = fuser.cat %minus_k, %low_k dim 3 : (tensor<?x?x?x64xbf16>, tensor<?x?x?x64xbf16>) -> tensor<?x?x?x128xbf16>
  %qf_k = fuser.cast %k : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %tf_k = fuser.cast %turned_k : tensor<?x?x?x128xbf16> to tensor<?x?x?x128xf32>
  %x_k = fuser.mul %qf_k, %c : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %y_k = fuser.mul %tf_k, %n : (tensor<?x?x?x128xf32>, tensor<1x1x?x128xf32>) -> tensor<?x?x?x128xf32>
  %z_k = fuser.add %x_k, %y_k : tensor<?x?x?x128xf32>
  %out_k = fuser.cast %z_k : tensor<?x?x?x128xf32> to tensor<?x?x?x128xbf16>
  fuser.return %out_q, %out_k : tensor<?x?x?x128xbf16>, tensor<?x?x?x128xbf16>
}
