#map = affine_map<()[s0] -> (s0, 1, 1)>
#map1 = affine_map<()[s0] -> (64)>
module attributes {gpu.container_module} {
  gpu.module @row_sum_0 attributes {fuser_gpu.index_bits = 64 : i32} {
    gpu.func @row_sum_0(%arg0: memref<bf16> {fuser_gpu.align = 16 : i64, fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.noalias, fuser_gpu.readonly}, %arg1: memref<bf16> {fuser_gpu.align = 2 : i64, fuser_gpu.bind = #fuser_gpu.pointer<1>, fuser_gpu.noalias}, %arg2: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>}) kernel attributes {fuser.facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<aligned 0, 16>], fuser_gpu.launch = #fuser_gpu.launch<grid = #map, symbols = [#fuser_gpu.size<0, 0>], smem = #map1>, known_block_size = array<i32: 512, 1, 1>} {
      %c2048 = arith.constant 2048 : index
      %cst = arith.constant dense<0.000000e+00> : vector<8xf32>
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c4_i32 = arith.constant 4 : i32
      %c8_i32 = arith.constant 8 : i32
      %c16_i32 = arith.constant 16 : i32
      %c8 = arith.constant 8 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c512 = arith.constant 512 : index
      %c511 = arith.constant 511 : index
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c24 = arith.constant 24 : index
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %reinterpret_cast = memref.reinterpret_cast %arg1 to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
      %alloca = memref.alloca() {alignment = 16 : i64} : memref<1xbf16>
      %alloca_0 = memref.alloca() {alignment = 16 : i64} : memref<1xf32>
      %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %view = memref.view %0[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
      %alloca_1 = memref.alloca() {alignment = 16 : i64} : memref<8xf32>
      %alloca_2 = memref.alloca() {alignment = 16 : i64} : memref<32xbf16>
      %reinterpret_cast_3 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [2147483647], strides: [1] : memref<bf16> to memref<2147483647xbf16, strided<[1]>>
      %thread_id_x = gpu.thread_id  x
      %alloca_4 = memref.alloca() {alignment = 16 : i64} : memref<8xf32>
      %block_id_x = gpu.block_id  x
      vector.store %cst, %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
      %1 = arith.addi %arg2, %c7 overflow<nsw, nuw> : index
      %2 = arith.divui %1, %c8 : index
      %3 = arith.addi %2, %c511 overflow<nsw, nuw> : index
      %4 = arith.divui %3, %c512 : index
      %5 = arith.addi %4, %c3 overflow<nsw, nuw> : index
      %6 = arith.divui %5, %c4 : index
      scf.for %arg3 = %c0 to %6 step %c1 {
        %48 = arith.muli %arg3, %c4 overflow<nsw, nuw> : index
        %49 = arith.muli %arg3, %c2048 overflow<nsw, nuw> : index
        %50 = arith.addi %49, %thread_id_x overflow<nsw, nuw> : index
        %51 = arith.muli %50, %c8 overflow<nsw, nuw> : index
        %52 = arith.cmpi ult, %50, %2 : index
        %53 = arith.addi %48, %c1 overflow<nsw, nuw> : index
        %54 = arith.muli %53, %c512 overflow<nsw, nuw> : index
        %55 = arith.addi %54, %thread_id_x overflow<nsw, nuw> : index
        %56 = arith.muli %55, %c8 overflow<nsw, nuw> : index
        %57 = arith.cmpi ult, %55, %2 : index
        scf.if %52 {
          %76 = arith.muli %block_id_x, %arg2 overflow<nsw, nuw> : index
          %77 = arith.addi %76, %51 overflow<nsw, nuw> : index
          %78 = vector.load %reinterpret_cast_3[%77] {alignment = 16 : i64} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
          vector.store %78, %alloca_2[%c0] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        }
        %58 = arith.addi %48, %c2 overflow<nsw, nuw> : index
        %59 = arith.muli %58, %c512 overflow<nsw, nuw> : index
        %60 = arith.addi %59, %thread_id_x overflow<nsw, nuw> : index
        %61 = arith.muli %60, %c8 overflow<nsw, nuw> : index
        %62 = arith.cmpi ult, %60, %2 : index
        scf.if %57 {
          %76 = arith.muli %block_id_x, %arg2 overflow<nsw, nuw> : index
          %77 = arith.addi %76, %56 overflow<nsw, nuw> : index
          %78 = vector.load %reinterpret_cast_3[%77] {alignment = 16 : i64} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
          vector.store %78, %alloca_2[%c8] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        }
        %63 = arith.addi %48, %c3 overflow<nsw, nuw> : index
        %64 = arith.muli %63, %c512 overflow<nsw, nuw> : index
        %65 = arith.addi %64, %thread_id_x overflow<nsw, nuw> : index
        %66 = arith.muli %65, %c8 overflow<nsw, nuw> : index
        %67 = arith.cmpi ult, %65, %2 : index
        scf.if %62 {
          %76 = arith.muli %block_id_x, %arg2 overflow<nsw, nuw> : index
          %77 = arith.addi %76, %61 overflow<nsw, nuw> : index
          %78 = vector.load %reinterpret_cast_3[%77] {alignment = 16 : i64} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
          vector.store %78, %alloca_2[%c16] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        }
        scf.if %67 {
          %76 = arith.muli %block_id_x, %arg2 overflow<nsw, nuw> : index
          %77 = arith.addi %76, %66 overflow<nsw, nuw> : index
          %78 = vector.load %reinterpret_cast_3[%77] {alignment = 16 : i64} : memref<2147483647xbf16, strided<[1]>>, vector<8xbf16>
          vector.store %78, %alloca_2[%c24] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        }
        %68 = vector.load %alloca_2[%c0] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        %69 = arith.extf %68 : vector<8xbf16> to vector<8xf32>
        vector.store %69, %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        scf.if %52 {
          %76 = vector.load %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %77 = vector.load %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %78 = arith.addf %77, %76 : vector<8xf32>
          vector.store %78, %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        }
        %70 = vector.load %alloca_2[%c8] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        %71 = arith.extf %70 : vector<8xbf16> to vector<8xf32>
        vector.store %71, %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        scf.if %57 {
          %76 = vector.load %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %77 = vector.load %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %78 = arith.addf %77, %76 : vector<8xf32>
          vector.store %78, %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        }
        %72 = vector.load %alloca_2[%c16] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        %73 = arith.extf %72 : vector<8xbf16> to vector<8xf32>
        vector.store %73, %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        scf.if %62 {
          %76 = vector.load %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %77 = vector.load %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %78 = arith.addf %77, %76 : vector<8xf32>
          vector.store %78, %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        }
        %74 = vector.load %alloca_2[%c24] {alignment = 16 : i64} : memref<32xbf16>, vector<8xbf16>
        %75 = arith.extf %74 : vector<8xbf16> to vector<8xf32>
        vector.store %75, %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        scf.if %67 {
          %76 = vector.load %alloca_1[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %77 = vector.load %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
          %78 = arith.addf %77, %76 : vector<8xf32>
          vector.store %78, %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
        }
      }
      %7 = vector.load %alloca_4[%c0] {alignment = 16 : i64} : memref<8xf32>, vector<8xf32>
      %8 = vector.extract %7[0] : f32 from vector<8xf32>
      %9 = vector.extract %7[1] : f32 from vector<8xf32>
      %10 = vector.extract %7[2] : f32 from vector<8xf32>
      %11 = vector.extract %7[3] : f32 from vector<8xf32>
      %12 = vector.extract %7[4] : f32 from vector<8xf32>
      %13 = vector.extract %7[5] : f32 from vector<8xf32>
      %14 = vector.extract %7[6] : f32 from vector<8xf32>
      %15 = vector.extract %7[7] : f32 from vector<8xf32>
      %16 = arith.addf %8, %12 : f32
      %17 = arith.addf %9, %13 : f32
      %18 = arith.addf %10, %14 : f32
      %19 = arith.addf %11, %15 : f32
      %20 = arith.addf %16, %18 : f32
      %21 = arith.addf %17, %19 : f32
      %22 = arith.addf %20, %21 : f32
      %23 = fuser_gpu.shuffle  xor %22, %c16_i32 width 32 : f32
      %24 = arith.addf %22, %23 : f32
      %25 = fuser_gpu.shuffle  xor %24, %c8_i32 width 32 : f32
      %26 = arith.addf %24, %25 : f32
      %27 = fuser_gpu.shuffle  xor %26, %c4_i32 width 32 : f32
      %28 = arith.addf %26, %27 : f32
      %29 = fuser_gpu.shuffle  xor %28, %c2_i32 width 32 : f32
      %30 = arith.addf %28, %29 : f32
      %31 = fuser_gpu.shuffle  xor %30, %c1_i32 width 32 : f32
      %32 = arith.addf %30, %31 : f32
      %33 = arith.remui %thread_id_x, %c32 : index
      %34 = arith.cmpi eq, %33, %c0 : index
      scf.if %34 {
        %48 = arith.divui %thread_id_x, %c32 : index
        memref.store %32, %view[%48] : memref<16xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %35 = arith.remui %33, %c16 : index
      %36 = memref.load %view[%35] : memref<16xf32, #gpu.address_space<workgroup>>
      %37 = fuser_gpu.shuffle  xor %36, %c8_i32 width 32 : f32
      %38 = arith.addf %36, %37 : f32
      %39 = fuser_gpu.shuffle  xor %38, %c4_i32 width 32 : f32
      %40 = arith.addf %38, %39 : f32
      %41 = fuser_gpu.shuffle  xor %40, %c2_i32 width 32 : f32
      %42 = arith.addf %40, %41 : f32
      %43 = fuser_gpu.shuffle  xor %42, %c1_i32 width 32 : f32
      %44 = arith.addf %42, %43 : f32
      memref.store %44, %alloca_0[%c0] : memref<1xf32>
      %45 = memref.load %alloca_0[%c0] : memref<1xf32>
      %46 = arith.truncf %45 : f32 to bf16
      memref.store %46, %alloca[%c0] : memref<1xbf16>
      %47 = arith.cmpi eq, %thread_id_x, %c0 : index
      scf.if %47 {
        %48 = memref.load %alloca[%c0] : memref<1xbf16>
        memref.store %48, %reinterpret_cast[%block_id_x] : memref<2147483647xbf16, strided<[1]>>
      }
      gpu.return
    }
  }
  fuser.host @row_sum(%arg0: tensor<?x?xbf16>) -> tensor<?xbf16> {
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xbf16>
    %0 = fuser.alloc(%dim) : tensor<?xbf16>
    %1 = fuser.launch @row_sum_0::@row_sum_0 ins(%arg0 : tensor<?x?xbf16>) outs(%0 : tensor<?xbf16>) -> tensor<?xbf16>
    fuser.return %1 : tensor<?xbf16>
  }
}

