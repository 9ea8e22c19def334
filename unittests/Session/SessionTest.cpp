//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From text to numbers on the host device, with versions compiled as calls need them.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "fuser/Session/Program.h"

#include "fuser/Runtime/Host/HostDevice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

using namespace fuser;
using namespace fuser::runtime;

namespace {

class SessionTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto created = createHostDevice();
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    load(kScale);
  }

  void load(const char *source) {
    auto created = session::Program::create(source, device);
    ASSERT_TRUE(created.ok()) << created.error().str();
    program = created.take();
  }

  /// Random f32 data of m x n, dense, aligned to 64.
  struct Matrix {
    Matrix(int64_t m, int64_t n, const Device &device)
        : sizes{m, n}, strides{n, 1}, values(static_cast<size_t>(m * n) + 16), id(idOf(device)) {
      std::mt19937 random(static_cast<unsigned>(m * 131 + n));
      std::normal_distribution<float> normal;
      for (float &value : values)
        value = normal(random);
    }
    TensorView view() {
      auto base = (reinterpret_cast<uintptr_t>(values.data()) + 63) / 64 * 64;
      return {reinterpret_cast<void *>(base), DType::F32, 2, sizes, strides, id};
    }
    int64_t sizes[2], strides[2];
    std::vector<float> values;
    DeviceId id;
  };

  /// Calls with a = -0.75 and compares.
  void expectScaled(int64_t m, int64_t n) {
    Matrix x(m, n, *device);
    Expected<std::vector<Tensor>> result = program->call({x.view(), ScalarValue::f32(-0.75f)});
    ASSERT_TRUE(result.ok()) << result.error().str();
    const auto *source = static_cast<const float *>(x.view().data);
    const auto *y = static_cast<const float *>((*result)[0].data);
    for (int64_t i = 0; i < m * n; ++i)
      ASSERT_EQ(y[i], static_cast<float>(-0.75 * source[i])) << m << "x" << n << " at " << i;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<session::Program> program;
};

TEST_F(SessionTest, CompilesWhenItIsCalledAndOnlyOnce) {
  Matrix x(64, 128, *device), taller(32, 128, *device);
  std::vector<CallArgument> arguments = {x.view(), ScalarValue::f32(1)};
  EXPECT_TRUE(program->wouldCompile(arguments));
  auto first = program->prepare(arguments);
  ASSERT_TRUE(first.ok()) << first.error().str();
  EXPECT_TRUE(first->compiled);
  EXPECT_EQ(first->times.back().name, "load");
  EXPECT_FALSE(program->wouldCompile(arguments));
  expectScaled(64, 128);
  // Another size that satisfies the guards does not compile.
  std::vector<CallArgument> others = {taller.view(), ScalarValue::f32(1)};
  EXPECT_FALSE(program->wouldCompile(others));
  auto second = program->prepare(others);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->compiled);
  EXPECT_EQ(second->executable, first->executable);
}

TEST_F(SessionTest, OddSizes) {
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>{64, 128}, {3, 7}, {1, 1}, {2, 5002}, {0, 8}, {5, 0}, {64, 128}})
    expectScaled(m, n);
}

/// What a call does to its arguments it does once, whether it compiles or not.
TEST_F(SessionTest, CallsInPlaceRunOnce) {
  load(R"mlir(
fuser.fusion @increment(%x: tensor<?x?xf32>, %a: f32) -> tensor<?x?xf32>
    attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.add %x, %a : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
)mlir");
  Matrix x(4, 8, *device);
  auto *values = static_cast<float *>(x.view().data);
  std::fill_n(values, 32, 0.0f);
  float expected = 0;
  const std::vector<CallArgument> arguments = {x.view(), ScalarValue::f32(1)};
  for (int round = 0; round < 3; ++round) {
    Expected<std::vector<Tensor>> result = program->call(arguments);
    ASSERT_TRUE(result.ok()) << result.error().str();
    EXPECT_EQ(std::count(values, values + 32, ++expected), 32) << "round " << round;
    const TensorView output = x.view();
    Status status = program->callInto(arguments, {&output, 1});
    ASSERT_TRUE(status.ok()) << status.error().str();
    EXPECT_EQ(std::count(values, values + 32, ++expected), 32) << "round " << round;
  }
}

