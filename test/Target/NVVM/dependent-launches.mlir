// The wait orders all memory, as the intrinsic does not: loads of what earlier launches write come after it, on the path for
// memory that changes. What no launch writes keeps the read-only path, also before the wait.
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s
// RUN: fuser-opt %s --fuser-lower-to-nvvm="chip=sm_90" | FileCheck %s --check-prefix=NVVM
// RUN: not fuser-opt %s --fuser-emit-ptx="chip=sm_80" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: error: 'fuser_gpu.launch_dependents' op expected a chip with dependent launches (sm_90 or later), but got 'sm_80'

// CHECK-LABEL: .entry dependent(
// CHECK: griddepcontrol.launch_dependents;
// CHECK: ld.global.nc
// CHECK: griddepcontrol.wait;
// CHECK-NOT: ld.global.nc
// CHECK: ld.global.b32
// CHECK: st.global

// NVVM: llvm.func @dependent(%{{[^:]*}}: !llvm.ptr {llvm.noalias, llvm.readonly}, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.noalias})
// NVVM: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
gpu.module @dependent {
  gpu.func @dependent(%w: memref<f32> {fuser_gpu.readonly, fuser_gpu.noalias}, %x: memref<f32> {fuser_gpu.noalias},
                      %y: memref<f32> {fuser_gpu.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    fuser_gpu.launch_dependents
    %weight = memref.load %w[] : memref<f32>
    fuser_gpu.wait_dependencies
    %v = memref.load %x[] : memref<f32>
    %sum = arith.addf %v, %weight : f32
    memref.store %sum, %y[] : memref<f32>
    gpu.return
  }
}

// Two branches with one condition are not merged around the wait: it stays one instruction, which all threads execute.
// CHECK-LABEL: .entry guarded(
// CHECK: ld.global.nc
// CHECK: griddepcontrol.wait;
// CHECK-NOT: griddepcontrol.wait;
// CHECK: st.global
// CHECK-NOT: griddepcontrol.wait;
gpu.module @guarded {
  gpu.func @guarded(%w: memref<f32> {fuser_gpu.readonly, fuser_gpu.noalias}, %x: memref<f32> {fuser_gpu.noalias},
                    %y: memref<f32> {fuser_gpu.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c24 = arith.constant 24 : index
    %guard = arith.cmpi ult, %t, %c24 : index
    %weight = scf.if %guard -> f32 {
      %loaded = memref.load %w[] : memref<f32>
      scf.yield %loaded : f32
    } else {
      %none = ub.poison : f32
      scf.yield %none : f32
    }
    fuser_gpu.wait_dependencies
    scf.if %guard {
      %v = memref.load %x[] : memref<f32>
      %sum = arith.addf %v, %weight : f32
      memref.store %sum, %y[] : memref<f32>
    }
    gpu.return
  }
}
