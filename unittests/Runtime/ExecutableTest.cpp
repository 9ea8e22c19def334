//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Artifact/SampleArtifact.h"
#include "FakeDevice.h"

#include "fuser/Runtime/Executable.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::artifact::test::makeSample;
using fuser::runtime::test::FakeDevice;

namespace {

constexpr DeviceId kGpu = {DeviceKind::Cuda, 0};

/// A tensor in host memory, sizes and strides included.
struct Data {
  Data(std::vector<int64_t> sizes, std::vector<int64_t> strides, DType dtype = DType::F32)
      : sizes(std::move(sizes)), strides(std::move(strides)), dtype(dtype), bytes(1 << 16) {}

  TensorView view(size_t offset = 0) {
    auto base = (reinterpret_cast<uintptr_t>(bytes.data()) + 255) / 256 * 256;
    return {reinterpret_cast<void *>(base + offset),
            dtype,
            static_cast<uint32_t>(sizes.size()),
            sizes.data(),
            strides.data(),
            kGpu};
  }

  std::vector<int64_t> sizes, strides;
  DType dtype;
  std::vector<char> bytes;
};

/// The sample artifact on a fake device, called with x[3, 8] of row stride 16.
class ExecutableTest : public ::testing::Test {
protected:
  void SetUp() override { load(makeSample()); }

  void load(Artifact artifact) {
    device = std::make_shared<FakeDevice>();
    auto result = Executable::create(std::move(artifact), device);
    ASSERT_TRUE(result.ok()) << result.error().str();
    executable = result.take();
  }

  std::vector<CallArgument> arguments() {
    return {x.view(), ScalarValue::f32(0.5f), ScalarValue::i64(77)};
  }

  /// Expects a call to be refused before anything was launched or leaked.
  void expectError(ArrayView<CallArgument> args, ErrorCode code, const std::string &message) {
    Expected<std::vector<Tensor>> result = executable->call(args);
    ASSERT_FALSE(result.ok()) << message;
    EXPECT_EQ(toString(result.error().code), std::string(toString(code)));
    EXPECT_EQ(result.error().message, message);
    EXPECT_EQ(device->launches, 0u);
    EXPECT_TRUE(device->live.empty());
  }

