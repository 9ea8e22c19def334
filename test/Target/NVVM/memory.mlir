// RUN: fuser-opt %s --fuser-emit-ptx="chip=sm_90 output=-" -o /dev/null -split-input-file | FileCheck %s

// Hints on memory that is read and written: no read-only path.
// CHECK-LABEL: .entry hints(
// CHECK: ld.global.v4.b32 [[A:\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\}]], [%rd{{[0-9]+}}];
// CHECK: ld.global.cg.v4.b32 [[B:\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\}]], [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.v4.b32 [[C:\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\}]], [%rd{{[0-9]+}}];
// CHECK: ld.global.L1::no_allocate.v4.b32 [[D:\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\}]], [%rd{{[0-9]+}}];
// CHECK: ld.global.L1::evict_first.v4.b32 [[E:\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\}]], [%rd{{[0-9]+}}];
// CHECK: st.global.cg.v4.b32 [%rd{{[0-9]+}}], [[A]];
// CHECK: st.global.cs.v4.b32 [%rd{{[0-9]+}}], [[B]];
// CHECK: st.global.L1::no_allocate.v4.b32 [%rd{{[0-9]+}}], [[C]];
// CHECK: st.global.L1::evict_first.v4.b32 [%rd{{[0-9]+}}], [[D]];
// CHECK: st.global.v4.b32 [%rd{{[0-9]+}}], [[E]];
gpu.module @hints {
  gpu.func @hints(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1]>>
    %a = fuser_gpu.load %xs[%c0] cache ca align 16 : memref<4xf32, strided<[1]>>, vector<4xf32>
    %b = fuser_gpu.load %xs[%c0] cache cg align 16 : memref<4xf32, strided<[1]>>, vector<4xf32>
    %c = fuser_gpu.load %xs[%c0] cache cs align 16 : memref<4xf32, strided<[1]>>, vector<4xf32>
    %d = fuser_gpu.load %xs[%c0] cache no_allocate align 16 : memref<4xf32, strided<[1]>>, vector<4xf32>
    %e = fuser_gpu.load %xs[%c0] cache evict_first align 16 : memref<4xf32, strided<[1]>>, vector<4xf32>
    fuser_gpu.store %a, %xs[%c0] cache cg align 16 : vector<4xf32>, memref<4xf32, strided<[1]>>
    fuser_gpu.store %b, %xs[%c0] cache cs align 16 : vector<4xf32>, memref<4xf32, strided<[1]>>
    fuser_gpu.store %c, %xs[%c0] cache no_allocate align 16 : vector<4xf32>, memref<4xf32, strided<[1]>>
    fuser_gpu.store %d, %xs[%c0] cache evict_first align 16 : vector<4xf32>, memref<4xf32, strided<[1]>>
    fuser_gpu.store %e, %xs[%c0] cache none align 16 : vector<4xf32>, memref<4xf32, strided<[1]>>
    gpu.return
  }
}

// -----

// A read-only argument takes the read-only path, but never for cg.
// CHECK-LABEL: .entry readonly(
// CHECK: ld.global.nc.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.nc.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK: ld.global.nc.L1::no_allocate.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK: ld.global.cg.b32 %r{{[0-9]+}}, [%rd{{[0-9]+}}];
gpu.module @readonly {
  gpu.func @readonly(%x: memref<f32> {fuser_gpu.readonly, fuser_gpu.noalias}, %y: memref<f32> {fuser_gpu.noalias}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = fuser_gpu.load %x[] cache none : memref<f32>, f32
    %b = fuser_gpu.load %x[] cache cs : memref<f32>, f32
    %c = fuser_gpu.load %x[] cache no_allocate : memref<f32>, f32
    %d = fuser_gpu.load %x[] cache cg : memref<f32>, f32
    %ab = arith.addf %a, %b : f32
    %cd = arith.addf %c, %d : f32
    %s = arith.addf %ab, %cd : f32
    memref.store %s, %y[] : memref<f32>
    gpu.return
  }
}

// -----