TEST_F(SessionTest, CallsInTurnWithSeveralExecutables) {
  Matrix x(6, 8, *device);
  for (int round = 0; round < 3; ++round) {
    expectScaled(6, 8);
    // Every second column: an executable of its own.
    TensorView view = x.view();
    int64_t sizes[] = {6, 4}, strides[] = {8, 2};
    view.sizes = sizes;
    view.strides = strides;
    std::vector<CallArgument> arguments = {view, ScalarValue::f32(3)};
    EXPECT_EQ(program->wouldCompile(arguments), round == 0);
    Expected<std::vector<Tensor>> result = program->call(arguments);
    ASSERT_TRUE(result.ok()) << result.error().str();
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 4; ++j)
        ASSERT_EQ(static_cast<const float *>(
                      (*result)[0].data)[i * (*result)[0].strides[0] + j * (*result)[0].strides[1]],
                  3 * static_cast<const float *>(view.data)[i * 8 + j * 2]);
  }
}

// A call that crops everything gets kernels for that; those for elements, which are fewer, serve
// the calls after it.
TEST_F(SessionTest, CallsThatComputeEmptyValues) {
  load(R"mlir(
    fuser.fusion @f(%x: tensor<?x?xf32>, %l: i64) -> (tensor<?xf32>, tensor<1x1xf32>) {
      %v = arith.constant 0.5 : f32
      %c = fuser.full %v : f32 -> tensor<1x1xf32>
      %y = fuser.exp %c : tensor<1x1xf32>
      %low = arith.index_cast %l : i64 to index
      %p = fuser.pad %x low [0, %low] high [0, 2] value %v : tensor<?x?xf32>, f32 -> tensor<?x?xf32>
      %m = fuser.mul %p, %y : (tensor<?x?xf32>, tensor<1x1xf32>) -> tensor<?x?xf32>
      %s = fuser.sum %m dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %s, %y : tensor<?xf32>, tensor<1x1xf32>
    }
  )mlir");
  Matrix x(3, 8, *device);
  std::vector<CallArgument> none = {x.view(), ScalarValue::i64(-10)},
                            some = {x.view(), ScalarValue::i64(-3)};
  auto forNone = program->prepare(none), forSome = program->prepare(some);
  ASSERT_TRUE(forNone.ok()) << forNone.error().str();
  ASSERT_TRUE(forSome.ok()) << forSome.error().str();
  EXPECT_TRUE(forNone->compiled);
  EXPECT_FALSE(forSome->compiled);
  auto countKernels = [](const auto &prepared) {
    return prepared->executable->getArtifact().kernels.size();
  };
  EXPECT_GT(countKernels(forNone), countKernels(forSome));
}

TEST_F(SessionTest, StridedAndTransposedArguments) {
  // Rows that are further apart than they are long, columns that lie side by side, and both.
  struct {
    int64_t strides[2];
  } cases[] = {{{20, 1}}, {{1, 6}}, {{1, 9}}, {{40, 2}}, {{16, 2}}};
  for (auto &layout : cases) {
    // A version of its own: one for arbitrary strides would serve the others too.
    load(kScale);
    Matrix x(40, 40, *device);
    int64_t sizes[] = {6, 8};
    TensorView view = x.view();
    view.sizes = sizes;
    view.strides = layout.strides;
    Expected<std::vector<Tensor>> result = program->call({view, ScalarValue::f32(2)});
    ASSERT_TRUE(result.ok()) << result.error().str();
    const Tensor &y = (*result)[0];
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 8; ++j)
        ASSERT_EQ(static_cast<const float *>(y.data)[i * y.strides[0] + j * y.strides[1]],
                  2 * static_cast<const float *>(
                          view.data)[i * layout.strides[0] + j * layout.strides[1]])
            << layout.strides[0] << ", " << layout.strides[1];
  }
}

