//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How often the schedulers are asked, and what long fusions cost.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/Partition.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class PartitionTest : public ::testing::Test {
protected:
  PartitionTest() {
    context.loadDialect<FuserDialect, FuserSchedDialect, arith::ArithDialect, math::MathDialect,
                        tensor::TensorDialect>();
    context.getDiagEngine().registerHandler([](Diagnostic &) {});
    options.registry = createDefaultRegistry();
    options.device = artifact::lookupDevice("h200").take();
  }

  /// Sizes of the segments, in run order.
  SmallVector<size_t> partition(StringRef text, StringRef sizes = "") {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    FusionOp fusion = *module->getOps<FusionOp>().begin();
    options.hints = *SizeHints::parse(fusion, sizes);
    FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
    EXPECT_TRUE(succeeded(analysis));
    counts = {};
    FailureOr<Partition> result = partitionFusion(fusion, *analysis, options, counts);
    EXPECT_TRUE(succeeded(result));
    schedulers.clear();
    SmallVector<size_t> lengths;
    for (const Segment &segment : result->segments) {
      lengths.push_back(segment.ops.size());
      schedulers.push_back(segment.scheduler);
    }
    return lengths;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  SegmentationOptions options;
  SegmentationCounts counts;
  std::vector<std::string> schedulers;
};

// S3.2, S3.7: one query for each accepted group, whatever the number of schedulers.
TEST_F(PartitionTest, AsksOnceForEachAcceptedGroup) {
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      %1 = fuser.segment_set %0 : tensor<?xf32>
      %2 = fuser.neg %1 : tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })"),
            (SmallVector<size_t>{2, 1}));
  EXPECT_EQ(counts.queries, 2u);
  // The transpose scheduler refuses each of them first.
  EXPECT_EQ(counts.answers, 4u);
  EXPECT_EQ(counts.accepted, 2u);
  EXPECT_EQ(counts.shattered, 0u);
}

// S3.4: without marks the complete fusion is tried first.
TEST_F(PartitionTest, TriesTheCompleteFusionFirst) {
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %m = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %0 = fuser.sub %x, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })"),
            (SmallVector<size_t>{3}));
  EXPECT_EQ(counts.queries, 1u);
  EXPECT_EQ(schedulers, (std::vector<std::string>{"inner_persistent"}));
}

// S3.3: only what was refused is taken apart; the other piece stays as it was accepted.
TEST_F(PartitionTest, ShattersOnlyWhatIsRefused) {
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.relu %x : tensor<?x?xf32>
      %1 = fuser.neg %0 : tensor<?x?xf32>
      %2 = fuser.segment_set %1 : tensor<?x?xf32>
      %3 = fuser.sum %2 dims [0] : tensor<?x?xf32> -> tensor<?xf32>
      %4 = fuser.sum %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %3, %4 : tensor<?xf32>, tensor<?xf32>
    })"),
            (SmallVector<size_t>{3, 1, 1}));
  // Each of the two sums is a piece: nothing but the mark's result connects them.
  EXPECT_EQ(counts.accepted, 3u);
  EXPECT_EQ(counts.shattered, 0u);
  EXPECT_EQ(counts.queries, 3u);
}

// Sizes count: a row that no multiprocessor holds is reduced by one kernel and used by another.
TEST_F(PartitionTest, ARowThatDoesNotFitIsSeveralKernels) {
  const char *softmax = R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %m = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = fuser.broadcast %m dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %0 = fuser.sub %x, %b : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })";
  EXPECT_EQ(partition(softmax, "64,8192").size(), 1u);
  EXPECT_EQ(partition(softmax, "64,10000000").size(), 2u);
  EXPECT_EQ(schedulers, (std::vector<std::string>{"reduction", "pointwise"}));
}

// S3.5, S3.3: merges never leave a circle, and values that nobody needs are in no segment.
TEST_F(PartitionTest, DropsWhatNobodyNeeds) {
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      %1 = fuser.neg %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })"),
            (SmallVector<size_t>{1}));
}

/// `count` ops in a chain that ends in a mean and a sum over different dimensions, so that nobody
/// takes it all.
std::string makeChain(unsigned count) {
  std::string text = "fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {\n"
                     "%v0 = fuser.relu %x : tensor<?x?xf32>\n";
  for (unsigned i = 1; i < count; ++i)
    text += "%v" + std::to_string(i) + " = fuser." + (i % 2 ? "neg" : "exp") + " %v" +
            std::to_string(i - 1) + " : tensor<?x?xf32>\n";
  std::string last = "%v" + std::to_string(count - 1);
  return text + "%a = fuser.mean " + last + " dims [0] : tensor<?x?xf32> -> tensor<?xf32>\n" +
         "%b = fuser.sum " + last + " dims [1] : tensor<?x?xf32> -> tensor<?xf32>\n" +
         "fuser.return %a, %b : tensor<?xf32>, tensor<?xf32>\n}";
}

// S3 case (vi): merging a chain of n ops asks about n times, not n^2 times.
TEST_F(PartitionTest, QueriesGrowWithTheNumberOfOps) {
  partition(makeChain(50));
  unsigned small = counts.queries;
  partition(makeChain(200));
  EXPECT_LE(counts.queries, 5 * small);
}

} // namespace
