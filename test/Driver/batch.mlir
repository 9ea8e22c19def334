// A file of command lines: each runs as it would alone, options of one do not reach the next, and the failed ones say what a
// run of their own says.

// RUN: echo "%s --device=reference --program=double --size x=5" > %t.lines
// RUN: echo "" >> %t.lines
// RUN: echo "%s --device=host --program=double --size x=5 --check --rtol=1e-3" >> %t.lines
// RUN: echo "'%s' --device=host --program=root --size x=5 --range x=1:2 --check" >> %t.lines
// RUN: fuser-run --batch %t.lines | FileCheck %s --check-prefix=GOOD
// GOOD:      ok {{.*}} --device=reference --program=double --size x=5
// GOOD-NEXT: ok {{.*}} --program=double --size x=5 --check --rtol=1e-3
// GOOD-NEXT: ok {{.*}} --program=root --size x=5 --range x=1:2 --check
// GOOD-NEXT: 3 passed, 0 failed

// RUN: echo "%s --program=double --size y=3" >> %t.lines
// RUN: echo "%s --device=toaster" >> %t.lines
// RUN: echo "%t.lines --batch" >> %t.lines
// RUN: echo "%s --device=host --program=root --size x=3" >> %t.lines
// RUN: not fuser-run --batch - < %t.lines | FileCheck %s --check-prefix=BAD
// BAD-COUNT-3: {{^}}ok
// BAD-NEXT: {{^}}FAIL {{.*}} --program=double --size y=3{{$}}
// BAD-NEXT: {{^}}  fuser-run: --size y=3: expected one of the arguments x of @double, but got y
// BAD-NEXT: {{^}}FAIL {{.*}} --device=toaster
// BAD-NEXT: {{^}}FAIL {{.*}} --batch
// BAD-NEXT: {{^}}  fuser-run: expected a command line without --batch in a batch
// BAD-NEXT: {{^}}ok {{.*}} --size x=3
// BAD-NEXT: 4 passed, 3 failed

// RUN: not fuser-run --batch %t.nothing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: fuser-run: {{.*}}nothing: No such file or directory
fuser.fusion @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.fusion @root(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.sqrt %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
