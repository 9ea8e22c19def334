//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The orders that arguments and outputs prefer.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/BoundaryPreferences.h"
#include "KernelFixture.h"

using namespace fuser;

namespace {

class BoundaryPreferencesTest : public KernelTest {
protected:
  /// The order of dimensions that an argument, or the output -1, prefers in a sum of a row and
  /// three matrices, of which the layouts are given and which are added in this order; empty if it
  /// prefers none. Loops are in the order of the leader, an argument or the output.
  llvm::SmallVector<int64_t> prefer(int tensor, int leader, llvm::StringRef x, llvm::StringRef y,
                                    llvm::StringRef z) {
    mlir::FailureOr<KernelView> view = makeView(x, y, z);
    const GlobalTensor &leading =
        leader < 0 ? view->getOutput(0) : view->getTensors()[static_cast<unsigned>(leader)];
    return find(getBoundaryPreferences(*view, leading, leading.order), tensor);
  }

  /// The same for loops without a leader, the first `count` ones of `x`.
  llvm::SmallVector<int64_t> preferForLoops(int tensor, size_t count, llvm::StringRef x,
                                            llvm::StringRef y, llvm::StringRef z) {
    mlir::FailureOr<KernelView> view = makeView(x, y, z);
    auto loops = llvm::ArrayRef(view->getTensors()[1].order).take_front(count);
    return find(getBoundaryPreferences(*view, loops), tensor);
  }

  mlir::FailureOr<KernelView> makeView(llvm::StringRef x, llvm::StringRef y, llvm::StringRef z) {
    parse(R"(fuser.kernel @k(%b: tensor<128xf32>, %x: tensor<64x128xf32>, %y: tensor<64x128xf32>,
                             %z: tensor<64x128xf32>) -> tensor<64x128xf32>
                 attributes {arg_layouts = [unit, )" +
          (x + ", " + y + ", " + z).str() + R"(]} {
               %0 = fuser.broadcast %b dims [0] : tensor<128xf32> -> tensor<1x128xf32>
               %e = fuser.expand %0 : tensor<1x128xf32> -> tensor<64x128xf32>
               %1 = fuser.add %e, %x : tensor<64x128xf32>
               %2 = fuser.add %1, %y : tensor<64x128xf32>
               %3 = fuser.add %2, %z : tensor<64x128xf32>
               fuser.return %3 : tensor<64x128xf32>
             })");
    return KernelView::create(kernel);
  }

  llvm::SmallVector<int64_t> find(llvm::ArrayRef<BoundaryPreference> preferences, int tensor) {
    for (const BoundaryPreference &each : preferences)
      if (each.isOutput ? tensor < 0 : tensor == int(each.position))
        return each.order;
    return {};
  }

  using Order = llvm::SmallVector<int64_t>;
  const llvm::StringRef rows = "unit", columns = "#fuser.layout<order = [1, 0]>";
};

// The leader is no other argument, and one of fewer dimensions says nothing, wherever they are.
TEST_F(BoundaryPreferencesTest, TheLeaderPrefersTheOrderOfTheOthers) {
  EXPECT_EQ(prefer(-1, -1, columns, columns, columns), Order({1, 0}));
  EXPECT_EQ(prefer(-1, -1, rows, rows, rows), Order({0, 1}));
  EXPECT_EQ(prefer(1, 1, rows, columns, columns), Order({1, 0}));
  EXPECT_EQ(prefer(2, 2, columns, rows, columns), Order({1, 0}));
  EXPECT_EQ(prefer(3, 3, columns, columns, rows), Order({1, 0}));
}

TEST_F(BoundaryPreferencesTest, TheLeaderPrefersNoneOfSeveralOrders) {
  EXPECT_EQ(prefer(-1, -1, rows, columns, columns), Order());
  EXPECT_EQ(prefer(-1, -1, columns, columns, rows), Order());
  EXPECT_EQ(prefer(2, 2, columns, columns, rows), Order());
}

TEST_F(BoundaryPreferencesTest, OthersPreferTheOrderOfTheLoops) {
  EXPECT_EQ(prefer(1, 2, rows, columns, rows), Order({1, 0}));
  EXPECT_EQ(prefer(3, 2, rows, columns, rows), Order({1, 0}));
  EXPECT_EQ(prefer(-1, 2, rows, columns, rows), Order({1, 0}));
  // A row has one order.
  EXPECT_EQ(prefer(0, 2, rows, columns, rows), Order());
}

TEST_F(BoundaryPreferencesTest, TheFirstWithMostLoopsLeads) {
  EXPECT_EQ(preferForLoops(1, 2, rows, columns, columns), Order({1, 0}));
  EXPECT_EQ(preferForLoops(2, 2, rows, columns, columns), Order({0, 1}));
  EXPECT_EQ(preferForLoops(3, 2, rows, columns, columns), Order({0, 1}));
  EXPECT_EQ(preferForLoops(-1, 2, rows, columns, columns), Order({0, 1}));
  EXPECT_EQ(preferForLoops(1, 2, rows, columns, rows), Order());
}

TEST_F(BoundaryPreferencesTest, OneLoopHasNoLeader) {
  for (int tensor : {-1, 0, 1, 2, 3}) {
    EXPECT_EQ(preferForLoops(tensor, 1, rows, rows, rows), Order());
    EXPECT_EQ(preferForLoops(tensor, 0, rows, rows, rows), Order());
  }
}

} // namespace
