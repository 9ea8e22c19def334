// RUN: fuser-run %s --program=rotate --device=host --check --sizes=33x129,33x1 --scalar=s=0.5-2i
// RUN: fuser-run %s --program=rotate --device=host --check --sizes=1x1,1x1 --scalar=s=2i
// RUN: fuser-run %s --program=rotate --device=host --check --sizes=0x5,0x1
// RUN: fuser-run %s --program=moved --device=host --check --sizes=17x40
// RUN: fuser-run %s --program=wide --device=host --check --sizes=9x30
// RUN: fuser-run %s --program=norm --device=host --check --sizes=33x200
// RUN: fuser-run %s --program=norm --device=host --check --sizes=2x5000
// RUN: fuser-run %s --program=standardize --device=host --check --sizes=33x200
// RUN: fuser-run %s --program=standardize --device=host --check --sizes=2x5000
// RUN: fuser-run %s --program=nothing --device=host --check
// RUN: fuser-run %s --program=picked --device=host --check --sizes=100x8,30,12x8,12x8 --range=j=0:8 --range=i=0:99
// RUN: not fuser-run %s --program=rotate --device=host --sizes=3x3,3x1 --scalar=s=1+i2 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: fuser-opt %s --fuser-to-kernel-ir | FileCheck %s
// RUN: fuser-opt %s --fuser-to-kernel-ir --fuser-emit-ptx="output=%t.ptx" -o /dev/null
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx

// SCALAR: expected a value of type complex<f32>, but got 1+i2

// Two elements an access where rows allow it: 16 bytes.
// CHECK-LABEL: gpu.func @rotate
// CHECK: vector<2xi64>

