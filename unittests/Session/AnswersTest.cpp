//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a program says about the calls that it compiles for.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"

#include <gtest/gtest.h>

#include <list>

using namespace fuser;
using namespace fuser::runtime;

namespace {

class AnswersTest : public testing::Test {
protected:
  void SetUp() override {
    auto created = createHostDevice();
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    id = idOf(*device);
  }

  std::unique_ptr<session::Program> load(const char *source, session::ProgramOptions options = {}) {
    auto created = session::Program::create(source, device, std::move(options));
    EXPECT_TRUE(created.ok()) << created.error().str();
    return created.ok() ? created.take() : nullptr;
  }

  /// Rows of zeros, so many elements after an aligned address.
  TensorView view(std::vector<int64_t> sizes, size_t offset = 0) {
    std::vector<int64_t> strides(sizes.size(), 1);
    for (size_t dim = sizes.size() - 1; dim-- > 0;)
      strides[dim] = strides[dim + 1] * sizes[dim + 1];
    shapes.push_back({std::move(sizes), std::move(strides)});
    const auto &[kept, distances] = shapes.back();
    return {memory + offset, DType::F32, uint32_t(kept.size()), kept.data(), distances.data(), id};
  }

  static std::string names(const std::vector<StepTime> &times) {
    std::string text;
    for (const StepTime &time : times)
      text += (text.empty() ? "" : ", ") + time.name;
    return text;
  }

  std::shared_ptr<Device> device;
  DeviceId id;
  alignas(64) float memory[1024] = {};
  std::list<std::pair<std::vector<int64_t>, std::vector<int64_t>>> shapes;
};

TEST_F(AnswersTest, TheStepsOfACompilation) {
  auto program = load(kScale);
  const std::vector<CallArgument> arguments = {view({4, 8}), ScalarValue::f32(1)};
  auto first = program->prepare(arguments), second = program->prepare(arguments);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(names(first->times),
            "parse, preseg, segmentation, choose, apply, lowering, object, export, load");
  EXPECT_EQ(names(second->times), "");
}

TEST_F(AnswersTest, TheStepsUpToKernelIR) {
  session::ProgramOptions options;
  options.emitCode = false;
  auto program = load(kScale, options);
  const std::vector<CallArgument> arguments = {view({4, 8}), ScalarValue::f32(1)};
  auto prepared = program->prepare(arguments);
  ASSERT_TRUE(prepared.ok()) << prepared.error().str();
  EXPECT_TRUE(prepared->compiled);
  EXPECT_EQ(prepared->executable, nullptr);
  EXPECT_EQ(names(prepared->times), "parse, preseg, segmentation, choose, apply, lowering");
  auto artifact = program->getArtifact(arguments, nullptr);
  ASSERT_FALSE(artifact.ok());
  EXPECT_EQ(artifact.error().str(),
            "Unsupported: expected a program that emits code, but got one that stops at kernel IR");
}

/// A call that the guards of the kernels refuse gets others, which the reason tells before.
TEST_F(AnswersTest, ReasonsToCompile) {
  auto program = load(kScale);
  auto ask = [&](const TensorView &x) {
    std::string reason = "none";
    const std::vector<CallArgument> arguments = {x, ScalarValue::f32(1)};
    const bool compiles = program->wouldCompile(arguments, &reason);
    EXPECT_EQ(compiles, reason != "none");
    auto prepared = program->prepare(arguments);
    EXPECT_TRUE(prepared.ok() && prepared->compiled == compiles);
    return reason;
  };
  TensorView strided = view({4, 8});
  const int64_t strides[] = {16, 2};
  strided.strides = strides;
  EXPECT_EQ(ask(view({16, 64})), "expected kernels, but none are compiled yet");
  EXPECT_EQ(ask(view({16, 64})), "none");
  EXPECT_EQ(ask(view({16, 60}, 1)),
            "argument 0 (x): expected an address divisible by 16, but got one divisible by 4");
  EXPECT_EQ(ask(view({16, 60}, 1)), "none");
  EXPECT_EQ(
      ask(strided),
      "argument 0 (x): expected stride 1 in dimension 1, but got strides [16, 2] of sizes [4, 8]");
  EXPECT_EQ(ask(strided), "none");
  // A call that nothing can serve.
  EXPECT_FALSE(program->wouldCompile({ScalarValue::f32(1), ScalarValue::f32(1)}));
}

TEST_F(AnswersTest, ConstantsAreNoArguments) {
  auto program = load(R"mlir(
func.func @add(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<[[1.0, 2.5, -3.0], [4.0, 0.5, 7.0]]> : tensor<2x3xf32>
  %0 = arith.addf %x, %c : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
)mlir");
  const std::vector<CallArgument> arguments = {view({2, 3})};
  std::string reason;
  EXPECT_TRUE(program->wouldCompile(arguments, &reason));
  EXPECT_EQ(reason, "expected kernels, but none are compiled yet");
  EXPECT_FALSE(program->wouldCompile({}));
  auto result = program->call({});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().str(), "ArgumentCount: expected 1 arguments, but got 0");
  ASSERT_TRUE(program->call(arguments).ok());
  EXPECT_FALSE(program->wouldCompile(arguments));
  // Into memory of the caller.
  float values[6];
  TensorView output = view({2, 3});
  output.data = values;
  ASSERT_TRUE(program->callInto(arguments, {&output, 1}, nullptr).ok());
  EXPECT_EQ(std::vector<float>(values, values + 6), std::vector<float>({1, 2.5, -3, 4, 0.5, 7}));
}

/// The device has them, so that executables need no copy.
TEST_F(AnswersTest, ExecutablesHaveNoConstants) {
  constexpr const char *kSum = R"mlir(
func.func @add(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[2.5, 3.0]> : tensor<2xf32>
  %0 = arith.addf %x, %c : tensor<2xf32>
  return %0 : tensor<2xf32>
}
)mlir";
  const std::vector<CallArgument> arguments = {view({2})};
  auto program = load(kSum), other = load(kSum);
  auto artifact = program->getArtifact(arguments, nullptr);
  ASSERT_TRUE(artifact.ok()) << artifact.error().str();
  EXPECT_EQ(artifact->constants.size(), 1u);
  ASSERT_TRUE(other->addArtifact(*artifact).ok());
  auto loaded = session::Program::load(*artifact, device);
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  for (session::Program *each : {program.get(), other.get(), loaded->get()}) {
    auto prepared = each->prepare(arguments);
    ASSERT_TRUE(prepared.ok()) << prepared.error().str();
    EXPECT_FALSE(prepared->compiled);
    EXPECT_TRUE(prepared->executable->getArtifact().constants.empty());
    auto result = each->call(arguments);
    ASSERT_TRUE(result.ok()) << result.error().str();
    EXPECT_EQ(*static_cast<const float *>((*result)[0].data), 2.5f);
  }
}

/// The schedules of a call are those of its layouts and alignments.
TEST_F(AnswersTest, SchedulesOfTheCall) {
  auto list = [&](const TensorView &x) {
    auto kernels = load(kScale)->enumerateSchedules({x, ScalarValue::f32(1)}, /*most=*/1);
    return kernels.ok() ? (*kernels)[0].options[0].params : kernels.error().str();
  };
  EXPECT_EQ(list(view({16, 60})), "#fuser_sched.pointwise<vector = 4>");
  EXPECT_EQ(list(view({16, 60}, 2)), "#fuser_sched.pointwise<vector = 2, unroll = 4>");
  EXPECT_EQ(list(view({16, 60}, 1)), "#fuser_sched.pointwise<unroll = 4>");
}

} // namespace
