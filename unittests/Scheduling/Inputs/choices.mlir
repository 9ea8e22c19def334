// Kernels for ChoicesTest.cpp: each with every T of `types`, for every list of `sizes` of its arguments.

// pointwise
// types f32 bf16 f64
// sizes 1 31 1000 4096 65537 1048576 50000000
fuser.kernel @k(%x: tensor<?xT>) -> tensor<?xT> {
  %0 = fuser.exp %x : tensor<?xT>
  fuser.return %0 : tensor<?xT>
}

// sum of four
// types f32 bf16
// sizes 7,33;7,33;7,33;7,33 128,4096;128,4096;128,4096;128,4096 8192,8191;8192,8191;8192,8191;8192,8191
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xT>, %z: tensor<?x?xT>, %w: tensor<?x?xT>) -> (tensor<?x?xT>, tensor<?x?xT>) {
  %0 = fuser.add %x, %y : tensor<?x?xT>
  %1 = fuser.add %z, %w : tensor<?x?xT>
  %2 = fuser.add %0, %1 : tensor<?x?xT>
  fuser.return %1, %2 : tensor<?x?xT>, tensor<?x?xT>
}

// bias of columns
// types f32 bf16
// sizes 1,1;1 64,100;100 4096,1024;1024 100000,64;64 16,1000000;1000000
fuser.kernel @k(%x: tensor<?x?xT>, %b: tensor<?xT>) -> tensor<?x?xT> {
  %0 = fuser.broadcast %b dims [0] : tensor<?xT> -> tensor<1x?xT>
  %1 = fuser.add %x, %0 : (tensor<?x?xT>, tensor<1x?xT>) -> tensor<?x?xT>
  fuser.return %1 : tensor<?x?xT>
}

// bias of rows
// types f32 bf16
// sizes 1,1;1 64,100;64 4096,1024;4096 100000,64;100000 16,1000000;16
fuser.kernel @k(%x: tensor<?x?xT>, %b: tensor<?xT>) -> tensor<?x?xT> {
  %0 = fuser.broadcast %b dims [1] : tensor<?xT> -> tensor<?x1xT>
  %1 = fuser.add %x, %0 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  fuser.return %1 : tensor<?x?xT>
}

// outer product
// types f32
// sizes 1;1 64;100 4096;4096 100000;64
fuser.kernel @k(%a: tensor<?xT>, %b: tensor<?xT>) -> tensor<?x?xT> {
  %0 = fuser.broadcast %a dims [1] : tensor<?xT> -> tensor<?x1xT>
  %1 = fuser.broadcast %b dims [0] : tensor<?xT> -> tensor<1x?xT>
  %2 = fuser.mul %0, %1 : (tensor<?x1xT>, tensor<1x?xT>) -> tensor<?x?xT>
  fuser.return %2 : tensor<?x?xT>
}

// transposed operand
// types f32 bf16 f64
// sizes 1,1;1,1 8,8;8,8 33,65;65,33 512,512;512,512 4096,4096;4096,4096 7,1000000;1000000,7
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xT> -> tensor<?x?xT>
  %1 = fuser.add %0, %y : tensor<?x?xT>
  fuser.return %1 : tensor<?x?xT>
}

// transposed operand of another type
// types bf16 f64
// sizes 8,8;8,8 512,512;512,512 4096,4096;4096,4096
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xT> -> tensor<?x?xT>
  %1 = fuser.cast %0 : tensor<?x?xT> to tensor<?x?xf32>
  %2 = fuser.add %1, %y : tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}

// permuted batches
// types f32
// sizes 2,3,4 8,32,64 64,128,256 4,3,1000000
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?x?x?xT> {
  %0 = fuser.permute %x [0, 2, 1] : tensor<?x?x?xT> -> tensor<?x?x?xT>
  %1 = fuser.exp %0 : tensor<?x?x?xT>
  fuser.return %1 : tensor<?x?x?xT>
}