// S0.2, S0.3: the caller's strides are facts, the output follows them by a hint, and a requirement
// binds whatever they are.
TEST_F(SessionTest, ReluOfAChannelsLastView) {
  const std::string body = R"mlir(
    fuser.fusion @relu(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> ATTRIBUTES {
      %0 = fuser.relu %x : tensor<?x?x?x?xf32>
      fuser.return %0 : tensor<?x?x?x?xf32>
    })mlir";
  const int64_t channelsLast[] = {256, 1, 32, 4}, reversed[] = {1, 2, 8, 64};
  for (bool isRequired : {false, true}) {
    std::string source = body;
    source.replace(source.find("ATTRIBUTES"), strlen("ATTRIBUTES"),
                   isRequired ? "attributes {output_orders = [array<i64: 3, 2, 1, 0>]}" : "");
    load(source.c_str());
    Matrix memory(2, 256, *device);
    int64_t sizes[] = {2, 4, 8, 8}, strides[] = {256, 1, 32, 4};
    TensorView view = memory.view();
    view.rank = 4;
    view.sizes = sizes;
    view.strides = strides;
    Expected<std::vector<Tensor>> result = program->call({view});
    ASSERT_TRUE(result.ok()) << result.error().str();
    const Tensor &y = (*result)[0];
    const int64_t *expected = isRequired ? reversed : channelsLast;
    EXPECT_EQ(std::vector<int64_t>(y.strides.begin(), y.strides.end()),
              std::vector<int64_t>(expected, expected + 4));
    const auto *input = static_cast<const float *>(view.data);
    const auto *values = static_cast<const float *>(y.data);
    for (int64_t n = 0; n < 2; ++n)
      for (int64_t c = 0; c < 4; ++c)
        for (int64_t h = 0; h < 8; ++h)
          for (int64_t w = 0; w < 8; ++w)
            ASSERT_EQ(values[n * expected[0] + c * expected[1] + h * expected[2] + w * expected[3]],
                      std::max(0.f, input[n * 256 + c + h * 32 + w * 4]));
  }
}

TEST_F(SessionTest, WrongArgumentsAreTypedErrorsAndCompileNothing) {
  Matrix x(4, 4, *device);
  auto expectError = [&](std::vector<CallArgument> arguments, ErrorCode code,
                         const std::string &message) {
    EXPECT_FALSE(program->wouldCompile(arguments));
    auto result = program->call(arguments);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().message, message);
  };
  expectError({x.view()}, ErrorCode::ArgumentCount, "expected 2 arguments, but got 1");
  expectError({x.view(), x.view()}, ErrorCode::ArgumentKind,
              "argument 1 (a): expected a scalar, but got a tensor");
  TensorView flat = x.view();
  flat.rank = 1;
  expectError({flat, ScalarValue::f32(1)}, ErrorCode::RankMismatch,
              "argument 0 (x): expected rank 2, but got rank 1");
  expectScaled(4, 4);
  TensorView half = x.view();
  half.dtype = DType::F16;
  expectError({half, ScalarValue::f32(1)}, ErrorCode::DTypeMismatch,
              "argument 0 (x): expected element type f32, but got f16");
  TensorView elsewhere = x.view();
  elsewhere.device = {fuser::artifact::DeviceKind::Cuda, 0};
  expectError({elsewhere, ScalarValue::f32(1)}, ErrorCode::DeviceMismatch,
              "argument 0 (x): expected data on device host:0, but got device cuda:0");
  load(R"mlir(
fuser.fusion @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = fuser.exp %x : tensor<f32>
  fuser.return %0 : tensor<f32>
}
)mlir");
  expectError({ScalarValue::f32(1)}, ErrorCode::ArgumentKind,
              "argument 0 (x): expected a tensor, but got a scalar");
}

TEST_F(SessionTest, BadTextIsAnInvalidProgram) {
  auto bad = session::Program::create("fuser.fusion @f(", device);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::InvalidProgram);
  EXPECT_FALSE(bad.error().message.empty());
  bad = session::Program::create("module {}", device);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, "expected one fusion or host function, but got 0");
}

// MLIR's lexer reads to the end of a word; the caller's text ends at its length.
TEST_F(SessionTest, TextEndsWithItsLength) {
  std::string text = std::string(kScale) + "#a = unit", longer = text + "ed";
  auto created = session::Program::create(llvm::StringRef(longer).take_front(text.size()), device);
  ASSERT_TRUE(created.ok()) << created.error().str();
}

