// A copy reads behind its argument, where no element exists.
// EXPECT: OutOfBounds
// MESSAGE: expected fuser_gpu.copy_async inside of the 508 bytes of parameter 0, but got 16 bytes at offset 496
// LAUNCH: grid 1, block 32
// PARAMS: in f32 127, out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
!tile = memref<128xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%px: memref<f32>, %py: memref<f32>) workgroup(%s: !tile) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c31 = arith.constant 31 : index
    %x = memref.reinterpret_cast %px to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %isLast = arith.cmpi eq, %t, %c31 : index
    %n = arith.select %isLast, %c3, %c4 : index
    // CLEAN: fuser_gpu.copy_async 4 of %x[%i] to %s[%i] existing %n : !f32s, !tile
    fuser_gpu.copy_async 4 of %x[%i] to %s[%i] : !f32s, !tile // FAULT
    fuser_gpu.copy_commit
    fuser_gpu.copy_wait 0
    %v = memref.load %s[%i] : !tile
    memref.store %v, %y[%t] : !f32s
    gpu.return
  }
}
