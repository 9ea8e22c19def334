//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that are recomputed and rows that are kept.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/RecomputeRows.h"
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

// An op makes the dimensions that no operand has; a broadcast one is of size 1.
TEST_F(RecomputeRowsTest, OpsThatMakeDimensions) {
  parse(R"(
    fuser.kernel @k(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: f32) -> tensor<4x8xf32> {
      %0 = fuser.full %s : f32 -> tensor<4x8xf32>
      %1 = fuser.sum %x dims [0] : tensor<4x8xf32> -> tensor<8xf32>
      %2 = fuser.broadcast %1 dims [0] : tensor<8xf32> -> tensor<1x8xf32>
      %3 = fuser.expand %2 : tensor<1x8xf32> -> tensor<4x8xf32>
      %4 = fuser.add %x, %0 : tensor<4x8xf32>
      %5 = fuser.permute %4 [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
      %6 = fuser.slice %5 [2, 0] [3, 4] : tensor<8x4xf32> -> tensor<3x4xf32>
      %7 = fuser.index_select %x, %i dim 0 : tensor<4x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
      fuser.return %3 : tensor<4x8xf32>
    })");
  kernel.walk([](TensorViewOpInterface op) {
    EXPECT_EQ(makesDimension(op), (mlir::isa<FullOp, ExpandOp, SliceOp>(op)))
        << op->getName().getStringRef().str();
  });
}

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