  Data x{{3, 8}, {16, 1}};
  std::shared_ptr<FakeDevice> device;
  std::unique_ptr<Executable> executable;
};

/// The sample with x as a constant that calls do not pass: it becomes the last argument.
Artifact makeSampleWithConstant() {
  Artifact a;
  a.name = "constant";
  a.target = *lookupDevice("sm_90");
  a.arguments.resize(2);
  a.arguments[0] = {"x", true, DType::F32, {kDynamic}, {0}, {1}, 4};
  a.arguments[1] = {"c", true, DType::F32, {3}, {0}, {1}, 4};
  ExprPool &e = a.exprs;
  ExprId one = e.constant(1), three = e.constant(3);
  a.outputs.push_back({"y", DType::F32, {three}, {one}, kNotAnArgument, false, 4});
  a.guards.push_back({e.size(0, 0), ExprKind::Equal, e.size(1, 0), "equal sizes"});
  a.program.buffers = {
      {"x", DType::F32, 0}, {"c", DType::F32, 1}, {"y", DType::F32, kNotAnArgument}};
  a.program.instructions.push_back(Alloc{2, {three}, {one}, false});
  a.program.instructions.push_back(Copy{1, 2});
  a.program.instructions.push_back(Return{{2}});
  const float values[3] = {1.5f, -2, 7};
  a.constants.push_back(
      {DType::F32, {3}, std::string(reinterpret_cast<const char *>(values), sizeof(values))});
  return a;
}

template <typename T> T as(const std::string &bytes) {
  EXPECT_EQ(bytes.size(), sizeof(T));
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

TEST_F(ExecutableTest, ConstantsFollowTheArguments) {
  load(makeSampleWithConstant());
  Data values({3}, {1});
  std::vector<CallArgument> passed = {values.view()};
  Expected<std::vector<Tensor>> result = executable->call(passed);
  ASSERT_TRUE(result.ok()) << result.error().str();
  const auto *y = static_cast<const float *>((*result)[0].data);
  EXPECT_EQ(std::vector<float>(y, y + 3), (std::vector<float>{1.5f, -2, 7}));
  TensorReceiver receiver(1);
  auto tried = executable->tryCall(passed, receiver, nullptr);
  ASSERT_TRUE(tried && tried->ok());
  EXPECT_EQ(static_cast<const float *>(receiver.take()[0].data)[2], 7);

  Status count = executable->checkGuards({values.view(), values.view()});
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().str(), "ArgumentCount: expected 1 arguments, but got 2");
  Data longer({4}, {1});
  Status guard = executable->checkGuards({longer.view()});
  ASSERT_FALSE(guard);
  EXPECT_EQ(guard.error().code, ErrorCode::GuardFailed);
}

TEST_F(ExecutableTest, LoadsNoKernelsForCallsThatDoNotFit) {
  device = std::make_shared<FakeDevice>();
  ExecutableOptions options;
  std::vector<CallArgument> fitting = arguments();
  Data odd({3, 7}, {16, 1});
  std::vector<CallArgument> other = {odd.view(), ScalarValue::f32(0), ScalarValue::i64(0)};
  options.onlyFor = ArrayView<CallArgument>(other);
  auto refused = Executable::create(makeSample(), device, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::GuardFailed);
  EXPECT_EQ(device->loads, 0u);
  options.onlyFor = ArrayView<CallArgument>(fitting);
  auto loaded = Executable::create(makeSample(), device, options);
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  EXPECT_EQ(device->loads, 1u);
  // Later calls are not limited to those arguments.
  Data wider({3, 12}, {16, 1});
  EXPECT_TRUE(
      (*loaded)->checkGuards({wider.view(), ScalarValue::f32(0), ScalarValue::i64(0)}).ok());
}

TEST_F(ExecutableTest, RunsTheProgram) {
  LaunchConfig seen;
  std::vector<MemoryRange> ranges;
  std::vector<std::string> parameters;
  device->onLaunch = [&](const LaunchConfig &config, const std::vector<std::string> &values) {
    seen = config;
    ranges.assign(config.ranges.begin(), config.ranges.end());
    parameters = values;
    return Status();
  };
  auto *source = static_cast<float *>(x.view().data);
  for (unsigned i = 0; i < 64; ++i)
    source[i] = 0.25f * i - 3;

  Expected<std::vector<Tensor>> result = executable->call(arguments());
  ASSERT_TRUE(result.ok()) << result.error().str();
  ASSERT_EQ(result->size(), 1u);
  const Tensor &y = (*result)[0];
  EXPECT_EQ(y.sizes, (std::vector<int64_t>{3, 8}));
  EXPECT_EQ(y.strides, (std::vector<int64_t>{8, 1}));
  // The loop copied every row.
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 8; ++column)
      EXPECT_EQ(static_cast<float *>(y.data)[row * 8 + column], source[row * 16 + column]);

  ASSERT_EQ(parameters.size(), 6u);
  EXPECT_EQ(as<void *>(parameters[0]), x.view().data);
  EXPECT_EQ(as<void *>(parameters[1]), y.data);
  EXPECT_EQ(as<int32_t>(parameters[3]), 8);
  EXPECT_EQ(as<int64_t>(parameters[4]), 77);
  EXPECT_EQ(as<float>(parameters[5]), 0.5f);
  EXPECT_EQ(seen.grid[0], 1u);
  EXPECT_EQ(seen.block[0], 128u);
  EXPECT_EQ(seen.dynamicSharedBytes, 512u);

  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].begin, x.view().data);
  EXPECT_EQ(ranges[0].bytes, 4u * (2 * 16 + 8));
  EXPECT_TRUE(ranges[0].reads && !ranges[0].writes);
  EXPECT_EQ(ranges[1].bytes, 4u * 24);
  EXPECT_TRUE(!ranges[1].reads && ranges[1].writes);
  EXPECT_EQ(ranges[2].parameter, 2u);

  std::vector<std::string> expected = {"alloc 96 @0", "alloc 4 @0", "fill 4 @0",  "launch k 1 @0",
                                       "free 4 @0",   "record @0",  "wait @1",    "wait @2",
                                       "copy 32 @1",  "copy 32 @2", "copy 32 @1", "record @1",
                                       "wait @0",     "record @2",  "wait @0"};
  EXPECT_EQ(device->journal, expected);
  // Kept for the next call.
  EXPECT_EQ(device->events, 1);
  EXPECT_EQ(device->live.size(), 1u);
  *result = {};
  EXPECT_TRUE(device->live.empty());
}

