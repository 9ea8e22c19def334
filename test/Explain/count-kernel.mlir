// RUN: fuser-count-kernel %s | FileCheck %s --strict-whitespace --match-full-lines
// RUN: fuser-count-kernel --format=lines < %s | FileCheck %s --check-prefix=LINE --match-full-lines
// RUN: fuser-count-kernel --format=lines %s %S/Inputs/one-kernel.mlir | FileCheck %s --check-prefix=FILES
// RUN: fuser-count-kernel %s %S/Inputs/one-kernel.mlir | FileCheck %s --check-prefix=TEXTS
// Every kind of op that is counted, and how a kernel is launched.

//      CHECK:kernel everything
// CHECK-NEXT:  block              256x2x1
// CHECK-NEXT:  grid               s0 ceildiv 2048, s1, 1
// CHECK-NEXT:  index_bits         32
// CHECK-NEXT:  smem               s0 * 4
// CHECK-NEXT:  workspaces         s0 * 8; 4
// CHECK-NEXT:  symbols            size 0[1], stride 1[0], scalar 2
// CHECK-NEXT:  cooperative        true
// CHECK-NEXT:  cluster            2x1x1
// CHECK-NEXT:  min_blocks_per_sm  2
// CHECK-NEXT:  argument           1 align_16, 6 all, 2 noalias, 1 readonly
// CHECK-NEXT:  atomic             1 addf.global.4, 1 generic.shared.4
// CHECK-NEXT:  barrier            2 block, 1 fence_block, 1 fence_device, 1 grid, 1 last_block, 1 ticket
// CHECK-NEXT:  branch             3 if, 1 switch
// CHECK-NEXT:  division           1 ceildivsi.constant, 1 divsi.dynamic, 1 divui.power_of_two, 1 floordivsi.dynamic, 1 remsi.constant, 2 remui.dynamic
// CHECK-NEXT:  load               1 global.1, 1 global.16, 1 global.16.cs, 2 global.2, 1 global.4.nontemporal, 2 register.4, 1 shared.4, 1 shared.8
// CHECK-NEXT:  loop               2 for, 1 while
// CHECK-NEXT:  op                 76 all
// CHECK-NEXT:  other              1 fuser_gpu.approx, 1 fuser_gpu.keep, 1 vector.maskedload
// CHECK-NEXT:  shuffle            1 idx.4, 1 xor.16, 2 xor.4
// CHECK-NEXT:  store              1 global.16, 1 global.2.cs, 1 register.16, 1 register.4, 1 shared.4
// CHECK-NEXT:kernel nothing
// CHECK-NEXT:  block              32x1x1
// CHECK-NEXT:  grid               1, 1, 1
// CHECK-NEXT:  index_bits         64
// CHECK-NEXT:  op                 1 all
//  CHECK-NOT:{{.+}}

//      LINE: everything block="256x2x1" grid="s0 ceildiv 2048, s1, 1" index_bits="32" smem="s0 * 4" workspaces="s0 * 8; 4" symbols="size 0[1], stride 1[0], scalar 2" cooperative="true" cluster="2x1x1" min_blocks_per_sm="2" argument.align_16=1 argument.all=6 {{.*}} load.global.16=1 load.global.16.cs=1 {{.*}} store.shared.4=1
// LINE-NEXT: nothing block="32x1x1" grid="1, 1, 1" index_bits="64" op.all=1
//  LINE-NOT: {{.+}}

//      FILES: {{.*}}count-kernel.mlir:everything block
// FILES-NEXT: {{.*}}count-kernel.mlir:nothing block
// FILES-NEXT: {{.*}}one-kernel.mlir:one block

//      TEXTS: file {{.*}}count-kernel.mlir
// TEXTS-NEXT: kernel everything
//      TEXTS: file {{.*}}one-kernel.mlir
// TEXTS-NEXT: kernel one

