// Registers of warp groups, which one architecture has.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_100a output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/, min_blocks_per_sm = 1//' %s | not fuser-opt --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAUNCH

// OTHER: 'fuser_gpu.set_max_registers' op expected a chip with this instruction (sm_90a), but got 'sm_{{.*}}'
// LAUNCH: 'fuser_gpu.set_max_registers' op expected a launch with min_blocks_per_sm = 1, from which the registers at its begin follow

// CHECK-LABEL: .entry registers(
// CHECK: .maxntid 384, 1, 1
// CHECK: .minnctapersm 1
// CHECK: setmaxnreg.dec.sync.aligned.u32 40;
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
gpu.module @registers {
  gpu.func @registers(%py: memref<f32>) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, symbols = [], min_blocks_per_sm = 1>} {
    %t = gpu.thread_id x
    %c128 = arith.constant 128 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to memref<2147483647xf32, strided<[1]>>
    %produces = arith.cmpi uge, %t, %c128 : index
    scf.if %produces {
      fuser_gpu.set_max_registers decrease 40
    } else {
      fuser_gpu.set_max_registers increase 232
    }
    memref.store %one, %y[%t] : memref<2147483647xf32, strided<[1]>>
    gpu.return
  }
}
