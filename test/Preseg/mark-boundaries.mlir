// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=fuser.reshape}))' | FileCheck %s --check-prefixes=ALL,OPS
// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=fuser.reshape:around}))' | FileCheck %s --check-prefixes=ALL,AROUND
// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=@encoder.attention}))' 2>/dev/null | FileCheck %s --check-prefixes=ALL,REGION
// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries))' | FileCheck %s --check-prefix=NONE
// RUN: not fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=fuser.reshap}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=fuser.exp:behind}))' 2>&1 | FileCheck %s --check-prefix=SIDE
// RUN: not fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=arith.constant}))' 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: fuser-opt %s --split-input-file --pass-pipeline='builtin.module(fuser.fusion(fuser-mark-boundaries{at=@decoder}))' 2>&1 | FileCheck %s --check-prefix=ABSENT
// S3.9: boundaries by kind of operation and by region. Arguments and outputs have none, a value one for all its marks.

// NONE-NOT: fuser.segment_set
// UNKNOWN: error: expected marks of boundaries to be operations of fuser ('fuser.reshape', 'fuser.reshape:after', 'fuser.reshape:around') or regions ('@encoder.attention'), but got 'fuser.reshap'
// SIDE: but got 'fuser.exp:behind'
// FOREIGN: but got 'arith.constant'
// ABSENT: remark: expected an op in the region 'decoder', whose boundaries are to be marked, but got none

// ALL-LABEL: fuser.fusion @operations
// OPS: %[[E:.*]] = fuser.exp
// OPS: %[[S:.*]] = fuser.segment_set %[[E]]
// OPS: fuser.neg %[[E]]
// OPS: %[[R:.*]] = fuser.reshape %[[S]]
// OPS: %[[R2:.*]] = fuser.reshape %[[S]]
// OPS-NOT: fuser.segment_set
// OPS: fuser.relu %[[R]]
// OPS: fuser.return
// AROUND: %[[E:.*]] = fuser.exp
// AROUND: %[[S:.*]] = fuser.segment_set %[[E]]
// AROUND: %[[R:.*]] = fuser.reshape %[[S]]
// AROUND: %[[RS:.*]] = fuser.segment_set %[[R]]
// AROUND: %[[R2:.*]] = fuser.reshape %[[S]]
// AROUND-NOT: fuser.segment_set
// AROUND: fuser.relu %[[RS]]
// AROUND: fuser.return {{.*}}, %[[R2]]
fuser.fusion @operations(%x: tensor<4x6xf32>, %y: tensor<24xf32>) -> (tensor<4x6xf32>, tensor<24xf32>, tensor<8x3xf32>, tensor<4x6xf32>) {
  %0 = fuser.exp %x : tensor<4x6xf32>
  %1 = fuser.neg %0 : tensor<4x6xf32>
  %2 = fuser.reshape %0 : tensor<4x6xf32> -> tensor<24xf32>
  %3 = fuser.reshape %0 : tensor<4x6xf32> -> tensor<8x3xf32>
  %4 = fuser.relu %2 : tensor<24xf32>
  %5 = fuser.reshape %y : tensor<24xf32> -> tensor<4x6xf32>
  fuser.return %1, %4, %3, %5 : tensor<4x6xf32>, tensor<24xf32>, tensor<8x3xf32>, tensor<4x6xf32>
}

// -----

// By attribute, of a nested region, and by the name of a location. A name is not the beginning of another one.
// ALL-LABEL: fuser.fusion @regions
// REGION: %[[A:.*]] = fuser.exp %x
// REGION: %[[AS:.*]] = fuser.segment_set %[[A]]
// REGION: %[[B:.*]] = fuser.neg %[[AS]]
// REGION: %[[C:.*]] = fuser.relu %[[B]]
// REGION: %[[D:.*]] = fuser.abs %[[C]]
// REGION: %[[DS:.*]] = fuser.segment_set %[[D]]
// REGION: %[[F:.*]] = fuser.sqrt %[[DS]]
// REGION: %[[G:.*]] = fuser.tanh %[[F]]
// REGION: fuser.return %[[G]]
fuser.fusion @regions(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.exp %x {fuser.region = "encoder.embedding"} : tensor<8xf32>
  %1 = fuser.neg %0 {fuser.region = "encoder.attention"} : tensor<8xf32>
  %2 = fuser.relu %1 {fuser.region = "encoder.attention.scores"} : tensor<8xf32>
  %3 = fuser.abs %2 : tensor<8xf32> loc("encoder.attention")
  %4 = fuser.sqrt %3 {fuser.region = "encoder.attention2"} : tensor<8xf32>
  %5 = fuser.tanh %4 : tensor<8xf32>
  fuser.return %5 : tensor<8xf32>
}
