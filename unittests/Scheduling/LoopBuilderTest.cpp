//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops of a scheduler that are none of the op.
//
//===----------------------------------------------------------------------===//

#include "KernelFixture.h"
#include "fuser/Scheduling/KernelSchedule.h"

using namespace fuser;

namespace {

using LoopBuilderTest = KernelTest;

TEST_F(LoopBuilderTest, EachDimensionHasOneLoop) {
  parse(R"(
    fuser.kernel @k(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = fuser.exp %x : tensor<4x8xf32>
      fuser.return %0 : tensor<4x8xf32>
    })");
  auto op = *kernel.getBody().front().getOps<TensorViewOpInterface>().begin();
  const DomainAttr before = op.getDomain();
  using Ids = std::vector<unsigned>;
  for (const Ids &ids : {Ids{0}, Ids{0, 1, 1}, Ids{}}) {
    std::vector<LoopBuilder::Loop> loops;
    for (unsigned id : ids)
      loops.push_back({id, ParallelType::Serial});
    message.clear();
    EXPECT_TRUE(mlir::failed(LoopBuilder(op).finish(loops)));
    EXPECT_EQ(message, "'fuser.exp' op expected loops that cover each of its dimensions once");
    EXPECT_EQ(op.getDomain(), before);
  }
  EXPECT_TRUE(mlir::succeeded(
      LoopBuilder(op).finish({{1, ParallelType::Serial}, {0, ParallelType::BlockX}})));
  EXPECT_NE(op.getDomain(), before);
}

} // namespace
