//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchShapes.h"
#include "gtest/gtest.h"

using namespace fuser;
using artifact::ExprId;
using artifact::ExprKind;

namespace {

TEST(LaunchShapes, AFailingExpressionLeavesTheOthers) {
  artifact::Artifact artifact;
  artifact.arguments.resize(1);
  artifact.arguments[0].order = {0};
  ExprId size = artifact.exprs.size(0, 0), one = artifact.exprs.constant(1);
  auto addLaunch = [&](ExprId grid, ExprId block, ExprId bytes) {
    artifact::Launch launch;
    launch.grid[0] = grid;
    launch.block[0] = block;
    launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = one;
    launch.dynamicSharedBytes = bytes;
    artifact.program.instructions.push_back(launch);
  };
  ExprId divided = artifact.exprs.ceilDiv(artifact.exprs.constant(64), size);
  addLaunch(divided, artifact.exprs.constant(32), artifact.exprs.constant(16));
  addLaunch(artifact.exprs.add(size, artifact.exprs.constant(5)), artifact.exprs.constant(128),
            artifact.exprs.constant(512));
  driver::Input input;
  input.array.shape = {0};
  std::vector<driver::LaunchShape> shapes = driver::getLaunchShapes(artifact, {input});
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].grid[0], 0);
  EXPECT_EQ(shapes[0].block[0], 32);
  EXPECT_EQ(shapes[0].dynamicSharedBytes, 16);
  EXPECT_EQ(shapes[1].grid[0], 5);
  EXPECT_EQ(shapes[1].block[0], 128);
  EXPECT_EQ(shapes[1].dynamicSharedBytes, 512);
}

} // namespace
