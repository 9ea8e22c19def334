//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls of what is compiled do not wait for a compilation, whichever executable ran last.
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"

#include <gtest/gtest.h>

#include <future>

using namespace fuser;
using namespace fuser::runtime;

namespace {

class CallsWhileCompilingTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto created = createHostDevice();
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    session::ProgramOptions options;
    options.progressDelay = std::chrono::milliseconds(0);
    options.onProgress = [this](const session::Progress &) {
      if (whileCompiling)
        std::exchange(whileCompiling, nullptr)();
    };
    auto program =
        session::Program::create("fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                                 "  %0 = fuser.neg %x : tensor<?xf32>\n"
                                 "  fuser.return %0 : tensor<?xf32>\n}",
                                 device, options);
    ASSERT_TRUE(program.ok()) << program.error().str();
    this->program = program.take();
  }

  TensorView makeView(const int64_t &size, const int64_t &stride) {
    return {values, artifact::DType::F32, 1, &size, &stride, idOf(*device)};
  }
  /// -1 of each element.
  bool call(int64_t size, int64_t stride) {
    auto result = program->call({makeView(size, stride)});
    return result.ok() && static_cast<const float *>((*result)[0].data)[size - 1] == -1.0f;
  }
  bool callInto(int64_t size, int64_t stride) {
    alignas(64) float results[64] = {};
    const int64_t one = 1;
    TensorView output = makeView(size, one);
    output.data = results;
    return program->callInto({makeView(size, stride)}, {&output, 1}).ok() &&
           results[size - 1] == -1.0f;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<session::Program> program;
  std::function<void()> whileCompiling;
  alignas(64) float values[256] = {};
};

TEST_F(CallsWhileCompilingTest, OfEveryExecutable) {
  std::fill(std::begin(values), std::end(values), 1.0f);
  // Vectors, and single elements: an executable for each.
  const std::pair<int64_t, int64_t> compiled[] = {{64, 1}, {63, 1}};
  for (auto [size, stride] : compiled) {
    EXPECT_TRUE(program->wouldCompile({makeView(size, stride)}));
    ASSERT_TRUE(call(size, stride));
  }
  std::future<void> calls;
  std::future_status status = std::future_status::deferred;
  whileCompiling = [&] {
    calls = std::async(std::launch::async, [&] {
      for (int round = 0; round < 2; ++round)
        for (auto [size, stride] : compiled) {
          EXPECT_TRUE(call(size, stride)) << size << " by " << stride;
          EXPECT_TRUE(callInto(size, stride)) << size << " by " << stride;
        }
    });
    // Those that wait for the compilation end after it.
    status = calls.wait_for(std::chrono::seconds(20));
  };
  // Elements with gaps have one of their own.
  const int64_t size = 32, stride = 2;
  auto prepared = program->prepare({makeView(size, stride)});
  ASSERT_TRUE(prepared.ok()) << prepared.error().str();
  EXPECT_TRUE(prepared->compiled);
  EXPECT_EQ(status, std::future_status::ready);
}

} // namespace
