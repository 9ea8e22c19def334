// RUN: not fuser-run %s --device=host --sizes=5 2>&1 | FileCheck %s
// A size that the parts do not divide is refused at the call.
// CHECK: expected x.size[0] == ceildiv(x.size[0], 3) * 3 (sizes of 'fuser.reshape'), but got 5 and 6
fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?x3xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x3xf32>
  fuser.return %1 : tensor<?x3xf32>
}
