// Around 1/2, where the last step of the iteration for small arguments matters: to some units in the last place.
// RUN: fuser-run %s --device=host --check --rtol=1e-14 --atol=0 --range=x=0.4:0.5 --size=x=4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --rtol=1e-14 --atol=0 --range=x=1e-300:1e-10 --size=x=4096 | FileCheck %s
// RUN: fuser-run %s --device=host --check --rtol=1e-14 --atol=0 --range=x=1.5:1.6 --size=x=4096 | FileCheck %s
// Close to 2 as well as close to 0: the distance from the limit counts.
// RUN: fuser-run %s --device=host --check --rtol=1e-14 --atol=0 --range=x=1.99999999:2 --size=x=4096 | FileCheck %s
// CHECK: check {{ *}}output 0: ok, 4096 elements
fuser.fusion @erfcinv(%x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = fuser.erfcinv %x : tensor<?xf64>
  fuser.return %0 : tensor<?xf64>
}
