//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The ids of one op that have the same index.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/OpIds.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;

namespace {

using Extents = std::vector<std::optional<int64_t>>;

OpIds getIds(Program &program, const Extents &extents) {
  auto getExtent = [&](unsigned id) {
    return id < extents.size() ? extents[id] : std::optional<int64_t>();
  };
  return OpIds(cast<TensorViewOpInterface>(program.getOp(0)), getExtent,
               [&](unsigned id) { return getExtent(id).value_or(1); });
}

/// Which of ids 0 and 1 have the index of their merge, id 2.
std::pair<bool, bool> haveTheMergedIndex(const OpIds &ids) {
  return {ids.haveOneIndex(2, 0), ids.haveOneIndex(2, 1)};
}

using Both = std::pair<bool, bool>;

// Only the extents say so, whatever the types are.
TEST(OpIdsTest, AMergeHasTheIndexOfTheInputThatIsNotOne) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], merge(i0, i1) -> i2, loop = [i2]>]} : tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })");
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {1, 6})), Both(false, true));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {1, std::nullopt})), Both(false, true));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {4, 1})), Both(true, false));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {std::nullopt, 1})), Both(true, false));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {4, 6})), Both(false, false));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {0, 6})), Both(false, false));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {std::nullopt, std::nullopt})), Both(false, false));
}

// Readers treat a broadcast as one, but not another dimension that has size 1, too.
TEST(OpIdsTest, AMergeWithABroadcastHasTheIndexOfTheOther) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?x1xf32> {
      %0 = fuser.broadcast %x dims [1] {domains = [#fuser.domain<logical = [i0, b1], merge(i0, b1) -> i2, loop = [i2]>]}
          : tensor<?xf32> -> tensor<?x1xf32>
      fuser.return %0 : tensor<?x1xf32>
    })");
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {6, 1})), Both(true, false));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {std::nullopt, 1})), Both(true, false));
  EXPECT_EQ(haveTheMergedIndex(getIds(program, {1, 1})), Both(true, false));
}

} // namespace
