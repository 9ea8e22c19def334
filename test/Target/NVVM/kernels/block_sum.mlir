// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null | FileCheck %s

// Dynamic shared memory is provided by the launch; indices have 64 bits.
// CHECK-NOT: .local
// CHECK: .extern .shared .align 16 .b8 [[SHARED:__dynamic_shmem__0]][]
// CHECK: .visible .entry block_sum(
// CHECK: .param .u64 block_sum_param_2
// CHECK: ld.global.nc.b32
// CHECK: mov.b64 {{.*}}, [[SHARED]]
// CHECK: st.shared.b32
// CHECK: bar.sync
// CHECK: add.rn.f32

// Sum of each row, f32, any width: dynamic shared memory and a tree over the block.
gpu.module @block_sum attributes {fuser_gpu.index_bits = 64 : i32} {
  gpu.func @block_sum(
      %x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias},
      %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias},
      %width: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>},
      %stride: index {fuser_gpu.bind = #fuser_gpu.stride<0, 0>}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0] -> (s0, 1, 1)>,
                      symbols = [#fuser_gpu.size<0, 0>], smem = affine_map<()[s0] -> (512)>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.block_id x
    %rows = gpu.grid_dim x
    %t = gpu.thread_id x
    %threads = gpu.block_dim x
    %begin = arith.muli %row, %stride : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%width], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%rows], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %sum = scf.for %k = %t to %width step %threads iter_args(%acc = %zero) -> (f32) {
      %i = arith.addi %begin, %k : index
      %v = memref.load %xs[%i] : memref<?xf32, strided<[1]>>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %shared = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %sum, %shared[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = scf.while (%half = %c64) : (index) -> index {
      %more = arith.cmpi sgt, %half, %c0 : index
      scf.condition(%more) %half : index
    } do {
    ^bb0(%half: index):
      %active = arith.cmpi slt, %t, %half : index
      scf.if %active {
        %o = arith.addi %t, %half : index
        %a = memref.load %shared[%t] : memref<128xf32, #gpu.address_space<workgroup>>
        %b = memref.load %shared[%o] : memref<128xf32, #gpu.address_space<workgroup>>
        %s = arith.addf %a, %b : f32
        memref.store %s, %shared[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %next = arith.shrui %half, %c1 : index
      scf.yield %next : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %s = memref.load %shared[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
      memref.store %s, %ys[%row] : memref<?xf32, strided<[1]>>
    }
    gpu.return
  }
}