// permuted outer dimensions
// types f32
// sizes 2,3,4 8,32,64 64,128,256
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?x?x?xT> {
  %0 = fuser.permute %x [1, 0, 2] : tensor<?x?x?xT> -> tensor<?x?x?xT>
  %1 = fuser.exp %0 : tensor<?x?x?xT>
  fuser.return %1 : tensor<?x?x?xT>
}

// sums of rows
// types f32 bf16 f64
// sizes 1,1 1,1000 1,10000000 16,33 132,4096 133,4096 4096,31 4096,32 4096,33 4096,257 4096,1024 4096,5000 100000,8 100000,1025 8,200000
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?xT> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xT> -> tensor<?xT>
  fuser.return %0 : tensor<?xT>
}

// sums of columns
// types f32 bf16 f64
// sizes 1,1 1000,1 10000000,1 33,16 4096,132 4096,133 31,4096 1024,4096 5000,4096 8,100000 1025,100000 200000,8
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?xT> {
  %0 = fuser.sum %x dims [0] : tensor<?x?xT> -> tensor<?xT>
  fuser.return %0 : tensor<?xT>
}

// sum of all
// types f32 bf16
// sizes 1,1 100,100 1024,1024 4096,16384
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<T> {
  %0 = fuser.sum %x dims [0, 1] : tensor<?x?xT> -> tensor<T>
  fuser.return %0 : tensor<T>
}

// sums of planes
// types f32
// sizes 1,1,1 8,64,8 32,1024,32 64,100000,64 64,64,100000
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?xT> {
  %0 = fuser.sum %x dims [0, 2] : tensor<?x?x?xT> -> tensor<?xT>
  fuser.return %0 : tensor<?xT>
}

// variances
// types f32 bf16
// sizes 1,1 1,1000 1,10000000 16,33 132,4096 133,4096 4096,31 4096,32 4096,33 4096,257 4096,1024 4096,5000 100000,8 100000,1025 8,200000
fuser.kernel @k(%x: tensor<?x?xT>) -> (tensor<?xT>, tensor<?xT>) {
  %0, %1 = fuser.var_mean %x dims [1] correction 0 : tensor<?x?xT> -> tensor<?xT>, tensor<?xT>
  fuser.return %0, %1 : tensor<?xT>, tensor<?xT>
}

// softmax
// types f32 bf16 f64
// sizes 1,1 1,1000 1,100000 16,33 132,4096 4096,31 4096,257 4096,1024 4096,5000 4096,16384 4096,32768 4096,65536 64,262144 64,1000000 100000,8 100000,1025
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.max %x dims [1] : tensor<?x?xT> -> tensor<?xT>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %2 = fuser.sub %x, %1 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  %3 = fuser.exp %2 : tensor<?x?xT>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xT> -> tensor<?xT>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %6 = fuser.div %3, %5 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  fuser.return %6 : tensor<?x?xT>
}

// scaled rows
// types f32 bf16
// sizes 1,1;1,1 1,1000;1,1000 1,100000;1,100000 16,33;16,33 132,4096;132,4096 4096,31;4096,31 4096,257;4096,257 4096,1024;4096,1024 4096,5000;4096,5000 4096,16384;4096,16384 4096,32768;4096,32768 4096,65536;4096,65536 64,262144;64,262144 64,1000000;64,1000000 100000,8;100000,8 100000,1025;100000,1025
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.mul %x, %y : tensor<?x?xT>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xT> -> tensor<?xT>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %3 = fuser.mul %y, %2 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  fuser.return %3 : tensor<?x?xT>
}

// softmax of columns
// types f32 bf16
// sizes 1,1 100,512 127,4096 128,4096 1000,64 2048,4096 2048,1001 4096,4096 8192,100000 30000,4096 60000,64 100000,64
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.sum %x dims [0] : tensor<?x?xT> -> tensor<?xT>
  %1 = fuser.broadcast %0 dims [0] : tensor<?xT> -> tensor<1x?xT>
  %2 = fuser.sub %x, %1 : (tensor<?x?xT>, tensor<1x?xT>) -> tensor<?x?xT>
  fuser.return %2 : tensor<?x?xT>
}