// S4.8: two loops over streams, as outlining makes them: the first allocates in the loop. Launches
// of different iterations are on different streams, never on the call's own, and the second loop
// starts after all iterations of the first.
TEST_F(ExecutableTest, IterationsOfALoopRunOnStreamsOfTheirOwn) {
  Artifact artifact = makeSample();
  ExprPool &e = artifact.exprs;
  HostProgram &p = artifact.program;
  auto launch = std::get<Launch>(
      *std::find_if(p.instructions.begin(), p.instructions.end(),
                    [](const Instruction &each) { return std::holds_alternative<Launch>(each); }));
  ExprId one = e.constant(1), m = e.size(0, 0), n = e.size(0, 1);
  p.instructions.clear();
  p.instructions.push_back(Alloc{1, {m, n}, {n, one}, false});
  for (uint32_t loop = 0; loop < 2; ++loop) {
    launch.grid[0] = e.add(e.loopIndex(loop), one);
    launch.parameters = {{Parameter::Kind::Pointer, 1, 0, 8, 0}};
    // What it writes in an iteration, no other iteration accesses.
    launch.boxes.resize(1);
    p.instructions.push_back(ForBegin{loop, m, 2});
    if (loop == 0)
      p.instructions.push_back(Alloc{2, {n}, {one}, false});
    p.instructions.push_back(launch);
    if (loop == 0)
      p.instructions.push_back(Free{2});
    p.instructions.push_back(ForEnd{loop});
  }
  p.instructions.push_back(Return{{1}});
  load(artifact);

  Expected<std::vector<Tensor>> result = executable->call(arguments());
  ASSERT_TRUE(result.ok()) << result.error().str();
  std::vector<std::string> expected = {
      "alloc 96 @0",   "record @0",     "wait @1",       "wait @2", //
      "alloc 32 @1",   "launch k 1 @1", "free 32 @1",               //
      "alloc 32 @2",   "launch k 2 @2", "free 32 @2",               //
      "alloc 32 @1",   "launch k 3 @1", "free 32 @1",               //
      "record @1",     "wait @0",       "record @2",     "wait @0", //
      "record @0",     "wait @1",       "wait @2",                  //
      "launch k 1 @1", "launch k 2 @2", "launch k 3 @1",            //
      "record @1",     "wait @0",       "record @2",     "wait @0"};
  EXPECT_EQ(device->journal, expected);
}

TEST_F(ExecutableTest, GridFollowsTheSizes) {
  Data large{{64, 128}, {128, 1}};
  std::vector<CallArgument> args = arguments();
  args[0] = large.view();
  ASSERT_TRUE(executable->call(args).ok());
  EXPECT_EQ(device->journal[3], "launch k 64 @0");
}

TEST_F(ExecutableTest, EmptyTensorsLaunchNothing) {
  for (std::vector<int64_t> sizes : {std::vector<int64_t>{0, 8}, {3, 0}, {0, 0}}) {
    load(makeSample());
    Data empty{sizes, {1, 1}};
    std::vector<CallArgument> args = arguments();
    args[0] = empty.view();
    args[0].tensor.data = nullptr;
    Expected<std::vector<Tensor>> result = executable->call(args);
    ASSERT_TRUE(result.ok()) << result.error().str();
    EXPECT_EQ((*result)[0].sizes, sizes);
    EXPECT_EQ(device->launches, 0u);
    EXPECT_EQ((*result)[0].data, nullptr);
  }
}

