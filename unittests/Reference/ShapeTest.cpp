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

TEST_F(ShapeTest, SqueezePermuteAndReshape) {
  Tensor arg = floats("f32", {2, 1, 3}, {1, 2, 3, 4, 5, 6});
  auto squeezed = runBody({"tensor<?x1x3xf32>"},
                          "%0 = fuser.squeeze %a dims [1] : tensor<?x1x3xf32> -> tensor<?x3xf32>",
                          "tensor<?x3xf32>", {arg});
  ASSERT_TRUE(succeeded(squeezed)) << diagnostics;
  EXPECT_EQ((*squeezed)[0].getShape(), llvm::ArrayRef<int64_t>({2, 3}));
  auto permuted =
      runBody({"tensor<?x1x3xf32>"},
              "%0 = fuser.permute %a [2, 0, 1] : tensor<?x1x3xf32> -> tensor<3x?x1xf32>",
              "tensor<3x?x1xf32>", {arg});
  ASSERT_TRUE(succeeded(permuted)) << diagnostics;
  expectValues({1, 4, 2, 5, 3, 6}, (*permuted)[0].floats());
  auto reshaped = runBody(
      {"tensor<?x4x6xf32>"}, "%0 = fuser.reshape %a : tensor<?x4x6xf32> -> tensor<?x8x3xf32>",
      "tensor<?x8x3xf32>", {floats("f32", {2, 4, 6}, std::vector<double>(48, 7))});
  ASSERT_TRUE(succeeded(reshaped)) << diagnostics;
  EXPECT_EQ((*reshaped)[0].getShape(), llvm::ArrayRef<int64_t>({2, 8, 3}));
}

TEST_F(ShapeTest, ReshapeMergesAndSplitsDynamicSizes) {
  auto merged = runBody(
      {"tensor<?x?x2xf32>"}, "%0 = fuser.reshape %a : tensor<?x?x2xf32> -> tensor<?x2xf32>",
      "tensor<?x2xf32>", {floats("f32", {2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})});
  ASSERT_TRUE(succeeded(merged)) << diagnostics;
  EXPECT_EQ((*merged)[0].getShape(), llvm::ArrayRef<int64_t>({6, 2}));
  llvm::StringRef split = "%0 = fuser.reshape %a : tensor<?xf32> -> tensor<?x2xf32>";
  auto even =
      runBody({"tensor<?xf32>"}, split, "tensor<?x2xf32>", {floats("f32", {4}, {1, 2, 3, 4})});
  ASSERT_TRUE(succeeded(even)) << diagnostics;
  EXPECT_EQ((*even)[0].getShape(), llvm::ArrayRef<int64_t>({2, 2}));
  EXPECT_TRUE(failed(
      runBody({"tensor<?xf32>"}, split, "tensor<?x2xf32>", {floats("f32", {3}, {1, 2, 3})})));
  EXPECT_EQ(diagnostics, "'fuser.reshape' op expected a shape of 3 elements, but got [2, 2]\n");
}

TEST_F(ShapeTest, ExpandRepeatsDimensionsOfSizeOne) {
  auto outputs = runBody(
      {"tensor<?x1xf32>", "index"},
      "%0 = fuser.expand %a sizes(%b) : tensor<?x1xf32> -> tensor<?x?xf32>", "tensor<?x?xf32>",
      {floats("f32", {2, 1}, {1, 2}), Tensor::scalar(type("index"), int64_t(3))});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1, 1, 1, 2, 2, 2}, (*outputs)[0].floats());
}