// groups of channels that are last
// types f32 bf16
// sizes 2,256,32,16 16,4096,32,16 16,4096,32,3 4,1024,4,64 2,16384,32,16 4,1000,7,128
fuser.kernel @k(%x: tensor<?x?x?x?xT>) -> tensor<?x?x?x?xT> {
  %0 = fuser.sum %x dims [1, 3] : tensor<?x?x?x?xT> -> tensor<?x?xT>
  %1 = fuser.broadcast %0 dims [1, 3] : tensor<?x?xT> -> tensor<?x1x?x1xT>
  %2 = fuser.sub %x, %1 : (tensor<?x?x?x?xT>, tensor<?x1x?x1xT>) -> tensor<?x?x?x?xT>
  fuser.return %2 : tensor<?x?x?x?xT>
}

// channels of many pixels
// types f32 bf16
// sizes 4,7,33 16,128,4096 64,3,50176 128,256,3136 256,1024,196 512,64,12544
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?x?x?xT> {
  %0 = fuser.sum %x dims [0, 2] : tensor<?x?x?xT> -> tensor<?xT>
  %1 = fuser.broadcast %0 dims [0, 2] : tensor<?xT> -> tensor<1x?x1xT>
  %2 = fuser.sub %x, %1 : (tensor<?x?x?xT>, tensor<1x?x1xT>) -> tensor<?x?x?xT>
  fuser.return %2 : tensor<?x?x?xT>
}

// backward of a norm
// types f32 bf16
// sizes 1,1;1,1 16,33;16,33 132,1024;132,1024 4096,31;4096,31 4096,1024;4096,1024 4096,2048;4096,2048 4096,4096;4096,4096 100000,64;100000,64 64,16384;64,16384 100000,1025;100000,1025
fuser.kernel @k(%g: tensor<?x?xT>, %x: tensor<?x?xT>) -> (tensor<?x?xT>, tensor<?xT>) {
  %0 = fuser.mul %g, %x : tensor<?x?xT>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xT> -> tensor<?xT>
  %2 = fuser.broadcast %1 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %3 = fuser.mul %x, %2 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  %4 = fuser.sub %g, %3 : tensor<?x?xT>
  %5 = fuser.sum %0 dims [0] : tensor<?x?xT> -> tensor<?xT>
  fuser.return %4, %5 : tensor<?x?xT>, tensor<?xT>
}

// running sums of rows
// types f32 bf16
// sizes 1,1 1,1000000 16,33 4096,31 4096,1024 4096,5000 64,200000 100000,100
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?xT> -> tensor<?x?xT>
  fuser.return %0 : tensor<?x?xT>
}

// running sums of columns
// types f32 bf16
// sizes 1,1 1000000,1 33,16 31,4096 1024,4096 5000,4096 200000,64
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.cumsum %x dim 0 : tensor<?x?xT> -> tensor<?x?xT>
  fuser.return %0 : tensor<?x?xT>
}

// product of matrices
// types f32 bf16
// sizes 1,1;1,1 16,33;33,16 512,512;512,512 4096,4096;4096,4096
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.matmul %x, %y : tensor<?x?xT>, tensor<?x?xT> -> tensor<?x?xT>
  fuser.return %0 : tensor<?x?xT>
}

// padded
// types f32
// sizes 1,1; 64,64; 4096,1000;
fuser.kernel @k(%x: tensor<?x?xT>, %v: T) -> tensor<?x?xT> {
  %0 = fuser.pad %x low [0, 2] high [0, 1] value %v : tensor<?x?xT>, T -> tensor<?x?xT>
  %1 = fuser.exp %0 : tensor<?x?xT>
  fuser.return %1 : tensor<?x?xT>
}

