// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_80 output=-" -o /dev/null | FileCheck %s -DCHIP=sm_80 -DVERSION=8.6
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s -DCHIP=sm_90a -DVERSION=8.6
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_100a output=-" -o /dev/null | FileCheck %s -DCHIP=sm_100a -DVERSION=8.6
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_103a output=-" -o /dev/null | FileCheck %s -DCHIP=sm_103a -DVERSION=9.0
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_110 output=-" -o /dev/null | FileCheck %s -DCHIP=sm_110 -DVERSION=9.0
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_120 output=-" -o /dev/null | FileCheck %s -DCHIP=sm_120 -DVERSION=8.7
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_121 output=-" -o /dev/null | FileCheck %s -DCHIP=sm_121 -DVERSION=9.0
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_120 ptx-version=90 output=-" -o /dev/null | FileCheck %s -DCHIP=sm_120 -DVERSION=9.0
// The oldest version of PTX that the chip and all instructions have, unless an option gives one.

// CHECK: .version [[VERSION]]{{$}}
// CHECK-NEXT: .target [[CHIP]]{{$}}
gpu.module @empty attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @empty() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
