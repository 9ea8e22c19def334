//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel files that the NVVM target compiles to PTX, run here as they are.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

#include <fstream>
#include <numeric>
#include <sstream>

using namespace fuser::test;

namespace {

class HostKernelFiles : public HostKernelTest {
protected:
  ~HostKernelFiles() override {
    for (void *memory : buffers)
      EXPECT_TRUE(device->free(memory, nullptr).ok());
  }
  std::shared_ptr<fuser::runtime::LoadedKernel> loadFile(const std::string &name) {
    std::ifstream file(std::string(FUSER_KERNELS_DIR) + "/" + name + ".mlir");
    EXPECT_TRUE(file.good()) << name;
    std::stringstream text;
    text << file.rdbuf();
    return load(text.str());
  }
  void runFile(const std::string &name, const fuser::runtime::LaunchConfig &config,
               const Parameters &parameters) {
    auto kernel = loadFile(name);
    ASSERT_TRUE(kernel);
    fuser::runtime::Status status = launch(*kernel, config, parameters);
    ASSERT_TRUE(status.ok()) << status.error().str();
  }
  /// Device memory with `values` in it, as aligned as kernels may ask for; lives as long as the
  /// test.
  template <typename T> T *onDevice(const std::vector<T> &values) {
    auto *memory = static_cast<T *>(*device->allocate(values.size() * sizeof(T), nullptr));
    std::memcpy(memory, values.data(), values.size() * sizeof(T));
    buffers.push_back(memory);
    return memory;
  }

private:
  std::vector<void *> buffers;
};

TEST_F(HostKernelFiles, ScaleBiasRelu) {
  auto kernel = loadFile("scale_bias_relu");
  ASSERT_TRUE(kernel);
  const float scale = 1.25f, bias = -0.375f;
  for (int32_t n : {1, 8, 2047, 5002}) {
    std::vector<uint16_t> x = randomBF16(n, 51);
    uint16_t *dx = onDevice(x), *dy = onDevice(std::vector<uint16_t>(n));
    ASSERT_TRUE(
        launch(*kernel, shape((n + 2047) / 2048, 256), Parameters(dx, dy, scale, bias, n)).ok());
    for (int32_t i = 0; i < n; ++i) {
      // The product may be contracted into the sum: a bf16 times an f32 of few bits is exact.
      const double exact = std::max(double(fromBF16(x[i])) * scale + bias, 0.0);
      ASSERT_EQ(dy[i], toBF16(exact)) << i << " of " << n;
    }
  }
}

TEST_F(HostKernelFiles, Softmax) {
  const int32_t rows = 3, cols = 4096;
  std::vector<uint16_t> x = randomBF16(rows * cols, 52, -6, 6);
  uint16_t *dx = onDevice(x), *dy = onDevice(std::vector<uint16_t>(x.size()));
  runFile("softmax", shape(rows, 256), Parameters(dx, dy, rows));
  for (int32_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (int32_t c = 0; c < cols; ++c)
      sum += std::exp(double(fromBF16(x[r * cols + c])));
    for (int32_t c = 0; c < cols; ++c) {
      const double exact = std::exp(double(fromBF16(x[r * cols + c]))) / sum;
      ASSERT_NEAR(fromBF16(dy[r * cols + c]), exact, exact * 0.004) << r << ", " << c;
    }
  }
}

TEST_F(HostKernelFiles, Transpose) {
  const int32_t rows = 37, cols = 100;
  std::vector<float> x = randomFloats(rows * cols, 53);
  float *dx = onDevice(x), *dy = onDevice(std::vector<float>(x.size()));
  fuser::runtime::LaunchConfig config = shape((cols + 31) / 32, 32);
  config.grid[1] = (rows + 31) / 32;
  config.block[1] = 8;
  runFile("transpose", config, Parameters(dx, dy, rows, cols));
  for (int32_t r = 0; r < rows; ++r)
    for (int32_t c = 0; c < cols; ++c)
      ASSERT_EQ(dy[c * rows + r], x[r * cols + c]) << r << ", " << c;
}

TEST_F(HostKernelFiles, BlockSum) {
  const int64_t rows = 4, width = 1000, stride = 1003;
  std::vector<float> x = randomFloats(rows * stride, 54);
  float *dx = onDevice(x), *dy = onDevice(std::vector<float>(rows));
  fuser::runtime::LaunchConfig config = shape(rows, 128);
  config.dynamicSharedBytes = 512;
  runFile("block_sum", config, Parameters(dx, dy, width, stride));
  for (int64_t r = 0; r < rows; ++r) {
    const float *row = x.data() + r * stride;
    EXPECT_NEAR(dy[r], std::accumulate(row, row + width, 0.0), 1e-3) << r;
  }
}

TEST_F(HostKernelFiles, GridSum) {
  const int32_t n = 4096 * 9 + 77;
  std::vector<float> x = randomFloats(n, 55);
  float *dx = onDevice(x), *dy = onDevice(std::vector<float>(1));
  float *partials = onDevice(std::vector<float>(10, -1));
  int32_t *counter = onDevice(std::vector<int32_t>(1, 0));
  runFile("grid_sum", shape(10, 32), Parameters(dx, dy, partials, counter, n));
  EXPECT_NEAR(*dy, std::accumulate(x.begin(), x.end(), 0.0), 1e-2);
  EXPECT_EQ(*counter, 0);
}

TEST_F(HostKernelFiles, AsyncCopy) {
  for (int32_t n : {1, 6, 255, 256, 257, 1000, 1024}) {
    const int32_t whole = (n + 255) / 256 * 256;
    std::vector<float> x = randomFloats(n, 57);
    float *dx = onDevice(x), *dy = onDevice(std::vector<float>(whole, -1));
    runFile("async_copy", shape(1, 64), Parameters(dx, dy, n));
    for (int32_t i = 0; i < whole; ++i) {
      const int32_t from = i / 256 * 256 + 255 - i % 256;
      ASSERT_EQ(dy[i], from < n ? x[from] : 0) << i << " of " << n;
    }
  }
}

TEST_F(HostKernelFiles, BulkCopy) {
  for (int32_t n : {4, 252, 256, 260, 1000, 1024, 1028}) {
    std::vector<float> x = randomFloats(n, 58);
    float *dx = onDevice(x), *dy = onDevice(std::vector<float>(n, -1));
    runFile("bulk_copy", shape(1, 64), Parameters(dx, dy, n));
    for (int32_t i = 0; i < n; ++i) {
      const int32_t begin = i / 256 * 256, end = std::min(begin + 256, n);
      ASSERT_EQ(dy[i], x[end - 1 - (i - begin)]) << i << " of " << n;
    }
  }
}

/// A map of a dense matrix for boxes of 64 x 64 elements of 2 bytes, whose rows are swizzled.
static fuser::runtime::TensorMapSpec specOf(const uint16_t *matrix, int64_t rows, int64_t columns) {
  fuser::runtime::TensorMapSpec spec;
  spec.address = matrix;
  spec.rank = 2;
  spec.elementBytes = 2;
  spec.swizzle = 128;
  spec.sizes[0] = rows;
  spec.sizes[1] = columns;
  spec.strides[0] = 2 * columns;
  spec.strides[1] = 2;
  spec.box[0] = spec.box[1] = 64;
  return spec;
}

TEST_F(HostKernelFiles, TensorCopy) {
  for (auto [rows, columns] : {std::pair(64, 64), {128, 192}, {1, 8}, {100, 72}}) {
    const int64_t wholeRows = (rows + 63) / 64 * 64, wholeColumns = (columns + 63) / 64 * 64;
    std::vector<uint16_t> x = randomBF16(rows * columns, 60);
    uint16_t *dx = onDevice(x), *dy = onDevice(std::vector<uint16_t>(wholeRows * wholeColumns, 1));
    fuser::runtime::TensorMap map;
    ASSERT_TRUE(device->makeTensorMap(specOf(dx, rows, columns), "x", map).ok());
    fuser::runtime::LaunchConfig config = shape(wholeColumns / 64, 128);
    config.grid[1] = wholeRows / 64;
    runFile("tensor_copy", config, Parameters(map, dy, int32_t(wholeColumns)));
    for (int64_t r = 0; r < wholeRows; ++r)
      for (int64_t c = 0; c < wholeColumns; ++c)
        ASSERT_EQ(dy[r * wholeColumns + c], r < rows && c < columns ? x[r * columns + c] : 0)
            << r << ", " << c << " of " << rows << " x " << columns;
  }
}

/// What a box has beyond the tensor is not stored.
TEST_F(HostKernelFiles, TensorStore) {
  for (auto [rows, columns] : {std::pair(64, 64), {128, 192}, {1, 8}, {100, 72}}) {
    const int64_t wholeRows = (rows + 63) / 64 * 64, wholeColumns = (columns + 63) / 64 * 64;
    std::vector<uint16_t> x = randomBF16(wholeRows * wholeColumns, 61);
    uint16_t *dx = onDevice(x), *dy = onDevice(std::vector<uint16_t>(rows * columns, 1));
    fuser::runtime::TensorMap map;
    ASSERT_TRUE(device->makeTensorMap(specOf(dy, rows, columns), "y", map).ok());
    fuser::runtime::LaunchConfig config = shape(wholeColumns / 64, 128);
    config.grid[1] = wholeRows / 64;
    runFile("tensor_store", config, Parameters(map, dx, int32_t(wholeColumns)));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        ASSERT_EQ(dy[r * columns + c], x[r * wholeColumns + c])
            << r << ", " << c << " of " << rows << " x " << columns;
  }
}

TEST_F(HostKernelFiles, TensorMapOfAnotherBox) {
  uint16_t *dx = onDevice(std::vector<uint16_t>(64 * 64)), *dy = onDevice(randomBF16(64 * 64, 1));
  fuser::runtime::TensorMapSpec spec = specOf(dx, 64, 64);
  spec.box[0] = 32;
  fuser::runtime::TensorMap map;
  ASSERT_TRUE(device->makeTensorMap(spec, "x", map).ok());
  auto kernel = loadFile("tensor_copy");
  ASSERT_TRUE(kernel);
  fuser::runtime::Status status = launch(*kernel, shape(1, 128), Parameters(map, dy, int32_t(64)));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::InvalidLaunch);
  EXPECT_NE(status.error().message.find("expected the map of a box of 2 dimensions and 8192 bytes"),
            std::string::npos)
      << status.error().message;
}