TEST_F(ExecutableTest, ArgumentsAreChecked) {
  std::vector<CallArgument> good = arguments();
  expectError({good.data(), 2}, ErrorCode::ArgumentCount, "expected 3 arguments, but got 2");

  auto with = [&](size_t index, CallArgument argument) {
    std::vector<CallArgument> args = arguments();
    args[index] = argument;
    return args;
  };
  expectError(with(1, x.view()), ErrorCode::ArgumentKind,
              "argument 1 (s): expected a scalar, but got a tensor");
  expectError(with(0, ScalarValue::i64(1)), ErrorCode::ArgumentKind,
              "argument 0 (x): expected a tensor, but got a scalar");
  expectError(with(1, ScalarValue::f64(1)), ErrorCode::DTypeMismatch,
              "argument 1 (s): expected a scalar of type f32, but got f64");

  TensorView view = x.view();
  view.dtype = DType::BF16;
  expectError(with(0, view), ErrorCode::DTypeMismatch,
              "argument 0 (x): expected element type f32, but got bf16");
  view = x.view();
  view.rank = 1;
  expectError(with(0, view), ErrorCode::RankMismatch,
              "argument 0 (x): expected rank 2, but got rank 1");
  view = x.view();
  view.device = {DeviceKind::Host, 0};
  expectError(with(0, view), ErrorCode::DeviceMismatch,
              "argument 0 (x): expected data on device cuda:0, but got device host:0");
  view.device = {DeviceKind::Cuda, 1};
  expectError(with(0, view), ErrorCode::DeviceMismatch,
              "argument 0 (x): expected data on device cuda:0, but got device cuda:1");
  Data negative{{3, -8}, {16, 1}};
  expectError(with(0, negative.view()), ErrorCode::SizeMismatch,
              "argument 0 (x): expected size of at least 0 in dimension 1, but got -8");
  Data transposed{{3, 8}, {1, 3}};
  expectError(with(0, transposed.view()), ErrorCode::StrideMismatch,
              "argument 0 (x): expected stride 1 in dimension 1, but got strides [1, 3] of sizes "
              "[3, 8]");
  expectError(with(0, x.view(4)), ErrorCode::AlignmentMismatch,
              "argument 0 (x): expected an address divisible by 16, but got one divisible by 4");
  view = x.view();
  view.data = nullptr;
  expectError(with(0, view), ErrorCode::NullPointer,
              "argument 0 (x): expected data, but got a null pointer");
}

TEST_F(ExecutableTest, RandomArgumentsAreAcceptedWhereTheirFactsHold) {
  Artifact artifact = makeSample();
  ArgumentSpec &spec = artifact.arguments[0];
  spec.sizes = {kDynamic, 4, kDynamic};
  spec.order = {1, 2, 0};
  spec.contiguous = {1, 0, 1};
  artifact.guards.clear();
  artifact.program.instructions = {artifact.program.instructions[0], Return{{1}}};
  load(artifact);
  std::mt19937 random(5);
  auto pick = [&](std::vector<int64_t> values) { return values[random() % values.size()]; };
  unsigned accepted = 0;
  constexpr unsigned kRounds = 4000;
  for (unsigned round = 0; round < kRounds; ++round) {
    int64_t sizes[] = {pick({0, 1, 2, 5, -1}), pick({4, 4, 4, 3}), pick({0, 1, 8, 8, INT64_MAX})};
    int64_t strides[] = {pick({1, 1, 1, 2}), pick({16, 40, 8, 1}), pick({2, 5, 16})};
    void *data = reinterpret_cast<void *>(pick({4096, 4096, 4096, 4104, 0}));
    auto dtype = random() % 8 ? DType::F32 : DType::I32;
    DeviceId place = random() % 8 ? kGpu : DeviceId{DeviceKind::Cuda, 1};
    TensorView view{data, dtype, random() % 8 ? 3u : 2u, sizes, strides, place};
    // What ArgumentSpec says.
    bool expected = dtype == DType::F32 && view.rank == 3 && place == kGpu && sizes[0] >= 0 &&
                    sizes[1] == 4 && sizes[2] >= 0;
    if (expected && sizes[0] > 0 && sizes[2] > 0) {
      __int128 faster = __int128(sizes[0]) * sizes[2];
      expected = (sizes[0] == 1 || strides[0] == 1) && strides[1] == faster &&
                 faster * 4 <= INT64_MAX && data != nullptr &&
                 reinterpret_cast<uintptr_t>(data) % 16 == 0;
    }
    std::vector<CallArgument> args = {view, ScalarValue::f32(0), ScalarValue::i64(0)};
    EXPECT_EQ(executable->checkGuards(args).ok(), expected)
        << "sizes " << sizes[0] << " " << sizes[1] << " " << sizes[2] << " strides " << strides[0]
        << " " << strides[1] << " " << strides[2] << " data " << data;
    accepted += expected;
  }
  EXPECT_GT(accepted, kRounds / 50);
  EXPECT_LT(accepted, kRounds / 2);
}

