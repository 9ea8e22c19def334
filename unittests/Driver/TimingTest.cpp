//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the times of calls on a GPU need, on the host device, and a report of times on a device that
// makes them up.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "TimedDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace fuser;
using driver::test::TimedDevice;

namespace {

/// Reports the times of calls that read and write 1 MiB each; or the error. `failing`: the number
/// of the device's call that fails.
std::string report(const std::shared_ptr<TimedDevice> &device, unsigned repeat,
                   size_t failing = SIZE_MAX) {
  auto program = session::Program::create(R"mlir(
fuser.fusion @scale(%x: tensor<?x?xf32>, %a: f32) -> tensor<?x?xf32> {
  %0 = fuser.mul %x, %a : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
)mlir",
                                          device);
  EXPECT_TRUE(program.ok()) << program.error().str();
  const std::vector<int64_t> sizes = {256, 1024};
  auto x = runtime::allocateTensor(device, artifact::DType::F32, sizes);
  std::vector<runtime::Tensor> outputs;
  outputs.push_back(runtime::allocateTensor(device, artifact::DType::F32, sizes).take());
  const std::vector<runtime::CallArgument> arguments = {x->view(), runtime::ScalarValue::f32(2)};
  auto prepared = (*program)->prepare(arguments);
  EXPECT_TRUE(prepared.ok()) << prepared.error().str();
  device->numCalls = 0;
  device->failing = failing;
  device->calls.clear();
  std::string text;
  llvm::raw_string_ostream stream(text);
  artifact::Status status =
      driver::reportTiming(stream, *prepared->executable, arguments, outputs, repeat);
  return status ? text : "error: " + status.error().message;
}

TEST(Timing, TheReportOfMadeUpTimes) {
  auto device = std::make_shared<TimedDevice>();
  // The first two of each kind do not count. Copies take 6 ms, and calls 0.4 ms.
  device->milliseconds = {50, 60, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 70, 80, 0.8, 0.1, 0.4, 0.2};
  EXPECT_EQ(report(device, 4),
            "time        400.0 us (median of 4, spread 150.0 %), 5 GB/s, 1.5 % of "
            "the copy rate (358 GB/s)\n");
  std::vector<std::string> expected = {"fill 262144000 by 0"};
  for (int i = 0; i < 12; ++i)
    expected.insert(expected.end(), {"start", "copy 1073741824", "stop"});
  for (int i = 0; i < 6; ++i)
    expected.insert(expected.end(), {"launch", "start", "launch", "stop"});
  EXPECT_EQ(device->calls, expected);
  EXPECT_TRUE(device->milliseconds.empty());
  EXPECT_TRUE(device->live.empty());
}

TEST(Timing, ACallWithoutATime) {
  auto device = std::make_shared<TimedDevice>();
  device->milliseconds = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  EXPECT_EQ(report(device, 3),
            "time        0.0 us (median of 3, spread 0.0 %), 0 GB/s, 0.0 % of the "
            "copy rate (1074 GB/s)\n");
}

/// Whatever fails is the result, and no event is left.
TEST(Timing, EachFailureIsReported) {
  auto device = std::make_shared<TimedDevice>();
  report(device, 1);
  const size_t count = device->numCalls;
  EXPECT_GT(count, 50u);
  for (size_t failing = 0; failing < count;
       failing += failing < 20 || failing + 20 > count ? 1 : 5) {
    auto broken = std::make_shared<TimedDevice>();
    EXPECT_EQ(report(broken, 1, failing), "error: expected no call " + std::to_string(failing));
    EXPECT_TRUE(broken->live.empty());
  }
}

TEST(Timing, TheCacheIsFlushedAgainAndAgain) {
  auto device = runtime::createHostDevice();
  ASSERT_TRUE(device.ok()) << device.error().str();
  auto flush = driver::makeCacheFlush(device.take());
  ASSERT_TRUE(flush.ok()) << flush.error().str();
  for (int i = 0; i < 2; ++i) {
    artifact::Status status = (*flush)();
    EXPECT_TRUE(status.ok()) << status.error().str();
  }
}

TEST(Timing, TheSpreadIsThatOfTheQuartiles) {
  // In order: 1, 2, 4, 8, 16, 32, 64, 128.
  driver::Statistics statistics = driver::summarize({8, 128, 2, 64, 1, 32, 4, 16});
  EXPECT_EQ(statistics.median, 16);
  EXPECT_EQ(statistics.spread, (64 - 4) / 16.0);
  EXPECT_EQ(driver::summarize({5}).spread, 0);
  EXPECT_EQ(driver::summarize({0, 0, 1}).spread, 0);
}

} // namespace
