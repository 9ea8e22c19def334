//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Caching.h"
#include "KernelFixture.h"

using namespace mlir;
using namespace fuser;

namespace {

using CachingTest = KernelTest;

TEST_F(CachingTest, LoadIsCopiedOnceForAllUsers) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
      %0 = fuser.add %x, %y : tensor<?xf32>
      %1 = fuser.add %0, %x : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  FailureOr<Operation *> y = cacheLoad(kernel, 1), x = cacheLoad(kernel, 0);
  ASSERT_TRUE(succeeded(x) && succeeded(y));
  // After the existing load.
  EXPECT_EQ(getOp(0).getOperation(), *y);
  EXPECT_EQ(getOp(1).getOperation(), *x);
  EXPECT_EQ(getOp(2)->getOperand(0), (*x)->getResult(0));
  EXPECT_EQ(getOp(3)->getOperand(1), (*x)->getResult(0));
  EXPECT_EQ(*cacheLoad(kernel, 0), *x);
  EXPECT_TRUE(failed(cacheLoad(kernel, 2)));
  EXPECT_EQ(message, "'fuser.kernel' op expected a tensor argument to cache, but got argument 2");
  verify();
}

TEST_F(CachingTest, ACopyBeforeALaterUseDoesNotServeEarlierOnes) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.exp %x : tensor<?xf32>
      %1 = fuser.add %0, %x : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  Operation *late = cacheUse(getOp(1)->getOpOperand(1));
  FailureOr<Operation *> load = cacheLoad(kernel, 0);
  ASSERT_TRUE(succeeded(load));
  EXPECT_EQ(getOp(0).getOperation(), *load);
  EXPECT_NE(*load, late);
  verify();
}

TEST_F(CachingTest, LoadStandsBeforeACopyToGlobalMemory) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.set %x {memory = #fuser.memory<global>} : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })");
  FailureOr<Operation *> load = cacheLoad(kernel, 0);
  ASSERT_TRUE(succeeded(load));
  EXPECT_EQ(getOp(0).getOperation(), *load);
  EXPECT_EQ(getOp(1)->getOperand(0), (*load)->getResult(0));
  verify();
}

TEST_F(CachingTest, StoreGoesToGlobalMemoryAtEachPosition) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %0 = fuser.add %x, %x : tensor<?xf32>
      fuser.return %0, %0 : tensor<?xf32>, tensor<?xf32>
    })");
  FailureOr<Operation *> first = cacheStore(kernel, 0), second = cacheStore(kernel, 1);
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  EXPECT_NE(*first, *second);
  EXPECT_EQ(getOp(1).getMemoryType(), MemoryType::Global);
  EXPECT_EQ(getOp(0).getMemoryType(), MemoryType::Register);
  EXPECT_EQ(*cacheStore(kernel, 0), *first);
  EXPECT_TRUE(failed(cacheStore(kernel, 2)));
  verify();
}

TEST_F(CachingTest, AnArgumentReturnedAsItsAliasIsLeftAlone) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32>
        attributes {aliases = [#fuser.alias<output 0, input 0>]} {
      fuser.return %x : tensor<?xf32>
    })");
  EXPECT_EQ(*cacheStore(kernel, 0), nullptr);
  EXPECT_EQ(*cacheLoad(kernel, 0), nullptr);
  verify();
}

TEST_F(CachingTest, AnArgumentReturnedElsewhereIsCopied) {
  for (const char *aliases : {"", "attributes {aliases = [#fuser.alias<output 1, input 0>]}",
                              "attributes {aliases = [#fuser.alias<output 0, input 1>]}",
                              "attributes {aliases = [#fuser.alias<output 1, input 1>]}"}) {
    parse((R"(
      fuser.kernel @k(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) )" +
           llvm::Twine(aliases) + R"( {
        fuser.return %x, %y : tensor<?xf32>, tensor<?xf32>
      })")
              .str());
    FailureOr<Operation *> first = cacheStore(kernel, 0), second = cacheStore(kernel, 1);
    ASSERT_TRUE(succeeded(first) && succeeded(second));
    EXPECT_NE(*first, nullptr) << aliases;
    // The second one is its alias in the last case.
    EXPECT_EQ(*second == nullptr, llvm::StringRef(aliases).contains("output 1, input 1"));
    verify();
  }
}

TEST_F(CachingTest, EachUseOfABroadcastHasItsOwn) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<1x?xf32>) {
      %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      fuser.return %1, %0 : tensor<?x?xf32>, tensor<1x?xf32>
    })");
  splitBroadcasts(kernel);
  unsigned broadcasts = 0;
  for (auto op : kernel.getBody().getOps<BroadcastOp>()) {
    EXPECT_TRUE(op->hasOneUse());
    ++broadcasts;
  }
  EXPECT_EQ(broadcasts, 2u);
  verify();
}

TEST_F(CachingTest, RecomputeClonesPointwiseChainsOnly) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
      %0 = fuser.set %x : tensor<?xf32>
      %1 = fuser.add %0, %0 : tensor<?xf32>
      %2 = fuser.sum %1 dims [0] : tensor<?xf32> -> tensor<f32>
      %3 = fuser.add %1, %0 : tensor<?xf32>
      fuser.return %3, %2 : tensor<?xf32>, tensor<f32>
    })");
  Operation *load = getOp(0), *add = getOp(1), *sum = getOp(2), *last = getOp(3);
  auto isLoad = [&](Value value) { return value == load->getResult(0); };
  ASSERT_TRUE(succeeded(recomputeFor(add->getResult(0), {last}, isLoad)));
  EXPECT_NE(last->getOperand(0), add->getResult(0));
  EXPECT_EQ(last->getOperand(0).getDefiningOp()->getOperand(0), load->getResult(0));
  EXPECT_EQ(sum->getOperand(0), add->getResult(0));
  EXPECT_TRUE(
      failed(recomputeFor(sum->getResult(0), {*sum->getResult(0).getUsers().begin()}, isLoad)));
  verify();
}

} // namespace