TEST_F(ExecutableTest, StaticSizesAndDenseRowsAreChecked) {
  Artifact artifact = makeSample();
  artifact.arguments[0].sizes = {kDynamic, 8};
  artifact.arguments[0].contiguous = {1, 1};
  load(artifact);
  expectError(arguments(), ErrorCode::StrideMismatch,
              "argument 0 (x): expected stride 8 in dimension 0, but got strides [16, 1] of sizes "
              "[3, 8]");
  Data narrow{{3, 4}, {4, 1}};
  std::vector<CallArgument> args = arguments();
  args[0] = narrow.view();
  expectError(args, ErrorCode::SizeMismatch,
              "argument 0 (x): expected size 8 in dimension 1, but got 4");
  // A single row has no stride to check.
  Data single{{1, 8}, {5, 1}};
  args[0] = single.view();
  EXPECT_TRUE(executable->call(args).ok());
}

TEST_F(ExecutableTest, GuardsNameTheConditionAndTouchNoDevice) {
  Data odd{{3, 6}, {8, 1}};
  std::vector<CallArgument> args = arguments();
  args[0] = odd.view();
  Status status = executable->checkGuards(args);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::GuardFailed);
  EXPECT_EQ(status.error().message,
            "expected x.size[1] mod 4 == 0 (16-byte loads), but got 2 and 0");
  EXPECT_TRUE(executable->checkGuards(arguments()).ok());
  EXPECT_TRUE(device->journal.empty());
}

TEST_F(ExecutableTest, HugeSizesAreTypedErrors) {
  constexpr int64_t kHuge = int64_t(1) << 40;
  Data huge{{kHuge, kHuge}, {kHuge, 1}};
  std::vector<CallArgument> args = arguments();
  args[0] = huge.view();
  expectError(args, ErrorCode::IntegerOverflow,
              "argument 0 (x): expected a number of elements that fits 64 bits, but got sizes "
              "[1099511627776, 1099511627776]");
  // Fits 64 bits as elements, but neither as blocks nor in the 32-bit parameter.
  Data wide{{1, kHuge}, {kHuge, 1}};
  args[0] = wide.view();
  device->failAllocationsAbove = 1 << 20;
  expectError(args, ErrorCode::OutOfMemory, "expected 4398046511104 bytes");
}

TEST_F(ExecutableTest, LaunchLimitsAreChecked) {
  Artifact artifact = makeSample();
  std::get<Launch>(artifact.program.instructions[2]).block[0] = artifact.exprs.constant(2048);
  load(artifact);
  expectError(arguments(), ErrorCode::InvalidLaunch,
              "kernel 'sample_0': expected block.x from 1 to 1024, but got 2048");
  artifact = makeSample();
  std::get<Launch>(artifact.program.instructions[2]).grid[0] = artifact.exprs.constant(-1);
  load(artifact);
  Expected<std::vector<Tensor>> result = executable->call(arguments());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().str(),
            "InvalidLaunch: kernel 'sample_0': expected launch dimensions from 0 to 4294967295, "
            "but got grid -1 x 1 x 1, block 128 x 1 x 1, shared memory 512");
}

TEST_F(ExecutableTest, SizesOfBuffersAreChecked) {
  for (bool ofStride : {false, true}) {
    Artifact artifact = makeSample();
    auto &work = std::get<Alloc>(artifact.program.instructions[1]);
    (ofStride ? work.strides : work.sizes)[0] = artifact.exprs.constant(-1);
    load(artifact);
    Expected<std::vector<Tensor>> result = executable->call(arguments());
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().str(),
              std::string("SizeMismatch: buffer 'work': expected a size and a stride of at least 0 "
                          "in dimension 0, but got ") +
                  (ofStride ? "1 and -1" : "-1 and 1"));
    EXPECT_TRUE(device->live.empty());
  }
}

TEST_F(ExecutableTest, ParametersMustFit) {
  Artifact artifact = makeSample();
  std::get<Launch>(artifact.program.instructions[2]).parameters[4].bytes = 4;
  load(artifact);
  std::vector<CallArgument> args = arguments();
  args[2] = ScalarValue::i64(int64_t(1) << 31);
  expectError(args, ErrorCode::IntegerOverflow,
              "kernel 'sample_0', parameter 4: expected 'c' to fit 32 bits, but got 2147483648");
  args[2] = ScalarValue::i64(-(int64_t(1) << 31));
  EXPECT_TRUE(executable->call(args).ok());
}

