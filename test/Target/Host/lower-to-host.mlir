// RUN: fuser-opt --fuser-lower-to-host %s | FileCheck %s
// RUN: fuser-opt --fuser-lower-to-host="check-alignment=false" %s | FileCheck %s --check-prefix=UNCHECKED

// Arguments come through the parameter array, with the index width of the module; a buffer of
// rank 0 is a bare pointer.
// CHECK-LABEL: module @arguments
// CHECK: llvm.func internal @fuser_host_entry_arguments(%[[CTX:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr)
// CHECK:   %[[SLOT0:.*]] = llvm.getelementptr %[[PARAMS]][0]
// CHECK:   %[[AT0:.*]] = llvm.load %[[SLOT0]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK:   llvm.load %[[AT0]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK:   %[[SLOT1:.*]] = llvm.getelementptr %[[PARAMS]][1]
// CHECK:   %[[AT1:.*]] = llvm.load %[[SLOT1]] invariant
// CHECK:   llvm.load %[[AT1]] invariant : !llvm.ptr -> i32
// CHECK:   %[[SLOT2:.*]] = llvm.getelementptr %[[PARAMS]][2]
// CHECK:   %[[AT2:.*]] = llvm.load %[[SLOT2]] invariant
// CHECK:   %[[BYTE:.*]] = llvm.load %[[AT2]] invariant : !llvm.ptr -> i8
// CHECK:   llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: @fuser_host_param_bytes(dense<[8, 4, 1]>
gpu.module @arguments attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @arguments(%x: memref<f32>, %n: index, %flag: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1.0 : f32
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    scf.if %flag {
      memref.store %c1, %xs[%c0] : memref<?xf32, strided<[1]>>
    }
    gpu.return
  }
}

// The waits of a block, its ids, and its shared memory. A known block makes its extents constants.
// CHECK-LABEL: module @cooperation
// CHECK: llvm.func @fuser_host_barrier
// CHECK: llvm.func @fuser_host_shuffle
// CHECK-NOT: llvm.func @fuser_host_fail_alignment
// CHECK: llvm.func internal @fuser_host_entry_cooperation(%[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:   %[[SHARED_AT:.*]] = llvm.getelementptr %[[CTX]][72]
// CHECK:   %[[SHARED:.*]] = llvm.load %[[SHARED_AT]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK:   llvm.getelementptr %[[SHARED]][0]
// CHECK:   llvm.getelementptr %[[SHARED]][128]
// CHECK:   llvm.getelementptr %[[CTX]][0]
// CHECK:   llvm.mlir.constant(64 : i64)
// CHECK:   llvm.call @fuser_host_shuffle(%[[CTX]],
// CHECK:   llvm.call @fuser_host_barrier(%[[CTX]],
// CHECK: @fuser_host_sites("gpu.shuffle at {{.*}}lower-to-host.mlir:{{[0-9:]+}}\00gpu.barrier at
gpu.module @cooperation {
  gpu.func @cooperation(%x: memref<f32>)
      workgroup(%odd: memref<25xi32, #gpu.address_space<workgroup>>,
                %sums: memref<64xf32, #gpu.address_space<workgroup>> {llvm.align = 128 : i64})
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %t = gpu.thread_id x
    %d = gpu.block_dim x
    %last = arith.subi %d, %t : index
    %v = memref.load %x[] : memref<f32>
    %s, %in = gpu.shuffle xor %v, %c16, %c32 : f32
    memref.store %s, %sums[%last] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }
}

// A stated alignment is tested; the access itself claims no more than its element has.
// CHECK-LABEL: module @alignment
// CHECK:   llvm.call @fuser_host_check_alignment
// CHECK:   llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// UNCHECKED-LABEL: module @alignment
// UNCHECKED-NOT: fuser_host_check_alignment
// UNCHECKED:   llvm.load {{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
gpu.module @alignment {
  gpu.func @alignment(%x: memref<bf16>, %n: index) kernel {
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1]
        : memref<bf16> to memref<?xbf16, strided<[1]>>
    %c0 = arith.constant 0 : index
    %v = vector.load %xs[%c0] {alignment = 16 : i64}
        : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    vector.store %v, %xs[%n] : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    gpu.return
  }
}

// Division by zero and a shift by the width are defined; a safe constant needs no guard.
// CHECK-LABEL: module @integers
// CHECK:   %[[SAFE:.*]] = llvm.select
// CHECK:   llvm.sdiv %{{.*}}, %[[SAFE]]
// CHECK:   llvm.select
// CHECK:   llvm.icmp "uge"
// CHECK:   llvm.shl
// CHECK:   llvm.select
// CHECK-NOT: llvm.select
// CHECK:   llvm.udiv
gpu.module @integers {
  gpu.func @integers(%x: memref<i32>, %a: i32, %b: i32) kernel {
    %c7 = arith.constant 7 : i32
    %q = arith.divsi %a, %b : i32
    memref.store %q, %x[] : memref<i32>
    %s = arith.shli %a, %b : i32
    memref.store %s, %x[] : memref<i32>
    %u = arith.divui %a, %c7 : i32
    memref.store %u, %x[] : memref<i32>
    gpu.return
  }
}

// bf16 arithmetic rounds after every op, and bf16 is moved as i16; functions without an exact intrinsic are calls.
// CHECK-LABEL: module @floats
// CHECK:   llvm.fadd {{.*}} : f32
// CHECK:   %[[BITS:.*]] = llvm.select {{.*}} : i1, i16
// CHECK:   llvm.store %{{.*}}, %{{.*}} : i16, !llvm.ptr
// CHECK-NOT: bf16
// CHECK:   llvm.call @expm1f
// CHECK:   llvm.call_intrinsic "llvm.fptosi.sat"
gpu.module @floats {
  gpu.func @floats(%h: memref<bf16>, %x: memref<f32>, %i: memref<i32>, %a: bf16, %b: f32) kernel {
    %s = arith.addf %a, %a : bf16
    memref.store %s, %h[] : memref<bf16>
    %e = math.expm1 %b : f32
    memref.store %e, %x[] : memref<f32>
    %n = arith.fptosi %b : f32 to i32
    memref.store %n, %i[] : memref<i32>
    gpu.return
  }
}
