// Another order of passes fails and names the pass to run first (docs/guides/embed-fuser.md).
// RUN: not fuser-opt %s --one-shot-bufferize 2>&1 | FileCheck %s --check-prefix=BUFFERIZE
// RUN: not fuser-opt %s --fuser-to-kernel-ir --one-shot-bufferize 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-convert-host-to-gpu --one-shot-bufferize -o /dev/null
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-convert-host-to-gpu > %t.mlir
// RUN: not mlir-opt %t.mlir --load-dialect-plugin=%plugin --pass-pipeline="builtin.module(gpu-lower-to-nvvm-pipeline{cubin-format=isa})" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KERNEL
// RUN: fuser-opt %s --fuser-to-kernel-ir > %t.mlir
// RUN: not mlir-opt %t.mlir --load-dialect-plugin=%plugin --pass-pipeline="builtin.module(convert-arith-to-llvm)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LLVM
// REQUIRES: plugin

// BUFFERIZE: 'fuser.fusion' op expected no tensors of fuser: run fuser-to-kernel-ir and fuser-convert-host-to-gpu before one-shot-bufferize, or set its option allow-unknown-ops
// HOST: 'fuser.host' op expected no tensors of fuser: run fuser-convert-host-to-gpu before one-shot-bufferize
// KERNEL: expected 'fuser_gpu.{{.*}}run fuser-lower-to-nvvm before other passes lower the kernel
// LLVM: in fuser.host: run fuser-to-kernel-ir and fuser-convert-host-to-gpu before passes that lower to the llvm dialect
fuser.fusion @exp(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuser.exp %x : tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
