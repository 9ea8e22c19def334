// RUN: fuser-run %s --program=by_rows --device=host --check --size x=3x5 | FileCheck %s
// RUN: fuser-run %s --program=by_rows --device=host --check --size x=3x0 | FileCheck %s
// RUN: fuser-run %s --program=of_nothing --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=squares_first --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=number_between --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=number_last --device=host --check | FileCheck %s
// RUN: fuser-opt %s --fuser-convert-linalg-to-fuser 2>&1 | FileCheck %s --check-prefix=IR
// Welford's algorithm over rows that may be empty, whose results are 0, and with its results in every order.

// CHECK: check output 0: ok
// CHECK: output 1: ok
// CHECK-NOT: WRONG

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// IR-LABEL: fuser.fusion @by_rows(
// IR: fuser.var_mean {{.*}} dims [1] correction 0
// IR: fuser.where
// IR: fuser.where
func.func @by_rows(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>)
      outs(%f, %f : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %mean: f32, %m2: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %kf = arith.sitofp %k : i64 to f32
    %n = arith.addf %kf, %one : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.divf %delta, %n : f32
    %mean1 = arith.addf %mean, %q : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta, %delta2 : f32
    %m21 = arith.addf %m2, %p : f32
    linalg.yield %mean1, %m21 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// IR-LABEL: fuser.fusion @of_nothing(
// IR: fuser.var_mean {{.*}} dims [1] correction 0
// IR: fuser.where
// IR: fuser.where
func.func @of_nothing(%x: tensor<4x0xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x0xf32>)
      outs(%f, %f : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %mean: f32, %m2: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %kf = arith.sitofp %k : i64 to f32
    %n = arith.addf %kf, %one : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.divf %delta, %n : f32
    %mean1 = arith.addf %mean, %q : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta, %delta2 : f32
    %m21 = arith.addf %m2, %p : f32
    linalg.yield %mean1, %m21 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// IR-LABEL: fuser.fusion @squares_first(
// IR: fuser.var_mean {{.*}} dims [1] correction 0
// IR-NOT: fuser.where
func.func @squares_first(%x: tensor<8x33xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x33xf32>)
      outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %m2: f32, %mean: f32):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %kf = arith.sitofp %k : i64 to f32
    %n = arith.addf %kf, %one : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.divf %delta, %n : f32
    %mean1 = arith.addf %mean, %q : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta, %delta2 : f32
    %m21 = arith.addf %m2, %p : f32
    linalg.yield %m21, %mean1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// IR-LABEL: fuser.fusion @number_between(
// IR: fuser.var_mean {{.*}} dims [1] correction 0
// IR-NOT: fuser.where
func.func @number_between(%x: tensor<8x33xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:3 = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x33xf32>)
      outs(%f, %f, %f : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %m2: f32, %count: f32, %mean: f32):
    %n = arith.addf %count, %one : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.divf %delta, %n : f32
    %mean1 = arith.addf %mean, %q : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta, %delta2 : f32
    %m21 = arith.addf %m2, %p : f32
    linalg.yield %m21, %n, %mean1 : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1, %0#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// IR-LABEL: fuser.fusion @number_last(
// IR: fuser.var_mean {{.*}} dims [1] correction 0
// IR-NOT: fuser.where
func.func @number_last(%x: tensor<8x33xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:3 = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x33xf32>)
      outs(%f, %f, %f : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %mean: f32, %m2: f32, %count: f32):
    %n = arith.addf %count, %one : f32
    %delta = arith.subf %in, %mean : f32
    %q = arith.divf %delta, %n : f32
    %mean1 = arith.addf %mean, %q : f32
    %delta2 = arith.subf %in, %mean1 : f32
    %p = arith.mulf %delta, %delta2 : f32
    %m21 = arith.addf %m2, %p : f32
    linalg.yield %mean1, %m21, %n : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1, %0#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
