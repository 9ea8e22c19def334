// RUN: fuser-opt %s --fuser-phase-preseg='mark-boundaries=fuser.reshape,@encoder' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=PRESEG
// RUN: fuser-opt %s --fuser-phase-segmentation='target=h100 sizes=128,4096' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=SEGMENT
// RUN: fuser-opt %s --fuser-phase-choose='target=h100 sizes=128,4096' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=CHOOSE
// RUN: fuser-opt %s --fuser-phase-loops='target=sm_80' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: fuser-opt %s --fuser-phase-lowering='target=sm_80 approximate-math' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=LOWER
// RUN: fuser-opt %s --fuser-to-kernel-ir='target=h100 sizes=128,4096 mark-boundaries=@encoder approximate-math dependent-launches=marked' --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefixes=PRESEG-ALL,SEGMENT,CHOOSE,LOWER-ALL
// Options of the pipelines are options of their passes.

// PRESEG: fuser-mark-boundaries{at=fuser.reshape,@encoder}
// PRESEG-ALL: fuser-mark-boundaries{at=@encoder}
// SEGMENT: fuser-segment-fusions{batch=true explain=false force-streams=false origins=false sizes=128,4096 streams=true target=h100}
// SEGMENT: fuser-settle-boundaries{target=h100}
// CHOOSE: fuser-choose-schedules{explain=false only= sizes=128,4096 target=h100}
// LOOPS: fuser-build-loops{max-cluster-blocks=1 max-shared-bytes=166912}
// LOWER: fuser-lower-kernels{approximate-math=true bulk-copies=false matrix-stores=false max-cluster-blocks=1 max-shared-bytes=166912 multiprocessors=108 vector-atomics=false warp-groups=false}
// LOWER: fuser-chain-launches{all=true supported=false}
// LOWER-ALL: fuser-lower-kernels{approximate-math=true bulk-copies=true matrix-stores=true max-cluster-blocks=8 max-shared-bytes=232448 multiprocessors=132 vector-atomics=true warp-groups=true}
// LOWER-ALL: fuser-chain-launches{all=false supported=true}
module {}
