// A warp group copies, and two read: their threads have different numbers of registers, which expansion asks for where the roles
// begin.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops))" | FileCheck %s
// RUN: fuser-opt %s --pass-pipeline="builtin.module(canonicalize,cse,fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | FileCheck %s
// Without such groups, the producer is a warp.
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops{warp-groups=false}))" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: fuser-opt %s --fuser-lower-kernels > %t.whole
// RUN: FileCheck %s --check-prefix=IR < %t.whole
// RUN: fuser-opt %s --pass-pipeline="builtin.module(fuser_loop.kernel(fuser-pipeline-loops),canonicalize,cse)" | fuser-opt --fuser-lower-kernels | diff %t.whole -

!x = !fuser_loop.buffer<?x?xf32, global>
!y = !fuser_loop.buffer<?x256xf32, global>
!s = !fuser_loop.buffer<256xf32, shared>
!r = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @rows(%x: !x from #fuser_gpu.pointer<0> strides [symbol(%n), 1] align 16 readonly noalias,
                        %y: !y from #fuser_gpu.pointer<1> strides [256, 1] align 4 noalias,
                        %m: index from #fuser_gpu.size<0, 0>, %n: index from #fuser_gpu.size<0, 1>)
    stage reduced index_bits 32 assume (symbol(%n) mod 4 == 0) threads [256, 1, 1] grid [symbol(%m), 1, 1] {
  fuser_loop.for %b to (symbol(%m)) on block_x {
    %a = fuser_loop.buffer : !r
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 1>} replicated [block_x] : () -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
    fuser_loop.for %k to (symbol(%n) ceildiv 256) {
      %s = fuser_loop.buffer stages 4 by bulk role producer registers [40, 232] : !s
      fuser_loop.for %t to (256) on thread_x {
        fuser_loop.tile %s[%t] = %x[%b, %k * 256 + %t] if (%k * 256 + %t < symbol(%n)) : (!x) -> !s of tensor<?x?xf32>
        fuser_loop.tile %a[] = accumulate fuser.sum(%s[255 - %t]) {dims = array<i64: 1>} if (%k * 256 + 255 - %t < symbol(%n))
          : (!s) -> !r of (tensor<?x?xf32>) -> tensor<?xf32>
      }
    }
    fuser_loop.for %t to (256) on thread_x {
      fuser_loop.tile %y[%b, %t] = finalize fuser.sum(%a[]) {dims = array<i64: 1>} count [symbol(%n)] : (!r) -> !y of (tensor<?x?xf32>) -> tensor<?xf32>
    }
  }
}
// CHECK-LABEL: fuser_loop.kernel @rows(
// CHECK: threads [256, 1, 1]
// CHECK: fuser_loop.init_phases %{{.*}} arrivals 1 :
// CHECK: fuser_loop.init_phases %{{.*}} arrivals 256 :
// CHECK: fuser_loop.buffer stages 4 by bulk : !fuser_loop.buffer<4x256xf32, shared>
// CHECK-NEXT: fuser_loop.roles producers 128 registers 40 {
// CHECK: } consumers registers 232 {

// OTHER: remark: expected a target whose warp groups can have different numbers of registers (sm_90a): all threads have equal shares of the registers
// OTHER: fuser_loop.roles producers 32 {
// OTHER: } consumers {

// IR: min_blocks_per_sm = 1
// IR-SAME: known_block_size = array<i32: 384, 1, 1>
// IR: scf.if
// IR: fuser_gpu.set_max_registers decrease 40
// IR: } else {
// IR-NEXT: fuser_gpu.set_max_registers increase 232
