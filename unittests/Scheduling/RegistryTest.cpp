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
  Answer accepts(const KernelView &) const override { return std::make_unique<Plan>(); }
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &, const SizeHints &,
                                       const artifact::DeviceDescription &) const override {
    return Choice{SingleOpParamsAttr::get(kernel.getKernel().getContext(), 32), {}};
  }
  LogicalResult apply(const KernelView &, const Plan &, ScheduleParamsInterface) const override {
    return success();
  }
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
  EXPECT_EQ(message, "'fuser.kernel' op expected a kernel that a scheduler accepts, "
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
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Plan>>(answer));
  const Plan *acceptance = std::get<std::unique_ptr<Plan>>(answer).get();
  ASSERT_EQ(acceptance->preferences.size(), 2u);
  // Or the output in the order of the input: either makes both equal.
  for (unsigned i : {0u, 1u}) {
    EXPECT_EQ(acceptance->preferences[i].isOutput, i == 1);
    EXPECT_EQ(acceptance->preferences[i].position, 0u);
    EXPECT_EQ(acceptance->preferences[i].order,
              i == 1 ? (SmallVector<int64_t>{0, 1}) : (SmallVector<int64_t>{1, 0}));
  }
}

TEST_F(RegistryTest, ParametersOfAnotherSchedulerAreAnError) {
  std::unique_ptr<Scheduler> pointwise = createPointwiseScheduler();
  FailureOr<KernelView> view = KernelView::create(kernel);
  ASSERT_TRUE(succeeded(view));
  Answer answer = pointwise->accepts(*view);
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<Plan>>(answer));
  EXPECT_TRUE(failed(pointwise->apply(*view, *std::get<std::unique_ptr<Plan>>(answer),
                                      SingleOpParamsAttr::get(&context, 32))));
  EXPECT_EQ(message, "'fuser.kernel' op expected 'schedule' to hold parameters of 'pointwise', but "
                     "got #fuser_sched.single_op<threads = 32>");
}

/// A plan does not refer to the kernel: what accepts says of one kernel serves an equal one.
TEST_F(RegistryTest, PlansOutliveTheirKernel) {
  constexpr StringLiteral text = R"(
    fuser.kernel @k(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %v, %m = fuser.var_mean %x dims [1] correction 0
          : tensor<?x64xf32> -> tensor<?xf32>, tensor<?xf32>
      %0 = fuser.broadcast %v dims [1] : tensor<?xf32> -> tensor<?x1xf32>
      %1 = fuser.mul %x, %0 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
      fuser.return %1 : tensor<?x64xf32>
    })";
  std::unique_ptr<Scheduler> scheduler = createInnerPersistentScheduler();
  auto accept = [&] {
    parse(text);
    FailureOr<KernelView> view = KernelView::create(kernel);
    EXPECT_TRUE(succeeded(view));
    return std::move(std::get<std::unique_ptr<Plan>>(scheduler->accepts(*view)));
  };
  auto apply = [&](const Plan &plan) {
    parse(text);
    FailureOr<KernelView> view = KernelView::create(kernel);
    auto params = InnerPersistentParamsAttr::get(&context, 32, 2, 1, 1, true, 1, 1, 1);
    EXPECT_TRUE(succeeded(scheduler->apply(*view, plan, params))) << message;
    std::string printed;
    llvm::raw_string_ostream(printed) << kernel;
    return printed;
  };
  std::unique_ptr<Plan> plan = accept();
  std::string first = apply(*plan), second = apply(*accept());
  EXPECT_EQ(first, second);
  EXPECT_NE(first.find("@vectorize"), std::string::npos);
}

/// The number of blocks that share a result follows the device at hand, whatever the option says.
TEST_F(RegistryTest, RowsThroughSharedMemoryAreEvaluated) {
  parse(R"(
    fuser.kernel @rows(%x: tensor<?x33xbf16>) -> tensor<?x33xbf16> {
      %0 = fuser.max %x dims [1] : tensor<?x33xbf16> -> tensor<?xbf16>
      %1 = fuser.broadcast %0 dims [1] : tensor<?xbf16> -> tensor<?x1xbf16>
      %2 = fuser.sub %x, %1 : (tensor<?x33xbf16>, tensor<?x1xbf16>) -> tensor<?x33xbf16>
      fuser.return %2 : tensor<?x33xbf16>
    })");
  FailureOr<KernelView> view = KernelView::create(kernel);
  ASSERT_TRUE(succeeded(view));
  std::unique_ptr<Scheduler> scheduler = createInnerPersistentScheduler();
  Answer answer = scheduler->accepts(*view);
  const Plan &plan = *std::get<std::unique_ptr<Plan>>(answer);
  auto evaluate = [&](StringRef sizes, int64_t rows, int64_t flat, int64_t sharedBytes) {
    FailureOr<SizeHints> hints = SizeHints::parse(kernel, sizes);
    EXPECT_TRUE(succeeded(hints));
    artifact::DeviceDescription device;
    device.sharedBytesPerBlock = sharedBytes;
    auto params = InnerPersistentParamsAttr::get(&context, 1, 1, 33, rows, true, 1, 1, flat);
    std::variant<Choice, Refusal> result = scheduler->evaluate(*view, plan, params, *hints, device);
    if (auto *refusal = std::get_if<Refusal>(&result))
      return refusal->code.str() + ": " + refusal->sentence;
    std::string text;
    llvm::raw_string_ostream out(text);
    out << std::get<Choice>(result).use.sharedBytes << " bytes";
    for (FactAttr fact : std::get<Choice>(result).facts)
      out << ", " << fact;
    return text;
  };
  // Two tensors of 128 rows. The number of rows is a multiple of the vector, or is not.
  EXPECT_EQ(evaluate("4096,33", 128, 8, 16896),
            "16896 bytes, #fuser.fact<divisible 0[0], 8>, #fuser.fact<aligned 0, 16>, "
            "#fuser.fact<aligned 1, 16>, #fuser.fact<elements_at_most 0, 2130706431>, "
            "#fuser.fact<elements_at_most 1, 2130706431>");
  EXPECT_EQ(evaluate("4097,33", 128, 8, 16896),
            "16896 bytes, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>, "
            "#fuser.fact<elements_at_most 0, 2130706431>, "
            "#fuser.fact<elements_at_most 1, 2130706431>");
  EXPECT_EQ(evaluate("4096,33", 128, 8, 16895),
            "no-shared-memory: expected 16896 bytes of shared memory for a block, but the device "
            "has 16895");
  EXPECT_EQ(evaluate("4096,33", 4, 8, 16896),
            "vector-too-wide: expected vectors across the ends of rows ('flat') of at most 8 "
            "elements, which divide 'rows' rows of a known length, but got 8 and 4 rows");
  EXPECT_EQ(evaluate("4096,33", 128, 16, 16896),
            "vector-too-wide: expected vectors across the ends of rows ('flat') of at most 8 "
            "elements, which divide 'rows' rows of a known length, but got 16 and 128 rows");
}

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
