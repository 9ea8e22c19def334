// RUN: fuser-run %s --program=i1 --device=host --save-output=%t.i1.npy && fuser-run %s --program=i1 --device=host --input x=%t.i1.npy --save-output=%t.i1.again.npy && cmp %t.i1.npy %t.i1.again.npy
// RUN: fuser-run %s --program=i8 --device=host --save-output=%t.i8.npy && fuser-run %s --program=i8 --device=host --input x=%t.i8.npy --save-output=%t.i8.again.npy && cmp %t.i8.npy %t.i8.again.npy
// RUN: fuser-run %s --program=i16 --device=host --save-output=%t.i16.npy && fuser-run %s --program=i16 --device=host --input x=%t.i16.npy --save-output=%t.i16.again.npy && cmp %t.i16.npy %t.i16.again.npy
// RUN: fuser-run %s --program=i32 --device=host --save-output=%t.i32.npy && fuser-run %s --program=i32 --device=host --input x=%t.i32.npy --save-output=%t.i32.again.npy && cmp %t.i32.npy %t.i32.again.npy
// RUN: fuser-run %s --program=i64 --device=host --save-output=%t.i64.npy && fuser-run %s --program=i64 --device=host --input x=%t.i64.npy --save-output=%t.i64.again.npy && cmp %t.i64.npy %t.i64.again.npy
// RUN: fuser-run %s --program=f16 --device=host --save-output=%t.f16.npy && fuser-run %s --program=f16 --device=host --input x=%t.f16.npy --save-output=%t.f16.again.npy && cmp %t.f16.npy %t.f16.again.npy
// RUN: fuser-run %s --program=bf16 --device=host --save-output=%t.bf16.npy && fuser-run %s --program=bf16 --device=host --input x=%t.bf16.npy --save-output=%t.bf16.again.npy && cmp %t.bf16.npy %t.bf16.again.npy
// RUN: fuser-run %s --program=f32 --device=host --save-output=%t.f32.npy && fuser-run %s --program=f32 --device=host --input x=%t.f32.npy --save-output=%t.f32.again.npy && cmp %t.f32.npy %t.f32.again.npy
// RUN: fuser-run %s --program=f64 --device=host --save-output=%t.f64.npy && fuser-run %s --program=f64 --device=host --input x=%t.f64.npy --save-output=%t.f64.again.npy && cmp %t.f64.npy %t.f64.again.npy
// RUN: fuser-run %s --program=f8e4m3fn --device=host --save-output=%t.f8e4m3fn.npy && fuser-run %s --program=f8e4m3fn --device=host --input x=%t.f8e4m3fn.npy --save-output=%t.f8e4m3fn.again.npy && cmp %t.f8e4m3fn.npy %t.f8e4m3fn.again.npy
// RUN: fuser-run %s --program=f8e5m2 --device=host --save-output=%t.f8e5m2.npy && fuser-run %s --program=f8e5m2 --device=host --input x=%t.f8e5m2.npy --save-output=%t.f8e5m2.again.npy && cmp %t.f8e5m2.npy %t.f8e5m2.again.npy
// RUN: fuser-run %s --program=c64 --device=host --save-output=%t.c64.npy && fuser-run %s --program=c64 --device=host --input x=%t.c64.npy --save-output=%t.c64.again.npy && cmp %t.c64.npy %t.c64.again.npy
// RUN: fuser-run %s --program=c128 --device=host --save-output=%t.c128.npy && fuser-run %s --program=c128 --device=host --input x=%t.c128.npy --save-output=%t.c128.again.npy && cmp %t.c128.npy %t.c128.again.npy
// RUN: %python -c "import numpy as np; a = np.load('%t.f8e4m3fn.npy'); b = np.load('%t.i8.npy'); print(a.dtype.str, a.shape, b.dtype.str); np.save('%t.bytes.npy', a.view(np.uint8)); np.save('%t.unsigned.npy', b.view(np.uint8))" | FileCheck %s --check-prefix=FILE
// RUN: fuser-run %s --program=f8e4m3fn --device=host --input x=%t.bytes.npy --save-output=%t.f8.npy && cmp %t.f8.npy %t.f8e4m3fn.npy
// RUN: fuser-run %s --program=i8 --device=host --input x=%t.unsigned.npy --save-output=%t.i.npy && cmp %t.i.npy %t.i8.npy
// RUN: not fuser-run %s --program=i8 --device=host --input x=%t.i16.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// Outputs of every element type are written, and read back as arguments; f8 as raw bytes, which are also read from uint8.

// FILE: |V1 (4, 3) |i1
// TYPE: fuser-run: argument 0 (x) from {{.*}}: expected elements of type i8, but got i16
fuser.fusion @i1(%x: tensor<4x3xi1>) -> tensor<4x3xi1> {
  %0 = fuser.set %x : tensor<4x3xi1>
  fuser.return %0 : tensor<4x3xi1>
}
fuser.fusion @i8(%x: tensor<4x3xi8>) -> tensor<4x3xi8> {
  %0 = fuser.set %x : tensor<4x3xi8>
  fuser.return %0 : tensor<4x3xi8>
}
fuser.fusion @i16(%x: tensor<4x3xi16>) -> tensor<4x3xi16> {
  %0 = fuser.set %x : tensor<4x3xi16>
  fuser.return %0 : tensor<4x3xi16>
}
fuser.fusion @i32(%x: tensor<4x3xi32>) -> tensor<4x3xi32> {
  %0 = fuser.set %x : tensor<4x3xi32>
  fuser.return %0 : tensor<4x3xi32>
}
fuser.fusion @i64(%x: tensor<4x3xi64>) -> tensor<4x3xi64> {
  %0 = fuser.set %x : tensor<4x3xi64>
  fuser.return %0 : tensor<4x3xi64>
}
fuser.fusion @f16(%x: tensor<4x3xf16>) -> tensor<4x3xf16> {
  %0 = fuser.set %x : tensor<4x3xf16>
  fuser.return %0 : tensor<4x3xf16>
}
fuser.fusion @bf16(%x: tensor<4x3xbf16>) -> tensor<4x3xbf16> {
  %0 = fuser.set %x : tensor<4x3xbf16>
  fuser.return %0 : tensor<4x3xbf16>
}
fuser.fusion @f32(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = fuser.set %x : tensor<4x3xf32>
  fuser.return %0 : tensor<4x3xf32>
}
fuser.fusion @f64(%x: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %0 = fuser.set %x : tensor<4x3xf64>
  fuser.return %0 : tensor<4x3xf64>
}
fuser.fusion @f8e4m3fn(%x: tensor<4x3xf8E4M3FN>) -> tensor<4x3xf8E4M3FN> {
  %0 = fuser.set %x : tensor<4x3xf8E4M3FN>
  fuser.return %0 : tensor<4x3xf8E4M3FN>
}
fuser.fusion @f8e5m2(%x: tensor<4x3xf8E5M2>) -> tensor<4x3xf8E5M2> {
  %0 = fuser.set %x : tensor<4x3xf8E5M2>
  fuser.return %0 : tensor<4x3xf8E5M2>
}
fuser.fusion @c64(%x: tensor<4x3xcomplex<f32>>) -> tensor<4x3xcomplex<f32>> {
  %0 = fuser.set %x : tensor<4x3xcomplex<f32>>
  fuser.return %0 : tensor<4x3xcomplex<f32>>
}
fuser.fusion @c128(%x: tensor<4x3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>> {
  %0 = fuser.set %x : tensor<4x3xcomplex<f64>>
  fuser.return %0 : tensor<4x3xcomplex<f64>>
}