TEST_F(ExecutableTest, DivisionByZeroNamesTheExpression) {
  Artifact artifact = makeSample();
  ExprPool &e = artifact.exprs;
  std::get<Launch>(artifact.program.instructions[2]).grid[1] =
      e.ceilDiv(e.size(0, 0), e.sub(e.size(0, 1), e.constant(8)));
  load(artifact);
  expectError(arguments(), ErrorCode::DivisionByZero,
              "'ceildiv(x.size[0], x.size[1] - 8)': expected a divisor other than 0, but got "
              "operands 3 and 0");
}

TEST_F(ExecutableTest, AFailedLaunchLeaksNothing) {
  device->onLaunch = [](const LaunchConfig &, const std::vector<std::string> &) -> Status {
    return makeError(ErrorCode::Deadlock, "all threads wait");
  };
  Expected<std::vector<Tensor>> result = executable->call(arguments());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::Deadlock);
  EXPECT_TRUE(device->live.empty());
}

TEST_F(ExecutableTest, WritesIntoTheCallersMemory) {
  Data y{{3, 8}, {8, 1}};
  std::vector<TensorView> outputs = {y.view()};
  ASSERT_TRUE(executable->callInto(arguments(), outputs).ok());
  EXPECT_EQ(device->journal[0], "alloc 4 @0") << "only the workspace is allocated";
  EXPECT_TRUE(device->live.empty());

  auto refuse = [&](TensorView view, ErrorCode code, const std::string &message) {
    std::vector<TensorView> bad = {view};
    Status status = executable->callInto(arguments(), bad);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_EQ(toString(status.error().code), std::string(toString(code)));
    EXPECT_EQ(status.error().message, message);
  };
  Data wide{{3, 8}, {9, 1}};
  refuse(wide.view(), ErrorCode::StrideMismatch,
         "output 0 (y): expected stride 8 in dimension 0, but got strides [9, 1]");
  Data tall{{4, 8}, {8, 1}};
  refuse(tall.view(), ErrorCode::SizeMismatch,
         "output 0 (y): expected size 3 in dimension 0, but got 4");
  refuse(y.view(8), ErrorCode::AlignmentMismatch,
         "output 0 (y): expected an address divisible by 16, but got one divisible by 8");
  TensorView inX = y.view();
  inX.data = static_cast<char *>(x.view().data) + 144;
  refuse(inX, ErrorCode::OverlappingBuffers,
         "output 0 (y): expected memory of its own, but it overlaps argument 0 (x)");
  // Immediately after the last element of x is legal.
  inX.data = static_cast<char *>(x.view().data) + 160;
  outputs = {inX};
  EXPECT_TRUE(executable->callInto(arguments(), outputs).ok());
  Status status = executable->callInto(arguments(), ArrayView<TensorView>());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "ArgumentCount: expected memory for 1 outputs, but got 0");
  TensorView last = y.view();
  last.data = reinterpret_cast<void *>(UINTPTR_MAX - 15);
  refuse(last, ErrorCode::IntegerOverflow,
         "output 0 (y): expected memory within the address space");
}

/// x[] += 1 in place: the output is the argument.
Artifact makeInPlace() {
  Artifact a = makeSample();
  a.arguments = {{"x", true, DType::F32, {}, {}, {}, 4}};
  a.exprs = ExprPool();
  ExprId one = a.exprs.constant(1), zero = a.exprs.constant(0), four = a.exprs.constant(4);
  a.guards.clear();
  a.outputs = {{"x_out", DType::F32, {}, {}, 0, false, 4}};
  a.program.buffers = {{"x", DType::F32, 0}};
  Launch launch;
  launch.parameters.push_back({Parameter::Kind::Pointer, 0, 0, 8, 0});
  for (unsigned i = 0; i < 3; ++i)
    launch.grid[i] = launch.block[i] = launch.cluster[i] = one;
  launch.dynamicSharedBytes = zero;
  launch.boxes = {{0, Access::ReadWrite, {}, {}, zero, four}};
  a.program.instructions = {launch, Return{{0}}};
  return a;
}