TEST_F(SessionTest, ThreadsShareAnExecutable) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&] { expectScaled(16, 64); });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(SessionTest, ReductionsOverRows) {
  load(R"mlir(
fuser.fusion @sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
)mlir");
  for (auto [m, n] : {std::pair<int64_t, int64_t>{8, 512}, {3, 7}, {1, 1}, {4, 1000}}) {
    Matrix x(m, n, *device);
    Expected<std::vector<Tensor>> result = program->call({x.view()});
    ASSERT_TRUE(result.ok()) << result.error().str();
    const auto *source = static_cast<const float *>(x.view().data);
    const auto *y = static_cast<const float *>((*result)[0].data);
    for (int64_t i = 0; i < m; ++i) {
      double exact = 0;
      for (int64_t j = 0; j < n; ++j)
        exact += source[i * n + j];
      EXPECT_NEAR(y[i], exact, 1e-5 * std::sqrt(double(n)) + 1e-6) << m << "x" << n;
    }
  }
}

/// An op that only a library computes runs between kernels, in the order that it requires (S0.3).
TEST_F(SessionTest, LibrarySegment) {
  constexpr const char *kSource = R"mlir(
fuser.fusion @sorted(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %0 = fuser.neg %x : tensor<?x8xf32>
  %1 = fuser.library "sort_rows"(%0 : tensor<?x8xf32>) sizes(%n) options {descending} -> tensor<?x8xf32>
  %2 = fuser.neg %1 : tensor<?x8xf32>
  fuser.return %2 : tensor<?x8xf32>
}
)mlir";
  load(kSource);
  Matrix x(5, 8, *device);
  Expected<std::vector<Tensor>> missing = program->call({x.view()});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(missing.error().message,
            "expected a library routine named 'sort_rows', but none is registered");

  session::ProgramOptions options;
  options.libraries["sort_rows"] = [](Device &, Stream, ArrayView<TensorView> inputs,
                                      ArrayView<TensorView> outputs, const auto &given) -> Status {
    EXPECT_EQ(given.size(), 1u);
    EXPECT_EQ(given[0].first, "descending");
    const auto *from = static_cast<const float *>(inputs[0].data);
    auto *to = static_cast<float *>(outputs[0].data);
    std::copy(from, from + inputs[0].sizes[0] * 8, to);
    for (int64_t row = 0; row < inputs[0].sizes[0]; ++row)
      std::sort(to + row * 8, to + row * 8 + 8, std::greater<float>());
    return {};
  };
  auto created = session::Program::create(kSource, device, options);
  ASSERT_TRUE(created.ok()) << created.error().str();
  program = created.take();
  Expected<std::vector<Tensor>> result = program->call({x.view()});
  ASSERT_TRUE(result.ok()) << result.error().str();
  const auto *source = static_cast<const float *>(x.view().data);
  std::vector<float> expected(source, source + 40);
  for (int row = 0; row < 5; ++row)
    std::sort(expected.begin() + row * 8, expected.begin() + row * 8 + 8);
  const auto *y = static_cast<const float *>((*result)[0].data);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), y));
}

/// A routine writes its rows of a joined value in place, behind those that a kernel writes, and the
/// kernel stores the border (S2.2).
TEST_F(SessionTest, LibraryWritesItsPart) {
  session::ProgramOptions options;
  const float *written = nullptr;
  options.libraries["negate"] = [&](Device &, Stream, ArrayView<TensorView> inputs,
                                    ArrayView<TensorView> outputs, const auto &) -> Status {
    written = static_cast<const float *>(outputs[0].data);
    const auto *from = static_cast<const float *>(inputs[0].data);
    std::transform(from, from + inputs[0].sizes[0] * 8, static_cast<float *>(outputs[0].data),
                   std::negate<float>());
    return {};
  };
  auto created = session::Program::create(R"mlir(
fuser.fusion @rows(%x: tensor<?x8xf32>) -> tensor<12x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  %0 = fuser.full %zero : f32 -> tensor<12x8xf32>
  %1 = fuser.abs %x : tensor<?x8xf32>
  %2 = fuser.insert_slice %1 into %0 [1, 0] : tensor<?x8xf32> into tensor<12x8xf32>
  %3 = fuser.library "negate"(%x : tensor<?x8xf32>) sizes(%n) -> tensor<?x8xf32>
  %4 = fuser.insert_slice %3 into %2 [6, 0] : tensor<?x8xf32> into tensor<12x8xf32>
  fuser.return %4 : tensor<12x8xf32>
}
)mlir",
                                          device, options);
  ASSERT_TRUE(created.ok()) << created.error().str();
  program = created.take();
  Matrix x(5, 8, *device);
  Expected<std::vector<Tensor>> result = program->call({x.view()});
  ASSERT_TRUE(result.ok()) << result.error().str();
  const auto *source = static_cast<const float *>(x.view().data);
  std::vector<float> expected(12 * 8, 0.0f);
  for (int i = 0; i < 5 * 8; ++i) {
    expected[8 + i] = std::fabs(source[i]);
    expected[6 * 8 + i] = -source[i];
  }
  const auto *y = static_cast<const float *>((*result)[0].data);
  EXPECT_EQ(written, y + 6 * 8);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), y));
}

