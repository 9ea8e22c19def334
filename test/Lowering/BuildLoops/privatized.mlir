// RUN: fuser-opt %s --fuser-build-loops | FileCheck %s
// RUN: fuser-opt %s --fuser-phase-loops --fuser-phase-launched --fuser-phase-reduced --fuser-phase-pipelined --fuser-phase-placed --fuser-phase-synchronized --fuser-phase-accessed --fuser-phase-guarded | FileCheck %s --check-prefix=GUARDED
// RUN: fuser-opt %s --fuser-phase-loops --fuser-phase-launched --fuser-phase-reduced --fuser-phase-pipelined --fuser-phase-placed --fuser-phase-synchronized | FileCheck %s --check-prefix=BARRIERS
// A block combines its elements in a copy in shared memory, which its threads fill before and combine with the argument after.

#parts = #fuser.domain<logical = [i0, i1], split(i1, 32) -> (i2, i3), split(i2, 4) -> (i4, i5), loop = [i0 @block_x, i4 @block_y, i5, i3 @thread_x], allocation = [i0, i1]>
// CHECK-LABEL: fuser_loop.kernel @rows
// CHECK: fuser_loop.for %[[B:.*]] to (7) on block_x {
// CHECK: fuser_loop.for %[[P:.*]] to (8) on block_y {
// CHECK: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<99xi32, shared>
// CHECK: %[[ID:.*]] = arith.constant 2147483647 : i64
// CHECK: fuser_loop.for %[[R:.*]] to (4) {
// CHECK: fuser_loop.for %[[T:.*]] to (32) on thread_x {
// CHECK: fuser_loop.tile %[[C]][%[[R]] * 32 + %[[T]]] = fuser.full(%[[ID]] scalar) if (%[[R]] * 32 + %[[T]] < 99)
// CHECK: fuser_loop.for %[[S:.*]] to (4) {
// CHECK: %[[K:.*]] = fuser_loop.index
// CHECK: fuser_loop.tile %[[C]][%[[K]]] where (%[[K]] < 99) = %{{.*}} combine min if ((%[[P]] * 4 + %[[S]]) * 32 + %{{.*}} < 1000)
// CHECK: fuser_loop.for %[[R:.*]] to (4) {
// CHECK: fuser_loop.for %[[T:.*]] to (32) on thread_x {
// CHECK: fuser_loop.tile %{{.*}}[%[[B]], %[[R]] * 32 + %[[T]]] = %[[C]][%[[R]] * 32 + %[[T]]] combine min if (%[[R]] * 32 + %[[T]] < 99, %[[B]] < 8)
//
// Nothing is read or combined before others have written, which no pair of combinations has to wait for.
// BARRIERS-LABEL: fuser_loop.kernel @rows
// BARRIERS: fuser_loop.tile %{{.*}} = fuser.full
// BARRIERS: fuser_loop.barrier
// BARRIERS: fuser_loop.for
// BARRIERS-NOT: fuser_loop.barrier
// BARRIERS: combine min
// BARRIERS: fuser_loop.barrier
// BARRIERS: combine min
// BARRIERS-NOT: fuser_loop.barrier
//
// BARRIERS-LABEL: fuser_loop.kernel @groups
//
// The argument has as many rows as the source at least.
// GUARDED-LABEL: fuser_loop.kernel @rows
// GUARDED: fuser_loop.if (%[[R:[a-z0-9]*]] * 32 + %[[T:[a-z0-9]*]] < 99) {
// GUARDED-NEXT: fuser_loop.tile %{{.*}}{%[[R]] * 32 + %[[T]]} by 1 align 4 = fuser.full
// GUARDED: fuser_loop.if (%[[R:[a-z0-9]*]] * 32 + %[[T:[a-z0-9]*]] < 99) {
// GUARDED-NEXT: fuser_loop.tile %{{.*}}{%{{.*}} * 99 + %[[R]] * 32 + %[[T]]} by 1 align 4 = %{{.*}} combine min
fuser.kernel @rows(%s: tensor<7x1000xi32>, %i: tensor<7x1000xi64>, %x: tensor<8x99xi32>) -> tensor<8x99xi32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.push %s at %i into %x dim 1 reduce min {domains = [#parts], memory = #fuser.memory<global>, fuser.privatized}
    : tensor<7x1000xi32>, tensor<7x1000xi64>, tensor<8x99xi32>
  fuser.return %0 : tensor<8x99xi32>
}

// Rows of columns that are combined as wholes: the copy has all of them. Threads along two types fill it in one order.
#groups = #fuser.domain<logical = [i0, i1], split(i0, 8) -> (i2, i3), split(i2, 16) -> (i4, i5), loop = [i4 @block_x, i5, i3 @thread_y, i1 @thread_x], allocation = [i0, i1]>
// CHECK-LABEL: fuser_loop.kernel @groups
// CHECK: %[[C:.*]] = fuser_loop.buffer : !fuser_loop.buffer<10x24xf32, shared>
// CHECK: fuser_loop.for %[[R:.*]] to (2) {
// CHECK: fuser_loop.for %[[Y:.*]] to (8) on thread_y {
// CHECK: fuser_loop.for %[[T:.*]] to (24) on thread_x {
// CHECK: fuser_loop.tile %[[C]][%[[R]] * 8 + %[[Y]] + %[[T]] floordiv 24, %[[T]] mod 24] = fuser.full
// CHECK: fuser_loop.tile %[[C]][%[[K:.*]], %[[X:[a-z0-9]*]]] where (%[[K]] < 10) = %{{.*}}, %[[X]]] combine add
fuser.kernel @groups(%s: tensor<?x24xf32>, %i: tensor<?x24xi64>, %x: tensor<10x24xf32>) -> tensor<10x24xf32>
    attributes {aliases = [#fuser.alias<output 0, input 2>]} {
  %0 = fuser.push %s at %i into %x dim 0 reduce add {domains = [#groups], memory = #fuser.memory<global>, fuser.privatized}
    : tensor<?x24xf32>, tensor<?x24xi64>, tensor<10x24xf32>
  fuser.return %0 : tensor<10x24xf32>
}
