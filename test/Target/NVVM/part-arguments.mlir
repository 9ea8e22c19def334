// RUN: fuser-opt %s --pass-pipeline='builtin.module(gpu.module(fuser-lower-to-nvvm))' | FileCheck %s
// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90a output=-" -o /dev/null | FileCheck %s --check-prefix=PTX
// Arguments of parts are passed as one array, and read by the number of the part from the parameters.

// CHECK: llvm.func @table(%[[X:.*]]: !llvm.ptr {llvm.byval = !llvm.array<3 x ptr<1>>, llvm.readonly, nvvm.grid_constant}, %[[S:.*]]: f32, %[[N:.*]]: !llvm.ptr {llvm.byval = !llvm.array<3 x i32>, llvm.readonly, nvvm.grid_constant}, %[[Y:.*]]: !llvm.ptr
// CHECK: llvm.getelementptr %[[X]][0, %{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<3 x ptr<1>>
// CHECK: llvm.load {{.*}} invariant : !llvm.ptr -> !llvm.ptr<1>
// CHECK: llvm.getelementptr %[[N]][0, %{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<3 x i32>

// PTX: .param .align 8 .b8 table_param_0[24]
// PTX: .param .align 4 .b8 table_param_2[12]
// PTX-NOT: .local
// PTX: ld.param.b64
// PTX: ld.global
gpu.module @table attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @table(%x0: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %x1: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>},
                  %x2: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<2>}, %s: f32 {fuser_gpu.bind = #fuser_gpu.scalar<3>},
                  %n0: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>}, %n1: index {fuser_gpu.bind = #fuser_gpu.size<1, 0>},
                  %n2: index {fuser_gpu.bind = #fuser_gpu.size<2, 0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<4>}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %part = gpu.block_id x
    %t = gpu.thread_id x
    %x = fuser_gpu.part_argument %part of %x0, %x1, %x2 : memref<f32>
    %n = fuser_gpu.part_argument %part of %n0, %n1, %n2 : index
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      %from = memref.reinterpret_cast %x to offset: [0], sizes: [1000], strides: [1] : memref<f32> to memref<1000xf32>
      %to = memref.reinterpret_cast %y to offset: [0], sizes: [1000], strides: [1] : memref<f32> to memref<1000xf32>
      %v = memref.load %from[%t] : memref<1000xf32>
      %w = arith.mulf %v, %s : f32
      memref.store %w, %to[%t] : memref<1000xf32>
    }
    gpu.return
  }
}