/// An output that is a part of an argument is its memory, or a copy where the caller brings memory.
TEST_F(SessionTest, OutputsThatAreViews) {
  load(R"mlir(
fuser.fusion @part(%x: tensor<?x8xf32>, %o: index) -> tensor<8x2xf32> {
  %0 = fuser.slice %x [%o, 0] [2, 8] : tensor<?x8xf32> -> tensor<2x8xf32>
  %1 = fuser.permute %0 [1, 0] : tensor<2x8xf32> -> tensor<8x2xf32>
  fuser.return %1 : tensor<8x2xf32>
}
)mlir");
  Matrix x(5, 8, *device);
  std::vector<CallArgument> arguments = {x.view(), ScalarValue::i64(2)};
  Expected<std::vector<Tensor>> result = program->call(arguments);
  ASSERT_TRUE(result.ok()) << result.error().str();
  const auto *source = static_cast<const float *>(x.view().data);
  EXPECT_EQ((*result)[0].data, source + 16);
  EXPECT_EQ((*result)[0].strides, (std::vector<int64_t>{1, 8}));

  auto prepared = program->prepare(arguments);
  ASSERT_TRUE(prepared.ok());
  EXPECT_TRUE(prepared->executable->getArtifact().outputs[0].isView);
  float own[16] = {};
  int64_t sizes[] = {8, 2}, strides[] = {1, 8};
  std::vector<TensorView> outputs = {{own, DType::F32, 2, sizes, strides, idOf(*device)}};
  Status status = prepared->executable->callInto(arguments, outputs);
  ASSERT_TRUE(status.ok()) << status.error().str();
  EXPECT_TRUE(std::equal(own, own + 16, source + 16));
  outputs[0].data = const_cast<float *>(source) + 8;
  status = prepared->executable->callInto(arguments, outputs);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::OverlappingBuffers);
}

/// A reshape is a view where the caller's strides allow it, and a copy where they do not.
TEST_F(SessionTest, ReshapesOfStridedArguments) {
  struct {
    int64_t strides[2];
    bool isView;
  } cases[] = {{{8, 1}, true}, {{20, 1}, false}, {{1, 6}, false}, {{16, 2}, false}};
  for (auto &layout : cases) {
    load(R"mlir(
fuser.fusion @merge(%x: tensor<6x8xf32>) -> (tensor<48xf32>, tensor<3x2x2x4xf32>) {
  %0 = fuser.reshape %x : tensor<6x8xf32> -> tensor<48xf32>
  %1 = fuser.reshape %x : tensor<6x8xf32> -> tensor<3x2x2x4xf32>
  fuser.return %0, %1 : tensor<48xf32>, tensor<3x2x2x4xf32>
}
)mlir");
    Matrix x(40, 40, *device);
    int64_t sizes[] = {6, 8};
    TensorView view = x.view();
    view.sizes = sizes;
    view.strides = layout.strides;
    Expected<std::vector<Tensor>> result = program->call({view});
    ASSERT_TRUE(result.ok()) << result.error().str();
    const auto *source = static_cast<const float *>(view.data);
    const Tensor &merged = (*result)[0], &split = (*result)[1];
    EXPECT_EQ(merged.data == view.data, layout.isView) << layout.strides[0];
    // Splits are always views, with strides that are multiples of those of the argument.
    EXPECT_EQ(split.data, view.data);
    EXPECT_EQ(split.strides, (std::vector<int64_t>{2 * layout.strides[0], layout.strides[0],
                                                   4 * layout.strides[1], layout.strides[1]}));
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 8; ++j)
        ASSERT_EQ(static_cast<const float *>(merged.data)[i * 8 + j],
                  source[i * layout.strides[0] + j * layout.strides[1]]);
  }
}

