// Several short rows share a block, and several blocks share a result where the results fill only a part of the device:
// a group norm of channels-last images reduces rows of 16 channels over all pixels.
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=16,4096,32,16" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=4096,16,32,16" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: fuser-opt %s --fuser-choose-schedules="target=h200 sizes=16,7,32,16" 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: fuser-run %s --device=host --sizes=3x37x5x16 --check | FileCheck %s --check-prefix=NUMBERS

// FEW: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 2, threads_y = 64, vector = 8, splits = 132>
// MANY: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 1, threads_y = 256, vector = 8, unroll = 2>
// SHORT: schedule = #fuser_sched.reduction<pattern = inner, threads_x = 2, threads_y = 64, vector = 8>
// NUMBERS: check {{.*}}ok
fuser.kernel @k(%x: tensor<?x?x?x?xbf16>) -> tensor<?x?xf32> {
  %0 = fuser.cast %x : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %1 = fuser.sum %0 dims [1, 3] : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}

fuser.fusion @f(%x: tensor<?x?x?x?xbf16>) -> tensor<?x?xf32> {
  %0 = fuser.cast %x : tensor<?x?x?x?xbf16> to tensor<?x?x?x?xf32>
  %1 = fuser.sum %0 dims [1, 3] : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
