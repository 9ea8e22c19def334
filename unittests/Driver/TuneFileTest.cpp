//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What fuser-tune decides, with times that the test makes up.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/TuneFile.h"
#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;

namespace {

constexpr StringLiteral kProgram = R"(
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %3 = fuser.broadcast %2 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %4 = fuser.div %1, %3 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}
)";

class TuneFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    int descriptor;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tune", "mlir", descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << kProgram;
    options.file = path.str().str();
    options.device = DeviceChoice::Host;
    options.inputs.allSizes = "8x64";
    options.output = "-";
    options.rounds = 3;
    options.top = 10;
  }
  void TearDown() override { llvm::sys::fs::remove(options.file); }

  /// Runs the tool; `schedules` and `report` have what it prints.
  driver::Outcome run() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.insert<arith::ArithDialect, math::MathDialect, tensor::TensorDialect>();
    schedules.clear();
    report.clear();
    llvm::raw_string_ostream out(schedules), errors(report);
    return tune(options, registry, out, errors);
  }
  size_t count(StringRef text) const { return StringRef(report).count(text); }
  bool has(StringRef text) const { return StringRef(schedules).contains(text); }

  TuneOptions options;
  std::string schedules, report;
};

} // namespace

TEST_F(TuneFileTest, WritesTheFastest) {
  options.steps = 1;
  options.timer = [](StringRef kernel, StringRef params) {
    return kernel == "f_0" && params.contains("threads = 64") ? 5.0 : 10.0;
  };
  ASSERT_EQ(run(), driver::Outcome::Success) << report;
  EXPECT_TRUE(has("schedule = #fuser_sched.pointwise<threads = 64")) << schedules;
  EXPECT_TRUE(has("schedule = #fuser_sched.inner_persistent<")) << schedules;
  EXPECT_EQ(count("  fastest\n"), 1u) << report;
  EXPECT_EQ(count("the model's choice\n"), 1u) << report;
  EXPECT_EQ(count("the model's choice, kept\n"), 1u) << report;
  EXPECT_EQ(count("  now:     #fuser_sched.pointwise<threads = 64"), 1u) << report;
}

TEST_F(TuneFileTest, FollowsWinners) {
  // Two steps away from the choice, which has 128 threads.
  options.timer = [](StringRef kernel, StringRef params) {
    return kernel == "f_0" && params.contains("threads = 32,")   ? 2.0
           : kernel == "f_0" && params.contains("threads = 64,") ? 5.0
                                                                 : 10.0;
  };
  ASSERT_EQ(run(), driver::Outcome::Success) << report;
  EXPECT_TRUE(has("schedule = #fuser_sched.pointwise<threads = 32")) << schedules;
  // The second and the third step are about the kernel that changed.
  EXPECT_EQ(count("kernel      f_0:"), 3u) << report;
  EXPECT_EQ(count("kernel      f_1:"), 1u) << report;
  EXPECT_EQ(count("the schedule of the file, kept\n"), 1u) << report;
  options.steps = 1;
  ASSERT_EQ(run(), driver::Outcome::Success) << report;
  EXPECT_TRUE(has("schedule = #fuser_sched.pointwise<threads = 64")) << schedules;
}

TEST_F(TuneFileTest, KeepsTheChoiceIfASecondMeasurementDisagrees) {
  // Each schedule is the fastest one in its first rounds, warm-ups included.
  std::map<std::string, unsigned> calls;
  options.timer = [&](StringRef kernel, StringRef params) {
    const bool isFirst = ++calls[(kernel + params).str()] <= 5;
    return kernel == "f_0" && params.contains("threads = 64,") && isFirst ? 5.0 : 10.0;
  };
  ASSERT_EQ(run(), driver::Outcome::Success) << report;
  EXPECT_TRUE(has("schedule = #fuser_sched.pointwise<vector = 4>")) << schedules;
  EXPECT_EQ(count("not faster when measured again\n"), 1u) << report;
  EXPECT_EQ(count("the model's choice, kept\n"), 2u) << report;
}

TEST_F(TuneFileTest, MeasuresWhatItCheckedInHalfOfTheBudget) {
  options.steps = 1;
  options.budget = 12;
  // Each check of a schedule takes a second, a measurement next to nothing.
  double seconds = 0;
  bool isMeasuring = false;
  options.clock = [&] { return seconds += isMeasuring ? 0 : 1; };
  options.timer = [&](StringRef kernel, StringRef params) {
    isMeasuring = true;
    return kernel == "f_0" && params.contains("threads = 64") ? 5.0 : 10.0;
  };
  ASSERT_EQ(run(), driver::Outcome::Success) << report;
  EXPECT_TRUE(has("schedule = #fuser_sched.pointwise<threads = 64")) << schedules;
  EXPECT_NE(count("not reached\n"), 0u) << report;
  EXPECT_EQ(count("ended       before all schedules were measured\n"), 1u) << report;
}

TEST_F(TuneFileTest, EndsSoonAfterAnInterruption) {
  static int interrupted;
  interrupted = 0;
  options.interrupt = &interrupted;
  options.timer = [&](StringRef kernel, StringRef params) {
    interrupted = kernel == "f_1";
    return params.contains("threads = 64,") ? 5.0 : 10.0;
  };
  ASSERT_EQ(run(), driver::Outcome::Success) << report;
  // What was found before is kept.
  EXPECT_TRUE(has("schedule = #fuser_sched.pointwise<threads = 64")) << schedules;
  EXPECT_EQ(count("ended       before all schedules were measured\n"), 1u) << report;
}
