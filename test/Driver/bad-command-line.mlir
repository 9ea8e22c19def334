// What does not fit the program is refused with the argument, what was expected and what came; nothing crashes.

// RUN: not fuser-run %s --device=reference --size x=3 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: fuser-run: argument 0 (x): expected sizes of tensor<?x4xf32>, but got 3
// RUN: not fuser-run %s --device=reference --size x=3x5 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: fuser-run: argument 0 (x): expected sizes of tensor<?x4xf32>, but got 3x5
// RUN: not fuser-run %s --device=reference --size x=-3x4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: fuser-run: argument 0 (x): expected sizes such as 4096x5002 of at most 2^40 elements, but got -3x4
// RUN: not fuser-run %s --device=reference --size x=9999999999999x4 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: fuser-run: argument 0 (x): expected sizes such as 4096x5002 of at most 2^40 elements, but got 9999999999999x4
// RUN: not fuser-run %s --device=reference --size z=3x4 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: fuser-run: --size z=3x4: expected one of the arguments x, y, s of @f, but got z
// RUN: not fuser-run %s --device=reference --size 7=3x4 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: fuser-run: --size 7=3x4: expected one of the arguments x, y, s of @f, but got 7
// RUN: not fuser-run %s --device=reference --size 3x4 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: fuser-run: --size 3x4: expected ARGUMENT=VALUE
// RUN: not fuser-run %s --device=reference --size x=3x4 --size 0=3x4 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: fuser-run: --size 0=3x4: expected argument 0 (x) once, but got it twice
// RUN: not fuser-run %s --device=reference --size x=3x4 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: fuser-run: argument 1 (y) of type tensor<?xf32>: expected sizes (--size y=...), but got none
// RUN: not fuser-run %s --device=reference --sizes=3x4,3 --size s=3 2>&1 | FileCheck %s --check-prefix=SCALAR-SIZE
// SCALAR-SIZE: fuser-run: argument 2 (s): expected no sizes of a scalar, but got 3
// RUN: not fuser-run %s --device=reference --sizes=3x4 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: fuser-run: --sizes 3x4: expected sizes of 2 tensor arguments, but got 1
// RUN: not fuser-run %s --device=reference --scalar s=many 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: fuser-run: argument 2 (s): expected a value of type i64, but got many
// RUN: not fuser-run %s --device=reference --scalar x=1 2>&1 | FileCheck %s --check-prefix=NO-SCALAR
// NO-SCALAR: fuser-run: argument 0 (x): expected a scalar to give a value to, but got tensor<?x4xf32>
// RUN: not fuser-run %s --device=reference --range x=1:1 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: fuser-run: argument 0 (x): expected a range LOW:HIGH with LOW below HIGH, but got 1:1
// RUN: not fuser-run %s --device=reference --input x=%t.missing.npy --size y=4 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not fuser-run %s --device=reference --input x=%t.missing.npy 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: missing.npy: No such file or directory
// RUN: fuser-run %s --device=reference --save-output=%t.npy
// RUN: not fuser-run %s --device=reference --input y=%t.npy --size x=3x4 2>&1 | FileCheck %s --check-prefix=FILE-RANK
// FILE-RANK: fuser-run: argument 1 (y) from {{.*}}.npy: expected tensor<?xf32>, but got 128x4xf32
// RUN: not fuser-run %s --device=reference --input s=%t.npy --sizes=3x4,3 2>&1 | FileCheck %s --check-prefix=FILE-TYPE
// FILE-TYPE: fuser-run: argument 2 (s) from {{.*}}.npy: expected elements of type i64, but got f32
// RUN: not fuser-run %s --device=reference --input x=%t.npy --sizes=3x4,3 2>&1 | FileCheck %s --check-prefix=FILE-AND-SIZE
// FILE-AND-SIZE: fuser-run: argument 0 (x): expected nothing besides its file

// Sizes that the program itself refuses are an error at its op.
// RUN: not fuser-run %s --device=reference --sizes=3x4,5 2>&1 | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: bad-command-line.mlir:[[#]]:{{.*}}: error: 'fuser.add' op expected dimension 0 of operand 1 to be 3, but got 5

// RUN: not fuser-run %s --device=reference --program=g 2>&1 | FileCheck %s --check-prefix=NO-PROGRAM
// NO-PROGRAM: error: expected --program= with the name of one of @f, but got g
// RUN: not fuser-run %t.nothing.mlir 2>&1 | FileCheck %s --check-prefix=NO-MLIR
// NO-MLIR: error: cannot open input file '{{.*}}nothing.mlir': No such file or directory
// RUN: not fuser-run %s --device=host --sizes=1000000x4,999999999999 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: fuser-run: argument 1 (y): expected arguments that fit the machine's {{[0-9]+}} bytes of memory, but up to this one they take 16000063999984 bytes
// RUN: not fuser-run %s --device=host --check --atol=nan 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: fuser-run: --atol: expected a number of at least 0, but got nan
// RUN: not fuser-run %s --device=host --check --rtol=-1 2>&1 | FileCheck %s --check-prefix=TOLERANCE-SIGN
// TOLERANCE-SIGN: fuser-run: --rtol: expected a number of at least 0, but got -1
// RUN: not fuser-run %s --device=host --default-size=-1 2>&1 | FileCheck %s --check-prefix=DEFAULT-SIZE
// DEFAULT-SIZE: fuser-run: --default-size: expected a size of at least 0, but got -1
// RUN: not fuser-run %s --device=toaster 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: Cannot find option named 'toaster'
fuser.fusion @f(%x: tensor<?x4xf32>, %y: tensor<?xf32>, %s: i64) -> tensor<?x4xf32> {
  %0 = fuser.broadcast %y dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %1 = fuser.add %x, %0 : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  fuser.return %1 : tensor<?x4xf32>
}
