//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleSpace.h"
#include "KernelFixture.h"
#include "fuser/Scheduling/ScheduleLibrary.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace fuser;

namespace {

class ScheduleSpaceTest : public KernelTest {
protected:
  ScheduleSpaceTest() : registry(createDefaultRegistry()) {}

  void SetUp() override {
    auto found = artifact::lookupDevice("h200");
    ASSERT_TRUE(found);
    device = found.take();
  }

  /// The text of each neighbor.
  std::vector<std::string> getTexts(ScheduleParamsInterface params) {
    std::vector<std::string> texts;
    for (ScheduleParamsInterface neighbor : getNeighbors(params, numRefused))
      texts.push_back(print(neighbor));
    return texts;
  }
  static std::string print(Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute;
    return text;
  }

  ScheduleSpace enumerate(
      StringRef sizes, size_t most,
      const ScheduleVerifier &verifier = [](KernelOp, const auto &) { return success(); }) {
    FailureOr<KernelView> view = KernelView::create(kernel);
    FailureOr<SizeHints> hints = SizeHints::parse(kernel, sizes);
    EXPECT_TRUE(succeeded(view) && succeeded(hints)) << message;
    return enumerateSchedules(*view, *registry, *hints, device, verifier, most);
  }

  std::shared_ptr<SchedulerRegistry> registry;
  artifact::DeviceDescription device;
  unsigned numRefused = 0;
};

constexpr StringLiteral kSoftmax = R"(
  fuser.kernel @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    %2 = fuser.sub %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    %3 = fuser.exp %2 : tensor<?x?xf32>
    %4 = fuser.sum %3 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    %5 = fuser.broadcast %4 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
    %6 = fuser.div %3, %5 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
    fuser.return %6 : tensor<?x?xf32>
  })";

} // namespace

TEST_F(ScheduleSpaceTest, DescribesParametersInTheOrderOfTheText) {
  auto params = cast<ScheduleParamsInterface>(
      parseAttribute("#fuser_sched.scan<pattern = outer, unroll = 8, chained = true>", &context));
  std::vector<std::pair<std::string, int64_t>> values;
  for (const ScheduleParameter &each : params.getParameters())
    values.emplace_back(each.name.str(), each.value);
  EXPECT_EQ(values, (std::vector<std::pair<std::string, int64_t>>{{"pattern", 1},
                                                                  {"threads_x", 128},
                                                                  {"threads_y", 1},
                                                                  {"vector", 1},
                                                                  {"unroll", 8},
                                                                  {"chained", 1},
                                                                  {"flat", 1}}));
  EXPECT_EQ(params.getParameters()[0].kind, ScheduleParameter::Kind::Fixed);
  EXPECT_EQ(params.getParameters()[4].kind, ScheduleParameter::Kind::Factor);
  EXPECT_EQ(params.getParameters()[5].kind, ScheduleParameter::Kind::Flag);
}

TEST_F(ScheduleSpaceTest, VariesOneFactorOrTwo) {
  auto params = StreamingParamsAttr::get(&context, 512, 1, 8, 3);
  EXPECT_EQ(
      getTexts(params),
      (std::vector<std::string>{
          // One factor: 2048 threads or two vectors of 16 are beyond the range, half of 3 is 2.
          "#fuser_sched.streaming<threads_x = 1024, vector = 8, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 256, vector = 8, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, threads_y = 2, vector = 8, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, vector = 16, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, vector = 4, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, vector = 8, unroll = 6>",
          "#fuser_sched.streaming<threads_x = 512, vector = 8, unroll = 2>",
          // One doubled, the other one halved.
          "#fuser_sched.streaming<threads_x = 1024, vector = 4, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 1024, vector = 8, unroll = 2>",
          "#fuser_sched.streaming<threads_x = 256, threads_y = 2, vector = 8, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, threads_y = 2, vector = 4, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, threads_y = 2, vector = 8, unroll = 2>",
          "#fuser_sched.streaming<threads_x = 256, vector = 16, unroll = 3>",
          "#fuser_sched.streaming<threads_x = 512, vector = 16, unroll = 2>",
          "#fuser_sched.streaming<threads_x = 256, vector = 8, unroll = 6>",
          "#fuser_sched.streaming<threads_x = 512, vector = 4, unroll = 6>"}));
  EXPECT_EQ(numRefused, 0u);
}

TEST_F(ScheduleSpaceTest, CountsWhatTheVerifierRefuses) {
  EXPECT_EQ(getTexts(SingleOpParamsAttr::get(&context, 1024)),
            std::vector<std::string>{"#fuser_sched.single_op<threads = 512>"});
  EXPECT_EQ(numRefused, 1u);
  EXPECT_EQ(message, "") << "a refusal is no diagnostic";
}

TEST_F(ScheduleSpaceTest, CountsDimensionsInOnes) {
  std::vector<std::string> texts = getTexts(cast<ScheduleParamsInterface>(
      parseAttribute("#fuser_sched.pointwise<inner_dims = 2>", &context)));
  EXPECT_TRUE(llvm::is_contained(texts, "#fuser_sched.pointwise<inner_dims = 3>"));
  EXPECT_TRUE(llvm::is_contained(texts, "#fuser_sched.pointwise<inner_dims = 1>"));
  EXPECT_TRUE(llvm::is_contained(texts, "#fuser_sched.pointwise<inner_dims = 2, ragged = true>"));
  EXPECT_FALSE(llvm::is_contained(texts, "#fuser_sched.pointwise<inner_dims = 4>"));
}

