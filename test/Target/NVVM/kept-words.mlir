// RUN: fuser-opt %s --fuser-lower-to-nvvm="chip=sm_90" | FileCheck %s
// A kept value passes through registers of 32 bits where these hold it exactly, else of 16; narrower values stay.

// CHECK-LABEL: llvm.func @keep
// CHECK-NEXT: llvm.bitcast %{{.*}} : f16 to i16
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "=h,0" %{{.*}} : (i16) -> i16
// CHECK-NEXT: llvm.bitcast %{{.*}} : i16 to f16
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK-NEXT: llvm.bitcast %{{.*}} : f32 to i32
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK-NEXT: llvm.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT: llvm.bitcast %{{.*}} : f64 to vector<2xi32>
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to f64
// CHECK-NEXT: llvm.bitcast %{{.*}} : vector<2xi8> to i16
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "=h,0" %{{.*}} : (i16) -> i16
// CHECK-NEXT: llvm.bitcast %{{.*}} : i16 to vector<2xi8>
// CHECK-NEXT: llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK-NEXT: llvm.bitcast %{{.*}} : i32 to vector<4xi8>
// CHECK-NEXT: llvm.bitcast %{{.*}} : vector<2xf16> to i32
// CHECK-NEXT: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK-NEXT: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
// CHECK-NEXT: llvm.bitcast %{{.*}} : vector<3xf16> to vector<3xi16>
// CHECK-COUNT-3: llvm.inline_asm has_side_effects "", "=h,0" %{{.*}} : (i16) -> i16
// CHECK: llvm.bitcast %{{.*}} : vector<3xi16> to vector<3xf16>
// CHECK-NEXT: llvm.bitcast %{{.*}} : vector<4xbf16> to vector<2xi32>
// CHECK-COUNT-2: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to vector<4xbf16>
// CHECK-NEXT: llvm.bitcast %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK-COUNT-4: llvm.inline_asm has_side_effects "", "=r,0" %{{.*}} : (i32) -> i32
// CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK-NEXT: llvm.return
gpu.module @keep {
  gpu.func @keep(%i1: i1, %i8: i8, %f16: f16, %i32: i32, %f32: f32, %f64: f64, %x2: vector<2xi8>, %x3: vector<3xi8>, %x4: vector<4xi8>,
      %h2: vector<2xf16>, %h3: vector<3xf16>, %h4: vector<4xbf16>, %s4: vector<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %k_i1 = fuser_gpu.keep %i1 : i1
    %k_i8 = fuser_gpu.keep %i8 : i8
    %k_f16 = fuser_gpu.keep %f16 : f16
    %k_i32 = fuser_gpu.keep %i32 : i32
    %k_f32 = fuser_gpu.keep %f32 : f32
    %k_f64 = fuser_gpu.keep %f64 : f64
    %k_x2 = fuser_gpu.keep %x2 : vector<2xi8>
    %k_x3 = fuser_gpu.keep %x3 : vector<3xi8>
    %k_x4 = fuser_gpu.keep %x4 : vector<4xi8>
    %k_h2 = fuser_gpu.keep %h2 : vector<2xf16>
    %k_h3 = fuser_gpu.keep %h3 : vector<3xf16>
    %k_h4 = fuser_gpu.keep %h4 : vector<4xbf16>
    %k_s4 = fuser_gpu.keep %s4 : vector<4xf32>
    gpu.return
  }
}
