// RUN: fuser-opt %s --split-input-file --fuser-chain-launches -verify-diagnostics | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-chain-launches --fuser-chain-launches | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-chain-launches=all 2>/dev/null | FileCheck %s --check-prefix=ALL
// RUN: fuser-opt %s --split-input-file --fuser-chain-launches=supported=false 2>/dev/null | FileCheck %s --check-prefix=NONE

// NONE-NOT: fuser.dependent
// NONE-NOT: fuser_gpu.wait_dependencies
// NONE-NOT: fuser_gpu.launch_dependents

// The second kernel loads what no launch writes, and makes its barrier, before it waits for the first one. What the first
// one writes is no longer a fact not to change. The launch is to begin as early as possible, so that the first kernel has a
// trigger.
// CHECK-LABEL: gpu.func @first(
// CHECK-SAME: %{{[^:]*}}: memref<f32> {{{.*}}fuser_gpu.readonly}
// CHECK-NEXT: fuser_gpu.launch_dependents
// CHECK-NOT: wait_dependencies
// CHECK-LABEL: gpu.func @second(
// CHECK-SAME: %[[X:[^:]*]]: memref<f32> {{{.*}}fuser_gpu.noalias}, %[[W:[^:]*]]: memref<f32> {{{.*}}fuser_gpu.readonly}
// CHECK: memref.load %[[W]]
// CHECK-NEXT: memref.store %{{.*}}, %[[S:.*]][%{{.*}}]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: fuser_gpu.wait_dependencies
// CHECK-NEXT: memref.load %[[X]]
// CHECK-NOT: launch_dependents
// CHECK-LABEL: fuser.host @chain
// CHECK: fuser.launch @first::@first {{.*}}outs(%{{.*}} : tensor<f32>) -> tensor<f32>
// CHECK: fuser.launch @second::@second {{.*}} {fuser.dependent = "early"} -> tensor<f32>
gpu.module @first {
  gpu.func @first(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                  %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel {
    %v = memref.load %x[] : memref<f32>
    memref.store %v, %y[] : memref<f32>
    gpu.return
  }
}
gpu.module @second {
  gpu.func @second(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly},
                   %w: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.readonly},
                   %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<2>})
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %weight = memref.load %w[] : memref<f32>
    memref.store %weight, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = memref.load %x[] : memref<f32>
    %sum = arith.addf %v, %weight : f32
    memref.store %sum, %y[] : memref<f32>
    gpu.return
  }
}
fuser.host @chain(%x: tensor<f32>, %w: tensor<f32>) -> tensor<f32> {
  %0 = fuser.alloc() : tensor<f32>
  %1 = fuser.launch @first::@first ins(%x : tensor<f32>) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = fuser.alloc() : tensor<f32>
  %3 = fuser.launch @second::@second ins(%1, %w : tensor<f32>, tensor<f32>) outs(%2 : tensor<f32>) {fuser.dependent = "early"} -> tensor<f32>
  fuser.free %1 : tensor<f32>
  fuser.return %3 : tensor<f32>
}

// -----