TEST_F(ExecutableTest, ZeroDimensionalAliasedOutput) {
  load(makeInPlace());
  Data scalar{{}, {}}, other{{}, {}};
  std::vector<CallArgument> args = {scalar.view()};
  Expected<std::vector<Tensor>> result = executable->call(args);
  ASSERT_TRUE(result.ok()) << result.error().str();
  EXPECT_EQ((*result)[0].data, scalar.view().data);
  EXPECT_EQ((*result)[0].storage, nullptr);
  EXPECT_TRUE((*result)[0].sizes.empty());

  std::vector<TensorView> outputs = {scalar.view()};
  EXPECT_TRUE(executable->callInto(args, outputs).ok());
  outputs = {other.view()};
  Status status = executable->callInto(args, outputs);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::OverlappingBuffers);
}

TEST_F(ExecutableTest, WrittenArgumentsShareNothing) {
  Artifact artifact = makeInPlace();
  artifact.arguments.push_back({"w", true, DType::F32, {kDynamic}, {0}, {1}, 4});
  load(artifact);
  Data x0{{}, {}}, w{{4}, {1}};
  std::vector<CallArgument> args = {x0.view(), w.view()};
  EXPECT_TRUE(executable->checkGuards(args).ok());
  args[1].tensor.data = static_cast<char *>(x0.view().data) - 12;
  expectError(args, ErrorCode::OverlappingBuffers,
              "argument 0 (x): expected memory of its own, because output 'x_out' is stored there, "
              "but it overlaps argument 1 (w)");
  args[1].tensor.data = static_cast<char *>(x0.view().data) - 16;
  EXPECT_TRUE(executable->checkGuards(args).ok());
}

TEST_F(ExecutableTest, WrittenArgumentsShareNothingWithThemselves) {
  Artifact artifact = makeInPlace();
  artifact.arguments = {{"x", true, DType::F32, {kDynamic, kDynamic}, {0, 1}, {0, 0}, 4}};
  artifact.outputs[0].sizes =
      artifact.outputs[0].strides = {artifact.exprs.constant(4), artifact.exprs.constant(4)};
  std::get<Launch>(artifact.program.instructions[0]).boxes.clear();
  load(artifact);
  auto check = [&](std::vector<int64_t> sizes, std::vector<int64_t> strides) {
    Data data{sizes, strides};
    std::vector<CallArgument> args = {data.view()};
    Status status = executable->checkGuards(args);
    return status.ok() ? std::string() : status.error().message;
  };
  EXPECT_EQ(check({4, 4}, {0, 1}),
            "argument 0 (x): expected elements that share no memory, because output 'x_out' is "
            "stored there, but got sizes [4, 4] and strides [0, 1]");
  EXPECT_NE(check({4, 4}, {1, 1}), "");
  EXPECT_NE(check({4, 4}, {3, 1}), "");
  EXPECT_NE(check({4, 4}, {2, 2}), "");
  EXPECT_EQ(check({4, 4}, {4, 1}), "");
  EXPECT_EQ(check({4, 4}, {1, 4}), "");
  EXPECT_NE(check({1, 4}, {0, 0}), "");
  EXPECT_NE(check({2, 4}, {0, 1}), "");
  EXPECT_EQ(check({1, 4}, {0, 1}), "");
  EXPECT_EQ(check({4, 1}, {1, 1}), "");
}

TEST_F(ExecutableTest, TriesACall) {
  Data y{{3, 8}, {8, 1}};
  std::vector<TensorView> outputs = {y.view()};
  std::vector<CallArgument> wrong = arguments();
  wrong[0].tensor.rank = 1;
  TensorReceiver receiver(1);
  EXPECT_FALSE(executable->tryCall(wrong, receiver, nullptr).has_value());
  EXPECT_FALSE(executable->tryCallInto(wrong, outputs, nullptr).has_value());
  EXPECT_TRUE(device->journal.empty()) << "nothing has run";

  std::optional<Status> status = executable->tryCall(arguments(), receiver, nullptr);
  ASSERT_TRUE(status.has_value());
  ASSERT_TRUE(status->ok());
  std::vector<Tensor> results = receiver.take();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].sizes, (std::vector<int64_t>{3, 8}));
  status = executable->tryCallInto(arguments(), outputs, nullptr);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(status->ok());

  // What fails later has been tried: to run it again could update memory twice.
  status = executable->tryCallInto(arguments(), ArrayView<TensorView>(), nullptr);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->error().code, ErrorCode::ArgumentCount);
}

