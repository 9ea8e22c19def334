// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// f32 divisions of many numbers by one share its reciprocal, and stay exact.

// By a number of each row: two steps from the product, then one check of the vector. What it refuses is divided.
// CHECK-LABEL: gpu.func @rows
// CHECK: %[[S:.*]] = memref.load
// CHECK: %[[ABS:.*]] = math.absf %[[S]] : f32
// CHECK: %[[R:.*]] = fuser_gpu.approx rcp %[[ABS]] ftz : f32
// CHECK-COUNT-2: math.fma {{.*}} : f32
// CHECK: %[[X:.*]] = vector.load
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK-COUNT-4: math.fma {{.*}} : vector<4xf32>
// CHECK-COUNT-3: arith.minui {{.*}} : i32
// CHECK: scf.if
// CHECK-NEXT: scf.yield
// CHECK-NEXT: else
// CHECK-NEXT: arith.divf %[[X]], %{{.*}} {fuser.rare} : vector<4xf32>
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @rows(%x: tensor<4096x4096xf32>, %s: tensor<4096x1xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.div %x, %s : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  fuser.return %0 : tensor<4096x4096xf32>
}

// -----

// By numbers of columns: the reciprocals are before the loop over rows.
// CHECK-LABEL: gpu.func @columns
// CHECK: fuser_gpu.approx rcp %{{.*}} ftz : vector<4xf32>
// CHECK: scf.for
// CHECK-NOT: fuser_gpu.approx
// CHECK: arith.divf {{.*}} {fuser.rare} : vector<4xf32>
fuser.kernel @columns(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.sum %x dims [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [0] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fuser.div %x, %1 : (tensor<4096x4096xf32>, tensor<1x4096xf32>) -> tensor<4096x4096xf32>
  fuser.return %2 : tensor<4096x4096xf32>
}

// -----

// Each by its own, and by a constant, which needs no reciprocal.
// CHECK-LABEL: gpu.func @elements
// CHECK-NOT: fuser_gpu.approx
// CHECK: arith.divf {{.*}} : vector<4xf32>
// CHECK: math.fma
// CHECK-NOT: arith.divf
// CHECK-NOT: fuser.rare
// CHECK: gpu.return
fuser.kernel @elements(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = arith.constant 3.0 : f32
  %0 = fuser.div %x, %y : tensor<4096x4096xf32>
  %1 = fuser.div %0, %c : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// -----

// More than twelve vectors of a row outside of loops: the code would be long.
// CHECK-LABEL: gpu.func @long_code
// CHECK-NOT: fuser.rare
// CHECK-COUNT-16: arith.divf {{.*}} : vector<4xf32>
// CHECK: gpu.return
fuser.kernel @long_code(%x: tensor<4096x8192xf32>) -> tensor<4096x8192xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 128, vector = 4, vectors = 16>} {
  %0 = fuser.max %x dims [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.div %x, %1 : (tensor<4096x8192xf32>, tensor<4096x1xf32>) -> tensor<4096x8192xf32>
  fuser.return %2 : tensor<4096x8192xf32>
}

// -----

// Both sides are numbers of a row.
// CHECK-LABEL: gpu.func @of_rows
// CHECK-NOT: fuser.rare
// CHECK: arith.divf
// CHECK: gpu.return
fuser.kernel @of_rows(%x: tensor<4096x4096xf32>, %s: tensor<4096x1xf32>, %t: tensor<4096x1xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.div %s, %t : tensor<4096x1xf32>
  %1 = fuser.mul %x, %0 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// -----

// By quotients, of which four elements have one: the latter are branches by then.
// CHECK-LABEL: gpu.func @by_quotients
// CHECK: %[[Q:.*]] = scf.if
// CHECK: arith.divf {{.*}} {fuser.rare} : vector<4xf32>
// CHECK: math.absf %[[Q]] : vector<4xf32>
// CHECK-COUNT-4: arith.divf {{.*}}, %[[Q]] {fuser.rare} : vector<4xf32>
fuser.kernel @by_quotients(%x: tensor<4096x4096xf32>, %s: tensor<4096x1xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.div %x, %s : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  %1 = fuser.div %x, %0 : tensor<4096x4096xf32>
  %2 = fuser.div %1, %0 : tensor<4096x4096xf32>
  %3 = fuser.div %2, %0 : tensor<4096x4096xf32>
  %4 = fuser.div %3, %0 : tensor<4096x4096xf32>
  fuser.return %4 : tensor<4096x4096xf32>
}

// -----

// A mean over an unknown number of elements: two products, without a branch. A number that is data, and lanes, are divided.
// CHECK-LABEL: gpu.func @counts
// CHECK: %[[N:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK: %[[R:.*]] = fuser_gpu.approx rcp %[[N]] ftz : f32
// CHECK-COUNT-2: math.fma {{.*}} : f64
// CHECK: %[[RECIPROCAL:.*]] = arith.select {{.*}} : f64
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK: %[[QUOTIENT:.*]] = arith.mulf %[[WIDE]], %[[RECIPROCAL]] : f64
// CHECK: arith.truncf %[[QUOTIENT]] : f64 to f32
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @counts(%x: tensor<?x4096xf32>, %s: tensor<f32>) -> tensor<?x4096xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4096xf32>
  %count = arith.index_cast %n : index to i64
  %0 = fuser.div %s, %count : (tensor<f32>, i64) -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.mul %x, %1 : (tensor<?x4096xf32>, tensor<1x1xf32>) -> tensor<?x4096xf32>
  fuser.return %2 : tensor<?x4096xf32>
}

// CHECK-LABEL: gpu.func @data
// CHECK-NOT: f64
// CHECK: arith.divf
// CHECK-NOT: f64
// CHECK: gpu.return
fuser.kernel @data(%x: tensor<?x4096xf32>, %s: tensor<f32>, %count: i64) -> tensor<?x4096xf32> {
  %0 = fuser.div %s, %count : (tensor<f32>, i64) -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.mul %x, %1 : (tensor<?x4096xf32>, tensor<1x1xf32>) -> tensor<?x4096xf32>
  fuser.return %2 : tensor<?x4096xf32>
}
