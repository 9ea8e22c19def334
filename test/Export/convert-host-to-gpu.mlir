// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-convert-host-to-gpu | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-convert-host-to-gpu --fuser-convert-host-to-gpu | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-convert-host-to-gpu --fuser-lower-to-nvvm > %t.mlir
// RUN: mlir-opt %t.mlir --verify-each | FileCheck %s --check-prefix=STOCK
// RUN: mlir-opt %t.mlir --convert-scf-to-cf --convert-cf-to-llvm --expand-strided-metadata --lower-affine --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts -o /dev/null
// Host functions in stock dialects: kernels of NVVM and hosts of gpu, memref, arith, func and scf verify without fuser.

// STOCK-NOT: fuser.
// STOCK: func.func @scale

// Memrefs in the layout of the arguments; what a call must satisfy is asserted; an empty grid is no launch.
// CHECK-LABEL: func.func @scale(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x8xf32, strided<[8, 1]>>, %[[A:[a-z0-9]+]]: f32) -> memref<?x8xf32>
// CHECK: %[[Y:.*]], %{{.*}} = gpu.alloc async [%{{.*}}] (%{{.*}}) : memref<?x8xf32>
// CHECK: cf.assert %{{.*}}, "expected #fuser.fact<aligned 0, 16> (schedule of kernel 'scale_0')"
// CHECK: %[[NX:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[PX:.*]] = llvm.inttoptr %[[NX]] : i64 to !llvm.ptr
// CHECK: %[[NY:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: %[[PY:.*]] = llvm.inttoptr %[[NY]] : i64 to !llvm.ptr
// CHECK: scf.if
// CHECK: gpu.launch_func @scale_0::@scale_0
// CHECK-SAME: args(%[[PX]] : !llvm.ptr, %[[A]] : f32, %[[PY]] : !llvm.ptr
// CHECK: return %[[Y]] : memref<?x8xf32>
fuser.fusion @scale(%x: tensor<?x8xf32>, %a: f32) -> tensor<?x8xf32> {
  %0 = fuser.mul %x, %a : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}

// Buffers between kernels are freed; a boundary keeps its order: memory is allocated as it lies, and seen transposed.
// CHECK-LABEL: func.func @two(
// CHECK: %[[T:.*]], %{{.*}} = gpu.alloc async [%{{.*}}] () : memref<6x4xf32>
// CHECK: %[[V:.*]] = memref.transpose %[[T]] (d0, d1) -> (d1, d0) : memref<6x4xf32> to memref<4x6xf32, strided<[1, 4]>>
// CHECK: gpu.launch_func @two_0::@two_0
// CHECK: gpu.launch_func @two_1::@two_1
// CHECK: gpu.dealloc async [%{{.*}}] %[[T]]
fuser.fusion @two(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.exp %x : tensor<4x6xf32>
  %1 = fuser.segment_set %0 : tensor<4x6xf32>
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}

// A kernel gets the address of a part; a part that is returned is a subview.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x8xi8, strided<[8, 1]>>, %[[O:[a-z0-9]+]]: index)
// CHECK: %[[P:.*]] = memref.subview %[[X]][%[[O]], 0] [2, 8] [1, 1]
// CHECK: memref.extract_aligned_pointer_as_index %[[P]]
// CHECK: %[[NUMBER:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK: llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
// CHECK: gpu.launch_func @parts_0::@parts_0
// CHECK: memref.subview %[[X]][0, 3]
// CHECK: return
fuser.fusion @parts(%x: tensor<?x8xi1>, %o: index) -> (tensor<2x8xi1>, tensor<4x?xi1>) {
  %0 = fuser.slice %x [%o, 0] [2, 8] : tensor<?x8xi1> -> tensor<2x8xi1>
  %1 = fuser.logical_not %0 : tensor<2x8xi1>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xi1>
  %2 = fuser.slice %x [0, 3] [%n, 4] : tensor<?x8xi1> -> tensor<?x4xi1>
  %3 = fuser.permute %2 [1, 0] : tensor<?x4xi1> -> tensor<4x?xi1>
  fuser.return %1, %3 : tensor<2x8xi1>, tensor<4x?xi1>
}

// Parts of a join are written where they belong.
// CHECK-LABEL: func.func @join(
// CHECK: %[[T:.*]], %{{.*}} = gpu.alloc async [%{{.*}}] () : memref<8x8xf32>
// CHECK: memref.subview %[[T]][0, 0] [4, 8] [1, 1]
// CHECK: memref.subview %[[T]][4, 0] [4, 8] [1, 1]
// CHECK-NOT: gpu.memcpy
// CHECK: return %[[T]] : memref<8x8xf32>
fuser.fusion @join(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = fuser.relu %a : tensor<4x8xf32>
  %1 = fuser.exp %b : tensor<4x8xf32>
  %2 = fuser.cat %0, %1 dim 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  fuser.return %2 : tensor<8x8xf32>
}

// An output that is a whole argument is a copy.
// CHECK-LABEL: func.func @copied(
// CHECK: %[[T:.*]], %{{.*}} = gpu.alloc async
// CHECK: cf.assert %{{.*}}, "expected buffers of equal strides in dimension 0, for a copy has none"
// CHECK: gpu.memcpy async [%{{.*}}] %{{.*}}, %{{.*}} : memref<?xf32>, memref<?xf32>
// CHECK: return %[[T]] : memref<4xf32>
fuser.fusion @copied(%x: tensor<4xf32>) -> tensor<4xf32> {
  fuser.return %x : tensor<4xf32>
}

// A reshape of an argument has its memory under other sizes and strides, those of the fastest dimension of each group.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32
// CHECK: %{{.*}}, %[[O:.*]], %[[S:.*]]:2, %{{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK: %[[R:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[O]]], sizes: [%{{.*}}, 4, 16], strides: [64, 16, 1]
// CHECK: return %[[R]]
fuser.fusion @reshaped(%x: tensor<?x64xf32>) -> tensor<?x4x16xf32> {
  %0 = fuser.reshape %x : tensor<?x64xf32> -> tensor<?x4x16xf32>
  fuser.return %0 : tensor<?x4x16xf32>
}

// What sizes must satisfy is asserted.
// CHECK-LABEL: func.func @halves(
// CHECK: %[[Q:.*]] = arith.ceildivsi %[[N:.*]], %{{.*}} : index
// CHECK: %[[P:.*]] = arith.muli %[[Q]], %{{.*}} : index
// CHECK: %[[C:.*]] = arith.cmpi eq, %[[N]], %[[P]]
// CHECK: cf.assert %[[C]], "sizes of 'fuser.reshape'"
fuser.fusion @halves(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.reshape %0 : tensor<?xf32> -> tensor<?x2xf32>
  fuser.return %1 : tensor<?x2xf32>
}
