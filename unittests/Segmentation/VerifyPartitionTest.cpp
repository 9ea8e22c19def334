//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels whose schedule a verifier refuses.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/Partition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class VerifyPartitionTest : public ::testing::Test {
protected:
  VerifyPartitionTest() {
    context.loadDialect<FuserDialect, FuserSchedDialect, arith::ArithDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      diagnostics.push_back(diagnostic.str());
      return success();
    });
    options.registry = createDefaultRegistry();
    options.device = artifact::lookupDevice("h200").take();
  }

  FailureOr<Partition> partition(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    FusionOp fusion = *module->getOps<FusionOp>().begin();
    FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
    EXPECT_TRUE(succeeded(analysis));
    counts = {};
    return partitionFusion(fusion, *analysis, options, counts);
  }

  /// Refuses scheduled kernels for which `isRefused` holds.
  void refuse(std::function<bool(KernelOp)> isRefused) {
    options.verifier = [isRefused](KernelOp kernel,
                                   const artifact::DeviceDescription &) -> LogicalResult {
      EXPECT_TRUE(isScheduled(kernel));
      return isRefused(kernel) ? kernel.emitOpError("expected less") : success();
    };
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SegmentationOptions options;
  SegmentationCounts counts;
  std::vector<std::string> diagnostics;
};

std::string getScheduler(KernelOp kernel) {
  return cast<ScheduleParamsInterface>(kernel->getAttr("schedule")).getSchedulerName().str();
}

unsigned countOps(KernelOp kernel, StringRef name) {
  unsigned count = 0;
  kernel.walk([&](Operation *op) { count += op->getName().getStringRef() == name; });
  return count;
}

const char *const kChain = R"(
  fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
    %0 = fuser.relu %x : tensor<?xf32>
    %1 = fuser.neg %0 : tensor<?xf32>
    %2 = fuser.sin %1 : tensor<?xf32>
    %3 = fuser.exp %2 : tensor<?xf32>
    fuser.return %3 : tensor<?xf32>
  })";

// A verifier that takes everything changes nothing.
TEST_F(VerifyPartitionTest, KeepsWhatIsTaken) {
  refuse([](KernelOp) { return false; });
  FailureOr<Partition> result = partition(kChain);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->segments.size(), 1u);
  EXPECT_EQ(result->segments.front().only, nullptr);
  EXPECT_TRUE(result->fallbacks.empty());
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(counts.known, 0u);
}

// The next fastest scheduler gets a kernel if the schedule of the fastest one is refused.
TEST_F(VerifyPartitionTest, TriesTheNextScheduler) {
  refuse([](KernelOp kernel) { return getScheduler(kernel) == "pointwise"; });
  FailureOr<Partition> result = partition(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })");
  ASSERT_TRUE(succeeded(result));
  ASSERT_EQ(result->segments.size(), 1u);
  ASSERT_NE(result->segments.front().only, nullptr);
  EXPECT_NE(result->segments.front().only->getName(), "pointwise");
  ASSERT_EQ(result->fallbacks.size(), 1u);
  EXPECT_NE(result->fallbacks.front().find("'pointwise': 'fuser.kernel' op expected less"),
            std::string::npos)
      << result->fallbacks.front();
  EXPECT_EQ(diagnostics, result->fallbacks);
}

// A group whose schedules are all refused is split, and no kernel contains it afterwards.
TEST_F(VerifyPartitionTest, SplitsWhatIsRefused) {
  refuse([](KernelOp kernel) {
    return countOps(kernel, "fuser.neg") > 0 && countOps(kernel, "fuser.sin") > 0;
  });
  FailureOr<Partition> result = partition(kChain);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->segments.size(), 2u);
  for (const Segment &segment : result->segments) {
    auto has = [&](StringRef name) {
      return llvm::any_of(segment.ops,
                          [&](Operation *op) { return op->getName().getStringRef() == name; });
    };
    EXPECT_FALSE(has("fuser.neg") && has("fuser.sin"));
  }
  EXPECT_FALSE(result->fallbacks.empty());
  EXPECT_EQ(diagnostics, result->fallbacks);
}

// An attempt after a refusal asks only about groups that no earlier one has asked about.
TEST_F(VerifyPartitionTest, AsksOnce) {
  refuse([](KernelOp kernel) {
    return countOps(kernel, "fuser.neg") > 0 &&
           (countOps(kernel, "fuser.relu") > 0 || countOps(kernel, "fuser.sin") > 0);
  });
  ASSERT_TRUE(succeeded(partition(kChain)));
  // The single ops, about which each attempt after the first one asks.
  EXPECT_GE(counts.known, 4u);
  EXPECT_LT(counts.known, counts.queries);
}

// What is refused op by op too is left to the diagnostics of lowering; nothing loops.
TEST_F(VerifyPartitionTest, EndsWhereEverythingIsRefused) {
  refuse([](KernelOp) { return true; });
  FailureOr<Partition> result = partition(kChain);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->segments.size(), 4u);
}

// Equal kernels are checked once, and the checked schedule is kept for the later passes.
TEST_F(VerifyPartitionTest, ChecksEqualKernelsOnce) {
  ScheduleCache cache;
  options.cache = &cache;
  unsigned checks = 0;
  refuse([&](KernelOp) {
    ++checks;
    return false;
  });
  ASSERT_TRUE(succeeded(partition(kChain)));
  EXPECT_EQ(checks, 1u);
  OwningOpRef<ModuleOp> first = std::move(module);
  ASSERT_TRUE(succeeded(partition(kChain)));
  EXPECT_EQ(checks, 1u);
  options.cache = nullptr;
  ASSERT_TRUE(succeeded(partition(kChain)));
  EXPECT_EQ(checks, 2u);
}

} // namespace
