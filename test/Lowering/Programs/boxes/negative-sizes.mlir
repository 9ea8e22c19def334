// A size that a call states is not negative: the call fails before it writes anything.
// RUN: not fuser-run %s --device=host --program=full --scalar=n=-1 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not fuser-run %s --device=host --program=full --check --scalar=n=-1 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not fuser-run %s --device=host --program=iota --scalar=n=-3 2>&1 | FileCheck %s --check-prefix=IOTA
// RUN: not fuser-run %s --device=host --program=expand --sizes=5x4 --scalar=n=-1 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: not fuser-run %s --device=host --program=insert --sizes=5x4 --scalar=n=4 --scalar=o=0 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: not fuser-run %s --device=host --program=in_place --sizes=6,5x4 --scalar=n=-1 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: fuser-run %s --device=host --program=full --check --scalar=n=0 | FileCheck %s
// RUN: fuser-run %s --device=host --program=expand --check --sizes=5x4 --scalar=n=0 | FileCheck %s
// CHECK: check {{.*}} ok
// FULL: fuser-run: expected 0 <= n (box of 'fuser.full'), but got 0 and -1
// IOTA: fuser-run: expected 0 <= n (box of 'fuser.iota'), but got 0 and -3
// EXPAND: fuser-run: expected 0 <= n (box of 'fuser.expand'), but got 0 and -1
// INSERT: fuser-run: expected x.size[0] <= n - o (box of 'fuser.insert_slice'), but got 5 and 4
fuser.fusion @full(%n: index) -> tensor<?xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.full %v sizes(%n) : f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.fusion @iota(%n: index) -> tensor<?xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.iota %v, %v length(%n) : f32, f32 -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
fuser.fusion @expand(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.expand %1 sizes(%n) : tensor<?x1xf32> -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
fuser.fusion @insert(%x: tensor<?x?xf32>, %n: index, %o: index) -> tensor<?xf32> {
  %v = arith.constant 2.5 : f32
  %0 = fuser.full %v sizes(%n) : f32 -> tensor<?xf32>
  %1 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.insert_slice %1 into %0 [%o] : tensor<?xf32> into tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
fuser.fusion @in_place(%y: tensor<?xf32>, %x: tensor<?x?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>)
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %v = arith.constant 2.5 : f32
  %0 = fuser.exp %y : tensor<?xf32>
  %1 = fuser.full %v sizes(%n) : f32 -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
