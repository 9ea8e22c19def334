// RUN: fuser-run %s --device=host --check --program=rms_norm_backward --sizes=33x50,33x50,33,50 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rms_norm_backward --sizes=100x1000,100x1000,100,1000 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rms_norm_backward --sizes=2200x64,2200x64,2200,64 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rms_norm_backward --sizes=4500x33,4500x33,4500,33 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rms_norm_backward --sizes=1100x768,1100x768,1100,768 | FileCheck %s
// RUN: fuser-run %s --device=host --target=h200 --check --program=rms_norm_backward --sizes=9000x2,9000x2,9000,2 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=rms_norm_backward --sizes=0x5,0x5,0,5 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=three_dimensions --sizes=3x5x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=extremes --sizes=29x40,40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_on_both_sides --sizes=29x40,40 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=read_on_both_sides --sizes=7x1,1 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=means_of_columns --sizes=333x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=means_of_unknown_rows --sizes=9x37x24 | FileCheck %s
// RUN: fuser-run %s --device=host --check --program=means_of_unknown_rows --sizes=0x37x24 | FileCheck %s
// Rows and sums of columns in one kernel.

// CHECK: kernels {{ *}}[[NAME:[a-z_]+]]_0: grid
// CHECK-NOT: {{[a-z_]+}}_1: grid
// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

fuser.fusion @rms_norm_backward(%dy: tensor<?x?xbf16>, %x: tensor<?x?xbf16>, %rstd: tensor<?xf32>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?xbf16>) {
  %dyf = fuser.cast %dy : tensor<?x?xbf16> to tensor<?x?xf32>
  %xf = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %wf = fuser.cast %w : tensor<?xbf16> to tensor<?xf32>
  %r = fuser.broadcast %rstd dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %wf dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %n = fuser.mul %xf, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %g = fuser.mul %dyf, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %gn = fuser.mul %g, %n : tensor<?x?xf32>
  %m = fuser.mean %gn dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %mb = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %nm = fuser.mul %n, %mb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %d = fuser.sub %g, %nm : tensor<?x?xf32>
  %dr = fuser.mul %d, %r : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %dx = fuser.cast %dr : tensor<?x?xf32> to tensor<?x?xbf16>
  %yn = fuser.mul %dyf, %n : tensor<?x?xf32>
  %s = fuser.sum %yn dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %dw = fuser.cast %s : tensor<?xf32> to tensor<?xbf16>
  fuser.return %dx, %dw : tensor<?x?xbf16>, tensor<?xbf16>
}

fuser.fusion @three_dimensions(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?xf32>) {
  %0 = fuser.sum %x dims [2] : tensor<?x?x?xf32> -> tensor<?x?xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<?x?xf32> -> tensor<?x?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x?x?xf32>, tensor<?x?x1xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.sum %x dims [0, 1] : tensor<?x?x?xf32> -> tensor<?xf32>
  fuser.return %2, %3 : tensor<?x?x?xf32>, tensor<?xf32>
}

// An argument that is read behind the sums alone.
fuser.fusion @extremes(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.max %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.min %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.add %1, %w : tensor<?xf32>
  fuser.return %0, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// An argument, and what is computed of it, read by rows and behind the sums: by other threads.
fuser.fusion @read_on_both_sides(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.exp %w : tensor<?xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.mul %x, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.max %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %4 = fuser.sum %2 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
  %5 = fuser.add %4, %0 : tensor<?xf32>
  fuser.return %3, %5 : tensor<?xf32>, tensor<?xf32>
}

// Means of columns next to means and variances of rows.
fuser.fusion @means_of_columns(%x: tensor<333x24xf32>) -> (tensor<24xf32>, tensor<333xf32>) {
  %v, %m = fuser.var_mean %x dims [1] correction 0 : tensor<333x24xf32> -> tensor<333xf32>, tensor<333xf32>
  %0 = fuser.broadcast %m dims [1] : tensor<333xf32> -> tensor<333x1xf32>
  %1 = fuser.sub %x, %0 : (tensor<333x24xf32>, tensor<333x1xf32>) -> tensor<333x24xf32>
  %2 = fuser.mul %1, %1 : tensor<333x24xf32>
  %3 = fuser.mean %2 dims [0] : tensor<333x24xf32> -> tensor<24xf32>
  %4 = fuser.sqrt %3 : tensor<24xf32>
  fuser.return %4, %v : tensor<24xf32>, tensor<333xf32>
}

// How many rows there are is converted in the kernel.
fuser.fusion @means_of_unknown_rows(%x: tensor<?x37x24xf32>) -> (tensor<24xf32>, tensor<?x37xf32>) {
  %0 = fuser.max %x dims [2] : tensor<?x37x24xf32> -> tensor<?x37xf32>
  %1 = fuser.broadcast %0 dims [2] : tensor<?x37xf32> -> tensor<?x37x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x37x24xf32>, tensor<?x37x1xf32>) -> tensor<?x37x24xf32>
  %3 = fuser.mean %2 dims [0, 1] : tensor<?x37x24xf32> -> tensor<24xf32>
  fuser.return %3, %0 : tensor<24xf32>, tensor<?x37xf32>
}
