//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that are recomputed and rows that are kept.
//
//===----------------------------------------------------------------------===//

#include "KernelFixture.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"

using namespace fuser;

namespace {

class RecomputeRowsTest : public KernelTest {
protected:
  /// The number of ops after the schedule of `length` reductions of a row, each of the difference
  /// between the row before and its sum.
  size_t countScheduledOps(unsigned length) {
    std::string text = "fuser.kernel @k(%v0: tensor<?x256xf32>) -> tensor<?x256xf32> attributes "
                       "{schedule = #fuser_sched.inner_persistent<threads = 32, vector = 4, "
                       "vectors = 2, rows = 4>} {\n";
    for (unsigned i = 0; i < length; ++i) {
      std::string n = std::to_string(i), next = std::to_string(i + 1);
      text += "%r" + n + " = fuser.sum %v" + n + " dims [1] : tensor<?x256xf32> -> tensor<?xf32>\n";
      text +=
          "%b" + n + " = fuser.broadcast %r" + n + " dims [1] : tensor<?xf32> -> tensor<?x1xf32>\n";
      text += "%v" + next + " = fuser.sub %v" + n + ", %b" + n +
              " : (tensor<?x256xf32>, tensor<?x1xf32>) -> tensor<?x256xf32>\n";
    }
    text += "fuser.return %v" + std::to_string(length) + " : tensor<?x256xf32>\n}";
    parse(text);
    auto registry = createDefaultRegistry();
    EXPECT_TRUE(mlir::succeeded(applySchedule(kernel, *registry))) << message;
    return std::distance(kernel.getBody().front().begin(), kernel.getBody().front().end());
  }
};

// Two reductions are recomputed: each row is read from the load.
TEST_F(RecomputeRowsTest, AShortChainIsRecomputed) {
  size_t broadcasts = 0;
  (void)countScheduledOps(2);
  kernel.walk([&](BroadcastOp) { ++broadcasts; });
  EXPECT_EQ(broadcasts, 3u);
}

// A row that takes many ops to recompute is kept, so that kernels grow with the length of a chain
// and not with its square.
TEST_F(RecomputeRowsTest, ALongChainIsKeptNowAndThen) {
  const double some = double(countScheduledOps(40)), more = double(countScheduledOps(160));
  EXPECT_LT(more, 4.5 * some);
}

} // namespace
