// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions="dependent target=h200 sizes=512,1024" | FileCheck %s
// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions="dependent target=h200 sizes=16384,8192" | FileCheck %s --check-prefix=LARGE
// RUN: fuser-opt %s --split-input-file --fuser-segment-fusions="target=h200 sizes=512,1024" | FileCheck %s --check-prefix=OFF
// RUN: fuser-opt %s --split-input-file --fuser-to-kernel-ir="target=h200 sizes=512,1024 dependent-launches=chosen" | FileCheck %s --check-prefix=LOWERED
// RUN: fuser-opt %s --split-input-file --fuser-to-kernel-ir="target=sm_80 sizes=512,1024 dependent-launches=chosen" | FileCheck %s --check-prefix=OLD

// OFF-NOT: fuser.dependent
// OLD-NOT: _dependen
// LOWERED: fuser_gpu.launch_dependents
// LOWERED: fuser_gpu.wait_dependencies
// LOWERED: {fuser.dependent = "early"}

// The second launch is dependent. It is to begin early if the blocks of the first one fit on the device at once.
// CHECK-LABEL: fuser.host @total
// CHECK: fuser.launch @total_0 {{.*}}outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: fuser.launch @total_1 {{.*}} {fuser.dependent = "early"} -> tensor<f32>
// LARGE-LABEL: fuser.host @total
// LARGE: fuser.launch @total_1 {{.*}} {fuser.dependent} -> tensor<f32>
fuser.fusion @total(%x: tensor<?x?xf32>) -> tensor<f32> {
  %rows = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %partial = fuser.segment_set %rows : tensor<?xf32>
  %sum = fuser.sum %partial dims [0] : tensor<?xf32> -> tensor<f32>
  fuser.return %sum : tensor<f32>
}

// -----

// CHECK-LABEL: fuser.host @chain
// CHECK: fuser.launch @chain_1 {{.*}} {fuser.dependent = "early"} -> tensor<?x?xf32>
// LARGE-LABEL: fuser.host @chain
// LARGE: fuser.launch @chain_1 {{.*}} {fuser.dependent} -> tensor<?x?xf32>
fuser.fusion @chain(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = fuser.sin %x : tensor<?x?xf32>
  %b = fuser.segment_set %a : tensor<?x?xf32>
  %c = fuser.sin %b : tensor<?x?xf32>
  fuser.return %c : tensor<?x?xf32>
}
