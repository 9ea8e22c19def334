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
#include <cmath>

using namespace mlir;
using namespace fuser;

namespace {

/// Takes single ops on a large grid, and several in one block, but never exp with what it reads.
class OneBlock : public Scheduler {
public:
  StringRef getName() const override { return "one_block"; }
  Answer accepts(const KernelView &kernel) const override {
    for (TensorViewOpInterface op : kernel.getOps())
      if (op->getName().getStringRef() == "fuser.exp" && op->getOperand(0).getDefiningOp())
        return Refusal{
            RefusalCategory::Structure, "unsupported-op", {op}, "expected to read what exp reads"};
    return std::make_unique<Plan>();
  }
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &, const SizeHints &,
                                       const artifact::DeviceDescription &) const override {
    ResourceUse use;
    use.blocks = kernel.getOps().size() > 1 ? 1 : 100000;
    return Choice{SingleOpParamsAttr::get(kernel.getKernel().getContext(), 128), {}, use};
  }
  LogicalResult apply(const KernelView &, const Plan &, ScheduleParamsInterface) const override {
    return success();
  }
};

/// Counts a step for several ops together, and nothing else where values are empty.
class OneStep : public OneBlock {
public:
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &, const SizeHints &,
                                       const artifact::DeviceDescription &) const override {
    ResourceUse use;
    use.blocks = 1;
    use.numSteps = kernel.getOps().size() > 1 ? 1 : 0;
    return Choice{SingleOpParamsAttr::get(kernel.getKernel().getContext(), 128), {}, use};
  }
};

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
    log = {};
    FailureOr<Partition> result = partitionFusion(fusion, *analysis, options, counts, &log);
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
  DecisionLog log;
  std::vector<std::string> schedulers;
};

/// Takes everything but exponentials of what is computed, and asks for a cut before those.
class NoInnerExp : public Scheduler {
public:
  StringRef getName() const override { return "no_inner_exp"; }
  Answer accepts(const KernelView &kernel) const override {
    for (TensorViewOpInterface op : kernel.getOps())
      if (op->getName().getStringRef() == "fuser.exp" && op->getOperand(0).getDefiningOp()) {
        Refusal refusal{
            RefusalCategory::Structure, "unsupported-op", {op}, "expected to read what exp reads"};
        cutBefore(op, refusal.cuts);
        return refusal;
      }
    return std::make_unique<Plan>();
  }
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &, const SizeHints &,
                                       const artifact::DeviceDescription &) const override {
    return Choice{SingleOpParamsAttr::get(kernel.getKernel().getContext(), 32), {}};
  }
  LogicalResult apply(const KernelView &, const Plan &, ScheduleParamsInterface) const override {
    return success();
  }
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
  // All schedulers but the fallback answer for each of them: the predicted time decides.
  EXPECT_EQ(counts.answers, 18u);
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

// S3.3: where a refusal says no place to cut, each op of the group is asked about; only these are
// merged, and nobody asks about the accepted piece again.
TEST_F(PartitionTest, OnlySingleOpsOfARefusedPieceMerge) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<OneBlock>());
  options.registry = registry;
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      %1 = fuser.neg %0 : tensor<?xf32>
      %2 = fuser.segment_set %1 : tensor<?xf32>
      %3 = fuser.sin %2 : tensor<?xf32>
      %4 = fuser.exp %3 : tensor<?xf32>
      %5 = fuser.tanh %4 : tensor<?xf32>
      fuser.return %5 : tensor<?xf32>
    })",
                      "1000"),
            (SmallVector<size_t>{3, 1, 2}));
  EXPECT_EQ(counts.accepted, 1u);
  EXPECT_EQ(counts.shattered, 1u);
  EXPECT_EQ(counts.parts, 0u);
  EXPECT_EQ(counts.merges, 1u);
  std::vector<std::string> asked;
  for (const QueryRecord &query : log.queries) {
    asked.push_back(stringifyPurpose(query.purpose).str());
    for (Operation *op : query.ops)
      asked.back() += " " + op->getName().stripDialect().str();
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"piece relu neg segment_set", "piece sin exp tanh",
                                             "single sin", "single exp", "single tanh",
                                             "merge sin exp", "merge exp tanh",
                                             "merge sin exp tanh", "recompute sin exp tanh"}));
}

