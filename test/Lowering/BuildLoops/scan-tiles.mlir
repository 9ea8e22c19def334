// Scans of tiles: elements are collected, scanned by each thread and over the threads, and combined with what precedes the tile.
// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: fuser-opt %s --fuser-build-loops --canonicalize --cse | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -
// RUN: fuser-opt %s --fuser-build-loops | fuser-opt --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-plan-launch,fuser-plan-reductions,fuser-place-buffers,fuser-insert-barriers),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

// Two vectors for each thread, and a tuple that is carried from one tile to the next. Of two runs of elements, `before` has what
// precedes each; that of the threads is updated by that of the tiles and runs before.
#rows = #fuser.domain<logical = [i0, i1], split(i1, 4) -> (i2, i3), split(i2, 64) -> (i4, i5), split(i4, 2) -> (i6, i7),
                      loop = [i0 @block_x, i6, i7 @unroll, i5 @thread_x, i3 @vectorize]>
fuser.kernel @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {facts = [#fuser.fact<divisible 0[1], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.cumsum %x dim 1 {domains = [#rows], memory = #fuser.memory<global>} : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK: fuser_loop.for %[[B:.*]] to ({{.*}}) on block_x {
// CHECK-NEXT: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<1xf32, register>
// CHECK-NEXT: fuser_loop.tile %[[C]][0] = initial fuser.cumsum()
// CHECK: fuser_loop.for %[[K:.*]] to ({{.*}}) {
// CHECK: %[[E:.*]] = fuser_loop.buffer : !fuser_loop.buffer<1x2x4xf32, register>
// CHECK: fuser_loop.tile %[[E]][0, %{{.*}}, %{{.*}}] = initial fuser.cumsum()
// CHECK: fuser_loop.for %[[U:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// CHECK-NEXT: fuser_loop.for %[[V:.*]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %[[E]][0, %[[U]], %[[V]]] = lift fuser.cumsum(%{{.*}}) {{.*}} if ((%[[K]] * 2 + %[[U]]) * 64 + %[[T]] < symbol(%{{.*}}) ceildiv 4)
// CHECK: %[[S:.*]] = fuser_loop.buffer : !fuser_loop.buffer<1x2x4xf32, register>
// CHECK: fuser_loop.tile %[[S]][0, %[[R:.*]], %[[I:.*]]] = %[[E]][0, %[[R]], %[[I]]]
// CHECK: fuser_loop.for %[[R:.*]] to (2) on unroll {
// CHECK-NEXT: fuser_loop.for %[[I:.*]] to (3) on unroll {
// CHECK-NEXT: fuser_loop.tile %[[S]][0, %[[R]], %[[I]] + 1] = prepend fuser.cumsum(%[[S]][0, %[[R]], %[[I]]])
// CHECK: %[[A:.*]] = fuser_loop.buffer : !fuser_loop.buffer<1x2xf32, register>
// CHECK: fuser_loop.tile %[[A]][0, %[[R:.*]]] = %[[S]][0, %[[R]], 3]
// CHECK: fuser_loop.scan %[[A]] before %[[P:.*]] by fuser.cumsum {dim = 1 : i64} over [thread_x] lanes 1
// CHECK: fuser_loop.tile %[[Q:.*]][0] = %[[C]][0]
// CHECK: fuser_loop.tile %[[P]][0, %[[R:.*]]] = prepend fuser.cumsum(%[[Q]][0])
// CHECK: fuser_loop.tile %[[Q]][0] = merge fuser.cumsum(%[[A]][0, %[[R]]])
// CHECK: fuser_loop.tile %[[C]][0] = %[[Q]][0]
// CHECK: fuser_loop.tile %[[S]][0, %[[R:.*]], %{{.*}}] = prepend fuser.cumsum(%[[P]][0, %[[R]]])
// CHECK: fuser_loop.for %[[V:.*]] to (4) on vectorize {
// CHECK-NEXT: fuser_loop.tile %{{.*}} = finalize fuser.cumsum(%[[S]][0, %{{.*}}, %[[V]]])

// Threads in y, then x, of which the latter have vectors of columns: a tuple for each lane, over the blocks that precede.
#columns = #fuser.domain<logical = [i0, i1], split(i1, 2) -> (i2, i3), split(i2, 4) -> (i4, i5), split(i0, 2) -> (i6, i7), split(i6, 8) -> (i8, i9),
                   loop = [i4 @block_y, i8 @block_x, i9 @thread_y, i7 @unroll, i5 @thread_x, i3 @vectorize]>
fuser.kernel @columns(%x: tensor<?x?xi64>) -> tensor<?x?xi64>
    attributes {facts = [#fuser.fact<divisible 0[1], 2>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>]} {
  %0 = fuser.cummax %x dim 0 {domains = [#columns], memory = #fuser.memory<global>} : tensor<?x?xi64> -> tensor<?x?xi64>
  fuser.return %0 : tensor<?x?xi64>
}
// CHECK-LABEL: fuser_loop.kernel @columns(
// CHECK: lift fuser.cummax(
// CHECK: fuser_loop.scan %{{.*}} before %[[P:.*]] by fuser.cummax {dim = 0 : i64} over [thread_y] lanes 2
// CHECK: fuser_loop.scan %{{.*}} before %[[Q:.*]] by fuser.cummax {dim = 0 : i64} over [block_x] equal [thread_y] lanes 2
// CHECK-NEXT: : !fuser_loop.buffer<1x2xi64, register>
// CHECK: fuser_loop.tile %[[P]][0, 0, %[[V:.*]]] = prepend fuser.cummax(%[[Q]][0, %[[V]]])

// One element for each thread: the tile has no loop but those of the launch.
#bare = #fuser.domain<logical = [i0, i1], loop = [i0, i1 @thread_x], allocation = [i0, i1]>
fuser.kernel @bare(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = fuser.cumsum %x dim 1 {domains = [#bare], memory = #fuser.memory<global>} : tensor<?x64xf32> -> tensor<?x64xf32>
  fuser.return %0 : tensor<?x64xf32>
}
// CHECK-LABEL: fuser_loop.kernel @bare(
// CHECK: fuser_loop.for %[[T:.*]] to (64) on thread_x {
// CHECK: fuser_loop.tile %[[E:.*]][0, 0, 0] = initial {{.*}} replicated [thread_x]
// CHECK: fuser_loop.tile %[[E]][0, 0, 0] = lift fuser.cumsum(%{{.*}}[%{{.*}}, %[[T]]])
// CHECK-NOT: prepend
// CHECK: fuser_loop.scan {{.*}} over [thread_x]
// CHECK: fuser_loop.tile %{{.*}}[%{{.*}}, %[[T]]] = finalize
