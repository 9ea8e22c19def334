//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleCache.h"
#include "KernelFixture.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace mlir;
using namespace fuser;

namespace {

class ScheduleCacheTest : public KernelTest {
protected:
  void SetUp() override {
    parse(R"(
      fuser.kernel @first(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = fuser.relu %x : tensor<?xf32>
        %1 = fuser.neg %0 : tensor<?xf32>
        fuser.return %1 : tensor<?xf32>
      }
      fuser.kernel @elsewhere(%y: tensor<?xf32>) -> tensor<?xf32> {
        %0 = fuser.relu %y : tensor<?xf32>
        %1 = fuser.neg %0 : tensor<?xf32>
        fuser.return %1 : tensor<?xf32>
      }
      fuser.kernel @other_operand(%x: tensor<?xf32>) -> tensor<?xf32> {
        %0 = fuser.relu %x : tensor<?xf32>
        %1 = fuser.neg %x : tensor<?xf32>
        fuser.return %1 : tensor<?xf32>
      }
      fuser.kernel @other_fact(%x: tensor<?xf32>) -> tensor<?xf32> attributes {
          facts = [#fuser.fact<divisible 0[0], 2>]} {
        %0 = fuser.relu %x : tensor<?xf32>
        %1 = fuser.neg %0 : tensor<?xf32>
        fuser.return %1 : tensor<?xf32>
      })");
    choice.params = SingleOpParamsAttr::get(&context, 32);
    choice.facts.push_back(FactAttr::getDivisible(&context, 0, 0, 8));
  }

  KernelOp get(StringRef name) { return module->lookupSymbol<KernelOp>(name); }

  /// Adds @first, whose scheduled body is `scheduled`.
  void addFirst() {
    OwningOpRef<KernelOp> pristine(get("first").clone()), scheduled(get("first").clone());
    setChoice(*scheduled, choice);
    (*scheduled)->setAttr("test.applied", UnitAttr::get(&context));
    Operation &relu = (*scheduled).getBody().front().front();
    relu.setAttr("test.applied", UnitAttr::get(&context));
    cache.add(std::move(pristine), choice, std::move(scheduled));
  }

  ScheduleCache cache;
  Choice choice;
};

TEST_F(ScheduleCacheTest, ChoicesAreFoundByContent) {
  EXPECT_EQ(cache.findChoice(get("first")), nullptr);
  addFirst();
  for (StringRef equal : {"first", "elsewhere"}) {
    const Choice *found = cache.findChoice(get(equal));
    ASSERT_NE(found, nullptr) << equal.str();
    EXPECT_EQ(found->params, choice.params);
    EXPECT_EQ(found->facts, choice.facts);
  }
  for (StringRef other : {"other_operand", "other_fact"})
    EXPECT_EQ(cache.findChoice(get(other)), nullptr) << other.str();
}

TEST_F(ScheduleCacheTest, AScheduledKernelIsMovedOnce) {
  addFirst();
  KernelOp first = get("first");
  EXPECT_FALSE(cache.takeScheduled(first)) << "it does not carry the choice yet";
  setChoice(first, choice);
  ASSERT_TRUE(cache.takeScheduled(first));
  EXPECT_EQ(first.getSymName(), "first");
  EXPECT_TRUE(first->hasAttr("test.applied"));
  EXPECT_TRUE(first.getBody().front().front().hasAttr("test.applied"));
  EXPECT_TRUE(succeeded(verify(first)));
  KernelOp again = get("elsewhere");
  setChoice(again, choice);
  EXPECT_FALSE(cache.takeScheduled(again));
}

TEST_F(ScheduleCacheTest, AScheduledKernelKeepsItsLocations) {
  addFirst();
  KernelOp elsewhere = get("elsewhere");
  setChoice(elsewhere, choice);
  EXPECT_FALSE(cache.takeScheduled(elsewhere)) << "diagnostics would point to @first";
}

TEST_F(ScheduleCacheTest, AnEditedKernelIsScheduledAnew) {
  addFirst();
  KernelOp first = get("first");
  Choice other = choice;
  other.params = SingleOpParamsAttr::get(&context, 64);
  setChoice(first, other);
  EXPECT_FALSE(cache.takeScheduled(first)) << "its parameters were edited";
  setChoice(first, choice);
  first.getBody().front().front().setAttr("test.edited", UnitAttr::get(&context));
  EXPECT_FALSE(cache.takeScheduled(first)) << "its body was edited";
}

} // namespace
