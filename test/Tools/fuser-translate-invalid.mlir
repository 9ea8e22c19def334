// RUN: not fuser-translate %s --fuser-to-ptx 2>&1 | FileCheck %s
// RUN: not fuser-translate %s --fuser-to-artifact-text --target=toaster 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: expected one of a100, {{.*}}, but got 'toaster'
// A kernel that cannot be emitted fails the translation, after one that can.

// CHECK: error: expected tensors as memrefs of rank 0 in global memory, but argument 0 is 'memref<4xf32>'
gpu.module @good {
  gpu.func @good() kernel { gpu.return }
}
gpu.module @bad {
  gpu.func @bad(%x: memref<4xf32>) kernel { gpu.return }
}
