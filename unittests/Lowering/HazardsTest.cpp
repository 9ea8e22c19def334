//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hazards.h"
#include "gtest/gtest.h"

using namespace fuser;

namespace {
/// Region 0 is shared memory; `makeGlobal` makes a value that blocks exchange. Writes conflict with
/// reads.
SyncLevel conflict(const MemoryUse &earlier, const MemoryUse &later) {
  if (earlier.space != later.space || earlier.region != later.region ||
      earlier.writes == later.writes)
    return SyncLevel::None;
  if (earlier.space == MemoryUse::Space::Shared)
    return SyncLevel::Block;
  return earlier.writes ? SyncLevel::Grid : SyncLevel::None;
}

MemoryUse makeShared(bool writes, unsigned region = 0) {
  MemoryUse use;
  use.writes = writes;
  use.region = region;
  return use;
}

MemoryUse makeGlobal(bool writes) {
  MemoryUse use = makeShared(writes);
  use.space = MemoryUse::Space::Global;
  return use;
}
constexpr bool kWrite = true, kRead = false;

TEST(Hazards, AReadWaitsForAWrite) {
  Hazards hazards(conflict);
  hazards.note(makeShared(kWrite));
  EXPECT_EQ(hazards.getLevelBefore(makeShared(kRead)), SyncLevel::Block);
  EXPECT_EQ(hazards.getLevelBefore(makeShared(kRead, /*region=*/1)), SyncLevel::None);
  hazards.synchronize(SyncLevel::Block);
  EXPECT_EQ(hazards.getLevelBefore(makeShared(kRead)), SyncLevel::None);
}

TEST(Hazards, AWriteWaitsForAReadOnceOnly) {
  Hazards hazards(conflict);
  hazards.note(makeShared(kRead));
  EXPECT_EQ(hazards.getLevelBefore(makeShared(kWrite)), SyncLevel::Block);
  EXPECT_EQ(hazards.getLevelBefore(makeShared(kRead)), SyncLevel::None);
}

TEST(Hazards, ABlockBarrierIsNotEnoughForOtherBlocks) {
  Hazards hazards(conflict);
  hazards.note(makeGlobal(kWrite));
  hazards.synchronize(SyncLevel::Block);
  EXPECT_EQ(hazards.getLevelBefore(makeGlobal(kRead)), SyncLevel::Grid);
  hazards.synchronize(SyncLevel::Grid);
  EXPECT_EQ(hazards.getLevelBefore(makeGlobal(kRead)), SyncLevel::None);
}

TEST(Hazards, AGridBarrierIsABlockBarrier) {
  Hazards hazards(conflict);
  hazards.note(makeShared(kWrite));
  hazards.synchronize(SyncLevel::Grid);
  EXPECT_EQ(hazards.getLevelBefore(makeShared(kRead)), SyncLevel::None);
}

TEST(Hazards, TheNextIterationWaitsForThisOne) {
  Hazards hazards(conflict);
  hazards.enterLoop();
  hazards.note(makeShared(kWrite));
  hazards.synchronize(SyncLevel::Block);
  hazards.note(makeShared(kRead));
  EXPECT_EQ(hazards.getLevelBeforeNextIteration(), SyncLevel::Block);
}

TEST(Hazards, ABarrierAtTheHeadOfALoopOrdersIterations) {
  Hazards hazards(conflict);
  hazards.enterLoop();
  hazards.synchronize(SyncLevel::Block); // For something else.
  hazards.note(makeShared(kWrite));
  hazards.synchronize(SyncLevel::Block);
  hazards.note(makeShared(kRead));
  EXPECT_EQ(hazards.getLevelBeforeNextIteration(), SyncLevel::None);
}

TEST(Hazards, ABlockBarrierAtTheHeadDoesNotOrderBlocks) {
  Hazards hazards(conflict);
  hazards.enterLoop();
  hazards.synchronize(SyncLevel::Block);
  hazards.note(makeGlobal(kRead));
  hazards.note(makeGlobal(kWrite));
  EXPECT_EQ(hazards.getLevelBeforeNextIteration(), SyncLevel::Grid);
}

TEST(Hazards, ALoopThatMayNotRunOrdersNothing) {
  for (bool runs : {true, false}) {
    Hazards hazards(conflict);
    hazards.note(makeShared(kWrite));
    hazards.enterLoop();
    hazards.synchronize(SyncLevel::Block);
    hazards.leaveLoop(/*runsAtLeastOnce=*/runs);
    EXPECT_EQ(hazards.getLevelBefore(makeShared(kRead)), runs ? SyncLevel::None : SyncLevel::Block);
  }
}

TEST(Hazards, AnInnerLoopThatMayNotRunOrdersNoIterationsOfTheOuter) {
  for (bool runs : {true, false}) {
    Hazards hazards(conflict);
    hazards.enterLoop();
    hazards.enterLoop();
    hazards.synchronize(SyncLevel::Block);
    hazards.leaveLoop(/*runsAtLeastOnce=*/runs);
    hazards.note(makeShared(kWrite));
    hazards.synchronize(SyncLevel::Block);
    hazards.note(makeShared(kRead));
    EXPECT_EQ(hazards.getLevelBeforeNextIteration(), runs ? SyncLevel::None : SyncLevel::Block);
  }
}

TEST(Hazards, WhatAnInnerLoopDoesFirstIsDoneFirstByTheOuter) {
  Hazards hazards(conflict);
  hazards.enterLoop();
  hazards.enterLoop();
  hazards.note(makeShared(kWrite));
  hazards.leaveLoop(/*runsAtLeastOnce=*/true);
  hazards.synchronize(SyncLevel::Block);
  hazards.note(makeShared(kRead));
  EXPECT_EQ(hazards.getLevelBeforeNextIteration(), SyncLevel::Block);
}
} // namespace
