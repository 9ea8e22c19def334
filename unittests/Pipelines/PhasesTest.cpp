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

/// The passes of a phase with all of their options.
std::string listPasses(MLIRContext &context, Phase phase, const PipelineOptions &options) {
  auto manager = PassManager::on<ModuleOp>(&context);
  buildPhase(manager, phase, options);
  std::string text;
  llvm::raw_string_ostream stream(text);
  manager.printAsTextualPipeline(stream, /*pretty=*/false);
  return text;
}

TEST_F(PhasesTest, PassesByDefault) {
  auto list = [&](Phase phase) { return listPasses(context, phase, PipelineOptions()); };
  EXPECT_EQ(list(Phase::Segmentation),
            "builtin.module(fuser-segment-fusions{batch=true explain=false "
            "force-streams=false "
            "origins=false sizes= streams=true target=sm_90},fuser-settle-boundaries{target=sm_90},"
            "fuser-verify-layouts)");
  EXPECT_EQ(list(Phase::Choose), "builtin.module(fuser-interpret-schedules{only-erase=false},"
                                 "fuser-choose-schedules{explain=false only= sizes= target=sm_90},"
                                 "fuser-verify-layouts)");
  EXPECT_EQ(list(Phase::Apply), "builtin.module(fuser-apply-schedules,fuser-verify-layouts)");
  EXPECT_EQ(list(Phase::Lowering),
            "builtin.module(fuser.kernel(fuser-resolve-ids),"
            "fuser-lower-kernels{approximate-math=false bulk-copies=true matrix-stores=true "
            "max-cluster-blocks=8 max-shared-bytes=232448 multiprocessors=132 "
            "vector-atomics=true warp-groups=true},"
            "fuser-merge-launches,fuser-assign-streams,"
            "fuser-chain-launches{all=true supported=true},"
            "canonicalize{  max-iterations=10 max-num-rewrites=-1 region-simplify=disabled "
            "test-convergence=false top-down=false},cse,fuser-verify-layouts)");
}

TEST_F(PhasesTest, OptionsArriveAtThePasses) {
  PipelineOptions options;
  options.target.chip = "sm_80";
  options.sizes = "128,4096";
  options.approximateMath = true;
  options.markBoundaries = "fuser.reshape";
  options.batchLaunches = false;
  options.forceStreams = true;
  options.dependentLaunches = DependentLaunches::Marked;
  options.explain = true;
  auto list = [&](Phase phase) { return listPasses(context, phase, options); };
  EXPECT_TRUE(StringRef(list(Phase::Preseg))
                  .starts_with("builtin.module(fuser.fusion(fuser-mark-boundaries{"
                               "at=fuser.reshape}),fuser.fusion(fuser-resolve-stride-orders),"))
      << list(Phase::Preseg);
  EXPECT_TRUE(StringRef(list(Phase::Preseg))
                  .ends_with("fuser.fusion(fuser-verify-distribution),fuser-verify-layouts)"))
      << list(Phase::Preseg);
  EXPECT_EQ(list(Phase::Segmentation),
            "builtin.module(fuser-segment-fusions{batch=false explain=true "
            "force-streams=true "
            "origins=false sizes=128,4096 streams=true target=sm_80},"
            "fuser-settle-boundaries{target=sm_80},fuser-verify-layouts)");
  EXPECT_EQ(list(Phase::Choose),
            "builtin.module(fuser-interpret-schedules{only-erase=false},"
            "fuser-choose-schedules{explain=true only= sizes=128,4096 target=sm_80},"
            "fuser-verify-layouts)");
  EXPECT_TRUE(
      StringRef(list(Phase::Lowering))
          .contains(
              "fuser-lower-kernels{approximate-math=true bulk-copies=false matrix-stores=false "
              "max-cluster-blocks=1 max-shared-bytes=166912 multiprocessors=108 "
              "vector-atomics=false warp-groups=false}"))
      << list(Phase::Lowering);
  EXPECT_TRUE(
      StringRef(list(Phase::Lowering)).contains("fuser-chain-launches{all=false supported=false}"))
      << list(Phase::Lowering);
}

// A description of a device needs no name that is known; a chip stands for the device of that name.
TEST_F(PhasesTest, LimitsAreThoseOfTheDevice) {
  PipelineOptions options;
  options.target.chip = "sm_77";
  // What is unknown is diagnosed where schedules are chosen.
  EXPECT_TRUE(StringRef(listPasses(context, Phase::Lowering, options))
                  .contains("max-cluster-blocks=8 max-shared-bytes=232448 multiprocessors=0 "
                            "vector-atomics=true warp-groups=true}"));
  options.target.multiprocessors = 1;
  options.target.maxClusterBlocks = 3;
  options.target.sharedBytesPerBlock = 1000;
  options.target.sharedBytesPerBlockOptIn = 900;
  EXPECT_TRUE(StringRef(listPasses(context, Phase::Lowering, options))
                  .contains("{approximate-math=false bulk-copies=false matrix-stores=false "
                            "max-cluster-blocks=3 max-shared-bytes=1000 multiprocessors=1 "
                            "vector-atomics=false warp-groups=false}"));
  // Products of warp groups are those of one architecture.
  for (auto [chip, has] : {std::pair("sm_90a", true), {"sm_100a", false}, {"sm_120", false}}) {
    PipelineOptions known;
    known.target.chip = chip;
    EXPECT_TRUE(StringRef(listPasses(context, Phase::Lowering, known))
                    .contains(has ? "warp-groups=true}" : "warp-groups=false}"))
        << chip;
  }
}

TEST_F(PhasesTest, DescriptionsOfDevicesArriveAtThePasses) {
  OwningOpRef<ModuleOp> module = parse(kRelu);
  PipelineOptions options;
  options.target = *artifact::lookupDevice("h200");
  options.target.chip = "sm_77";
  for (Phase phase : getPhases())
    EXPECT_TRUE(succeeded(runPhase(*module, phase, options))) << stringifyPhase(phase).str();
  EXPECT_EQ(messages, std::vector<std::string>());
  // One multiprocessor is enough for a description.
  options.target.multiprocessors = 1;
  EXPECT_TRUE(succeeded(runPhase(*parse(kRelu), Phase::Choose, options)));
  options.target.multiprocessors = 0;
  EXPECT_TRUE(failed(runPhase(*parse(kRelu), Phase::Choose, options)));
  EXPECT_EQ(messages.size(), 1u);
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