TEST_F(ExecutableTest, LibraryCallsGoToTheirRoutine) {
  Artifact artifact = makeSample();
  auto position = artifact.program.instructions.begin() + 2;
  artifact.program.instructions.insert(position, LibraryCall{"sort", {0}, {1}, {{"axis", "1"}}});
  auto missing = Executable::create(artifact, device);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message,
            "expected a library routine named 'sort', but none is registered");

  ExecutableOptions options;
  unsigned calls = 0;
  options.libraries["sort"] = [&](Device &, Stream, ArrayView<TensorView> inputs,
                                  ArrayView<TensorView> outputs, const auto &settings) {
    ++calls;
    EXPECT_EQ(inputs[0].strides[0], 16);
    EXPECT_EQ(outputs[0].strides[0], 8);
    EXPECT_EQ(settings[0].second, "1");
    return Status();
  };
  auto created = Executable::create(artifact, device, options);
  ASSERT_TRUE(created.ok());
  EXPECT_TRUE((*created)->call(arguments()).ok());
  EXPECT_EQ(calls, 1u);
}

TEST_F(ExecutableTest, KernelsOfAnotherKindOfDeviceAreRefused) {
  Artifact artifact = makeSample();
  artifact.kernels[0].format = KernelFormat::HostObject;
  auto result = Executable::create(artifact, device);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "kernel 'sample_0': expected code for device cuda:0, but got "
                                    "host_object for sm_90");
}

/// The sample with `count` kernels of which its program launches the first one.
static Artifact makeSampleWithKernels(size_t count) {
  Artifact artifact = makeSample();
  for (size_t i = 1; i < count; ++i) {
    artifact.kernels.push_back(artifact.kernels.front());
    artifact.kernels.back().name += "_" + std::to_string(i);
  }
  return artifact;
}

TEST_F(ExecutableTest, KernelsAreLoadedInThreads) {
  for (unsigned threads : {1u, 4u}) {
    ExecutableOptions options;
    options.threads = threads;
    std::vector<size_t> counts;
    options.onProgress = [&](size_t loaded, size_t total) {
      EXPECT_EQ(total, 20u);
      counts.push_back(loaded);
    };
    const unsigned before = device->loads;
    auto created = Executable::create(makeSampleWithKernels(20), device, options);
    ASSERT_TRUE(created.ok()) << created.error().str();
    EXPECT_EQ(device->loads - before, 20u);
    ASSERT_EQ(counts.size(), 20u);
    for (size_t i = 0; i < counts.size(); ++i)
      EXPECT_EQ(counts[i], i + 1);
    EXPECT_TRUE((*created)->call(arguments()).ok());
  }
}

TEST_F(ExecutableTest, TheFirstKernelThatCannotBeLoadedIsTheError) {
  device->refuses = [](const Kernel &kernel) {
    return kernel.name == "sample_0_7" || kernel.name == "sample_0_9" ||
           kernel.name == "sample_0_12";
  };
  for (unsigned threads : {1u, 2u, 8u}) {
    ExecutableOptions options;
    options.threads = threads;
    auto created = Executable::create(makeSampleWithKernels(20), device, options);
    ASSERT_FALSE(created.ok());
    EXPECT_EQ(created.error().message, "refused sample_0_7");
  }
}

TEST_F(ExecutableTest, AnInterruptEndsTheLoads) {
  int interrupt = 1;
  ExecutableOptions options;
  options.interrupt = &interrupt;
  const unsigned before = device->loads;
  auto created = Executable::create(makeSample(), device, options);
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().str(), "Interrupted: expected to load kernels, but was interrupted");
  EXPECT_EQ(device->loads, before);
}

TEST_F(ExecutableTest, InconsistentArtifactsAreRefused) {
  Artifact artifact = makeSample();
  artifact.kernels.clear();
  auto result = Executable::create(artifact, device);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::Corrupt);
}

TEST_F(ExecutableTest, ThreadsMayCallAtOnce) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (unsigned i = 0; i < 100; ++i)
        EXPECT_TRUE(executable->call(arguments()).ok());
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(device->launches, 400u);
  EXPECT_TRUE(device->live.empty());
}

} // namespace
