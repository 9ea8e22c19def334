// Files are written as a whole or not at all: after an error, a file that existed is as it was, nothing else is left in
// its folder, and the message names the file and the reason.
// RUN: rm -rf %t && mkdir %t

// A full disk: here a limit of 512 bytes.
// RUN: echo old > %t/a.npy && echo old > %t/b.mlir && echo old > %t/c.html && echo old > %t/d.ptx
// RUN: not sh -c 'ulimit -f 1; fuser-run %s --device=host --sizes=64x64 --save-output=%t/a.npy' > %t.log 2>&1
// RUN: FileCheck %s --check-prefix=SAVE --input-file=%t.log
// SAVE: a.npy: could not be written: File too large
// RUN: not sh -c 'ulimit -f 1; fuser-run %s --device=host --no-run --dump-after=lowering --dump-to=%t/b.mlir' > %t.log 2>&1
// RUN: FileCheck %s --check-prefix=DUMP --input-file=%t.log
// DUMP: b.mlir: {{.*}}File too large
// RUN: not sh -c 'ulimit -f 1; fuser-explain %s --format=html -o %t/c.html' > %t.log 2>&1
// RUN: FileCheck %s --check-prefix=EXPLAIN --input-file=%t.log
// EXPLAIN: c.html: File too large
// RUN: not sh -c 'ulimit -f 1; fuser-opt %s --fuser-to-kernel-ir --mlir-print-op-generic -o %t/b.mlir' > %t.log 2>&1
// RUN: FileCheck %s --check-prefix=OPT --input-file=%t.log
// OPT: b.mlir: File too large
// RUN: fuser-opt %s --fuser-to-kernel-ir > %t.kernel.mlir
// RUN: not sh -c 'ulimit -f 1; fuser-opt %t.kernel.mlir --pass-pipeline="builtin.module(gpu.module(fuser-lower-to-nvvm),fuser-emit-ptx{output=%t/d.ptx})" -o /dev/null' > %t.log 2>&1
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.log
// PTX: expected to write '{{.*}}d.ptx', but got: File too large
// RUN: cat %t/a.npy %t/b.mlir %t/c.html %t/d.ptx | FileCheck %s --check-prefix=OLD
// OLD-COUNT-4: old
// RUN: ls %t | wc -l | FileCheck %s --check-prefix=LEFT
// LEFT: {{^ *4$}}

// What is no file is written where it is.
// RUN: not fuser-run %s --device=host --sizes=64x64 --save-output=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not fuser-opt %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not fuser-explain %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: /dev/full: {{.*}}No space left on device
// RUN: not sh -c 'fuser-opt %s > /dev/full' 2>&1 | FileCheck %s --check-prefix=STDOUT
// RUN: not sh -c 'fuser-explain %s > /dev/full' 2>&1 | FileCheck %s --check-prefix=STDOUT
// RUN: not sh -c 'fuser-count-kernel %t.kernel.mlir > /dev/full' 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: standard output: No space left on device
// RUN: fuser-opt %s -o - | FileCheck %s --check-prefix=DASH
// DASH: fuser.fusion @f

// A folder, and a folder that does not exist; a file of which nobody may write.
// RUN: not fuser-opt %s -o %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: {{.*}}: Is a directory
// RUN: not fuser-explain %s -o %t/none/c.html 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: c.html: No such file or directory

// Permissions and links stay.
// RUN: chmod 640 %t/b.mlir && ln -s b.mlir %t/link.mlir && fuser-opt %s -o %t/link.mlir
// RUN: stat -c '%%a %%F' %t/b.mlir %t/link.mlir | FileCheck %s --check-prefix=MODE
// MODE: 640 regular file
// MODE: symbolic link
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