// PTX-LABEL: .entry rotate
// PTX: ld.global{{.*}}.v2.b64
// PTX: st.global{{.*}}.v2.b64
fuser.fusion @rotate(%z: tensor<?x?xcomplex<f32>>, %r: tensor<?x1xf32>, %s: complex<f32>) -> tensor<?x?xcomplex<f32>> {
  %0 = fuser.polar %r, %r : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xcomplex<f32>>
  %1 = fuser.mul %z, %0 : (tensor<?x?xcomplex<f32>>, tensor<?x1xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  %2 = fuser.exp %1 : tensor<?x?xcomplex<f32>>
  %c = complex.constant [0.25 : f32, -1.0 : f32] : complex<f32>
  %3 = fuser.add %2, %c : (tensor<?x?xcomplex<f32>>, complex<f32>) -> tensor<?x?xcomplex<f32>>
  %4 = fuser.div %3, %s : (tensor<?x?xcomplex<f32>>, complex<f32>) -> tensor<?x?xcomplex<f32>>
  fuser.return %4 : tensor<?x?xcomplex<f32>>
}

// Permuted, padded with a complex border, joined, masked.
fuser.fusion @moved(%z: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  %c = complex.constant [1.5 : f32, -2.0 : f32] : complex<f32>
  %0 = fuser.permute %z [1, 0] : tensor<?x?xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  %1 = fuser.sqrt %0 : tensor<?x?xcomplex<f32>>
  %2 = fuser.pad %1 low [1, 0] high [0, 3] value %c : tensor<?x?xcomplex<f32>>, complex<f32> -> tensor<?x?xcomplex<f32>>
  %3 = fuser.cat %2, %2 dim 0 : (tensor<?x?xcomplex<f32>>, tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  %4 = fuser.isfinite %3 : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xi1>
  %5 = fuser.conj %3 : tensor<?x?xcomplex<f32>>
  %6 = fuser.where %4, %5, %c : (tensor<?x?xi1>, tensor<?x?xcomplex<f32>>, complex<f32>) -> tensor<?x?xcomplex<f32>>
  fuser.return %6 : tensor<?x?xcomplex<f32>>
}

// 16 bytes an element, one element an access.
// PTX-LABEL: .entry wide
// PTX: ld.global{{.*}}.v2.b64
fuser.fusion @wide(%z: tensor<?x?xcomplex<f64>>) -> (tensor<?x?xcomplex<f64>>, tensor<?x?xcomplex<f32>>) {
  %0 = fuser.log %z : tensor<?x?xcomplex<f64>>
  %1 = fuser.tanh %0 : tensor<?x?xcomplex<f64>>
  %2 = fuser.cast %1 : tensor<?x?xcomplex<f64>> to tensor<?x?xcomplex<f32>>
  fuser.return %1, %2 : tensor<?x?xcomplex<f64>>, tensor<?x?xcomplex<f32>>
}

// A reduction to real numbers and one to complex ones in one kernel.
fuser.fusion @norm(%z: tensor<?x?xcomplex<f32>>) -> (tensor<?x?xcomplex<f32>>, tensor<?xcomplex<f32>>) {
  %0 = fuser.conj %z : tensor<?x?xcomplex<f32>>
  %1 = fuser.mul %z, %0 : tensor<?x?xcomplex<f32>>
  %2 = fuser.sum %1 dims [1] : tensor<?x?xcomplex<f32>> -> tensor<?xcomplex<f32>>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xcomplex<f32>> -> tensor<?x1xcomplex<f32>>
  %4 = fuser.rsqrt %3 : tensor<?x1xcomplex<f32>>
  %5 = fuser.mul %z, %4 : (tensor<?x?xcomplex<f32>>, tensor<?x1xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  %6 = fuser.mean %z dims [1] : tensor<?x?xcomplex<f32>> -> tensor<?xcomplex<f32>>
  fuser.return %5, %6 : tensor<?x?xcomplex<f32>>, tensor<?xcomplex<f32>>
}

// The mean of complex numbers and their variance, which is real.
fuser.fusion @standardize(%z: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  %v, %m = fuser.var_mean %z dims [1] correction 0 : tensor<?x?xcomplex<f32>> -> tensor<?xf32>, tensor<?xcomplex<f32>>
  %0 = fuser.broadcast %m dims [1] : tensor<?xcomplex<f32>> -> tensor<?x1xcomplex<f32>>
  %1 = fuser.sub %z, %0 : (tensor<?x?xcomplex<f32>>, tensor<?x1xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  %eps = arith.constant 1.0e-5 : f32
  %2 = fuser.add %v, %eps : (tensor<?xf32>, f32) -> tensor<?xf32>
  %3 = fuser.rsqrt %2 : tensor<?xf32>
  %4 = fuser.broadcast %3 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %5 = fuser.cast %4 : tensor<?x1xf32> to tensor<?x1xcomplex<f32>>
  %6 = fuser.mul %1, %5 : (tensor<?x?xcomplex<f32>>, tensor<?x1xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  fuser.return %6 : tensor<?x?xcomplex<f32>>
}

// Of no elements: 1, nothing in front, true.
fuser.fusion @nothing(%z: tensor<3x0xcomplex<f32>>, %y: tensor<0x4xcomplex<f32>>, %w: tensor<2x4xcomplex<f32>>)
    -> (tensor<3xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<3xi1>) {
  %0 = fuser.prod %z dims [1] : tensor<3x0xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %1 = fuser.cat %y, %w dim 0 : (tensor<0x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  %2 = fuser.all %z dims [1] : tensor<3x0xcomplex<f32>> -> tensor<3xi1>
  fuser.return %0, %1, %2 : tensor<3xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<3xi1>
}

// Picked from what is computed, and combined where an index says.
fuser.fusion @picked(%t: tensor<100x8xcomplex<f64>>, %i: tensor<?xi64>, %s: tensor<?x8xcomplex<f64>>, %j: tensor<?x8xi64>)
    -> (tensor<?x8xf64>, tensor<100x8xcomplex<f64>>, tensor<?x1xcomplex<f64>>) {
  %a = fuser.abs %t : (tensor<100x8xcomplex<f64>>) -> tensor<100x8xf64>
  %0 = fuser.index_select %a, %i dim 0 : tensor<100x8xf64>, tensor<?xi64> -> tensor<?x8xf64>
  %1 = fuser.scatter %s at %j into %t dim 0 reduce mul : tensor<?x8xcomplex<f64>>, tensor<?x8xi64>, tensor<100x8xcomplex<f64>>
  %e = fuser.exp %s : tensor<?x8xcomplex<f64>>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %s, %c0 : tensor<?x8xcomplex<f64>>
  %p = fuser.slice %j [0, 0] [%n, 1] : tensor<?x8xi64> -> tensor<?x1xi64>
  %2 = fuser.take_along_axis %e, %p dim 1 : tensor<?x8xcomplex<f64>>, tensor<?x1xi64> -> tensor<?x1xcomplex<f64>>
  fuser.return %0, %1, %2 : tensor<?x8xf64>, tensor<100x8xcomplex<f64>>, tensor<?x1xcomplex<f64>>
}
