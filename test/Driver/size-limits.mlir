// Sizes of at most 2^40 elements in all, where those of 0 and 1 count once. Arrays without elements take no memory.

// RUN: fuser-run %s --device=reference --size x=0x1099511627776 --check | FileCheck %s --check-prefix=EMPTY
// RUN: fuser-run %s --device=host --size x=0x1099511627776 --check | FileCheck %s --check-prefix=EMPTY
// EMPTY: outputs 0: 0x1099511627776xf32
// RUN: not fuser-run %s --device=host --size x=1x1099511627776 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not fuser-run %s --device=host --size x=1048576x1048576 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: argument 0 (x): expected arguments that fit the machine's {{[0-9]+}} bytes of memory, but up to this one they take 17592186044416 bytes
// RUN: not fuser-run %s --device=host --size x=1x1099511627777 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not fuser-run %s --device=host --size x=1048576x1048577 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not fuser-run %s --device=host --size x=0x1099511627777 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: argument 0 (x): expected sizes such as 4096x5002 of at most 2^40 elements, but got {{[01]}}

fuser.fusion @relu(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.relu %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
