//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Progress.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"

#include <gtest/gtest.h>

using namespace fuser;
using namespace fuser::session;
using Clock = ProgressReporter::Clock;

static Clock::time_point fakeTime;

TEST(Progress, IsReportedAfterADelayAndThenTwiceInItsLength) {
  std::vector<double> reports;
  std::function<void(const Progress &)> record = [&](const Progress &progress) {
    reports.push_back(progress.seconds);
  };
  ProgressReporter reporter(record, std::chrono::seconds(2), [] { return fakeTime; });
  const Clock::time_point start = fakeTime;
  for (int tenths : {1, 19, 20, 21, 29, 30, 39, 70, 71}) {
    fakeTime = start + std::chrono::milliseconds(100 * tenths);
    reporter.report("ptx", 0, 3);
  }
  EXPECT_EQ(reports, (std::vector<double>{2, 3, 7}));
}

TEST(Progress, AsText) {
  EXPECT_EQ(describe({"ptx", 3, 10, 2.44}), "ptx: 3 of 10 kernels, after 2.4 s");
  EXPECT_EQ(describe({"ptx", 0, 1, 0.06}), "ptx: 0 of 1 kernels, after 0.1 s");
  EXPECT_EQ(describe({"segmentation", 0, 0, 5}), "segmentation, after 5.0 s");
}

TEST(Progress, OfAProgram) {
  auto device = runtime::createHostDevice();
  ASSERT_TRUE(device.ok());
  ProgramOptions options;
  std::vector<Progress> reports;
  options.onProgress = [&](const Progress &progress) { reports.push_back(progress); };
  // Every compilation takes longer.
  options.progressDelay = std::chrono::milliseconds(0);
  auto program = Program::create("fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                                 "  %0 = fuser.neg %x : tensor<?xf32>\n"
                                 "  fuser.return %0 : tensor<?xf32>\n}",
                                 device.take(), options);
  ASSERT_TRUE(program.ok());
  alignas(16) float values[4] = {};
  const int64_t sizes[] = {4}, strides[] = {1};
  runtime::TensorView view;
  view.data = values;
  view.dtype = artifact::DType::F32;
  view.rank = 1;
  view.sizes = sizes;
  view.strides = strides;
  view.device.kind = artifact::DeviceKind::Host;
  ASSERT_TRUE((*program)->prepare({view}).ok());
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.front().step, "preseg");
  EXPECT_EQ(reports.back().step, "load");
  EXPECT_EQ(reports.back().done, 1u);
  EXPECT_EQ(reports.back().total, 1u);
  const size_t before = reports.size();
  // What is there already compiles nothing and reports nothing.
  ASSERT_TRUE((*program)->prepare({view}).ok());
  EXPECT_EQ(reports.size(), before);
}
