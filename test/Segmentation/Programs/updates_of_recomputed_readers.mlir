// An argument is not updated where it is while a kernel that updates it computes one of its readers again: a copy is updated, and copied back.
// RUN: fuser-run %s --program=again --device=host --no-run --sizes=513,513 --dump-after=segmentation | FileCheck %s --check-prefix=AGAIN
// RUN: fuser-run %s --program=again --device=host --check --sizes=513,513 --range=i=-1:514 | FileCheck %s --check-prefix=CHECKED
// RUN: fuser-run %s --program=once --device=host --no-run --sizes=513,513 --dump-after=segmentation | FileCheck %s --check-prefix=ONCE
// RUN: fuser-run %s --program=once --device=host --check --sizes=513,513 --range=i=-1:514 | FileCheck %s --check-prefix=CHECKED
// CHECKED: check       output 0: ok
// CHECKED: output 1: ok

// AGAIN: fuser.kernel @again_[[UPDATE:[0-9]+]](%x: tensor<?xf32>, %i: tensor<?xi64>, %[[COPY:.*]]: tensor<?xf32>) -> tensor<?xf32>
// AGAIN: %[[OWN:.*]] = fuser.add %x, %x
// AGAIN: fuser.push %[[OWN]] at %i into %[[COPY]]
// AGAIN: fuser.host @again(%x:
// AGAIN: %[[UPDATED:.*]] = fuser.launch @again_[[UPDATE]]
// AGAIN: fuser.copy %[[UPDATED]] into %x
fuser.fusion @again(%x: tensor<?xf32>, %i: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xf32>) attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.add %x, %x : tensor<?xf32>
  %1 = fuser.push %0 at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<?xf32>
  %2 = fuser.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %3 = fuser.broadcast %2 dims [0] : tensor<f32> -> tensor<1xf32>
  %4 = fuser.div %0, %3 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  fuser.return %4, %1 : tensor<?xf32>, tensor<?xf32>
}

// The reader is computed once, before the update.
// ONCE-NOT: fuser.copy
// ONCE: outs(%x : tensor<?xf32>)
// ONCE-NOT: fuser.copy
fuser.fusion @once(%x: tensor<?xf32>, %i: tensor<?xi64>) -> (tensor<f32>, tensor<?xf32>) attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.add %x, %x : tensor<?xf32>
  %1 = fuser.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %2 = fuser.broadcast %1 dims [0] : tensor<f32> -> tensor<1xf32>
  %n = arith.constant 0 : index
  %d = tensor.dim %i, %n : tensor<?xi64>
  %3 = fuser.expand %2 sizes(%d) : tensor<1xf32> -> tensor<?xf32>
  %4 = fuser.push %3 at %i into %x dim 0 reduce add : tensor<?xf32>, tensor<?xi64>, tensor<?xf32>
  fuser.return %1, %4 : tensor<f32>, tensor<?xf32>
}
