//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads and writes at indices that are data, against values computed by hand.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

using IndexingTest = ReferenceTest;

TEST_F(IndexingTest, GatherReadsAlongADimensionAndZeroOutside) {
  // The index has fewer rows than the operand.
  auto outputs = runBody(
      {"tensor<2x3xf32>", "tensor<1x4xi64>"},
      "%0 = fuser.gather %a, %b dim 1 : tensor<2x3xf32>, tensor<1x4xi64> -> tensor<1x4xf32>",
      "tensor<1x4xf32>",
      {floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6}), integers("i64", {1, 4}, {2, 0, -1, 3})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({3, 1, 0, 0}, (*outputs)[0].floats());
}

TEST_F(IndexingTest, TakeAlongAxisBroadcastsTheOtherDimensions) {
  auto outputs =
      runBody({"tensor<2x3xf32>", "tensor<1x2xi32>"},
              "%0 = fuser.take_along_axis %a, %b dim 1 : tensor<2x3xf32>, "
              "tensor<1x2xi32> -> tensor<2x2xf32>",
              "tensor<2x2xf32>",
              {floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6}), integers("i32", {1, 2}, {2, 0})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({3, 1, 6, 4}, (*outputs)[0].floats());
}

TEST_F(IndexingTest, IndexSelectTakesSlices) {
  auto outputs = runBody(
      {"tensor<3x2xf32>", "tensor<?xi64>"},
      "%0 = fuser.index_select %a, %b dim 0 : tensor<3x2xf32>, tensor<?xi64> -> tensor<?x2xf32>",
      "tensor<?x2xf32>",
      {floats("f32", {3, 2}, {1, 2, 3, 4, 5, 6}), integers("i64", {4}, {2, 2, 0, 7})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({5, 6, 5, 6, 1, 2, 0, 0}, (*outputs)[0].floats());
}

TEST_F(IndexingTest, IndexSelectPutsTheDimensionsOfTheIndexInPlace) {
  auto outputs =
      runBody({"tensor<2x3x2xf32>", "tensor<2x2xi64>"},
              "%0 = fuser.index_select %a, %b dim 1 : tensor<2x3x2xf32>, tensor<2x2xi64> -> "
              "tensor<2x2x2x2xf32>",
              "tensor<2x2x2x2xf32>",
              {floats("f32", {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
               integers("i64", {2, 2}, {2, 0, -1, 1})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({5, 6, 1, 2, 0, 0, 3, 4, 11, 12, 7, 8, 0, 0, 9, 10}, (*outputs)[0].floats());
  outputs = runBody({"tensor<2x3xf32>", "tensor<i64>"},
                    "%0 = fuser.index_select %a, %b dim 1 : tensor<2x3xf32>, tensor<i64> -> "
                    "tensor<2xf32>",
                    "tensor<2xf32>",
                    {floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6}), integers("i64", {}, {2})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({3, 6}, (*outputs)[0].floats());
}

TEST_F(IndexingTest, ScatterReplacesElementsAndDropsThoseOutside) {
  auto outputs =
      runBody({"tensor<2x2xf32>", "tensor<2x2xi64>", "tensor<2x3xf32>"},
              "%0 = fuser.scatter %a at %b into %c dim 1 : tensor<2x2xf32>, tensor<2x2xi64>, "
              "tensor<2x3xf32>",
              "tensor<2x3xf32>",
              {floats("f32", {2, 2}, {10, 20, 30, 40}), integers("i64", {2, 2}, {2, 0, 3, 1}),
               floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({20, 2, 10, 4, 40, 6}, (*outputs)[0].floats());
}

TEST_F(IndexingTest, ScatterCombinesElementsThatMeet) {
  for (auto [reduce, expected] : {std::pair<std::string, std::vector<double>>{"add", {91, 2, 13}},
                                  {"mul", {24000, 2, 30}},
                                  {"min", {1, 2, 3}},
                                  {"max", {40, 2, 10}}}) {
    auto outputs = runBody({"tensor<4xf32>", "tensor<4xi64>", "tensor<3xf32>"},
                           "%0 = fuser.scatter %a at %b into %c dim 0 reduce " + reduce +
                               " : tensor<4xf32>, tensor<4xi64>, tensor<3xf32>",
                           "tensor<3xf32>",
                           {floats("f32", {4}, {10, 20, 30, 40}),
                            integers("i64", {4}, {2, 0, 0, 0}), floats("f32", {3}, {1, 2, 3})});
    ASSERT_TRUE(succeeded(outputs)) << diagnostics;
    expectValues(expected, (*outputs)[0].floats());
  }
}

TEST_F(IndexingTest, PushCombinesElementsThatMeet) {
  auto outputs = runBody({"tensor<4xf32>", "tensor<4xi64>", "tensor<3xf32>"},
                         "%0 = fuser.push %a at %b into %c dim 0 reduce add : tensor<4xf32>, "
                         "tensor<4xi64>, tensor<3xf32>",
                         "tensor<3xf32>",
                         {floats("f32", {4}, {10, 20, 30, 40}), integers("i64", {4}, {2, 0, 0, 3}),
                          floats("f32", {3}, {1, 2, 3})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({51, 2, 13}, (*outputs)[0].floats());
}

// Integers wrap in their own width; half types are rounded once.
TEST_F(IndexingTest, ScatterRoundsOnce) {
  auto outputs = runBody(
      {"tensor<2xi8>", "tensor<2xi64>", "tensor<1xi8>"},
      "%0 = fuser.scatter %a at %b into %c dim 0 reduce add : tensor<2xi8>, "
      "tensor<2xi64>, tensor<1xi8>",
      "tensor<1xi8>",
      {integers("i8", {2}, {100, 100}), integers("i64", {2}, {0, 0}), integers("i8", {1}, {3})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  EXPECT_EQ((*outputs)[0].integers(), (std::vector<int64_t>{-53}));
  // 256 + 1 + 1 in bf16: 1 alone would be lost.
  outputs = runBody(
      {"tensor<2xbf16>", "tensor<2xi64>", "tensor<1xbf16>"},
      "%0 = fuser.scatter %a at %b into %c dim 0 reduce add : tensor<2xbf16>, "
      "tensor<2xi64>, tensor<1xbf16>",
      "tensor<1xbf16>",
      {floats("bf16", {2}, {1, 1}), integers("i64", {2}, {0, 0}), floats("bf16", {1}, {256})});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({258}, (*outputs)[0].floats());
}

TEST_F(IndexingTest, RefusesAnIndexLargerThanTheOperand) {
  auto outputs = runBody(
      {"tensor<?x3xf32>", "tensor<?x1xi64>"},
      "%0 = fuser.gather %a, %b dim 1 : tensor<?x3xf32>, tensor<?x1xi64> -> tensor<?x1xf32>",
      "tensor<?x1xf32>", {floats("f32", {1, 3}, {1, 2, 3}), integers("i64", {2, 1}, {0, 0})});
  EXPECT_TRUE(failed(outputs));
  EXPECT_EQ(diagnostics,
            "'fuser.gather' op expected dimension 0 of the index to be at most 1, but got 2\n");
}

} // namespace