TEST_F(HostKernelFiles, TensorMapOfNothing) {
  uint16_t *dy = onDevice(randomBF16(64 * 64, 1));
  fuser::runtime::TensorMap map;
  ASSERT_TRUE(device->makeTensorMap(specOf(nullptr, 0, 64), "x", map).ok());
  auto kernel = loadFile("tensor_copy");
  ASSERT_TRUE(kernel);
  fuser::runtime::Status status = launch(*kernel, shape(1, 128), Parameters(map, dy, int32_t(64)));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::OutOfBounds);
}

TEST_F(HostKernelFiles, TensorMapsBeyondLimits) {
  std::vector<uint16_t> x(64 * 64);
  const fuser::runtime::TensorMapSpec good = specOf(onDevice(x), 64, 64);
  auto expectError = [&](ErrorCode code, auto change, const std::string &text = "tensor map") {
    fuser::runtime::TensorMapSpec spec = good;
    change(spec);
    fuser::runtime::TensorMap map;
    fuser::runtime::Status status = device->makeTensorMap(spec, "argument 'x'", map);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, code) << status.error().message;
    EXPECT_EQ(status.error().message.find("argument 'x': expected "), 0u) << status.error().message;
    EXPECT_NE(status.error().message.find(text), std::string::npos) << status.error().message;
  };
  expectError(ErrorCode::AlignmentMismatch,
              [](auto &spec) { spec.address = static_cast<const char *>(spec.address) + 8; });
  expectError(
      ErrorCode::StrideMismatch, [](auto &spec) { spec.strides[0] = 136; },
      "as the stride of dimension 0");
  expectError(ErrorCode::StrideMismatch, [](auto &spec) { spec.strides[1] = 4; });
  expectError(
      ErrorCode::InvalidLaunch, [](auto &spec) { spec.box[0] = 257; },
      "1 to 256 elements of a box in dimension 0");
  expectError(
      ErrorCode::InvalidLaunch, [](auto &spec) { spec.box[1] = 32; },
      "expected rows of a box of 128 bytes");
  expectError(
      ErrorCode::InvalidLaunch,
      [](auto &spec) {
        spec.swizzle = 0;
        spec.box[1] = 60;
      },
      "expected rows of a box with a multiple of 16 bytes");
  expectError(ErrorCode::InvalidLaunch, [](auto &spec) {
    spec.rank = 6;
    std::fill(std::begin(spec.sizes), std::end(spec.sizes), 1);
  });
  expectError(ErrorCode::SizeMismatch, [](auto &spec) { spec.sizes[0] = (int64_t(1) << 32) + 1; });
  // A dimension of size 1 has no stride.
  fuser::runtime::TensorMapSpec single = good;
  single.sizes[0] = 1;
  single.strides[0] = 3;
  fuser::runtime::TensorMap map;
  EXPECT_TRUE(device->makeTensorMap(single, "x", map).ok());
}

