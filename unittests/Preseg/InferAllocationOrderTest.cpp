//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Wants the results of negations column-major, and leaves everything else to the general rules.
class ColumnMajor : public Scheduler {
public:
  StringRef getName() const override { return "column_major"; }
  Answer accepts(const KernelView &) const override { return std::make_unique<Plan>(); }
  std::optional<InferredOrder> inferOrder(Value value,
                                          ArrayRef<OrderReference> references) const override {
    if (!isa<NegOp>(value.getDefiningOp()))
      return std::nullopt;
    return InferredOrder{{1, 0}, "", references.front().source};
  }
  std::variant<Choice, Refusal> choose(const KernelView &, const Plan &, const SizeHints &,
                                       const artifact::DeviceDescription &) const override {
    return Refusal();
  }
  LogicalResult apply(const KernelView &, const Plan &, ScheduleParamsInterface) const override {
    return success();
  }
};

class InferAllocationOrderTest : public ::testing::Test {
protected:
  InferAllocationOrderTest() {
    context
        .loadDialect<FuserDialect, arith::ArithDialect, math::MathDialect, vector::VectorDialect>();
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &diagnostic) { message = diagnostic.str(); });
    module = parseSourceString<ModuleOp>(R"(
      fuser.fusion @f(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
        %0 = fuser.neg %x : tensor<?x?xf32>
        %1 = fuser.relu %x : tensor<?x?xf32>
        fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
      })",
                                         &context);
    fusion = *module->getOps<FusionOp>().begin();
  }
  LayoutHintAttr getHint(unsigned output) {
    return getLayoutHint(fusion.getBody().front().getTerminator()->getOperand(output));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  FusionOp fusion;
  std::string message;
};

// S0.7
TEST_F(InferAllocationOrderTest, ASchedulerIsAskedBeforeTheGeneralRules) {
  ColumnMajor scheduler;
  EXPECT_EQ(inferAllocationOrders(fusion, &scheduler), 1u);
  ASSERT_TRUE(getHint(0));
  EXPECT_EQ(getHint(0).getOrder(), (ArrayRef<int64_t>{1, 0}));
  EXPECT_EQ(getHint(0).getRule(), "scheduler-column_major");
  EXPECT_EQ(getHint(0).getReference(), "argument 0");
  EXPECT_FALSE(getHint(1));
}

// S0.7: a scheduler's order takes precedence over the general rules.
TEST_F(InferAllocationOrderTest, ASchedulerOverridesTheGeneralRules) {
  fusion.setArgLayout(0, LayoutAttr::get(&context, {1, 0}, {}));
  EXPECT_EQ(inferAllocationOrders(fusion), 2u);
  EXPECT_EQ(getHint(0).getRule(), "follow-reference");
  EXPECT_EQ(getHint(1).getRule(), "follow-reference");
  ColumnMajor scheduler;
  EXPECT_EQ(inferAllocationOrders(fusion, &scheduler), 2u);
  EXPECT_EQ(getHint(0).getRule(), "scheduler-column_major");
  EXPECT_EQ(getHint(1).getRule(), "follow-reference");
}

/// Has no preferences.
class Silent : public ColumnMajor {
public:
  StringRef getName() const override { return "silent"; }
  std::optional<InferredOrder> inferOrder(Value, ArrayRef<OrderReference>) const override {
    return std::nullopt;
  }
};

// S0.7: the first scheduler that answers decides.
TEST_F(InferAllocationOrderTest, SchedulersAreAskedInTurn) {
  Silent silent;
  ColumnMajor scheduler;
  EXPECT_EQ(inferAllocationOrders(fusion, {&silent, &scheduler}), 1u);
  EXPECT_EQ(getHint(0).getRule(), "scheduler-column_major");
  EXPECT_EQ(inferAllocationOrders(fusion, &silent), 0u);
  EXPECT_TRUE(getHint(0)) << "a hint of another scheduler stays";
}

// S0.7: without a name, the pass asks all schedulers of its registry.
TEST_F(InferAllocationOrderTest, ThePassAsksItsRegistry) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<Silent>());
  registry->add(std::make_unique<ColumnMajor>());
  PassManager manager(&context);
  manager.addNestedPass<FusionOp>(createInferAllocationOrderPass(registry));
  EXPECT_TRUE(succeeded(manager.run(*module)));
  ASSERT_TRUE(getHint(0));
  EXPECT_EQ(getHint(0).getRule(), "scheduler-column_major");
}

// S0.2
TEST_F(InferAllocationOrderTest, ASchedulerDoesNotOverrideARequirement) {
  ColumnMajor scheduler;
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{0, 1});
  EXPECT_EQ(inferAllocationOrders(fusion, &scheduler), 0u);
  EXPECT_FALSE(getHint(0));
}

TEST_F(InferAllocationOrderTest, TheGeneralRulesReplaceWhatTheyMadeAndKeepTheRest) {
  ColumnMajor scheduler;
  inferAllocationOrders(fusion, &scheduler);
  EXPECT_EQ(inferAllocationOrders(fusion), 0u);
  EXPECT_TRUE(getHint(0)) << "a hint of another rule";
  setLayoutHint(cast<OpResult>(fusion.getBody().front().getTerminator()->getOperand(1)),
                LayoutHintAttr::get(&context, {1, 0}, "follow-reference", "argument 0"));
  EXPECT_EQ(inferAllocationOrders(fusion), 0u);
  EXPECT_FALSE(getHint(1));
}

TEST_F(InferAllocationOrderTest, ThePassFindsItsSchedulerByName) {
  auto registry = std::make_shared<SchedulerRegistry>();
  registry->add(std::make_unique<ColumnMajor>());
  auto run = [&](StringRef name) {
    PassManager manager(&context);
    FuserInferAllocationOrderOptions options;
    options.scheduler = name;
    manager.addNestedPass<FusionOp>(createInferAllocationOrderPass(registry, options));
    return manager.run(*module);
  };
  EXPECT_TRUE(failed(run("nobody")));
  EXPECT_EQ(message, "expected 'scheduler' to name a registered scheduler, but got 'nobody'");
  EXPECT_TRUE(succeeded(run("column_major")));
  EXPECT_TRUE(getHint(0));
}

} // namespace