// Without noalias somebody may write what is read; the hint nc insists.
// CHECK-LABEL: .entry aliased(
// CHECK: ld.global.b32
// CHECK: ld.global.nc.b32
gpu.module @aliased {
  gpu.func @aliased(%x: memref<f32> {fuser_gpu.readonly}, %y: memref<f32>, %z: memref<f32>, %u: memref<f32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = memref.load %x[] : memref<f32>
    memref.store %a, %z[] : memref<f32>
    %b = fuser_gpu.load %y[] cache nc : memref<f32>, f32
    memref.store %b, %u[] : memref<f32>
    gpu.return
  }
}

// -----

// Memory through which threads exchange values is reloaded after a barrier,
// although the argument is noalias.
// CHECK-LABEL: .entry exchange(
// CHECK: ld.global.b32
// CHECK: st.global.b32
// CHECK: bar.sync
// CHECK: ld.global.b32
gpu.module @exchange {
  gpu.func @exchange(%x: memref<f32> {fuser_gpu.noalias}, %y: memref<f32> {fuser_gpu.noalias}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %c40 = arith.constant 40 : index
    %t = gpu.thread_id x
    %a = memref.load %xs[%c40] : memref<64xf32, strided<[1]>>
    memref.store %a, %xs[%t] : memref<64xf32, strided<[1]>>
    gpu.barrier
    %b = memref.load %xs[%c40] : memref<64xf32, strided<[1]>>
    memref.store %b, %y[] : memref<f32>
    gpu.return
  }
}

// -----

// Pieces follow the alignment and the size: 8 bytes in one, 6 bytes in three,
// single bytes.
// CHECK-LABEL: .entry pieces(
// CHECK: ld.global.cs.v2.b32 [[A:\{%r[0-9]+, %r[0-9]+\}]], [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.b16 [[B0:%rs[0-9]+]], [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.b16 [[B1:%rs[0-9]+]], [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.b16 [[B2:%rs[0-9]+]], [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.b8 %rs{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK: ld.global.cs.b8 %rs{{[0-9]+}}, [%rd{{[0-9]+}}];
// CHECK: st.global.cs.v2.b32 [%rd{{[0-9]+}}], [[A]];
// CHECK: st.global.cs.b16 [%rd{{[0-9]+}}], [[B0]];
// CHECK: st.global.cs.b16 [%rd{{[0-9]+}}], [[B1]];
// CHECK: st.global.cs.b16 [%rd{{[0-9]+}}], [[B2]];
// CHECK: st.global.cs.b8 [%rd{{[0-9]+}}], %rs{{[0-9]+}};
// CHECK: st.global.cs.b8 [%rd{{[0-9]+}}], %rs{{[0-9]+}};
gpu.module @pieces {
  gpu.func @pieces(%x: memref<bf16>, %y: memref<i8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<bf16> to memref<8xbf16, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<i8> to memref<8xi8, strided<[1]>>
    %a = fuser_gpu.load %xs[%c0] cache cs align 8 : memref<8xbf16, strided<[1]>>, vector<4xbf16>
    %b = fuser_gpu.load %xs[%c4] cache cs align 8 : memref<8xbf16, strided<[1]>>, vector<3xbf16>
    %c = fuser_gpu.load %ys[%c0] cache cs : memref<8xi8, strided<[1]>>, vector<2xi8>
    fuser_gpu.store %a, %xs[%c4] cache cs align 8 : vector<4xbf16>, memref<8xbf16, strided<[1]>>
    fuser_gpu.store %b, %xs[%c0] cache cs align 8 : vector<3xbf16>, memref<8xbf16, strided<[1]>>
    fuser_gpu.store %c, %ys[%c2] cache cs : vector<2xi8>, memref<8xi8, strided<[1]>>
    gpu.return
  }
}

// -----

// Atomics have the scope of their memory and no order.
// CHECK-LABEL: .entry atomics(
// CHECK: atom.global.add.f32
// CHECK: atom.global.max.s32
// CHECK: atom.shared.add.u32
// CHECK-NOT: fence
gpu.module @atomics {
  gpu.func @atomics(%x: memref<f32>, %i: memref<i32>, %v: f32, %w: i32)
      workgroup(%s: memref<1xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = memref.atomic_rmw addf %v, %x[] : (f32, memref<f32>) -> f32
    %1 = memref.atomic_rmw maxs %w, %i[] : (i32, memref<i32>) -> i32
    %2 = memref.atomic_rmw addi %1, %s[%c0] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
    memref.store %0, %x[] : memref<f32>
    memref.store %2, %i[] : memref<i32>
    gpu.return
  }
}

