//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelFixture.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace mlir;
using namespace fuser;

namespace {

/// An embedder's scheduler: takes everything, and uses the fallback's parameters.
class Greedy : public Scheduler {
public:
  StringRef getName() const override { return "greedy"; }
  Answer accepts(const KernelView &) const override { return Acceptance(); }
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const SizeHints &,
                                       const artifact::DeviceDescription &) const override {
    return Choice{SingleOpParamsAttr::get(kernel.getKernel().getContext(), 32), {}};
  }
  LogicalResult apply(KernelOp, ScheduleParamsInterface) const override { return success(); }
};

class RegistryTest : public KernelTest {
protected:
  void SetUp() override {
    parse(R"(
      fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = fuser.relu %x : tensor<?xf32>
        fuser.return %0 : tensor<?xf32>
      })");
  }
};

TEST_F(RegistryTest, NamesAreUniqueAndFound) {
  SchedulerRegistry registry;
  EXPECT_TRUE(registry.add(createSingleOpScheduler()));
  EXPECT_FALSE(registry.add(createSingleOpScheduler()));
  EXPECT_TRUE(registry.add(createPointwiseScheduler(), SchedulerRegistry::Place::First));
  ASSERT_EQ(registry.getSchedulers().size(), 2u);
  EXPECT_EQ(registry.getSchedulers()[0]->getName(), "pointwise");
  EXPECT_EQ(registry.find("single_op"), registry.getSchedulers()[1].get());
  EXPECT_EQ(registry.find("greedy"), nullptr);
}

TEST_F(RegistryTest, AnEmbeddersSchedulerComesFirst) {
  std::shared_ptr<SchedulerRegistry> registry = createDefaultRegistry();
  ASSERT_TRUE(registry->add(std::make_unique<Greedy>(), SchedulerRegistry::Place::First));
  artifact::Expected<artifact::DeviceDescription> device = artifact::lookupDevice("h200");
  ASSERT_TRUE(device.ok());
  ASSERT_TRUE(succeeded(chooseSchedule(kernel, *registry, SizeHints(), *device, true)));
  EXPECT_EQ(kernel->getAttr("schedule"), SingleOpParamsAttr::get(&context, 32));
}

TEST_F(RegistryTest, NoSchedulerIsAnError) {
  artifact::Expected<artifact::DeviceDescription> device = artifact::lookupDevice("h200");
  EXPECT_TRUE(failed(chooseSchedule(kernel, SchedulerRegistry(), SizeHints(), *device, true)));
  EXPECT_EQ(message, "'fuser.kernel' op expected a kernel that one of the 0 schedulers accepts, "
                     "but all refuse");
}

TEST_F(RegistryTest, ParametersOfAnUnknownSchedulerAreAnError) {
  kernel->setAttr("schedule", SingleOpParamsAttr::get(&context, 32));
  EXPECT_TRUE(failed(applySchedule(kernel, SchedulerRegistry())));
  EXPECT_EQ(message, "'fuser.kernel' op expected 'schedule' to name a registered scheduler, but "
                     "got 'single_op'");
}

TEST_F(RegistryTest, ARefusalIsData) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  ASSERT_TRUE(succeeded(view));
  Answer answer = createReductionScheduler()->accepts(*view);
  auto *refusal = std::get_if<Refusal>(&answer);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->category, RefusalCategory::OutOfScope);
  EXPECT_EQ(refusal->code, "no-reduction");
  EXPECT_EQ(refusal->sentence, "expected a reduction, but got none");
}

TEST_F(RegistryTest, PointwiseWishesInputsInTheOrderOfTheOutput) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
        attributes {output_orders = [array<i64: 1, 0>]} {
      %0 = fuser.relu %x : tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })");
  FailureOr<KernelView> view = KernelView::create(kernel);
  ASSERT_TRUE(succeeded(view));
  Answer answer = createPointwiseScheduler()->accepts(*view);
  auto *acceptance = std::get_if<Acceptance>(&answer);
  ASSERT_NE(acceptance, nullptr);
  ASSERT_EQ(acceptance->wishes.size(), 1u);
  EXPECT_FALSE(acceptance->wishes[0].isOutput);
  EXPECT_EQ(acceptance->wishes[0].position, 0u);
  EXPECT_EQ(acceptance->wishes[0].order, (SmallVector<int64_t>{1, 0}));
}

/// The number of blocks that share a result follows the device at hand, whatever the option says.
TEST_F(RegistryTest, ChoosesForTheGivenDevice) {
  auto getSplits = [&](std::optional<int64_t> multiprocessors) {
    parse(R"(
      fuser.kernel @k(%x: tensor<1048576xf32>) -> tensor<f32> {
        %0 = fuser.sum %x dims [0] : tensor<1048576xf32> -> tensor<f32>
        fuser.return %0 : tensor<f32>
      })");
    std::optional<artifact::DeviceDescription> device;
    if (multiprocessors) {
      device = artifact::lookupDevice("h100").take();
      device->multiprocessors = *multiprocessors;
    }
    auto registry = std::make_shared<SchedulerRegistry>();
    registry->add(createReductionScheduler());
    PassManager manager(&context);
    manager.addPass(createChooseSchedulesPass(registry, {}, device));
    EXPECT_TRUE(succeeded(manager.run(*module))) << message;
    return cast<ReductionParamsAttr>(kernel->getAttr("schedule")).getSplits();
  };
  EXPECT_EQ(getSplits(10), 40);
  EXPECT_GT(getSplits(std::nullopt), 40);
}

} // namespace