// planes with one matrix
// types f32 bf16
// sizes 1,1,1;1,1 3,64,64;64,64 8,512,256;512,256 64,1024,64;1024,64 1000,33,65;33,65 128,4096,4096;4096,4096
fuser.kernel @k(%x: tensor<?x?x?xT>, %w: tensor<?x?xT>) -> tensor<?x?x?xT> {
  %0 = fuser.broadcast %w dims [0] : tensor<?x?xT> -> tensor<1x?x?xT>
  %1 = fuser.mul %x, %0 : (tensor<?x?x?xT>, tensor<1x?x?xT>) -> tensor<?x?x?xT>
  fuser.return %1 : tensor<?x?x?xT>
}

// planes with two matrices and a row
// types f32 bf16
// sizes 1,1,1;1,1;1,1;1 3,64,64;64,64;64,64;64 64,64,1024;64,1024;64,1024;1024 8,2048,512;2048,512;2048,512;512 1000,33,65;33,65;33,65;65
fuser.kernel @k(%x: tensor<?x?x?xT>, %c: tensor<?x?xf32>, %s: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?xT> {
  %0 = fuser.cast %x : tensor<?x?x?xT> to tensor<?x?x?xf32>
  %1 = fuser.broadcast %c dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %3 = fuser.broadcast %s dims [0] : tensor<?x?xf32> -> tensor<1x?x?xf32>
  %4 = fuser.add %2, %3 : (tensor<?x?x?xf32>, tensor<1x?x?xf32>) -> tensor<?x?x?xf32>
  %5 = fuser.broadcast %b dims [0, 1] : tensor<?xf32> -> tensor<1x1x?xf32>
  %6 = fuser.add %4, %5 : (tensor<?x?x?xf32>, tensor<1x1x?xf32>) -> tensor<?x?x?xf32>
  %7 = fuser.cast %6 : tensor<?x?x?xf32> to tensor<?x?x?xT>
  fuser.return %7 : tensor<?x?x?xT>
}

// products of rows
// types f32 bf16
// sizes 1,1;1,1 16,33;16,33 132,200000;132,200000 4096,64;4096,64 5000,4096;5000,4096 300,12;300,12
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xT>) -> (tensor<?xT>, tensor<?xT>) {
  %0 = fuser.mul %x, %y : tensor<?x?xT>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xT> -> tensor<?xT>
  %2 = fuser.max %x dims [1] : tensor<?x?xT> -> tensor<?xT>
  fuser.return %1, %2 : tensor<?xT>, tensor<?xT>
}

// sums over the middle
// types f32 bf16
// sizes 1,1,1 8,64,8 3,100000,5 32,1024,32 4096,64,64 64,64,4096 2,2,1000000
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.sum %x dims [1] : tensor<?x?x?xT> -> tensor<?x?xT>
  fuser.return %0 : tensor<?x?xT>
}

// sums of the outermost and the innermost
// types f32 bf16
// sizes 1,1,1 8,64,8 3,5,100000 32,1024,32 100000,16,4 2,2,1000000
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?xT> {
  %0 = fuser.sum %x dims [0, 2] : tensor<?x?x?xT> -> tensor<?xT>
  fuser.return %0 : tensor<?xT>
}