// A merge saves time: of two launches that take as long as one, both stay.
TEST_F(PartitionTest, MergesSaveTime) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<OneStep>());
  options.registry = registry;
  for (int64_t difference : {-1, 0, 1}) {
    options.device.memoryLatencyNs =
        static_cast<int64_t>(std::lround(kLaunchMicroseconds * 1000)) + difference;
    SmallVector<size_t> sizes = partition(R"(
      fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = fuser.sin %x : tensor<?xf32>
        %1 = fuser.tanh %0 : tensor<?xf32>
        %2 = fuser.exp %1 : tensor<?xf32>
        fuser.return %2 : tensor<?xf32>
      })",
                                          "0");
    const bool saves = difference < 0;
    EXPECT_EQ(sizes, saves ? (SmallVector<size_t>{2, 1}) : (SmallVector<size_t>{1, 1, 1}))
        << difference;
    EXPECT_EQ(counts.merges, saves ? 1u : 0u) << difference;
    EXPECT_EQ(counts.costly, saves ? 0u : 1u) << difference;
  }
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
  EXPECT_EQ(schedulers, (std::vector<std::string>{"inner_persistent"}));
  // A cluster of blocks holds longer rows.
  EXPECT_EQ(partition(softmax, "4096,100000").size(), 1u);
  EXPECT_EQ(schedulers, (std::vector<std::string>{"inner_persistent"}));
  // Rows that fill the device are read again; two of them do not.
  EXPECT_EQ(partition(softmax, "4096,200000").size(), 1u);
  EXPECT_EQ(schedulers, (std::vector<std::string>{"streaming"}));
  EXPECT_EQ(partition(softmax, "2,10000000").size(), 2u);
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

// S3.6: a refused group is cut where the refusal says; nobody is asked about single ops then.
TEST_F(PartitionTest, RefusalsSteerCuts) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<NoInnerExp>());
  options.registry = registry;
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      %1 = fuser.neg %0 : tensor<?xf32>
      %2 = fuser.exp %1 : tensor<?xf32>
      %3 = fuser.abs %2 : tensor<?xf32>
      %4 = fuser.neg %3 : tensor<?xf32>
      fuser.return %4 : tensor<?xf32>
    })"),
            (SmallVector<size_t>{2, 3}));
  // The whole, its two parts, the parts together once more, and the second with the cheap negation.
  EXPECT_EQ(counts.queries, 5u);
  EXPECT_EQ(counts.parts, 2u);
  EXPECT_EQ(counts.shattered, 1u);
  ASSERT_EQ(log.boundaries.size(), 1u);
  EXPECT_EQ(log.boundaries[0].reason, BoundaryRecord::Reason::Refusal);
  ASSERT_TRUE(log.boundaries[0].query.has_value());
  EXPECT_EQ(log.queries[*log.boundaries[0].query].refusals[0].code, "unsupported-op");
}

// S3.6: where what a refusal separates is connected otherwise too, the other way is cut as well.
TEST_F(PartitionTest, CutsHoldOnEveryWay) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<NoInnerExp>());
  options.registry = registry;
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      %1 = fuser.exp %0 : tensor<?xf32>
      %2 = fuser.add %0, %1 : tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })"),
            (SmallVector<size_t>{1, 2}));
}

// An op that nobody takes is an error at the op, not a crash.
TEST_F(PartitionTest, WhatNobodyTakesIsAnError) {
  options.registry = std::make_shared<SchedulerRegistry>();
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })",
                                                             &context);
  FusionOp fusion = *parsed->getOps<FusionOp>().begin();
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  ASSERT_TRUE(succeeded(analysis));
  EXPECT_TRUE(failed(partitionFusion(fusion, *analysis, options, counts)));
}

// Reductions of one value over the same dimension share a launch, with two outputs, also where the
// fusion as a whole is refused.
TEST_F(PartitionTest, ReductionsOfOneValueShareALaunch) {
  EXPECT_EQ(partition(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      %1, %m = fuser.var_mean %x dims [0] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
      %2 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    })",
                      "4096,4096"),
            (SmallVector<size_t>{2, 1}));
}

// What schedulers would accept together, but on a grid that leaves the device idle, stays apart.
TEST_F(PartitionTest, AMergeThatCostsTimeIsRefused) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<OneBlock>());
  options.registry = registry;
  const char *text = R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.relu %x : tensor<?xf32>
      %1 = fuser.neg %0 : tensor<?xf32>
      %2 = fuser.exp %1 : tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })";
  EXPECT_EQ(partition(text, "100000000"), (SmallVector<size_t>{1, 1, 1}));
  EXPECT_EQ(counts.costly, 1u);
  ASSERT_EQ(log.boundaries.size(), 2u);
  EXPECT_EQ(log.boundaries[0].reason, BoundaryRecord::Reason::Cost);
  EXPECT_GT(log.boundaries[0].together, log.boundaries[0].apart);
  EXPECT_EQ(log.boundaries[1].reason, BoundaryRecord::Reason::Refusal);
  // Of few elements a launch is what counts.
  EXPECT_EQ(partition(text, "1000"), (SmallVector<size_t>{2, 1}));
  EXPECT_EQ(counts.costly, 0u);
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
