//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How many kernels a norm compiles for rows of many lengths, and which of them a call runs.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/FakeDevice.h"

#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace fuser;
using namespace fuser::runtime;

namespace {

constexpr const char *kNorm = R"mlir(
fuser.fusion @norm(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> {
  %square = fuser.mul %x, %x : tensor<?x?xf32>
  %mean = fuser.mean %square dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %r = fuser.rsqrt %mean : tensor<?xf32>
  %rb = fuser.broadcast %r dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %0 = fuser.mul %x, %rb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.mul %0, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
)mlir";

class RowLengthsTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto created = createHostDevice();
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    load(kNorm);
  }

  void load(const char *source) {
    auto made = session::Program::create(source, device);
    ASSERT_TRUE(made.ok()) << made.error().str();
    program = made.take();
  }

  struct Rows {
    Rows(int64_t rows, int64_t length, const Device &device)
        : sizes{rows, length}, strides{length, 1}, weights(16 + size_t(length)),
          values(16 + size_t(rows * length)), id(idOf(device)) {
      std::mt19937 random(static_cast<unsigned>(rows * 31 + length));
      std::normal_distribution<float> normal;
      for (std::vector<float> *vector : {&weights, &values})
        for (float &value : *vector)
          value = normal(random);
    }
    static float *align(std::vector<float> &vector) {
      return reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(vector.data()) + 63) / 64 * 64);
    }
    float *x() { return align(values); }
    float *w() { return align(weights); }
    std::vector<CallArgument> arguments() {
      return {TensorView{x(), DType::F32, 2, sizes, strides, id},
              TensorView{w(), DType::F32, 1, sizes + 1, strides + 1, id}};
    }
    TensorView output() {
      stored.resize(values.size());
      return {align(stored), DType::F32, 2, sizes, strides, id};
    }
    int64_t sizes[2], strides[2];
    std::vector<float> weights, values, stored;
    DeviceId id;
  };

  /// Whether a call of rows of this length compiles; compares its results.
  bool call(int64_t length, int64_t rows = 3) {
    Rows data(rows, length, *device);
    auto prepared = program->prepare(data.arguments());
    EXPECT_TRUE(prepared.ok()) << prepared.error().str();
    auto result = program->call(data.arguments());
    EXPECT_TRUE(result.ok()) << result.error().str();
    if (!prepared || !result)
      return false;
    const auto *y = static_cast<const float *>((*result)[0].data);
    for (int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (int64_t i = 0; i < length; ++i)
        sum += double(data.x()[row * length + i]) * data.x()[row * length + i];
      for (int64_t i = 0; i < length; ++i) {
        double exact = data.x()[row * length + i] / std::sqrt(sum / double(length)) * data.w()[i];
        EXPECT_NEAR(y[row * length + i], exact, 1e-5 * (1 + std::fabs(exact)))
            << "length " << length << " at " << row << ", " << i;
        if (::testing::Test::HasFailure())
          return false;
      }
    }
    return prepared->compiled;
  }

  unsigned countCompilations(std::vector<int64_t> lengths) {
    unsigned count = 0;
    for (int64_t length : lengths)
      count += call(length);
    // All of them are served from here on.
    for (int64_t length : lengths)
      EXPECT_FALSE(call(length, /*rows=*/2)) << "length " << length;
    return count;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<session::Program> program;
};

TEST_F(RowLengthsTest, EightGrowingLengths) {
  EXPECT_LE(countCompilations({1024, 2048, 3072, 4096, 5120, 6144, 7168, 8192}), 3u);
}
TEST_F(RowLengthsTest, EightShrinkingLengths) {
  EXPECT_LE(countCompilations({8192, 7168, 6144, 5120, 4096, 3072, 2048, 1024}), 3u);
}
TEST_F(RowLengthsTest, EightLengthsInNoOrder) {
  EXPECT_LE(countCompilations({4096, 2048, 512, 8192, 1024, 768, 6000, 5000}), 3u);
}
TEST_F(RowLengthsTest, LengthsThatVectorsDoNotDivide) {
  // One kernel for each width of access at most, besides the first.
  EXPECT_LE(countCompilations({999, 1001, 1003, 1002, 1004, 1005, 1007, 1000}), 2u);
}
TEST_F(RowLengthsTest, ShortRows) {
  EXPECT_LE(countCompilations({33, 7, 64, 128, 3, 2, 50, 100}), 3u);
  // One element and none: code of their own, or that of other lengths.
  call(1);
  call(0);
}

TEST_F(RowLengthsTest, TheFirstLengthKeepsItsOwnKernel) {
  Rows first(3, 1024, *device), second(3, 1536, *device);
  auto exact = program->prepare(first.arguments());
  auto range = program->prepare(second.arguments());
  ASSERT_TRUE(exact.ok() && range.ok());
  EXPECT_TRUE(range->compiled);
  // The range includes the first length, but code for that length alone is faster, also after a
  // call of the other one.
  EXPECT_TRUE(range->executable->checkGuards(first.arguments()).ok());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(program->prepare(second.arguments())->executable, range->executable);
    EXPECT_EQ(program->prepare(first.arguments())->executable, exact->executable);
    EXPECT_TRUE(program->call(second.arguments()).ok());
    EXPECT_TRUE(program->call(first.arguments()).ok());
  }
}

