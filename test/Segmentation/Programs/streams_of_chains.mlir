// RUN: fuser-explain %s --program=chains --sizes=64x64,64x64 | FileCheck %s --check-prefix=PICTURE
// RUN: fuser-explain %s --program=chains --sizes=64x64,64x64 --format=svg | FileCheck %s --check-prefix=SVG
// RUN: fuser-explain %s --program=chains --sizes=64x64,64x64 --format=json | FileCheck %s --check-prefix=JSON
// RUN: fuser-explain %s --program=chains --sizes=16384x16384,16384x16384 | FileCheck %s --check-prefix=FULL
// RUN: fuser-explain %s --program=short_chains --sizes=64x64,64x64 | FileCheck %s --check-prefix=SHORT
// RUN: fuser-run %s --program=chains --sizes=64x64,64x64 --device=host --no-run --dump-after=lowering | FileCheck %s --check-prefix=HOST
// RUN: fuser-run %s --program=chains --sizes=64x64,64x64 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=chains --sizes=3x5,3x5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=chains --sizes=0x5,0x5 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=in_place --sizes=64x64,64x64 --device=host --check | FileCheck %s
// S2.4: two chains of short kernels overlap on two streams if this is predicted to take less time. Kernels that fill the device
// stay on one stream.

// CHECK: check {{.*}} ok
// CHECK-NOT: WRONG

// PICTURE: launches
// PICTURE: @chains_0 {{.*}} stream 0
// PICTURE: stream 1
// PICTURE: streams (predicted, {{.*}} us)
// PICTURE-NEXT: stream 0  |[0={{.*}}|
// PICTURE-NEXT: stream 1  |{{.*}}[{{.*}}|
// SVG: launches over time
// SVG: >stream 1<
// JSON: "start_microseconds"
// FULL: launches
// FULL-NOT: stream
// FULL: layouts

// HOST-LABEL: fuser.host @chains
// HOST: fuser.record 0
// HOST: fuser.stream 1
// HOST-NEXT: fuser.wait 0
// HOST: fuser.stream 0
// HOST-NEXT: fuser.wait
// HOST: fuser.return
fuser.fusion @chains(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  %3 = fuser.segment_set %2 : tensor<?x?xf32>
  %4 = fuser.tanh %3 : tensor<?x?xf32>
  %5 = fuser.segment_set %4 : tensor<?x?xf32>
  %6 = fuser.relu %5 : tensor<?x?xf32>
  %7 = fuser.segment_set %6 : tensor<?x?xf32>
  %8 = fuser.abs %y : tensor<?x?xf32>
  %9 = fuser.segment_set %8 : tensor<?x?xf32>
  %10 = fuser.sqrt %9 : tensor<?x?xf32>
  %11 = fuser.segment_set %10 : tensor<?x?xf32>
  %12 = fuser.sin %11 : tensor<?x?xf32>
  %13 = fuser.segment_set %12 : tensor<?x?xf32>
  %14 = fuser.cos %13 : tensor<?x?xf32>
  %15 = fuser.segment_set %14 : tensor<?x?xf32>
  %16 = fuser.add %7, %15 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %16 : tensor<?x?xf32>
}

// One chain overwrites the argument that the other one has read.
fuser.fusion @in_place(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
    attributes {aliases = [#fuser.alias<output 1, input 0>]} {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  %3 = fuser.segment_set %2 : tensor<?x?xf32>
  %4 = fuser.tanh %3 : tensor<?x?xf32>
  %5 = fuser.segment_set %4 : tensor<?x?xf32>
  %6 = fuser.relu %5 : tensor<?x?xf32>
  %8 = fuser.abs %y : tensor<?x?xf32>
  %9 = fuser.segment_set %8 : tensor<?x?xf32>
  %10 = fuser.sqrt %9 : tensor<?x?xf32>
  %11 = fuser.segment_set %10 : tensor<?x?xf32>
  %12 = fuser.sin %11 : tensor<?x?xf32>
  %13 = fuser.segment_set %12 : tensor<?x?xf32>
  %14 = fuser.cos %13 : tensor<?x?xf32>
  fuser.return %6, %14 : tensor<?x?xf32>, tensor<?x?xf32>
}

// Two short chains stay on one stream: the events take more time than they save.
// SHORT-NOT: stream
// SHORT: layouts
fuser.fusion @short_chains(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  %3 = fuser.segment_set %2 : tensor<?x?xf32>
  %4 = fuser.abs %y : tensor<?x?xf32>
  %5 = fuser.segment_set %4 : tensor<?x?xf32>
  %6 = fuser.sqrt %5 : tensor<?x?xf32>
  %7 = fuser.segment_set %6 : tensor<?x?xf32>
  %8 = fuser.add %3, %7 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %8 : tensor<?x?xf32>
}