// -----

// The elements of a vector are added by one instruction, and what a minimum replaces by a loop, in which NaN remains.
// CHECK-LABEL: .entry vector_atomics(
// CHECK: red.global.add.v4.f32 [%rd{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK: red.global.add.v2.f32 [%rd{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK: min.NaN.f32
// CHECK: atom.{{.*}}global.cas.b32
gpu.module @vector_atomics {
  gpu.func @vector_atomics(%x: memref<f32> {fuser_gpu.noalias}, %v: f32, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [100], strides: [1] : memref<f32> to memref<100xf32, strided<[1]>>
    %four = vector.broadcast %v : f32 to vector<4xf32>
    %two = vector.broadcast %v : f32 to vector<2xf32>
    fuser_gpu.atomic_add %four, %xs[%n] align 16 : vector<4xf32>, memref<100xf32, strided<[1]>>
    fuser_gpu.atomic_add %two, %xs[%n] align 8 : vector<2xf32>, memref<100xf32, strided<[1]>>
    %0 = memref.atomic_rmw minimumf %v, %xs[%n] : (f32, memref<100xf32, strided<[1]>>) -> f32
    gpu.return
  }
}

// -----

// A register buffer in a loop becomes registers once the loop is unrolled.
// CHECK-LABEL: .entry registers(
// CHECK-NOT: .local
// CHECK: st.global
gpu.module @registers {
  gpu.func @registers(%x: memref<f32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    scf.for %i = %c0 to %n step %c4 {
      %r = memref.alloca() : memref<4xf32>
      scf.for %k = %c0 to %c4 step %c1 {
        %j = arith.addi %i, %k : index
        %v = memref.load %xs[%j] : memref<?xf32, strided<[1]>>
        memref.store %v, %r[%k] : memref<4xf32>
      }
      scf.for %k = %c0 to %c4 step %c1 {
        %m = arith.subi %c4, %k : index
        %l = arith.subi %m, %c1 : index
        %j = arith.addi %i, %l : index
        %v = memref.load %r[%k] : memref<4xf32>
        memref.store %v, %xs[%j] : memref<?xf32, strided<[1]>>
      }
    }
    gpu.return
  }
}

// -----

// An access without an alignment has that of its type on the GPU, not LLVM's default (4 bytes for
// i64), by which it would be split.
// CHECK-LABEL: .entry natural_alignment(
// CHECK-NOT: ld.global.{{.*}}b32
// CHECK: ld.global.nc.b64
// CHECK: ld.global.nc.v2.b64
// CHECK: st.global.b64
// CHECK: st.global.v2.b64
// CHECK-NOT: st.global.{{.*}}b32
// CHECK: ret;
gpu.module @natural_alignment {
  gpu.func @natural_alignment(%x: memref<f64> {fuser_gpu.noalias, fuser_gpu.readonly}, %y: memref<i128> {fuser_gpu.noalias, fuser_gpu.readonly},
                              %a: memref<f64> {fuser_gpu.noalias}, %b: memref<i128> {fuser_gpu.noalias}, %n: index)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [100], strides: [1] : memref<f64> to memref<100xf64, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [100], strides: [1] : memref<i128> to memref<100xi128, strided<[1]>>
    %as = memref.reinterpret_cast %a to offset: [0], sizes: [100], strides: [1] : memref<f64> to memref<100xf64, strided<[1]>>
    %bs = memref.reinterpret_cast %b to offset: [0], sizes: [100], strides: [1] : memref<i128> to memref<100xi128, strided<[1]>>
    %f = memref.load %xs[%n] : memref<100xf64, strided<[1]>>
    %i = memref.load %ys[%n] : memref<100xi128, strided<[1]>>
    memref.store %f, %as[%n] : memref<100xf64, strided<[1]>>
    memref.store %i, %bs[%n] : memref<100xi128, strided<[1]>>
    gpu.return
  }
}