TEST_F(RowLengthsTest, AWarmCallRunsTheLeastGeneralKernel) {
  // The number of threads tells which kernel a call launches.
  auto fake = std::make_shared<runtime::test::FakeDevice>();
  uint32_t threads = 0;
  fake->onLaunch = [&](const LaunchConfig &config, const std::vector<std::string> &) {
    threads = config.block[0];
    return Status();
  };
  device = fake;
  load(kNorm);
  Rows first(3, 1024, *device), second(3, 4096, *device), third(3, 2048, *device);
  auto run = [&](Rows &rows) {
    auto result = program->call(rows.arguments());
    EXPECT_TRUE(result.ok()) << result.error().str();
    return threads;
  };
  uint32_t exact = run(first), range = run(second);
  EXPECT_NE(exact, range);
  EXPECT_EQ(fake->loads, 2u);
  // The assembler may start before each compilation, and only then.
  EXPECT_EQ(fake->preparations, 2u);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(run(third), range);
    EXPECT_EQ(run(first), exact);
    EXPECT_EQ(run(first), exact);
    EXPECT_EQ(run(second), range);
  }
  run(third);
  EXPECT_TRUE(program->callInto(first.arguments(), {first.output()}).ok());
  EXPECT_EQ(threads, exact);
  EXPECT_EQ(fake->loads, 2u);
  EXPECT_EQ(fake->preparations, 2u);
}

TEST_F(RowLengthsTest, CachedKernelsOfOneLengthArePreferred) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fuser-lengths", folder));
  auto make = [&] {
    session::ProgramOptions options;
    options.cacheDirectory = folder.str();
    auto made = session::Program::create(kNorm, device, options);
    EXPECT_TRUE(made.ok()) << made.error().str();
    return made.take();
  };
  program = make();
  EXPECT_TRUE(call(1024));
  EXPECT_TRUE(call(1536));
  // The files of a cache have no order; other numbers of rows have no file of their own.
  for (int64_t rows = 1; rows < 8; rows += 3) {
    program = make();
    for (auto [length, isRange] : {std::pair<int64_t, bool>{1024, false}, {1280, true}}) {
      Rows data(rows, length, *device);
      auto prepared = program->prepare(data.arguments());
      ASSERT_TRUE(prepared.ok());
      EXPECT_FALSE(prepared->compiled);
      const artifact::Artifact &artifact = prepared->executable->getArtifact();
      EXPECT_EQ(session::getGenerality(artifact, session::getSizeBounds(artifact)).rangeBits > 0,
                isRange);
    }
  }
  llvm::sys::fs::remove_directories(folder);
}

TEST_F(RowLengthsTest, WideVectorsArePreferred) {
  EXPECT_TRUE(call(1024));
  Rows even(3, 2048, *device), odd(3, 2047, *device);
  auto wide = program->prepare(even.arguments());
  auto narrow = program->prepare(odd.arguments());
  ASSERT_TRUE(wide.ok() && narrow.ok());
  ASSERT_NE(wide->executable, narrow->executable);
  EXPECT_TRUE(narrow->executable->checkGuards(even.arguments()).ok());
  EXPECT_EQ(program->prepare(even.arguments())->executable, wide->executable);
}

TEST_F(RowLengthsTest, TheReasonToCompileIsTheGuardThatFailed) {
  Rows first(3, 512, *device), second(3, 768, *device);
  std::string reason = "unchanged";
  EXPECT_TRUE(program->wouldCompile(first.arguments(), &reason));
  EXPECT_EQ(reason, "expected kernels, but none are compiled yet");
  EXPECT_TRUE(call(512));
  reason = "unchanged";
  EXPECT_FALSE(program->wouldCompile(first.arguments(), &reason));
  EXPECT_EQ(reason, "unchanged");
  EXPECT_TRUE(program->wouldCompile(second.arguments(), &reason));
  EXPECT_EQ(reason, "expected x.size[1] <= 512 (schedule of kernel 'norm_0'), but got 768 and 512");
}

TEST_F(RowLengthsTest, FactsOfTheProgramLimitTheRange) {
  load(R"mlir(
fuser.fusion @bounded(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32> attributes {
    facts = [#fuser.fact<at_most 0[1], 600>]} {
  %square = fuser.mul %x, %x : tensor<?x?xf32>
  %mean = fuser.mean %square dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %r = fuser.rsqrt %mean : tensor<?xf32>
  %rb = fuser.broadcast %r dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %wb = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %0 = fuser.mul %x, %rb : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %1 = fuser.mul %0, %wb : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
}
)mlir");
  EXPECT_TRUE(call(300));
  EXPECT_TRUE(call(600));
  EXPECT_FALSE(call(500));
  Rows tooLong(3, 700, *device);
  auto refused = program->call(tooLong.arguments());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::GuardFailed) << refused.error().str();
}

} // namespace
