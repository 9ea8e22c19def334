//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that move elements, against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

using ShapeTest = ReferenceTest;

TEST_F(ShapeTest, BroadcastAddsDimensionsOfSizeOne) {
  auto outputs = runBody({"tensor<?xf32>"},
                         "%0 = fuser.broadcast %a dims [0, 2] : tensor<?xf32> -> tensor<1x?x1xf32>",
                         "tensor<1x?x1xf32>", {floats("f32", {2}, {1, 2})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  EXPECT_EQ((*outputs)[0].getShape(), llvm::ArrayRef<int64_t>({1, 2, 1}));
  expectValues({1, 2}, (*outputs)[0].floats());
}

TEST_F(ShapeTest, SetAndSegmentSetAreIdentities) {
  auto outputs = runBody({"tensor<?xf32>"},
                         "%1 = fuser.set %a {memory = #fuser.memory<shared>} : tensor<?xf32>\n"
                         "%0 = fuser.segment_set %1 : tensor<?xf32>",
                         "tensor<?xf32>", {floats("f32", {2}, {1, kNaN})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1, kNaN}, (*outputs)[0].floats());
}

} // namespace
