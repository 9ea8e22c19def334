// A later kernel reads the parts of a joined value, which have no buffers of their own: the joined value's lives as long.
// RUN: fuser-run %s --device=host --sizes=1,17x8,8x8 --check | FileCheck %s
// RUN: fuser-opt %s --fuser-phase-preseg --fuser-phase-segmentation | FileCheck %s --check-prefix=IR
// CHECK: output 0: ok
// IR: %[[JOINED:.*]] = fuser.place
// IR: %[[ALL:.*]] = fuser.place {{.*}}%[[JOINED]]
// IR-NOT: fuser.free
// IR: fuser.launch @f_1
// IR: fuser.launch @f_2
// IR: fuser.free %[[ALL]]
module {
  fuser.fusion @f(%arg0: tensor<1xbf16>, %arg1: tensor<?x8xbf16>, %arg2: tensor<8x8xbf16>) -> tensor<?xbf16> {
    %0 = fuser.sum %arg1 dims [1] : tensor<?x8xbf16> -> tensor<?xbf16>
    %1 = fuser.mean %arg1 dims [1] : tensor<?x8xbf16> -> tensor<?xbf16>
    %2 = fuser.cat %1, %0 dim 0 : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
    %3 = fuser.mean %2 dims [0] : tensor<?xbf16> -> tensor<bf16>
    %4 = fuser.broadcast %3 dims [0] : tensor<bf16> -> tensor<1xbf16>
    %5 = fuser.sub %2, %4 : (tensor<?xbf16>, tensor<1xbf16>) -> tensor<?xbf16>
    %cst = arith.constant 1.500000e+00 : bf16
    %6 = fuser.pad %5 low [1] high [3] value %cst : tensor<?xbf16>, bf16 -> tensor<?xbf16>
    %7 = fuser.neg %6 : tensor<?xbf16>
    fuser.return %7 : tensor<?xbf16>
  }
}
