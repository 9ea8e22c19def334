// RUN: fuser-opt %s | fuser-opt | FileCheck %s
// RUN: fuser-opt %s --canonicalize --cse | FileCheck %s --check-prefix=CSE

// Loads without a write between them are one, and what is not used is gone.
// CHECK-LABEL: func.func @matrices
// CHECK: fuser_gpu.ldmatrix %{{.*}}[%{{.*}}] : memref<512xbf16, #gpu.address_space<workgroup>> -> vector<8xbf16>
// CHECK: fuser_gpu.ldmatrix transposed %{{.*}}[%{{.*}}] : memref<512xbf16, #gpu.address_space<workgroup>> -> vector<4xbf16>
// CHECK: fuser_gpu.mma %{{.*}}, %{{.*}}, %{{.*}} : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
// CSE: fuser_gpu.ldmatrix %
// CSE-NEXT: fuser_gpu.ldmatrix transposed
// CSE-NEXT: fuser_gpu.mma
// CSE-NEXT: return
func.func @matrices(%s: memref<512xbf16, #gpu.address_space<workgroup>>, %i: index, %c: vector<4xf32>) -> (vector<4xf32>, vector<8xbf16>) {
  %a = fuser_gpu.ldmatrix %s[%i] : memref<512xbf16, #gpu.address_space<workgroup>> -> vector<8xbf16>
  %b = fuser_gpu.ldmatrix transposed %s[%i] : memref<512xbf16, #gpu.address_space<workgroup>> -> vector<4xbf16>
  %again = fuser_gpu.ldmatrix %s[%i] : memref<512xbf16, #gpu.address_space<workgroup>> -> vector<8xbf16>
  %d = fuser_gpu.mma %a, %b, %c : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
  %e = fuser_gpu.mma %a, %b, %d : vector<8xbf16>, vector<4xbf16>, vector<4xf32>
  return %d, %again : vector<4xf32>, vector<8xbf16>
}

// CHECK-LABEL: func.func @halves
// CHECK: fuser_gpu.ldmatrix %{{.*}}[%{{.*}}, %{{.*}}] : memref<16x8xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
// CHECK: fuser_gpu.mma %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf16>, vector<2xf16>, vector<4xf32>
func.func @halves(%s: memref<16x8xf16, #gpu.address_space<workgroup>>, %i: index, %a: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %b = fuser_gpu.ldmatrix %s[%i, %i] : memref<16x8xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  %d = fuser_gpu.mma %a, %b, %c : vector<4xf16>, vector<2xf16>, vector<4xf32>
  return %d : vector<4xf32>
}

// CHECK-LABEL: func.func @instruction
// CHECK-SAME: #fuser_gpu.mma<16, 8, 8, f16, transposed = [true, false]>
func.func @instruction() attributes {a = #fuser_gpu.mma<16, 8, 8, f16, transposed = [true, false]>} {
  return
}

// Stores are not merged, nor dropped.
// CHECK-LABEL: func.func @stores
// CHECK: fuser_gpu.stmatrix %{{.*}}, %{{.*}}[%{{.*}}] : vector<8xbf16>, memref<512xbf16, #gpu.address_space<workgroup>>
// CHECK: fuser_gpu.stmatrix transposed %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : vector<2xf16>, memref<16x8xf16, #gpu.address_space<workgroup>>
// CSE-LABEL: func.func @stores
// CSE: fuser_gpu.stmatrix %
// CSE-NEXT: fuser_gpu.stmatrix %
// CSE-NEXT: fuser_gpu.stmatrix transposed
func.func @stores(%s: memref<512xbf16, #gpu.address_space<workgroup>>, %u: memref<16x8xf16, #gpu.address_space<workgroup>>, %i: index,
                  %a: vector<8xbf16>, %b: vector<2xf16>) {
  fuser_gpu.stmatrix %a, %s[%i] : vector<8xbf16>, memref<512xbf16, #gpu.address_space<workgroup>>
  fuser_gpu.stmatrix %a, %s[%i] : vector<8xbf16>, memref<512xbf16, #gpu.address_space<workgroup>>
  fuser_gpu.stmatrix transposed %b, %u[%i, %i] : vector<2xf16>, memref<16x8xf16, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: func.func @instruction_of_stores
// CHECK-SAME: #fuser_gpu.stmatrix<4, bf16, transposed = false>
func.func @instruction_of_stores() attributes {a = #fuser_gpu.stmatrix<4, bf16, transposed = false>} {
  return
}
