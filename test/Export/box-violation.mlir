// RUN: not fuser-run %s --device=host --check-accesses --sizes=9 --scalar o=2 2>&1 | FileCheck %s
// RUN: fuser-run %s --device=host --sizes=9 --scalar o=2 | FileCheck %s --check-prefix=UNCHECKED
// S2.8: a kernel that was changed to read one element past the part that its launch states is found. In the whole argument
// there is such an element, so that nothing else would notice.

// CHECK: fuser-run: kernel 'next', block (0, 0, 0), thread (3, 0, 0): expected memref.load at {{.*}} inside of the box of parameter 0
// CHECK-SAME: sizes [4], strides [1], 16 bytes), but got 4 bytes at offset 16
// UNCHECKED: outputs 0: 4xf32

gpu.module @next attributes {fuser_gpu.index_bits = 64 : i32} {
  gpu.func @next(%px: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}, %py: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>})
      kernel attributes {known_block_size = array<i32: 4, 1, 1>,
                         fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, symbols = []>} {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [%c4], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [%c4], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %i = gpu.thread_id x
    %j = arith.addi %i, %c1 : index
    %v = memref.load %x[%j] : memref<?xf32, strided<[1]>>
    memref.store %v, %y[%i] : memref<?xf32, strided<[1]>>
    gpu.return
  }
}

fuser.host @host(%x: tensor<?xf32>, %o: index) -> tensor<4xf32> {
  %0 = fuser.view %x [%o] [4] : tensor<?xf32> -> tensor<4xf32>
  %1 = fuser.alloc() : tensor<4xf32>
  %2 = fuser.launch @next::@next ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
  fuser.return %2 : tensor<4xf32>
}