TEST_F(HostKernelFiles, Roles) {
  for (int32_t tiles : {0, 1, 2, 3, 8}) {
    std::vector<float> x = randomFloats(std::max(tiles, 1) * 64, 61);
    float *dx = onDevice(x), *dy = onDevice(std::vector<float>(x.size(), -1));
    runFile("roles", shape(1, 96), Parameters(dx, dy, tiles));
    for (int32_t i = 0; i < 64 * tiles; ++i) {
      const float *tile = x.data() + i / 64 * 64;
      ASSERT_NEAR(dy[i], std::accumulate(tile, tile + 64, double(x[i])), 1e-4) << i;
    }
  }
}

/// A race between roles is one of arrivals, too.
TEST_F(HostKernelFiles, RacesOfRolesNameArrivals) {
  std::ifstream file(std::string(FUSER_KERNELS_DIR) + "/roles.mlir");
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  // A warp of two.
  const std::string count = "%empty[%i] count 64";
  const size_t at = text.find(count);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, count.size(), "%empty[%i] count 32");
  fuser::HostTargetOptions options;
  options.checkAccesses = true;
  auto kernel = load(text, options);
  ASSERT_TRUE(kernel);
  float *dx = onDevice(randomFloats(512, 62)), *dy = onDevice(std::vector<float>(512, -1));
  fuser::runtime::Status status = launch(*kernel, shape(1, 96), Parameters(dx, dy, int32_t(8)));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::DataRace);
  EXPECT_NE(status.error().message.find(
                "but no barrier, nor an arrival that was waited for, is between them"),
            std::string::npos)
      << status.error().message;
}

