//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class PhasesTest : public ::testing::Test {
protected:
  PhasesTest() {
    context.loadDialect<FuserDialect, FuserSchedDialect>();
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &diagnostic) { messages.push_back(diagnostic.str()); });
  }

  OwningOpRef<ModuleOp> parse(const char *text, bool verify = true) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context, verify));
  }

  MLIRContext context;
  std::vector<std::string> messages;
};

const char *const kRelu = R"(
  fuser.kernel @k(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
    %0 = fuser.relu %x : tensor<?x?xbf16>
    fuser.return %0 : tensor<?x?xbf16>
  })";

TEST_F(PhasesTest, EachPhaseTakesTheResultOfThePreviousOne) {
  OwningOpRef<ModuleOp> module = parse(kRelu);
  for (Phase phase : getPhases())
    EXPECT_TRUE(succeeded(runPhase(*module, phase, PipelineOptions())))
        << stringifyPhase(phase).str();
  EXPECT_EQ(messages, std::vector<std::string>());
}

TEST_F(PhasesTest, StepsArePhasesAndTheStagesOfLowering) {
  EXPECT_EQ(listSteps(),
            "preseg, segmentation, choose, apply, loops, launched, reduced, pipelined, placed, "
            "synchronized, accessed, guarded, "
            "lowering");
  auto list = [](StringRef name) {
    std::string names;
    for (PipelineStep step : getStepsTo(*symbolizeStep(name)))
      names += (step.getName() + " ").str();
    return names;
  };
  EXPECT_EQ(list("choose"), "preseg segmentation choose ");
  EXPECT_EQ(list("launched"), "preseg segmentation choose apply loops launched ");
  EXPECT_EQ(list("lowering"), "preseg segmentation choose apply lowering ");
  EXPECT_FALSE(symbolizeStep("Guarded"));
}

TEST_F(PhasesTest, AStageEndsWithTextOfThatStage) {
  OwningOpRef<ModuleOp> module = parse(kRelu);
  for (PipelineStep step : getStepsTo(*symbolizeStep("accessed")))
    ASSERT_TRUE(succeeded(runStep(*module, step, PipelineOptions()))) << step.getName().str();
  auto kernels = module->getOps<loop::KernelOp>();
  ASSERT_FALSE(kernels.empty());
  EXPECT_EQ((*kernels.begin()).getStage(), loop::Stage::Accessed);
  EXPECT_TRUE(succeeded(runPhase(*module, Phase::Lowering, PipelineOptions())));
  EXPECT_TRUE(module->getOps<loop::KernelOp>().empty());
  EXPECT_EQ(messages, std::vector<std::string>());
}

TEST_F(PhasesTest, APassThatFailsEndsThePhase) {
  OwningOpRef<ModuleOp> module = parse(kRelu);
  PipelineOptions options;
  options.sizes = "k:nonsense";
  EXPECT_TRUE(failed(runPhase(*module, Phase::Choose, options)));
  EXPECT_EQ(messages.size(), 1u);
}

TEST_F(PhasesTest, AResultThatDoesNotVerifyEndsThePhase) {
  OwningOpRef<ModuleOp> module = parse(R"(
    fuser.kernel @k(%x: tensor<?x?xbf16>) -> tensor<?xbf16> {
      %0 = fuser.relu %x : tensor<?x?xbf16>
      fuser.return %0 : tensor<?x?xbf16>
    })",
                                       /*verify=*/false);
  ASSERT_TRUE(module);
  EXPECT_TRUE(failed(runPhase(*module, Phase::Preseg, PipelineOptions())));
  EXPECT_EQ(messages.size(), 1u);
}

TEST_F(PhasesTest, AnInterruptedPhaseFailsWithoutADiagnostic) {
  OwningOpRef<ModuleOp> module = parse(kRelu);
  int flag = 1;
  InterruptionScope scope(&context, &flag);
  EXPECT_TRUE(failed(runPhase(*module, Phase::Choose, PipelineOptions())));
  EXPECT_EQ(messages, std::vector<std::string>());
}

} // namespace
