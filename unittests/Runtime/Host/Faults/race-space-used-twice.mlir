// Two buffers share space in shared memory, and the second is filled while the first is read.
// EXPECT: DataRace
// MESSAGE: expected memref.load to be ordered with memref.store of thread (31, 0, 0), but no barrier is between them and both touch byte 124 of the shared memory
// LAUNCH: grid 1, block 32, shared 128
// PARAMS: out f32 32
!f32s = memref<2147483647xf32, strided<[1]>>
gpu.module @m {
  gpu.func @k(%py: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %one = arith.constant 1.0 : f32
    %y = memref.reinterpret_cast %py to offset: [0], sizes: [2147483647], strides: [1] : memref<f32> to !f32s
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %first = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    %second = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
    memref.store %one, %first[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %m = arith.subi %c31, %t : index
    %v = memref.load %first[%m] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %v, %y[%t] : !f32s
    // CLEAN: gpu.barrier
    %seven = arith.constant 7 : i32
    %nothing = arith.constant 0 : index // FAULT
    memref.store %seven, %second[%t] : memref<32xi32, #gpu.address_space<workgroup>> // HERE
    gpu.return
  }
}