/// Compares y with a * b of m x k and k x n elements, added in f32.
void expectProduct(const float *y, const std::vector<uint16_t> &a, const std::vector<uint16_t> &b,
                   int32_t m, int32_t n, int32_t k) {
  for (int32_t r = 0; r < m; ++r)
    for (int32_t c = 0; c < n; ++c) {
      double sum = 0, size = 0;
      for (int32_t l = 0; l < k; ++l) {
        const double product = double(fromBF16(a[r * k + l])) * double(fromBF16(b[l * n + c]));
        sum += product;
        size += std::abs(product);
      }
      ASSERT_NEAR(y[r * n + c], sum, k * std::ldexp(size, -24)) << r << ", " << c;
    }
}

TEST_F(HostKernelFiles, MatrixProduct) {
  const int32_t n = 64;
  std::vector<uint16_t> a = randomBF16(n * n, 58), b = randomBF16(n * n, 59);
  uint16_t *da = onDevice(a), *db = onDevice(b);
  float *dy = onDevice(std::vector<float>(n * n, -1));
  fuser::runtime::LaunchConfig config = shape(n / 8, 32);
  config.grid[1] = n / 16;
  runFile("matrix_product", config, Parameters(da, db, dy));
  expectProduct(dy, a, b, n, n, n);
}

TEST_F(HostKernelFiles, MatrixStores) {
  constexpr int32_t rows = 48, columns = 80;
  std::vector<uint16_t> x = randomBF16(rows * columns, 57);
  uint16_t *dx = onDevice(x), *dy = onDevice(std::vector<uint16_t>(rows * columns, 0xFFFF));
  fuser::runtime::LaunchConfig config = shape(columns / 16, 32);
  config.grid[1] = rows / 16;
  runFile("matrix_stores", config, Parameters(dx, dy, rows, columns));
  for (int32_t row = 0; row < rows; ++row)
    for (int32_t column = 0; column < columns; ++column)
      ASSERT_EQ(dy[column * rows + row], x[row * columns + column]) << row << ", " << column;
}

TEST_F(HostKernelFiles, WarpGroupProduct) {
  constexpr int32_t m = 64, n = 128, k = 128;
  std::vector<uint16_t> a = randomBF16(m * k, 53), b = randomBF16(k * n, 54);
  uint16_t *da = onDevice(a), *db = onDevice(b);
  float *dy = onDevice(std::vector<float>(m * n, -1));
  fuser::runtime::LaunchConfig config = shape(1, 128);
  config.dynamicSharedBytes = 24576;
  runFile("warp_group_product", config, Parameters(da, db, dy));
  expectProduct(dy, a, b, m, n, k);
}

TEST_F(HostKernelFiles, GridExchange) {
  const int32_t blocks = 13, rounds = 5;
  int32_t *dy = onDevice(std::vector<int32_t>(blocks, -1));
  int32_t *counter = onDevice(std::vector<int32_t>(1, 0));
  fuser::runtime::LaunchConfig config = shape(blocks, 64);
  config.cooperative = true;
  runFile("grid_exchange", config, Parameters(dy, counter, rounds));
  for (int32_t b = 0; b < blocks; ++b)
    EXPECT_EQ(dy[b], (b + rounds) % blocks + rounds) << b;
}

} // namespace
