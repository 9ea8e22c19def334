// RUN: fuser-opt %s -split-input-file --pass-pipeline="builtin.module(fuser-choose-schedules{target=h200},fuser-apply-schedules,fuser-lower-kernels,canonicalize,cse)" | FileCheck %s
// f32 divisions of many numbers by one share its reciprocal.

// By a number of each row: the scaled reciprocal as a sum of two numbers, then three instructions of each vector and no
// branch.
// CHECK-LABEL: gpu.func @rows
// CHECK: %[[S:.*]] = memref.load
// CHECK: %[[SCALE:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[S]], %[[SCALE]] : f32
// CHECK: %[[R:.*]] = fuser_gpu.approx rcp %[[SCALED]] ftz : f32
// CHECK-COUNT-3: math.fma {{.*}} : f32
// CHECK: %[[HIGH:.*]] = arith.select {{.*}} : f32
// CHECK: %[[LOW:.*]] = arith.select {{.*}} : f32
// CHECK: %[[X:.*]] = vector.load
// CHECK: %[[SCALES:.*]] = vector.broadcast %[[SCALE]]
// CHECK: %[[DIVIDEND:.*]] = arith.mulf %[[X]], %[[SCALES]] : vector<4xf32>
// CHECK: %[[LOWS:.*]] = vector.broadcast %[[LOW]]
// CHECK: %[[SMALL:.*]] = arith.mulf %[[DIVIDEND]], %[[LOWS]] : vector<4xf32>
// CHECK: %[[HIGHS:.*]] = vector.broadcast %[[HIGH]]
// CHECK: math.fma %[[DIVIDEND]], %[[HIGHS]], %[[SMALL]] : vector<4xf32>
// CHECK-NOT: scf.if
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
// CHECK: math.fma {{.*}} : vector<4xf32>
// CHECK-NOT: arith.divf
// CHECK: gpu.return
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
// CHECK: gpu.return
fuser.kernel @elements(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = arith.constant 3.0 : f32
  %0 = fuser.div %x, %y : tensor<4096x4096xf32>
  %1 = fuser.div %0, %c : (tensor<4096x4096xf32>, f32) -> tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// -----

// All vectors of a row that a thread keeps.
// CHECK-LABEL: gpu.func @kept
// CHECK: fuser_gpu.approx rcp %{{.*}} ftz : f32
// CHECK-NOT: fuser_gpu.approx
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @kept(%x: tensor<4096x8192xf32>) -> tensor<4096x8192xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 128, vector = 4, vectors = 16>} {
  %0 = fuser.max %x dims [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.div %x, %1 : (tensor<4096x8192xf32>, tensor<4096x1xf32>) -> tensor<4096x8192xf32>
  fuser.return %2 : tensor<4096x8192xf32>
}

// -----

// Single elements of a row of odd length, of which a thread keeps four.
// CHECK-LABEL: gpu.func @single
// CHECK: fuser_gpu.approx rcp %{{.*}} ftz : f32
// CHECK-COUNT-4: math.fma %{{.*}}, %[[HIGH:[0-9]+]], %{{[0-9]+}} : f32
// CHECK-NOT: arith.divf
// CHECK: gpu.return
fuser.kernel @single(%x: tensor<4096x509xf32>) -> tensor<4096x509xf32> attributes {
    schedule = #fuser_sched.inner_persistent<threads = 128, vectors = 4>} {
  %0 = fuser.max %x dims [1] : tensor<4096x509xf32> -> tensor<4096xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<4096xf32> -> tensor<4096x1xf32>
  %2 = fuser.div %x, %1 : (tensor<4096x509xf32>, tensor<4096x1xf32>) -> tensor<4096x509xf32>
  fuser.return %2 : tensor<4096x509xf32>
}

// -----

// Both sides are numbers of a row.
// CHECK-LABEL: gpu.func @of_rows
// CHECK-NOT: fuser_gpu.approx
// CHECK: arith.divf
// CHECK: gpu.return
fuser.kernel @of_rows(%x: tensor<4096x4096xf32>, %s: tensor<4096x1xf32>, %t: tensor<4096x1xf32>) -> tensor<4096x4096xf32> {
  %0 = fuser.div %s, %t : tensor<4096x1xf32>
  %1 = fuser.mul %x, %0 : (tensor<4096x4096xf32>, tensor<4096x1xf32>) -> tensor<4096x4096xf32>
  fuser.return %1 : tensor<4096x4096xf32>
}

// -----

// By quotients, of which four elements have one.
// CHECK-LABEL: gpu.func @by_quotients
// CHECK: fuser_gpu.approx rcp %{{.*}} ftz : f32
// CHECK: %[[Q:.*]] = math.fma {{.*}} : vector<4xf32>
// CHECK: fuser_gpu.approx rcp %{{.*}} ftz : vector<4xf32>
// CHECK-NOT: arith.divf
// CHECK: gpu.return
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

// -----

// A known number of elements is a constant: f32 suffices for most.
// CHECK-LABEL: gpu.func @power_of_two
// CHECK-DAG: %[[RECIPROCAL:.*]] = arith.constant 2.44140625E-4 : f32
// CHECK-NOT: f64
// CHECK-NOT: arith.divf
// CHECK: arith.mulf %{{.*}}, %[[RECIPROCAL]] : f32
// CHECK-NOT: f64
// CHECK: gpu.return
fuser.kernel @power_of_two(%x: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %0 = fuser.mean %x dims [1] : tensor<?x4096xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x4096xf32>, tensor<?x1xf32>) -> tensor<?x4096xf32>
  fuser.return %2 : tensor<?x4096xf32>
}

// CHECK-LABEL: gpu.func @known_count
// CHECK-NOT: f64
// CHECK-NOT: arith.divf
// CHECK: %[[REST:.*]] = arith.mulf %[[SUM:.*]], %{{.*}} : f32
// CHECK: math.fma %[[SUM]], %{{.*}}, %[[REST]] : f32
// CHECK-NOT: f64
// CHECK: gpu.return
fuser.kernel @known_count(%x: tensor<?x5002xf32>) -> tensor<?x5002xf32> {
  %0 = fuser.mean %x dims [1] : tensor<?x5002xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<?x5002xf32>, tensor<?x1xf32>) -> tensor<?x5002xf32>
  fuser.return %2 : tensor<?x5002xf32>
}

// Two instructions in f32 would round some quotients by this number to the wrong side.
// CHECK-LABEL: gpu.func @wide_count
// CHECK-DAG: %[[RECIPROCAL:.*]] = arith.constant 7.57{{.*}}E-8 : f64
// CHECK-NOT: fuser_gpu.approx
// CHECK-NOT: arith.divf
// CHECK: arith.mulf %{{.*}}, %[[RECIPROCAL]] : f64
// CHECK: gpu.return
fuser.kernel @wide_count(%x: tensor<?x4096xf32>, %s: tensor<f32>) -> tensor<?x4096xf32> {
  %count = arith.constant 13196543 : i64
  %0 = fuser.div %s, %count : (tensor<f32>, i64) -> tensor<f32>
  %1 = fuser.broadcast %0 dims [0, 1] : tensor<f32> -> tensor<1x1xf32>
  %2 = fuser.mul %x, %1 : (tensor<?x4096xf32>, tensor<1x1xf32>) -> tensor<?x4096xf32>
  fuser.return %2 : tensor<?x4096xf32>
}