// layer norm
// types f32 bf16
// sizes 1,1;1;1 16,33;33;33 132,4096;4096;4096 4096,768;768;768 5000,3000;3000;3000 64,40000;40000;40000 100000,24;24;24
fuser.kernel @k(%x: tensor<?x?xT>, %w: tensor<?xT>, %b: tensor<?xT>) -> tensor<?x?xT> {
  %0 = fuser.cast %x : tensor<?x?xT> to tensor<?x?xf32>
  %1:2 = fuser.var_mean %0 dims [1] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
  %2 = fuser.broadcast %1#1 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %3 = fuser.sub %0, %2 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %4 = fuser.rsqrt %1#0 : tensor<?xf32>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %6 = fuser.mul %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %7 = fuser.cast %6 : tensor<?x?xf32> to tensor<?x?xT>
  %8 = fuser.broadcast %w dims [0] : tensor<?xT> -> tensor<1x?xT>
  %9 = fuser.mul %7, %8 : (tensor<?x?xT>, tensor<1x?xT>) -> tensor<?x?xT>
  %10 = fuser.broadcast %b dims [0] : tensor<?xT> -> tensor<1x?xT>
  %11 = fuser.add %9, %10 : (tensor<?x?xT>, tensor<1x?xT>) -> tensor<?x?xT>
  fuser.return %11 : tensor<?x?xT>
}

// rows of a table
// types f32 bf16
// sizes 1,1;1 64,100;7 4096,4096;512 131072,64;8192
fuser.kernel @k(%x: tensor<?x?xT>, %i: tensor<?xi64>) -> tensor<?x?xT> {
  %0 = fuser.index_select %x, %i dim 0 : tensor<?x?xT>, tensor<?xi64> -> tensor<?x?xT>
  %1 = fuser.relu %0 : tensor<?x?xT>
  fuser.return %1 : tensor<?x?xT>
}

// matrices next to each other
// types f32 bf16
// sizes 1,1;1,1 16,33;16,33 64,1000;64,24 4096,1024;4096,1024 3000,7;3000,9
fuser.kernel @k(%x: tensor<?x?xT>, %y: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.cat %x, %y dim 1 : (tensor<?x?xT>, tensor<?x?xT>) -> tensor<?x?xT>
  %1 = fuser.exp %0 : tensor<?x?xT>
  fuser.return %1 : tensor<?x?xT>
}

// transposed planes
// types f32 bf16
// sizes 1,1,1;1,1,1 3,64,64;3,64,64 64,33,65;64,65,33 16,1024,512;16,512,1024
fuser.kernel @k(%x: tensor<?x?x?xT>, %y: tensor<?x?x?xT>) -> tensor<?x?x?xT> {
  %0 = fuser.permute %y [0, 2, 1] : tensor<?x?x?xT> -> tensor<?x?x?xT>
  %1 = fuser.add %x, %0 : tensor<?x?x?xT>
  fuser.return %1 : tensor<?x?x?xT>
}

// running sums over the middle
// types f32 bf16
// sizes 1,1,1 8,64,8 3,100000,5 32,1024,32 64,64,4096
fuser.kernel @k(%x: tensor<?x?x?xT>) -> tensor<?x?x?xT> {
  %0 = fuser.cumsum %x dim 1 : tensor<?x?x?xT> -> tensor<?x?x?xT>
  fuser.return %0 : tensor<?x?x?xT>
}

// entropies with rows
// types f32 bf16
// sizes 3,7 65536,1009 4096,8192 512,50257
fuser.kernel @k(%x: tensor<?x?xT>) -> tensor<?x?xT> {
  %0 = fuser.max %x dims [1] : tensor<?x?xT> -> tensor<?xT>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %2 = fuser.sub %x, %1 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  %3 = fuser.exp %2 : tensor<?x?xT>
  %4 = fuser.sum %3 dims [1] : tensor<?x?xT> -> tensor<?xT>
  %5 = fuser.broadcast %4 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %6 = fuser.div %3, %5 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  %7 = fuser.mul %6, %2 : tensor<?x?xT>
  %8 = fuser.sum %7 dims [1] : tensor<?x?xT> -> tensor<?xT>
  %9 = fuser.broadcast %8 dims [1] : tensor<?xT> -> tensor<?x1xT>
  %10 = fuser.add %2, %9 : (tensor<?x?xT>, tensor<?x1xT>) -> tensor<?x?xT>
  fuser.return %10 : tensor<?x?xT>
}
