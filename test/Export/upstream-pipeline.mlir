// The module after fuser-lower-to-nvvm or fuser-emit-ptx goes through upstream's pipelines to LLVM IR, for every example.
// RUN: for file in %examples/*.mlir %s; do \
// RUN:   fuser-opt $file --fuser-to-kernel-ir --fuser-convert-host-to-gpu --fuser-lower-to-nvvm > %t.nvvm.mlir && \
// RUN:   mlir-opt %t.nvvm.mlir --one-shot-bufferize=bufferize-function-boundaries \
// RUN:     --gpu-lower-to-nvvm-pipeline="cubin-chip=sm_90 cubin-features=+ptx86 cubin-format=isa" > %t.llvm.mlir && \
// RUN:   mlir-translate --mlir-to-llvmir %t.llvm.mlir -o %t.ll && \
// RUN:   fuser-opt $file --fuser-to-kernel-ir --fuser-convert-host-to-gpu --fuser-emit-ptx > %t.ptx.mlir && \
// RUN:   mlir-opt %t.ptx.mlir --gpu-lower-to-nvvm-pipeline="cubin-format=isa" > %t.llvm2.mlir && \
// RUN:   mlir-translate --mlir-to-llvmir %t.llvm2.mlir -o %t.2.ll && \
// RUN:   cat %t.ll %t.2.ll | FileCheck %s --check-prefix=ALL || exit 1; \
// RUN: done
// RUN: FileCheck %s --input-file=%t.nvvm.mlir
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=HOST
// Functions of libdevice are linked.
// ALL-NOT: extern .func
// ALL: define {{.*}}@{{.*}}({{.*}}) {
// ALL: @mgpuLaunchKernel
// ALL-NOT: extern .func
// ALL: @mgpuLaunchKernel
// ALL-NOT: extern .func

// The launch passes what the kernel takes: a pointer for a buffer, whatever its rank, and sizes of the kernel's width.
// CHECK: llvm.func @scale_0(%{{[a-z0-9]+}}: !llvm.ptr {{{[^}]*}}}, %{{[a-z0-9]+}}: f32, %{{[a-z0-9]+}}: !llvm.ptr {{{[^}]*}}}, %{{[a-z0-9]+}}: i64) attributes
// CHECK: llvm.func internal @__nv_sinf(
// CHECK: gpu.launch_func @scale_0::@scale_0
// CHECK-SAME: args(%{{[^ ]+}} : !llvm.ptr, %{{[^ ]+}} : f32, %{{[^ ]+}} : !llvm.ptr, %{{[^ ]+}} : i64)
// HOST: define {{.*}} @scale(
// HOST: call void @mgpuLaunchKernel({{.*}}, ptr null, i64 4)
fuser.fusion @scale(%x: tensor<?x8xf32>, %a: f32) -> tensor<?x8xf32> {
  %0 = fuser.mul %x, %a : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  %1 = fuser.sin %0 : tensor<?x8xf32>
  fuser.return %1 : tensor<?x8xf32>
}

// Views, orders, booleans, copies, workspaces that are cleared, complex scalars.
// HOST: define {{.*}} @parts(
fuser.fusion @parts(%x: tensor<?x8xi1>, %o: index) -> (tensor<2x8xi1>, tensor<4x?xi1>) {
  %0 = fuser.slice %x [%o, 0] [2, 8] : tensor<?x8xi1> -> tensor<2x8xi1>
  %1 = fuser.logical_not %0 : tensor<2x8xi1>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xi1>
  %2 = fuser.slice %x [0, 3] [%n, 4] : tensor<?x8xi1> -> tensor<?x4xi1>
  %3 = fuser.permute %2 [1, 0] : tensor<?x4xi1> -> tensor<4x?xi1>
  fuser.return %1, %3 : tensor<2x8xi1>, tensor<4x?xi1>
}
fuser.fusion @two(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.exp %x : tensor<4x6xf32>
  %1 = fuser.segment_set %0 : tensor<4x6xf32>
  %2 = fuser.neg %1 : tensor<4x6xf32>
  fuser.return %2 : tensor<4x6xf32>
}
fuser.fusion @copied(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  fuser.return %x : tensor<4x8xf32>
}
fuser.fusion @sum(%x: tensor<1048576xf32>) -> tensor<f32> {
  %0 = fuser.sum %x dims [0] : tensor<1048576xf32> -> tensor<f32>
  fuser.return %0 : tensor<f32>
}
fuser.fusion @complex(%x: tensor<?xcomplex<f32>>, %a: complex<f32>) -> tensor<?xcomplex<f32>> {
  %0 = fuser.mul %x, %a : (tensor<?xcomplex<f32>>, complex<f32>) -> tensor<?xcomplex<f32>>
  fuser.return %0 : tensor<?xcomplex<f32>>
}
fuser.fusion @large(%x: tensor<?x1048576xbf16>) -> tensor<?x1048576xbf16> {
  %0 = fuser.tanh %x : tensor<?x1048576xbf16>
  fuser.return %0 : tensor<?x1048576xbf16>
}