TEST_F(ScheduleSpaceTest, BeginsWithTheChoiceAndOtherSchedulers) {
  parse(kSoftmax);
  const ScheduleSpace space = enumerate("4096,1000", 64);
  ASSERT_GT(space.options.size(), 4u);
  EXPECT_EQ(space.options[0].scheduler->getName(), "inner_persistent");
  EXPECT_EQ(space.options[1].scheduler->getName(), "streaming");
  llvm::DenseSet<Attribute> all;
  for (size_t number = 0; number < space.options.size(); ++number) {
    EXPECT_TRUE(all.insert(space.options[number].choice.params).second);
    if (number > 2)
      EXPECT_LE(space.options[number - 1].microseconds, space.options[number].microseconds);
  }
  // Half of the threads do not have the row.
  EXPECT_GT(space.refused.at("row-too-long"), 0u);
  EXPECT_EQ(space.numLeftOut, 0u);
  EXPECT_FALSE(kernel->hasAttr("schedule"));
}

TEST_F(ScheduleSpaceTest, LeavesOutWhatIsPredictedToBeSlower) {
  parse(kSoftmax);
  const ScheduleSpace all = enumerate("4096,1000", 64), few = enumerate("4096,1000", 5);
  ASSERT_EQ(few.options.size(), 5u);
  EXPECT_EQ(few.numLeftOut, all.options.size() - 5);
  for (size_t number = 0; number < few.options.size(); ++number)
    EXPECT_EQ(few.options[number].choice.params, all.options[number].choice.params);
  EXPECT_EQ(enumerate("4096,1000", 1).options.size(), 1u);
}

TEST_F(ScheduleSpaceTest, SkipsWhatCannotBeLowered) {
  parse(kSoftmax);
  const ScheduleSpace all = enumerate("4096,1000", 64);
  const ScheduleSpace some = enumerate("4096,1000", 64, [](KernelOp kernel, const auto &) {
    auto params = dyn_cast<InnerPersistentParamsAttr>(kernel->getAttr("schedule"));
    return params && params.getRecompute() ? LogicalResult(success())
                                           : kernel.emitOpError("expected to recompute");
  });
  EXPECT_LT(some.options.size(), all.options.size());
  EXPECT_EQ(some.options.size() + some.refused.at("not-lowered"), all.options.size());
  EXPECT_EQ(message, "");
}

TEST_F(ScheduleSpaceTest, HasNothingForAKernelThatAllRefuse) {
  parse(kSoftmax);
  const ScheduleSpace space =
      enumerate("4096,1000", 64, [](KernelOp, const auto &) { return LogicalResult(failure()); });
  EXPECT_TRUE(space.options.empty());
}

TEST_F(ScheduleSpaceTest, BeginsWithWhatIsGiven) {
  parse(kSoftmax);
  FailureOr<KernelView> view = KernelView::create(kernel);
  FailureOr<SizeHints> hints = SizeHints::parse(kernel, "4096,1000");
  const ScheduleSpace all = enumerate("4096,1000", 64);
  const ScheduleOption &last = all.options.back();
  const ScheduleSpace space = enumerateSchedules(
      *view, *registry, *hints, device, [](KernelOp, const auto &) { return success(); }, 64,
      &last.choice);
  EXPECT_EQ(space.options[0].choice.params, last.choice.params);
  EXPECT_EQ(space.options[1].choice.params, all.options[0].choice.params);
  auto has = [](const ScheduleSpace &space, ScheduleParamsInterface params) {
    return llvm::any_of(space.options, [&](const ScheduleOption &option) {
      return option.choice.params == params;
    });
  };
  // What was near the choices is still there, and what is near the given one is in addition.
  for (const ScheduleOption &option : all.options)
    EXPECT_TRUE(has(space, option.choice.params));
  EXPECT_GT(space.options.size(), all.options.size());
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

TEST_F(ScheduleSpaceTest, FindsEqualKernelsWhateverTheirNames) {
  auto library = ScheduleLibrary::parse(std::string("module {") + kSoftmax.str() + "}", &context);
  EXPECT_TRUE(failed(library));
  EXPECT_EQ(message, "'fuser.kernel' op expected 'schedule' to hold parameters of a scheduler");
  std::string text = kSoftmax.str();
  const std::string with = " attributes {fuser_sched.sizes = [array<i64: 8, 64>], schedule = "
                           "#fuser_sched.streaming<threads_x = 64>} {\n    %0";
  text.replace(text.find(" {\n    %0"), std::strlen(" {\n    %0"), with);
  library = ScheduleLibrary::parse(text, &context);
  ASSERT_TRUE(succeeded(library)) << message;
  parse(kSoftmax);
  EXPECT_FALSE((*library)->find(kernel)) << "the sizes are others";
  Builder builder(&context);
  kernel->setAttr(FuserSchedDialect::kSizes,
                  builder.getArrayAttr({builder.getDenseI64ArrayAttr({8, 64})}));
  kernel.setSymName("other");
  kernel->setAttr(FuserSchedDialect::kDecision, builder.getUnitAttr());
  KernelOp entry = (*library)->find(kernel);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->getAttr("schedule"), StreamingParamsAttr::get(&context, 64, 1, 1, 1));
  kernel->setAttr("facts", builder.getArrayAttr({FactAttr::getDivisible(&context, 0, 1, 8)}));
  EXPECT_FALSE((*library)->find(kernel)) << "the facts are others";
}
