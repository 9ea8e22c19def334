// RUN: fuser-opt %s --fuser-to-kernel-ir="approximate-math=true" | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s --check-prefix=EXACT
// RUN: fuser-opt %s --fuser-to-kernel-ir="approximate-math=true" --fuser-emit-ptx="output=%t.ptx" -o /dev/null
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: fuser-run %s --device=host --check --approximate-math --program=functions --sizes=1000,1000 --range=x=0.1:3

// With the option f32 functions and divisions are the GPU's instructions; f64 and what is there to be exact are not.

// CHECK-LABEL: gpu.func @functions
// CHECK-DAG: fuser_gpu.approx exp2
// CHECK-DAG: fuser_gpu.approx log2
// CHECK-DAG: fuser_gpu.approx sin
// CHECK-DAG: fuser_gpu.approx sqrt
// CHECK-DAG: fuser_gpu.approx rcp
// CHECK-DAG: math.expm1 %{{.*}} : vector<{{.*}}xf32>
// CHECK-DAG: math.exp %{{.*}}f64

// EXACT-NOT: fuser_gpu.approx

// PTX-DAG: ex2.approx.f32
// PTX-DAG: lg2.approx.f32
// PTX-DAG: sin.approx.f32
// PTX-DAG: sqrt.approx.f32
// PTX-DAG: rcp.approx
fuser.fusion @functions(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xf32>, tensor<?xf64>) {
  %0 = fuser.exp %x : tensor<?xf32>
  %1 = fuser.log %x : tensor<?xf32>
  %2 = fuser.sin %x : tensor<?xf32>
  %3 = fuser.sqrt %x : tensor<?xf32>
  %4 = fuser.expm1 %x : tensor<?xf32>
  %5 = fuser.add %0, %1 : tensor<?xf32>
  %6 = fuser.div %5, %x : tensor<?xf32>
  %7 = fuser.add %2, %4 : tensor<?xf32>
  %10 = fuser.add %6, %7 : tensor<?xf32>
  %8 = fuser.add %10, %3 : tensor<?xf32>
  %9 = fuser.exp %y : tensor<?xf64>
  fuser.return %8, %9 : tensor<?xf32>, tensor<?xf64>
}

// CHECK-LABEL: gpu.func @tangents
// CHECK: fuser_gpu.approx tanh
// CHECK: fuser_gpu.approx sin
// CHECK: fuser_gpu.approx cos
// PTX-LABEL: .entry tangents
// PTX: tanh.approx.f32
fuser.fusion @tangents(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.tanh %x : tensor<?xf32>
  %1 = fuser.tan %x : tensor<?xf32>
  %2 = fuser.add %0, %1 : tensor<?xf32>
  fuser.return %2 : tensor<?xf32>
}
