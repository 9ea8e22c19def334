// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fuser-convert-linalg-to-fuser,fuser-phase-preseg,canonicalize)' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(fuser-convert-linalg-to-fuser,fuser-to-kernel-ir{target=h200})' \
// RUN:   | FileCheck %s --check-prefix=KERNEL
// Debian's own mlir-opt knows our dialects and passes once it has loaded the plugin.

// CHECK-LABEL: fuser.fusion @scale(
// CHECK: fuser.mul
// CHECK-NOT: linalg
// KERNEL: gpu.func @scale_0
#id = affine_map<(d0) -> (d0)>
func.func @scale(%x: tensor<100xf32>) -> tensor<100xf32> {
  %two = arith.constant 2.0 : f32
  %init = tensor.empty() : tensor<100xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<100xf32>) outs(%init : tensor<100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %two : f32
    linalg.yield %m : f32
  } -> tensor<100xf32>
  return %0 : tensor<100xf32>
}
