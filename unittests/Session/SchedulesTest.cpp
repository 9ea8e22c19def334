//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The schedules that a program could have, and programs that are given some.
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Scheduling/SchedulerRegistry.h"
#include "fuser/Session/Program.h"
#include "mlir/IR/BuiltinOps.h"

#include <gtest/gtest.h>

using namespace fuser;
using namespace fuser::runtime;

namespace {

constexpr const char *kExp = R"mlir(
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
)mlir";

class SchedulesTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto created = createHostDevice();
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    auto allocated = allocateTensor(device, DType::F32, std::vector<int64_t>{8, 64});
    ASSERT_TRUE(allocated.ok());
    x = allocated.take();
  }

  std::unique_ptr<session::Program> create(const std::string &schedules = "") {
    session::ProgramOptions options;
    options.schedules = schedules;
    auto created = session::Program::create(kExp, device, options);
    EXPECT_TRUE(created.ok()) << created.error().str();
    return created.take();
  }

  std::shared_ptr<Device> device;
  Tensor x;
};

} // namespace

TEST_F(SchedulesTest, AreThoseOfTheProgramsKernels) {
  const std::vector<CallArgument> arguments = {x.view()};
  auto kernels = create()->enumerateSchedules(arguments, /*most=*/4);
  ASSERT_TRUE(kernels.ok()) << kernels.error().str();
  ASSERT_EQ(kernels->size(), 1u);
  const TuningKernel &kernel = kernels->front();
  EXPECT_EQ(kernel.names, std::vector<std::string>{"f_0"});
  ASSERT_EQ(kernel.options.size(), 4u);
  EXPECT_EQ(kernel.options[0].difference, "");
  EXPECT_NE(kernel.options[1].difference, "");
  for (const TuningOption &option : kernel.options) {
    auto program = create(printSchedules({option.entry}, "a \"device\""));
    auto prepared = program->prepare(arguments);
    ASSERT_TRUE(prepared.ok()) << prepared.error().str();
    EXPECT_EQ(prepared->tuned, std::vector<std::string>{"f_0"}) << option.params;
    EXPECT_TRUE(program->call(arguments).ok());
  }
}

TEST_F(SchedulesTest, FailWithTheCompilersDiagnostic) {
  auto prepared = create("module {")->prepare({x.view()});
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().code, ErrorCode::CompilationFailed);
  EXPECT_NE(prepared.error().message.find("schedules:1:"), std::string::npos)
      << prepared.error().message;
}

TEST_F(SchedulesTest, AreNotEnumeratedForOtherArguments) {
  auto kernels = create()->enumerateSchedules({}, /*most=*/4);
  ASSERT_FALSE(kernels.ok());
  EXPECT_EQ(kernels.error().code, ErrorCode::ArgumentCount);
}

TEST_F(SchedulesTest, AreNotEnumeratedAfterAnInterruption) {
  const int interrupted = 1;
  auto kernels = create()->enumerateSchedules({x.view()}, /*most=*/4, &interrupted);
  ASSERT_FALSE(kernels.ok());
  EXPECT_EQ(kernels.error().code, ErrorCode::Interrupted);
  EXPECT_EQ(kernels.error().message, "expected to enumerate schedules, but was interrupted");
}

TEST_F(SchedulesTest, AreThoseOfTheGivenSchedulers) {
  session::ProgramOptions options;
  options.registry = std::make_shared<SchedulerRegistry>();
  auto none = session::Program::create(kExp, device, options);
  ASSERT_TRUE(none.ok()) << none.error().str();
  auto prepared = (*none)->prepare({x.view()});
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().code, ErrorCode::CompilationFailed);
  EXPECT_NE(prepared.error().message.find("scheduler"), std::string::npos)
      << prepared.error().message;
}

/// The blocks of a launch that wait for each other fit the device that runs them, whatever the
/// target is.
TEST_F(SchedulesTest, FitTheDeviceThatRunsThem) {
  constexpr const char *kRowsAndColumns = R"mlir(
fuser.fusion @f(%x: tensor<16384x512xf32>) -> (tensor<16384x512xf32>, tensor<512xf32>) {
  %0 = fuser.max %x dims [1] : tensor<16384x512xf32> -> tensor<16384xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<16384xf32> -> tensor<16384x1xf32>
  %2 = fuser.sub %x, %1 : (tensor<16384x512xf32>, tensor<16384x1xf32>) -> tensor<16384x512xf32>
  %3 = fuser.sum %2 dims [0] : tensor<16384x512xf32> -> tensor<512xf32>
  fuser.return %2, %3 : tensor<16384x512xf32>, tensor<512xf32>
}
)mlir";
  for (auto [threads, blocks] :
       {std::pair<uint32_t, const char *>{16384, "blocks = 64>"}, {25600, "blocks = 100>"}}) {
    HostDeviceOptions limits;
    limits.maxLiveThreads = threads;
    device = createHostDevice(limits).take();
    x = allocateTensor(device, DType::F32, std::vector<int64_t>{16384, 512}).take();
    session::ProgramOptions options;
    options.target = *artifact::lookupDevice("h200");
    std::string chosen;
    options.afterPhase = [&](Phase phase, mlir::ModuleOp module) {
      if (phase == Phase::Choose)
        llvm::raw_string_ostream(chosen) << module;
    };
    auto program = session::Program::create(kRowsAndColumns, device, options);
    ASSERT_TRUE(program.ok()) << program.error().str();
    ASSERT_TRUE((*program)->prepare({x.view()}).ok());
    EXPECT_NE(chosen.find(blocks), std::string::npos) << chosen;
  }
}
