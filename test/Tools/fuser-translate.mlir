// RUN: fuser-translate %s --fuser-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: fuser-translate %s --fuser-to-ptx --target=sm_80 | FileCheck %s --check-prefix=AMPERE
// RUN: fuser-translate %s --fuser-to-artifact-text --target=h200 --sizes=128,4096 > %t.txt
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// The binary form says the same.
// RUN: fuser-translate %s --fuser-to-artifact --target=h200 --sizes=128,4096 -o %t.fuser
// RUN: fuser-translate %t.fuser --fuser-artifact-to-text | diff - %t.txt
// Kernels of the host are objects.
// RUN: fuser-translate %s --fuser-to-artifact-text --device=host | FileCheck %s --check-prefix=HOST
// From later phases: a host function with kernels, and kernel IR alone.
// RUN: fuser-opt %s --fuser-phase-preseg --fuser-phase-segmentation | fuser-translate --fuser-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: fuser-opt %s --pass-pipeline='builtin.module(fuser-to-kernel-ir)' -o %t.mlir
// RUN: fuser-translate %t.mlir --fuser-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %python -c "import sys; text = open(sys.argv[1]).read(); print(text[:text.index('fuser.host')] + '}')" %t.mlir | fuser-translate --fuser-to-ptx --target=sm_80 | FileCheck %s --check-prefix=AMPERE
// PTX is for a GPU, whatever the device of an artifact is.
// RUN: fuser-translate %s --fuser-to-ptx --device=host | FileCheck %s --check-prefix=PTX
// The binary form is of the device, too.
// RUN: fuser-translate %s --fuser-to-artifact --device=host | fuser-translate --fuser-artifact-to-text | FileCheck %s --check-prefix=HOST
// What is wrong is said.
// RUN: not fuser-translate %s --fuser-to-ptx --target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not fuser-translate %s --fuser-to-artifact --target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not fuser-translate %s --fuser-to-artifact-text --target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: echo "gpu.module @a {}" | not fuser-translate --fuser-to-ptx --target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: echo "module {}" | not fuser-translate --fuser-to-ptx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fuser-translate %s --fuser-artifact-to-text 2>&1 | FileCheck %s --check-prefix=DAMAGED
// RUN: %python -c "import sys; data = open(sys.argv[1], 'rb').read(); open(sys.argv[2], 'wb').write(data[:-1])" %t.fuser %t.cut
// RUN: not fuser-translate %t.cut --fuser-artifact-to-text 2>&1 | FileCheck %s --check-prefix=DAMAGED

// PTX: .target sm_90
// PTX: .visible .entry twice_0(
// AMPERE: .target sm_80
// AMPERE: .visible .entry twice_0(
// TEXT: artifact @twice for sm_90a (NVIDIA H200)
// TEXT: kernel 0 twice_0: ptx
// TEXT: launch twice_0(%x, %1, x.size[0] : i32, x.size[1] : i32)
// HOST: kernel 0 twice_0: host_object
// TARGET: error: expected {{.*}}sm_1
// NONE: error: expected a fuser.fusion, a fuser.host or a gpu.module, but got none
// DAMAGED: :0:0: error: expected {{.*}}
fuser.fusion @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