gpu.module @everything attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @everything(
      %x: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly, fuser_gpu.noalias, fuser_gpu.align = 16 : i64},
      %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias},
      %counter: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = true>},
      %bools: memref<i8> {fuser_gpu.bind = #fuser_gpu.pointer<3>},
      %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>},
      %s: i32 {fuser_gpu.bind = #fuser_gpu.scalar<2>})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 256, 2, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<
                      grid = affine_map<()[s0, s1, s2] -> (s0 ceildiv 2048, s1, 1)>,
                      symbols = [#fuser_gpu.size<0, 1>, #fuser_gpu.stride<1, 0>, #fuser_gpu.scalar<2>],
                      smem = affine_map<()[s0, s1, s2] -> (s0 * 4)>,
                      workspaces = [affine_map<()[s0, s1, s2] -> (s0 * 8)>, affine_map<()[s0, s1, s2] -> (4)>],
                      cooperative = true, cluster = [2, 1, 1], min_blocks_per_sm = 2>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16_i32 = arith.constant 16 : i32
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<bf16> to memref<?xbf16, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %registers = memref.alloca() : memref<8xf32>
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %shared = memref.view %bytes[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>

    // Loads: by space, width and hint.
    %half = memref.load %xs[%t] : memref<?xbf16, strided<[1]>>
    %again = fuser_gpu.load %xs[%t] cache none : memref<?xbf16, strided<[1]>>, bf16
    %streamed = fuser_gpu.load %xs[%t] cache cs align 16 : memref<?xbf16, strided<[1]>>, vector<8xbf16>
    %four = vector.load %ys[%t] : memref<?xf32, strided<[1]>>, vector<4xf32>
    %once = memref.load %ys[%t] {nontemporal = true} : memref<?xf32, strided<[1]>>
    %bool = memref.load %bools[] : memref<i8>
    %r0 = memref.load %registers[%c0] : memref<8xf32>
    %part = memref.subview %registers[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    %r4 = memref.load %part[%c0] : memref<4xf32, strided<[1], offset: 4>>
    %s0 = memref.load %shared[%t] : memref<?xf32, #gpu.address_space<workgroup>>
    %s2 = vector.load %tile[%c2] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>

    // Divisions of integers: by what they divide. Those of floats are none.
    %d0 = arith.divsi %t, %n : index
    %d1 = arith.divui %t, %c2 : index
    %d2 = arith.ceildivsi %t, %c3 : index
    %d3 = arith.floordivsi %t, %n : index
    %d4 = arith.remsi %t, %c3 : index
    %d5 = arith.remui %t, %n : index
    %d6 = arith.remui %c16_i32, %s : i32
    %d7 = arith.divf %r0, %r4 : f32

    // Shuffles: of a value of some bytes.
    %l0 = fuser_gpu.shuffle xor %r0, %c16_i32 width 32 : f32
    %l1 = fuser_gpu.shuffle xor %l0, %c16_i32 width 32 : f32
    %l2 = fuser_gpu.shuffle xor %four, %c16_i32 width 32 : vector<4xf32>
    %l3 = fuser_gpu.shuffle idx %l1, %c16_i32 width 32 : f32

    // Barriers and what else orders memory.
    gpu.barrier
    gpu.barrier
    fuser_gpu.fence block
    fuser_gpu.fence device
    fuser_gpu.grid_sync %counter[] : memref<i32>
    %last = fuser_gpu.last_block %counter[], %s : memref<i32>
    %ticket = fuser_gpu.ticket %counter[], %s : memref<i32>

    // Atomics.
    %sum = memref.atomic_rmw addf %zero, %ys[%t] : (f32, memref<?xf32, strided<[1]>>) -> f32
    %most = memref.generic_atomic_rmw %tile[%c0] : memref<64xf32, #gpu.address_space<workgroup>> {
    ^bb0(%old: f32):
      %new = arith.maximumf %old, %zero : f32
      memref.atomic_yield %new : f32
    }

    // Branches and loops: each once, however often it runs.
    scf.if %last {
      scf.for %i = %c0 to %n step %c1 {
        scf.for %j = %c0 to %n step %c1 {
          memref.store %zero, %registers[%j] : memref<8xf32>
        }
      }
    } else {
      scf.if %last {
        vector.store %four, %registers[%c0] : memref<8xf32>, vector<4xf32>
      }
    }
    %chosen = scf.if %last -> (f32) {
      scf.yield %l3 : f32
    } else {
      scf.yield %zero : f32
    }
    scf.index_switch %t
    case 1 {
      scf.yield
    }
    default {
    }
    %end = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }

    // Stores, and ops of the dialect that are in no other group.
    fuser_gpu.store %half, %xs[%t] cache cs : bf16, memref<?xbf16, strided<[1]>>
    vector.store %four, %ys[%t] : memref<?xf32, strided<[1]>>, vector<4xf32>
    memref.store %chosen, %tile[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    %root = fuser_gpu.approx sqrt %chosen : f32
    %kept = fuser_gpu.keep %root : f32
    %mask = vector.constant_mask [2] : vector<4xi1>
    %some = vector.maskedload %ys[%t], %mask, %four : memref<?xf32, strided<[1]>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }
}

gpu.module @nothing {
  gpu.func @nothing() kernel
      attributes {known_block_size = array<i32: 32, 1, 1>,
                  fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>, symbols = []>} {
    gpu.return
  }
}
