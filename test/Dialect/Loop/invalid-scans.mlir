// One fault for each piece: steps of scans.
// RUN: fuser-opt %s --split-input-file --verify-diagnostics

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @no_step(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a step of fuser.cumsum}}
  fuser_loop.tile %a[] = fuser.cumsum(%x[0]) {dim = 0 : i64} : (!x) -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @count(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected no count of what is scanned, but got 1}}
  fuser_loop.tile %x[0] = finalize fuser.cumsum(%a[]) {dim = 0 : i64} count [symbol(%n)] : (!a) -> !x of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @shuffled(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage reduced index_bits 64 threads [64, 1, 1] grid [1, 1, 1] {
  %a = fuser_loop.buffer : !a
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{expected a reduction, but got fuser.cumsum}}
  fuser_loop.tile %a[] = shuffle 1 fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>

fuser_loop.kernel @no_scan(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected a reduction or a scan, but got fuser.exp}}
  fuser_loop.tile %a[] = initial fuser.exp() : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}

// -----

!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f16, register>

fuser_loop.kernel @other_type(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4, %n: index from #fuser_gpu.size<0, 0>)
    stage loops index_bits 64 {
  %a = fuser_loop.buffer : !a
  // expected-error @+1 {{expected accumulators of 'f32' in registers, but got '!fuser_loop.buffer<f16, register>'}}
  fuser_loop.tile %a[] = initial fuser.cumsum() {dim = 0 : i64} : () -> !a of (tensor<?xf32>) -> tensor<?xf32>
}
