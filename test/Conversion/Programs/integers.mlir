// RUN: fuser-run %s --program=divisions_i32 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=divisions_i64 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=divisions_i8 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=unsigned_to_float --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=float_to_unsigned --range x=0:255 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=bits --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=powers --range n=-4:5 --range i=-9:9 --device=host --check | FileCheck %s
// RUN: fuser-run %s --program=always --device=host --check | FileCheck %s
// Unsigned integers, bits and powers.

// CHECK: check {{ *}}output 0: ok

func.func @divisions_i32(%x: tensor<64xi32>, %y: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
  %one = arith.constant dense<1> : tensor<64xi32>
  %d = arith.ori %y, %one : tensor<64xi32>
  %0 = arith.divui %x, %d : tensor<64xi32>
  %1 = arith.remui %x, %d : tensor<64xi32>
  %2 = arith.ceildivui %x, %d : tensor<64xi32>
  %3 = arith.ceildivsi %x, %d : tensor<64xi32>
  return %0, %1, %2, %3 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
}

func.func @divisions_i64(%x: tensor<64xi64>, %y: tensor<64xi64>) -> (tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>) {
  %one = arith.constant dense<1> : tensor<64xi64>
  %d = arith.ori %y, %one : tensor<64xi64>
  %0 = arith.divui %x, %d : tensor<64xi64>
  %1 = arith.remui %x, %d : tensor<64xi64>
  %2 = arith.ceildivui %x, %d : tensor<64xi64>
  %seven = arith.constant dense<7> : tensor<64xi64>
  %3 = arith.divui %x, %seven : tensor<64xi64>
  return %0, %1, %2, %3 : tensor<64xi64>, tensor<64xi64>, tensor<64xi64>, tensor<64xi64>
}

func.func @divisions_i8(%x: tensor<64xi8>, %y: tensor<64xi8>) -> (tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>) {
  %one = arith.constant dense<1> : tensor<64xi8>
  %three = arith.constant dense<3> : tensor<64xi8>
  %d = arith.ori %y, %one : tensor<64xi8>
  %0 = arith.divui %x, %d : tensor<64xi8>
  %1 = arith.remui %x, %d : tensor<64xi8>
  %2 = arith.shrui %x, %three : tensor<64xi8>
  %3 = arith.maxui %x, %y : tensor<64xi8>
  return %0, %1, %2, %3 : tensor<64xi8>, tensor<64xi8>, tensor<64xi8>, tensor<64xi8>
}

func.func @unsigned_to_float(%x: tensor<64xi8>, %y: tensor<64xi64>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf64>, tensor<64xbf16>) {
  %0 = arith.uitofp %x : tensor<64xi8> to tensor<64xf32>
  %1 = arith.uitofp %y : tensor<64xi64> to tensor<64xf32>
  %2 = arith.uitofp %y : tensor<64xi64> to tensor<64xf64>
  %3 = arith.uitofp %x : tensor<64xi8> to tensor<64xbf16>
  return %0, %1, %2, %3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf64>, tensor<64xbf16>
}

func.func @float_to_unsigned(%x: tensor<64xf32>) -> (tensor<64xi8>, tensor<64xi64>) {
  %0 = arith.fptoui %x : tensor<64xf32> to tensor<64xi8>
  %1 = arith.fptoui %x : tensor<64xf32> to tensor<64xi64>
  return %0, %1 : tensor<64xi8>, tensor<64xi64>
}

func.func @bits(%x: tensor<64xi32>, %y: tensor<64xi8>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi8>, tensor<64xf32>) {
  %0 = math.ctpop %x : tensor<64xi32>
  %1 = math.ctlz %x : tensor<64xi32>
  %2 = math.cttz %x : tensor<64xi32>
  %3 = math.ctpop %y : tensor<64xi8>
  %4 = arith.bitcast %x : tensor<64xi32> to tensor<64xf32>
  return %0, %1, %2, %3, %4 : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi8>, tensor<64xf32>
}

func.func @powers(%x: tensor<64xf32>, %n: tensor<64xi32>, %i: tensor<64xi32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xi32>) {
  %five = arith.constant dense<5> : tensor<64xi32>
  %0 = math.fpowi %x, %five : tensor<64xf32>, tensor<64xi32>
  %1 = math.fpowi %x, %n : tensor<64xf32>, tensor<64xi32>
  %2 = math.ipowi %i, %five : tensor<64xi32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xi32>
}

func.func @always(%x: tensor<64xf32>) -> (tensor<64xi1>, tensor<64xi1>) {
  %0 = arith.cmpf false, %x, %x : tensor<64xf32>
  %1 = arith.cmpf true, %x, %x : tensor<64xf32>
  return %0, %1 : tensor<64xi1>, tensor<64xi1>
}