/// An output that is a reshape of what a kernel stores lies in memory of the caller, or in its own.
TEST_F(SessionTest, ReshapedOutputs) {
  load(R"mlir(
fuser.fusion @both(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.max %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %2 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>
}
)mlir");
  Matrix x(5, 7, *device);
  std::vector<CallArgument> arguments = {x.view()};
  auto prepared = program->prepare(arguments);
  ASSERT_TRUE(prepared.ok()) << prepared.error().str();
  EXPECT_EQ(prepared->executable->getArtifact().kernels.size(), 1u);
  EXPECT_FALSE(prepared->executable->getArtifact().outputs[1].isView);
  const auto *source = static_cast<const float *>(x.view().data);
  auto isNegative = [](float a, float b) { return a == -b; };
  Expected<std::vector<Tensor>> result = program->call(arguments);
  ASSERT_TRUE(result.ok()) << result.error().str();
  const auto *flat = static_cast<const float *>((*result)[1].data);
  EXPECT_TRUE(std::equal(flat, flat + 35, source, isNegative));

  float most[5] = {}, own[35] = {};
  int64_t sizes[] = {5, 35}, strides[] = {1};
  std::vector<TensorView> outputs = {{most, DType::F32, 1, sizes, strides, idOf(*device)},
                                     {own, DType::F32, 1, sizes + 1, strides, idOf(*device)}};
  Status status = prepared->executable->callInto(arguments, outputs);
  ASSERT_TRUE(status.ok()) << status.error().str();
  EXPECT_TRUE(std::equal(own, own + 35, source, isNegative));
}

/// What a kernel needs of the address of a view, it needs of the memory that a caller brings.
TEST_F(SessionTest, ReshapedOutputsAreAligned) {
  load(R"mlir(
fuser.fusion @both(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?xf32>) {
  %0 = fuser.exp %x : tensor<?x64xf32>
  %1 = fuser.segment_set %0 : tensor<?x64xf32>
  %2 = fuser.reshape %1 : tensor<?x64xf32> -> tensor<?xf32>
  %3 = fuser.neg %y : tensor<?x64xf32>
  fuser.return %3, %2 : tensor<?x64xf32>, tensor<?xf32>
}
)mlir");
  Matrix x(32, 64, *device), y(32, 64, *device);
  auto prepared = program->prepare(std::vector<CallArgument>{x.view(), y.view()});
  ASSERT_TRUE(prepared.ok()) << prepared.error().str();
  const artifact::Artifact &compiled = prepared->executable->getArtifact();
  ASSERT_EQ(compiled.kernels.size(), 2u);
  // Both kernels store vectors of four.
  EXPECT_EQ(compiled.outputs[0].alignment, 16u);
  EXPECT_EQ(compiled.outputs[1].alignment, 16u);
}

/// Sizes that do not multiply out are an error before anything runs.
TEST_F(SessionTest, ReshapesThatDoNotDivide) {
  load(R"mlir(
fuser.fusion @halves(%x: tensor<?x?xf32>) -> tensor<?x?x4xf32> {
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.reshape %0 : tensor<?x?xf32> -> tensor<?x?x4xf32>
  fuser.return %1 : tensor<?x?x4xf32>
}
)mlir");
  Matrix good(3, 8, *device), bad(3, 10, *device);
  ASSERT_TRUE(program->call({good.view()}).ok());
  Expected<std::vector<Tensor>> result = program->call({bad.view()});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::GuardFailed);
  EXPECT_NE(result.error().message.find("but got 10 and 12"), std::string::npos)
      << result.error().message;
}

} // namespace
