// RUN: fuser-opt --fuser-lower-to-host %s | FileCheck %s

// A payload beyond 64 bits goes in several parts, all at one site.
// CHECK-LABEL: module @shuffle
// CHECK: llvm.func internal @fuser_host_entry_shuffle(%[[CTX:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:   llvm.bitcast %{{.*}} : vector<3xf32> to i96
// CHECK:   llvm.call @fuser_host_shuffle(%[[CTX]], %[[SITE:[0-9]+]],
// CHECK:   llvm.call @fuser_host_shuffle(%[[CTX]], %[[SITE]],
// CHECK-NOT: llvm.call @fuser_host_shuffle
// CHECK:   llvm.bitcast %{{.*}} : i96 to vector<3xf32>
gpu.module @shuffle {
  gpu.func @shuffle(%x: memref<vector<3xf32>>, %offset: i32) kernel {
    %v = memref.load %x[] : memref<vector<3xf32>>
    %r = fuser_gpu.shuffle down %v, %offset width 16 : vector<3xf32>
    memref.store %r, %x[] : memref<vector<3xf32>>
    gpu.return
  }
}

// Approximate math is exact here; `ftz` flushes before and after, except for tanh.
// CHECK-LABEL: module @approx
// CHECK:   llvm.intr.exp2
// CHECK:   llvm.intr.copysign
// CHECK:   %[[X:.*]] = llvm.select
// CHECK:   llvm.fdiv %{{.*}}, %[[X]]
// CHECK:   llvm.select
// CHECK-NOT: llvm.select
// CHECK:   llvm.intr.tanh
// CHECK-NOT: llvm.select
// CHECK: llvm.return
gpu.module @approx {
  gpu.func @approx(%x: memref<f32>) kernel {
    %v = memref.load %x[] : memref<f32>
    %a = fuser_gpu.approx exp2 %v : f32
    %b = fuser_gpu.approx rcp %a ftz : f32
    %c = fuser_gpu.approx tanh %b ftz : f32
    memref.store %c, %x[] : memref<f32>
    gpu.return
  }
}

// Cache hints vanish; a stated alignment is tested, that of an element is not.
// CHECK-LABEL: module @hints
// CHECK-COUNT-1: llvm.call @fuser_host_check_alignment
// CHECK:   llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NOT: llvm.call @fuser_host_check_alignment
// CHECK:   llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
gpu.module @hints {
  gpu.func @hints(%p: memref<f32>, %n: index) kernel {
    %x = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %c0 = arith.constant 0 : index
    %v = fuser_gpu.load %x[%c0] cache nc align 16 : memref<?xf32, strided<[1]>>, vector<4xf32>
    %s = vector.reduction <add>, %v : vector<4xf32> into f32
    fuser_gpu.store %s, %x[%c0] cache cs : f32, memref<?xf32, strided<[1]>>
    gpu.return
  }
}

// One thread draws the ticket of its block; two barriers and a slot in shared memory spread it.
// CHECK-LABEL: module @blocks
// CHECK:   llvm.call @fuser_host_barrier
// CHECK:   llvm.cond_br
// CHECK:   llvm.atomicrmw uinc_wrap %{{.*}}, %{{.*}} acq_rel : !llvm.ptr, i32
// CHECK:   llvm.call @fuser_host_barrier
// CHECK:   llvm.fence acq_rel
// CHECK:   llvm.call @fuser_host_grid_sync
// CHECK: @fuser_host_sites({{.*}}fuser_gpu.grid_sync at
gpu.module @blocks {
  gpu.func @blocks(%counter: memref<i32>, %x: memref<f32>, %n: i32) kernel {
    %one = arith.constant 1.0 : f32
    %last = fuser_gpu.last_block %counter[], %n : memref<i32>
    scf.if %last {
      memref.store %one, %x[] : memref<f32>
    }
    fuser_gpu.fence device
    fuser_gpu.grid_sync %counter[] : memref<i32>
    gpu.return
  }
}

// Registers are the code generator's business: nothing is left.
// CHECK-LABEL: module @keep
// CHECK:   %[[X:.*]] = llvm.load %{{.*}} -> vector<4xf16>
// CHECK:   llvm.store %[[X]]
gpu.module @keep {
  gpu.func @keep(%x: memref<vector<4xf16>>) kernel {
    %v = memref.load %x[] : memref<vector<4xf16>>
    %k = fuser_gpu.keep %v : vector<4xf16>
    memref.store %k, %x[] : memref<vector<4xf16>>
    gpu.return
  }
}