TEST_F(ShapeTest, SliceTakesAStridedBox) {
  Tensor arg = floats("f32", {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  llvm::StringRef body =
      "%0 = fuser.slice %a [1, %b] [2, 2] strides [1, 2] : tensor<3x?xf32> -> tensor<2x2xf32>";
  auto at = [&](int64_t offset) {
    return runBody({"tensor<3x?xf32>", "index"}, body, "tensor<2x2xf32>",
                   {arg, Tensor::scalar(type("index"), offset)});
  };
  auto outputs = at(1);
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({5, 7, 9, 11}, (*outputs)[0].floats());
  EXPECT_TRUE(failed(at(2)));
  EXPECT_EQ(diagnostics, "'fuser.slice' op expected a box inside of dimension 1 of size 4, but got "
                         "offset 2, size 2 and stride 2\n");
}

TEST_F(ShapeTest, WindowTakesABoxOfSomeDimensions) {
  const char *const program = R"(
    fuser.kernel @f(%x: tensor<2x3x2xf32>, %o: index, %n: index, %p: index, %m: index) -> tensor<?x3x?xf32> {
      %0 = fuser.window %x dims [0, 2] at(%o, %p) sizes(%n, %m) : tensor<2x3x2xf32> -> tensor<?x3x?xf32>
      fuser.return %0 : tensor<?x3x?xf32>
    })";
  const Tensor x = floats("f32", {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  auto take = [&](int64_t offset, int64_t size, int64_t otherOffset, int64_t otherSize) {
    auto integer = [&](int64_t value) { return integers("index", {}, {value}); };
    auto outputs =
        run(program, {x, integer(offset), integer(size), integer(otherOffset), integer(otherSize)});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return std::vector<double>((*outputs)[0].floats());
  };
  EXPECT_EQ(take(0, 2, 1, 1), std::vector<double>({2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(take(1, 1, 0, 2), std::vector<double>({7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(take(1, 1, 1, 1), std::vector<double>({8, 10, 12}));
  EXPECT_EQ(take(0, 0, 0, 2), std::vector<double>());
}

TEST_F(ShapeTest, PadAddsABorderAndCrops) {
  auto outputs =
      runBody({"tensor<2x3xf32>", "f32"},
              "%0 = fuser.pad %a low [1, -1] high [0, 2] value %b : tensor<2x3xf32>, f32 -> "
              "tensor<3x4xf32>",
              "tensor<3x4xf32>",
              {floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6}), Tensor::scalar(type("f32"), -9.0)});
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({-9, -9, -9, -9, 2, 3, -9, -9, 5, 6, -9, -9}, (*outputs)[0].floats());
}

TEST_F(ShapeTest, PadMayCropToNothingButNotFurther) {
  llvm::StringRef body =
      "%0 = fuser.pad %a low [%b] high [0] value %c : tensor<?xf32>, f32 -> tensor<?xf32>";
  auto crop = [&](int64_t amount) {
    return runBody({"tensor<?xf32>", "index", "f32"}, body, "tensor<?xf32>",
                   {floats("f32", {2}, {1, 2}), Tensor::scalar(type("index"), amount),
                    Tensor::scalar(type("f32"), 0.0)});
  };
  auto outputs = crop(-2);
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  EXPECT_EQ((*outputs)[0].getShape(), llvm::ArrayRef<int64_t>({0}));
  EXPECT_TRUE(failed(crop(-3)));
  EXPECT_EQ(diagnostics, "'fuser.pad' op expected a padded size of dimension 0 that is not "
                         "negative, but got -1\n");
}

TEST_F(ShapeTest, CatJoinsAndChecksTheOtherDimensions) {
  llvm::StringRef body =
      "%0 = fuser.cat %a, %b dim 1 : (tensor<?x1xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>";
  auto join = [&](Tensor second) {
    return runBody({"tensor<?x1xf32>", "tensor<?x?xf32>"}, body, "tensor<?x?xf32>",
                   {floats("f32", {2, 1}, {1, 2}), std::move(second)});
  };
  auto outputs = join(floats("f32", {2, 2}, {3, 4, 5, 6}));
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1, 3, 4, 2, 5, 6}, (*outputs)[0].floats());
  outputs = join(floats("f32", {2, 0}, {}));
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1, 2}, (*outputs)[0].floats());
  EXPECT_TRUE(failed(join(floats("f32", {1, 2}, {3, 4}))));
  EXPECT_NE(diagnostics.find("expected operand 1 to have sizes"), std::string::npos) << diagnostics;
}

TEST_F(ShapeTest, InsertSliceReplacesABox) {
  llvm::StringRef body = "%0 = fuser.insert_slice %a into %b [1, %c] : tensor<1x2xf32> into "
                         "tensor<2x3xf32>";
  auto insert = [&](int64_t offset) {
    return runBody({"tensor<1x2xf32>", "tensor<2x3xf32>", "index"}, body, "tensor<2x3xf32>",
                   {floats("f32", {1, 2}, {8, 9}), floats("f32", {2, 3}, {1, 2, 3, 4, 5, 6}),
                    Tensor::scalar(type("index"), offset)});
  };
  auto outputs = insert(1);
  ASSERT_TRUE(succeeded(outputs)) << diagnostics;
  expectValues({1, 2, 3, 4, 8, 9}, (*outputs)[0].floats());
  EXPECT_TRUE(failed(insert(2)));
  EXPECT_EQ(diagnostics, "'fuser.insert_slice' op expected a box inside of dimension 1 of size 3, "
                         "but got offset 2 and size 2\n");
}

TEST_F(ShapeTest, RepeatFullAndIota) {
  auto repeated = runBody({"tensor<2x1xi32>"},
                          "%0 = fuser.repeat %a [1, 3] : tensor<2x1xi32> -> tensor<2x3xi32>",
                          "tensor<2x3xi32>", {integers("i32", {2, 1}, {4, 5})});
  ASSERT_TRUE(succeeded(repeated)) << diagnostics;
  expectValues({4, 4, 4, 5, 5, 5}, (*repeated)[0].integers());
  auto full = runBody(
      {"f32", "index"}, "%0 = fuser.full %a sizes(%b) : f32 -> tensor<?xbf16>", "tensor<?xbf16>",
      {Tensor::scalar(type("f32"), 1.001), Tensor::scalar(type("index"), int64_t(2))});
  ASSERT_TRUE(succeeded(full)) << diagnostics;
  expectValues({1, 1}, (*full)[0].floats());
  auto iota =
      runBody({"i64", "i64", "index"},
              "%0 = fuser.iota %a, %b length(%c) : i64, i64 -> tensor<?xi64>", "tensor<?xi64>",
              {Tensor::scalar(type("i64"), int64_t(5)), Tensor::scalar(type("i64"), int64_t(-2)),
               Tensor::scalar(type("index"), int64_t(4))});
  ASSERT_TRUE(succeeded(iota)) << diagnostics;
  expectValues({5, 3, 1, -1}, (*iota)[0].integers());
}

} // namespace