// An argument that any launch of the program writes, also a later one, and memory of the program are waited for, as are
// stores, also in branches. A launch after a dependent one is dependent as well. No kernel has a trigger: its blocks let the
// next launch begin as they end.
// CHECK-NOT: launch_dependents
// CHECK-LABEL: gpu.func @add(
// CHECK-NEXT: fuser_gpu.wait_dependencies
// CHECK-NEXT: memref.load
// CHECK-LABEL: gpu.func @clear(
// CHECK-NEXT: arith.constant
// CHECK-NEXT: fuser_gpu.wait_dependencies
// CHECK-NEXT: scf.if
// CHECK-LABEL: fuser.host @in_place
// CHECK: fuser.launch @add::@add {{.*}}outs(%{{.*}} : tensor<f32>) -> tensor<f32>
// CHECK: fuser.launch @add::@add {{.*}} {fuser.dependent} -> tensor<f32>
// CHECK: fuser.launch @clear::@clear {{.*}} {fuser.dependent} -> tensor<f32>
gpu.module @add {
  gpu.func @add(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel {
    %v = memref.load %x[] : memref<f32>
    %sum = arith.addf %v, %v : f32
    memref.store %sum, %y[] : memref<f32>
    gpu.return
  }
}
gpu.module @clear {
  gpu.func @clear(%some: i1 {fuser_gpu.bind = #fuser_gpu.scalar<0>}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel {
    %zero = arith.constant 0.0 : f32
    scf.if %some {
      memref.store %zero, %y[] : memref<f32>
    }
    gpu.return
  }
}
fuser.host @in_place(%x: tensor<f32>, %some: i1) -> (tensor<f32>, tensor<f32>) {
  %0 = fuser.alloc() : tensor<f32>
  %1 = fuser.launch @add::@add ins(%x : tensor<f32>) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = fuser.alloc() : tensor<f32>
  %3 = fuser.launch @add::@add ins(%x : tensor<f32>) outs(%2 : tensor<f32>) {fuser.dependent} -> tensor<f32>
  %4 = fuser.launch @clear::@clear ins(%some : i1) outs(%x : tensor<f32>) {fuser.dependent} -> tensor<f32>
  fuser.return %1, %3 : tensor<f32>, tensor<f32>
}

// -----

// A branch around all that threads do is split: what no launch writes is loaded before the wait, and used after it. Only the
// loads are in the first branch, with the values that they need.
// CHECK-LABEL: gpu.func @guarded(
// CHECK: %[[ROW:.*]] = arith.addi
// CHECK-NEXT: %[[WEIGHT:.*]] = scf.if %[[GUARD:.*]] -> (f32) {
// CHECK-NEXT: %[[LOADED:.*]] = memref.load
// CHECK-NEXT: scf.yield %[[LOADED]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[MISSING:.*]] = ub.poison : f32
// CHECK-NEXT: scf.yield %[[MISSING]]
// CHECK-NEXT: }
// CHECK-NEXT: fuser_gpu.wait_dependencies
// CHECK-NEXT: scf.if %[[GUARD]] {
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[WEIGHT]], %[[WEIGHT]]
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.addf %{{.*}}, %[[SQUARE]]
// CHECK-NEXT: memref.store
gpu.module @written {
  gpu.func @written(%x: memref<32xf32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                    %y: memref<32xf32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<32xf32>
    memref.store %v, %y[%t] : memref<32xf32>
    gpu.return
  }
}
gpu.module @guarded {
  gpu.func @guarded(%x: memref<32xf32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                    %w: memref<32xf32> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.readonly},
                    %y: memref<32xf32> {fuser_gpu.bind = #fuser_gpu.pointer<2>}) kernel {
    %t = gpu.thread_id x
    %c24 = arith.constant 24 : index
    %guard = arith.cmpi ult, %t, %c24 : index
    scf.if %guard {
      %row = arith.addi %t, %t : index
      %weight = memref.load %w[%row] : memref<32xf32>
      %square = arith.mulf %weight, %weight : f32
      %v = memref.load %x[%t] : memref<32xf32>
      %sum = arith.addf %v, %square : f32
      memref.store %sum, %y[%t] : memref<32xf32>
    }
    gpu.return
  }
}
fuser.host @guarded_chain(%x: tensor<32xf32>, %w: tensor<32xf32>) -> tensor<32xf32> {
  %0 = fuser.alloc() : tensor<32xf32>
  %1 = fuser.launch @written::@written ins(%x : tensor<32xf32>) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
  %2 = fuser.alloc() : tensor<32xf32>
  %3 = fuser.launch @guarded::@guarded ins(%1, %w : tensor<32xf32>, tensor<32xf32>) outs(%2 : tensor<32xf32>) {fuser.dependent} -> tensor<32xf32>
  fuser.free %1 : tensor<32xf32>
  fuser.return %3 : tensor<32xf32>
}

// -----

// Vectors of narrow elements pass the wait as words: LLVM would convert them next to the load.
// CHECK-LABEL: gpu.func @scaled(
// CHECK: %[[WORDS:.*]]:4 = scf.if %{{.*}} -> (i32, i32, i32, i32) {
// CHECK-NEXT: %[[LOADED:.*]] = vector.load
// CHECK-NEXT: vector.bitcast %[[LOADED]] : vector<8xbf16> to vector<4xi32>
// CHECK: fuser_gpu.wait_dependencies
// CHECK: scf.if
// CHECK: arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
gpu.module @source {
  gpu.func @source(%x: memref<256xbf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                   %y: memref<256xbf16> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<256xbf16>
    memref.store %v, %y[%t] : memref<256xbf16>
    gpu.return
  }
}
gpu.module @scaled {
  gpu.func @scaled(%x: memref<256xbf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                   %w: memref<256xbf16> {fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.readonly},
                   %y: memref<256xbf16> {fuser_gpu.bind = #fuser_gpu.pointer<2>}) kernel {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    %i = arith.muli %t, %c8 : index
    %guard = arith.cmpi ult, %t, %c24 : index
    scf.if %guard {
      %w8 = vector.load %w[%i] : memref<256xbf16>, vector<8xbf16>
      %x8 = vector.load %x[%i] : memref<256xbf16>, vector<8xbf16>
      %wf = arith.extf %w8 : vector<8xbf16> to vector<8xf32>
      %xf = arith.extf %x8 : vector<8xbf16> to vector<8xf32>
      %product = arith.mulf %xf, %wf : vector<8xf32>
      %y8 = arith.truncf %product : vector<8xf32> to vector<8xbf16>
      vector.store %y8, %y[%i] : memref<256xbf16>, vector<8xbf16>
    }
    gpu.return
  }
}
fuser.host @scaled_chain(%x: tensor<256xbf16>, %w: tensor<256xbf16>) -> tensor<256xbf16> {
  %0 = fuser.alloc() : tensor<256xbf16>
  %1 = fuser.launch @source::@source ins(%x : tensor<256xbf16>) outs(%0 : tensor<256xbf16>) -> tensor<256xbf16>
  %2 = fuser.alloc() : tensor<256xbf16>
  %3 = fuser.launch @scaled::@scaled ins(%1, %w : tensor<256xbf16>, tensor<256xbf16>) outs(%2 : tensor<256xbf16>) {fuser.dependent} -> tensor<256xbf16>
  fuser.free %1 : tensor<256xbf16>
  fuser.return %3 : tensor<256xbf16>
}

// -----

// Launches that cannot be dependent: the first one, those after other work, in another stream, or next to a cooperative
// one. With `all`, there is no remark.
// ALL-LABEL: fuser.host @refused
// ALL-NOT: fuser.dependent
// CHECK-LABEL: gpu.func @k()
// CHECK-NEXT: gpu.return
// CHECK-LABEL: fuser.host @refused
// CHECK-NOT: fuser.dependent
gpu.module @k {
  gpu.func @k() kernel { gpu.return }
}
gpu.module @together {
  gpu.func @together() kernel attributes {known_block_size = array<i32: 32, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<
      grid = affine_map<() -> (1, 1, 1)>, symbols = [], cooperative = true>} { gpu.return }
}
fuser.host @refused(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  // expected-remark @+1 {{the launch is not dependent: the last work before it is not a launch in the same stream}}
  %1 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser.dependent} -> tensor<8xf32>
  %2 = fuser.alloc() : tensor<8xf32>
  %3 = fuser.copy %1 into %2 : tensor<8xf32>, tensor<8xf32>
  // expected-remark @+1 {{the launch is not dependent: the last work before it is not a launch in the same stream}}
  %4 = fuser.launch @k::@k ins(%3 : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser.dependent} -> tensor<8xf32>
  fuser.record 0
  fuser.stream 1
  fuser.wait 0
  // expected-remark @+1 {{the launch is not dependent: the last work before it is not a launch in the same stream}}
  %5 = fuser.launch @k::@k ins(%4 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {fuser.dependent} -> tensor<8xf32>
  // expected-remark @+1 {{the launch is not dependent: all blocks of a cooperative launch are resident at once}}
  %6 = fuser.launch @together::@together ins(%5 : tensor<8xf32>) outs(%0 : tensor<8xf32>) {fuser.dependent} -> tensor<8xf32>
  // expected-remark @+1 {{the launch is not dependent: all blocks of a cooperative launch are resident at once}}
  %7 = fuser.launch @k::@k ins(%6 : tensor<8xf32>) outs(%2 : tensor<8xf32>) {fuser.dependent} -> tensor<8xf32>
  fuser.record 1
  fuser.stream 0
  fuser.wait 1
  fuser.return %7 : tensor<8xf32>
}

// -----

// With `all`, launches that no text marks are dependent.
// CHECK-LABEL: fuser.host @unmarked
// CHECK-NOT: fuser.dependent
// ALL-LABEL: gpu.func @k()
// ALL-NEXT: fuser_gpu.wait_dependencies
// ALL-LABEL: fuser.host @unmarked
// ALL: fuser.launch {{.*}}outs(%{{.*}} : tensor<8xf32>) -> tensor<8xf32>
// ALL: fuser.launch {{.*}} {fuser.dependent} -> tensor<8xf32>
gpu.module @k {
  gpu.func @k() kernel { gpu.return }
}
fuser.host @unmarked(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = fuser.alloc() : tensor<8xf32>
  %1 = fuser.launch @k::@k ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = fuser.alloc() : tensor<8xf32>
  %3 = fuser.launch @k::@k ins(%1 : tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
  fuser.return %3 : tensor<8xf32>
}
