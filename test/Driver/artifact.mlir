// An artifact that is saved runs without being compiled, and gives the same outputs; what it cannot run is refused.

// RUN: fuser-run %s --program=scale --device=host --sizes=5x8 --scalar a=-0.75 --save-artifact=%t.artifact --save-output=%t.a.npy --check \
// RUN:   | FileCheck %s --check-prefix=SAVE
// SAVE: compile
// SAVE-NEXT: artifact {{.*}}.artifact
// SAVE: check output 0: ok
// RUN: fuser-run %t.artifact --sizes=5x8 --scalar a=-0.75 --save-output=%t.b.npy | FileCheck %s --check-prefix=LOAD
// LOAD-NOT: compile
// LOAD:      program @scale
// LOAD-NEXT: arguments x: 5x8xf32
// LOAD-NEXT: a: f32 = -0.75
// LOAD-NEXT: device host
// LOAD-NEXT: kernels scale_0: grid 1, block {{.*}} (host_object
// LOAD-NEXT: load
// LOAD-NEXT: outputs 0: 5x8xf32, strides [8, 1]
// LOAD-NEXT: saved
// RUN: cmp %t.a.npy %t.b.npy
// RUN: fuser-run %t.artifact --input x=%t.a.npy --scalar a=2 --device=host | FileCheck %s --check-prefix=FILE
// FILE: outputs 0: 5x8xf32
// RUN: fuser-run %t.artifact --sizes=0x8 | FileCheck %s --check-prefix=EMPTY
// EMPTY: outputs 0: 0x8xf32

// The file is data that fuser-translate prints.
// RUN: fuser-translate --fuser-artifact-to-text %t.artifact | FileCheck %s --check-prefix=TEXT
// TEXT: artifact @scale for sm_90
// TEXT: kernel 0 scale_0: host_object

// Values of constants are in the file.
// RUN: fuser-run %S/Inputs/constant.mlir --device=host --save-artifact=%t.c.artifact --save-output=%t.c.npy
// RUN: fuser-run %t.c.artifact --save-output=%t.d.npy | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: 1: 2x3xf32
// RUN: cmp %t.c.npy %t.d.npy

// Tensors in another memory order keep it.
// RUN: fuser-run %s --program=columns --device=host --sizes=6x4 --save-artifact=%t.e.artifact --save-output=%t.e.npy
// RUN: fuser-run %t.e.artifact --sizes=6x4 --save-output=%t.f.npy
// RUN: cmp %t.e.npy %t.f.npy

// RUN: not fuser-run %t.artifact --sizes=5x7 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: fuser-run: argument 0 (x): expected sizes of tensor<?x8xf32>, but got 5x7
// RUN: not fuser-run %t.artifact --check 2>&1 | FileCheck %s --check-prefix=CHECK-OPTION
// CHECK-OPTION: fuser-run: --check: expected a program, but '{{.*}}.artifact' is an artifact, which is compiled already
// RUN: not fuser-run %t.artifact --device=reference 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: fuser-run: --device=reference: expected a program
// RUN: not fuser-run %t.artifact --no-run 2>&1 | FileCheck %s --check-prefix=STOP
// STOP: fuser-run: --no-run: expected a program
// RUN: not fuser-run %s --program=scale --device=host --no-run --save-artifact=%t.none 2>&1 | FileCheck %s --check-prefix=SAVE-STOP
// SAVE-STOP: fuser-run: --save-artifact: expected a program that runs on a device, but got --no-run
// RUN: not fuser-run %s --program=scale --device=host --save-artifact=%t.nowhere/a 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: fuser-run: --save-artifact: '{{.*}}nowhere/a{{.*}}': expected to create a file, but got: No such file or directory

// An artifact for a GPU is no artifact for the host device.
// RUN: fuser-translate --fuser-to-artifact --target=h200 %S/../../examples/mul.mlir -o %t.cuda.artifact
// RUN: not fuser-run %t.cuda.artifact --device=host 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: fuser-run: kernel 'mul_0': expected code for device host:0, but got ptx for sm_90a

// Damaged and foreign files.
// RUN: head -c 300 %t.artifact > %t.cut
// RUN: not fuser-run %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: fuser-run: '{{.*}}.cut': expected {{[0-9]+}} bytes after the header, but got 260
// RUN: cp %t.artifact %t.flipped
// RUN: printf x | dd of=%t.flipped bs=1 seek=200 conv=notrunc status=none
// RUN: not fuser-run %t.flipped 2>&1 | FileCheck %s --check-prefix=FLIPPED
// FLIPPED: fuser-run: '{{.*}}.flipped': expected content of hash
// RUN: printf 'FUSERART\x63\x00\x00\x00\x00\x00\x00\x00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' > %t.newer
// RUN: not fuser-run %t.newer 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: fuser-run: '{{.*}}.newer': expected an artifact of format version {{[0-9]+}}, but got version 99
fuser.fusion @scale(%x: tensor<?x8xf32>, %a: f32) -> tensor<?x8xf32> {
  %0 = fuser.mul %x, %a : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  fuser.return %0 : tensor<?x8xf32>
}
fuser.fusion @columns(%x: tensor<?x?xf32>) -> tensor<?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
