//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// SH5: reshapes as splits and merges.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace mlir;
using namespace fuser;

namespace {

constexpr int64_t kDyn = ShapedType::kDynamic;

class ReshapeTest : public ::testing::Test {
protected:
  ReshapeTest() { context.loadDialect<FuserDialect>(); }

  /// The domain's text without its loop and allocation, or the reason of a refusal.
  std::string plan(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                   ArrayRef<ReshapeGroup> groups = {}) {
    std::string reason, text;
    auto plan = planReshape(&context, from, to, reason, groups);
    if (!plan)
      return reason;
    llvm::raw_string_ostream(text) << plan->domain;
    return StringRef(text).split("<").second.split(", loop").first.str();
  }

  MLIRContext context;
};

TEST_F(ReshapeTest, SplitsAndMerges) {
  EXPECT_EQ(plan({6, 4}, {6, 4}), "logical = [i0, i1]");
  EXPECT_EQ(plan({6, 4}, {24}), "root = [i0, i1], merge(i0, i1) -> i2, logical = [i2]");
  EXPECT_EQ(plan({24}, {2, 3, 4}),
            "root = [i0], split(i0, 4) -> (i1, i2), split(i1, 3) -> (i3, i4), "
            "logical = [i3, i4, i2]");
  // Groups of equal products stay apart.
  EXPECT_EQ(plan({6, 4}, {2, 3, 4}),
            "root = [i0, i1], split(i0, 3) -> (i2, i3), logical = [i2, i3, i1]");
}

TEST_F(ReshapeTest, SizesOfOne) {
  EXPECT_EQ(plan({4, 1, 2}, {4, 2}), "logical = [i0, i1]");
  EXPECT_EQ(plan({4, 2}, {1, 4, 1, 2}), "logical = [b0, i1, b2, i3]");
  EXPECT_EQ(plan({}, {1, 1}), "logical = [b0, b1]");
  EXPECT_EQ(plan({1, 1}, {}), "logical = []");
  EXPECT_EQ(plan({1, 6}, {2, 1, 3}),
            "root = [i0, b1], split(i0, 3) -> (i2, i3), logical = [i2, b1, i3]");
}

TEST_F(ReshapeTest, StatedGroups) {
  EXPECT_EQ(plan({kDyn, kDyn, kDyn}, {kDyn, kDyn}, {{1, 1}, {2, 1}}),
            "root = [i0, i1, i2], merge(i1, i2) -> i3, logical = [i0, i3]");
  EXPECT_EQ(plan({kDyn, kDyn, kDyn}, {kDyn, kDyn}, {{2, 1}, {1, 1}}),
            "root = [i0, i1, i2], merge(i0, i1) -> i3, logical = [i3, i2]");
  EXPECT_EQ(plan({kDyn, 1, kDyn}, {kDyn, 4, kDyn, 1}, {{2, 2}, {1, 2}}),
            "root = [i0, i1, b2], split(i0, 4) -> (i3, i4), logical = [i3, i4, i1, b2]");
  EXPECT_EQ(plan({kDyn, 1}, {kDyn, kDyn}, {{1, 1}, {1, 1}}),
            "expected dimensions that split and merge, but all dimensions of one side are 1");
  EXPECT_EQ(plan({kDyn, kDyn}, {kDyn, kDyn, kDyn}, {{1, 2}, {1, 1}}),
            "expected at most one dynamic result dimension in a group of dimensions that split and "
            "merge, but got 2");
}

TEST_F(ReshapeTest, DynamicDimensionsCorrespond) {
  EXPECT_EQ(plan({kDyn, kDyn, 64}, {kDyn, kDyn, 4, 16}),
            "root = [i0, i1, i2], split(i2, 16) -> (i3, i4), logical = [i0, i1, i3, i4]");
  EXPECT_EQ(plan({kDyn, 4, 16, kDyn}, {kDyn, 64, kDyn}),
            "root = [i0, i1, i2, i3], merge(i1, i2) -> i4, logical = [i0, i4, i3]");
}

// What static dimensions leave belongs to the first pair and to the last one.
TEST_F(ReshapeTest, SeveralDynamicDimensionsTakeTheRest) {
  EXPECT_EQ(plan({kDyn, 12, kDyn}, {kDyn, 3, 4, kDyn}),
            "root = [i0, i1, i2], split(i1, 4) -> (i3, i4), logical = [i0, i3, i4, i2]");
  EXPECT_EQ(plan({kDyn, kDyn, 4}, {kDyn, kDyn}),
            "root = [i0, i1, i2], merge(i1, i2) -> i3, logical = [i0, i3]");
  EXPECT_EQ(plan({kDyn, kDyn}, {kDyn, kDyn, 4}),
            "root = [i0, i1], split(i1, 4) -> (i2, i3), logical = [i0, i2, i3]");
  EXPECT_EQ(plan({kDyn, kDyn}, {4, kDyn, kDyn}),
            "root = [i0, i1], split(i0, outer 4) -> (i2, i3), logical = [i2, i3, i1]");
  EXPECT_EQ(plan({2, 6, kDyn, kDyn, 4, 6, 5}, {2, 3, kDyn, kDyn, 4, 3, 5}),
            "root = [i0, i1, i2, i3, i4, i5, i6], split(i1, outer 3) -> (i7, i8), "
            "merge(i8, i2) -> i9, split(i5, 3) -> (i10, i11), merge(i3, i4) -> i12, "
            "merge(i12, i10) -> i13, split(i13, 4) -> (i14, i15), "
            "logical = [i0, i7, i9, i14, i15, i11, i6]");
  EXPECT_EQ(plan({kDyn, 4, kDyn}, {kDyn, 2, kDyn}),
            "expected static dimensions of equal products between dynamic ones 0 and 1 of both "
            "shapes, but got others: which of the two takes the rest is open");
  EXPECT_EQ(plan({kDyn, kDyn, kDyn}, {kDyn, kDyn}),
            "expected at most one dynamic result dimension in a group of dimensions that split and "
            "merge, but got 2");
}

// Where the boundaries of both shapes divide each other, dimensions consist of common factors: no
// id is larger than a dimension. Else the group is merged and split again.
TEST_F(ReshapeTest, DimensionsShareFactors) {
  EXPECT_EQ(plan({512, 16, 8}, {32, 2048}),
            "root = [i0, i1, i2], split(i0, 16) -> (i3, i4), merge(i4, i1) -> i5, "
            "merge(i5, i2) -> i6, logical = [i3, i6]");
  EXPECT_EQ(plan({32, 2048}, {512, 16, 8}),
            "root = [i0, i1], split(i1, 8) -> (i2, i3), split(i2, 16) -> (i4, i5), "
            "merge(i0, i4) -> i6, logical = [i6, i5, i3]");
  EXPECT_EQ(plan({6, 4}, {3, 8}),
            "root = [i0, i1], split(i0, 2) -> (i2, i3), merge(i3, i1) -> i4, logical = [i2, i4]");
  EXPECT_EQ(plan({6, 4}, {4, 6}),
            "root = [i0, i1], merge(i0, i1) -> i2, split(i2, 6) -> (i3, i4), logical = [i3, i4]");
  EXPECT_EQ(plan({512, kDyn, kDyn}, {32, kDyn}),
            "root = [i0, i1, i2], split(i0, outer 32) -> (i3, i4), merge(i4, i1) -> i5, "
            "merge(i5, i2) -> i6, logical = [i3, i6]");
}

// Groups cover all dimensions of both sides, those of size 1 too.
TEST_F(ReshapeTest, Groups) {
  auto groups = [&](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    std::string reason, text;
    auto plan = planReshape(&context, from, to, reason);
    for (const ReshapeGroup &group : plan->groups)
      text += std::to_string(group.from) + ":" + std::to_string(group.to) + " ";
    return text;
  };
  EXPECT_EQ(groups({6, 4}, {6, 4}), "1:1 1:1 ");
  EXPECT_EQ(groups({6, 4}, {2, 3, 4}), "1:2 1:1 ");
  EXPECT_EQ(groups({1, 6, 1, 4, 1}, {1, 1, 24}), "5:3 ");
  EXPECT_EQ(groups({1, 6, 1, 4, 1}, {6, 1, 2, 1, 2, 1}), "3:2 2:4 ");
  EXPECT_EQ(groups({kDyn, kDyn, 4}, {kDyn, 1, kDyn}), "1:2 2:1 ");
  EXPECT_EQ(groups({}, {1, 1}), "0:2 ");
  EXPECT_EQ(groups({1}, {}), "1:0 ");
  EXPECT_EQ(groups({}, {}), "");
}

// A group stays together where its dimensions do.
TEST_F(ReshapeTest, Orders) {
  using Dims = SmallVector<int64_t>;
  auto order = [](ArrayRef<ReshapeGroup> groups, ArrayRef<int64_t> from, ArrayRef<int64_t> order) {
    auto result = reshapeOrder(groups, from, order);
    return result ? result->order : Dims{-1};
  };
  EXPECT_EQ(order({{2, 1}}, {6, 4}, {0, 1}), (Dims{0}));
  EXPECT_EQ(order({{2, 1}}, {6, 4}, {1, 0}), (Dims{-1}));
  EXPECT_EQ(order({{1, 2}, {1, 1}}, {6, 4}, {1, 0}), (Dims{2, 0, 1}));
  EXPECT_EQ(order({{1, 1}, {2, 1}}, {5, 6, 4}, {1, 0, 2}), (Dims{-1}));
  EXPECT_EQ(order({{1, 1}, {2, 1}}, {1, 6, 4}, {1, 0, 2}), (Dims{0, 1}));
  EXPECT_EQ(order({{3, 1}}, {6, 1, 4}, {1, 0, 2}), (Dims{0}));
  auto result = reshapeOrder({{1, 1}, {2, 2}}, {1, 6, 4}, {1, 2, 0});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->fastest, (Dims{-1, 2, 2}));
}

TEST_F(ReshapeTest, OneDynamicDimensionTakesTheRest) {
  EXPECT_EQ(plan({kDyn, kDyn, 64}, {kDyn, 64}),
            "root = [i0, i1, i2], merge(i0, i1) -> i3, logical = [i3, i2]");
  EXPECT_EQ(plan({kDyn}, {2, kDyn, 4}),
            "root = [i0], split(i0, outer 2) -> (i1, i2), split(i2, 4) -> (i3, i4), "
            "logical = [i1, i3, i4]");
  EXPECT_EQ(plan({kDyn, 8}, {kDyn, 4}),
            "root = [i0, i1], split(i1, 4) -> (i2, i3), merge(i0, i2) -> i4, logical = [i4, i3]");
  EXPECT_EQ(plan({12}, {kDyn, 4}), "root = [i0], split(i0, 4) -> (i1, i2), logical = [i1, i2]");
}

TEST_F(ReshapeTest, EmptyShapes) {
  EXPECT_EQ(plan({0, 4}, {0, 2, 2}),
            "root = [i0, i1], split(i1, 2) -> (i2, i3), logical = [i0, i2, i3]");
  EXPECT_EQ(plan({0}, {3, 0}), "root = [i0], split(i0, outer 3) -> (i1, i2), logical = [i1, i2]");
  EXPECT_EQ(plan({0, 2}, {4}), "expected a result of 0 elements like the operand, but got 4");
  // The empty dimensions of the result after the first one are ids of their own.
  EXPECT_EQ(plan({5, 0}, {0, 0}), "root = [i0, i1, e2], merge(i0, i1) -> i3, logical = [i3, e2]");
  EXPECT_EQ(plan({kDyn, 0}, {0, 3}), "root = [i0, i1], merge(i0, i1) -> i2, split(i2, 3) -> "
                                     "(i3, i4), logical = [i3, i4]");
  EXPECT_EQ(plan({kDyn}, {0, kDyn}), "expected both sides to be empty, but one is not");
  EXPECT_EQ(plan({kDyn}, {0, 0}),
            "expected a dynamic result dimension for the operand's dynamic ones, but got none");
}

TEST_F(ReshapeTest, Refuses) {
  EXPECT_EQ(plan({kDyn}, {kDyn, kDyn}), "expected at most one dynamic result dimension in a group "
                                        "of dimensions that split and merge, but got 2");
  EXPECT_EQ(plan({kDyn, 2}, {4}),
            "expected a dynamic result dimension for the operand's dynamic ones, but got none");
  EXPECT_EQ(plan({1}, {kDyn}),
            "expected dimensions that split and merge, but all dimensions of one side are 1");
}

/// Follows an index of the operand through the transforms of the domain.
static SmallVector<int64_t> follow(const ReshapePlan &plan, ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> index) {
  SmallVector<int64_t> extents(plan.domain.getNumIds(), 1), values(plan.domain.getNumIds(), 0);
  for (auto [dim, root] : llvm::enumerate(plan.rootOfDim))
    if (root != kNoId) {
      extents[root] = shape[dim];
      values[root] = index[dim];
    }
  for (const DomainTransform &t : plan.domain.getTransforms()) {
    const unsigned *in = t.inputs, *out = t.outputs;
    if (t.kind == TransformKind::Merge) {
      extents[out[0]] = extents[in[0]] * extents[in[1]];
      values[out[0]] = values[in[0]] * extents[in[1]] + values[in[1]];
      continue;
    }
    EXPECT_EQ(t.kind, TransformKind::Split);
    int64_t rest = (extents[in[0]] + t.value - 1) / t.value;
    extents[out[0]] = t.inner ? rest : t.value;
    extents[out[1]] = t.inner ? t.value : rest;
    values[out[0]] = values[in[0]] / extents[out[1]];
    values[out[1]] = values[in[0]] % extents[out[1]];
  }
  return llvm::map_to_vector(plan.domain.getLogical(), [&](unsigned id) { return values[id]; });
}

static int64_t linearize(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t position = 0;
  for (auto [size, i] : llvm::zip(shape, index))
    position = position * size + i;
  return position;
}

// Random shapes of equal products: every element keeps its row-major position.
TEST_F(ReshapeTest, KeepsRowMajorPositions) {
  std::mt19937 random(7);
  auto partition = [&](SmallVector<int64_t> factors) {
    std::shuffle(factors.begin(), factors.end(), random);
    SmallVector<int64_t> shape(1 + random() % 5, 1);
    for (int64_t factor : factors)
      shape[random() % shape.size()] *= factor;
    return shape;
  };
  for (int round = 0; round < 200; ++round) {
    SmallVector<int64_t> factors = {2, 2, 3, 5, 2};
    SmallVector<int64_t> from = partition(factors), to = partition(factors);
    std::string reason;
    auto plan = planReshape(&context, from, to, reason);
    ASSERT_TRUE(plan) << reason;
    SmallVector<int64_t> index(from.size());
    for (int64_t position = 0; position < 120; ++position) {
      int64_t rest = position;
      for (unsigned dim = from.size(); dim-- > 0; rest /= from[dim])
        index[dim] = rest % from[dim];
      ASSERT_EQ(linearize(to, follow(*plan, from, index)), position);
    }
  }
}

// A plan is made once for each pair of types and each choice of groups.
TEST_F(ReshapeTest, PlansOfOpsDependOnTypesAndGroups) {
  auto module = parseSourceString<ModuleOp>(R"(
    fuser.fusion @f(%x: tensor<?x?x?xf32>, %y: tensor<6x4xf32>) {
      %0 = fuser.reshape %x groups [2, 1] to [1, 1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
      %1 = fuser.reshape %x groups [1, 2] to [1, 1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
      %2 = fuser.reshape %x groups [2, 1] to [1, 1] : tensor<?x?x?xf32> -> tensor<?x?xf32>
      %3 = fuser.reshape %y : tensor<6x4xf32> -> tensor<24xf32>
      %4 = fuser.reshape %y : tensor<6x4xf32> -> tensor<2x3x4xf32>
      fuser.return
    })",
                                            &context);
  ASSERT_TRUE(module);
  SmallVector<ReshapeOp> ops;
  module->walk([&](ReshapeOp op) { ops.push_back(op); });
  ASSERT_EQ(ops.size(), 5u);
  for (ReshapeOp op : ops) {
    std::string reason;
    auto made = planReshape(op, op.getInput().getType().getShape(),
                            op.getResult().getType().getShape(), reason);
    ASSERT_TRUE(made);
    EXPECT_EQ(planReshape(op).domain, made->domain);
    EXPECT_EQ(planReshape(op).rootOfDim, made->rootOfDim);
    EXPECT_EQ(op.getTrivialDomain(0), made->domain);
    EXPECT_EQ(op.getRootKinds().size(), made->domain.getRootOrLogical().size());
  }
  EXPECT_NE(planReshape(ops[0]).domain, planReshape(ops[1]).domain);
  EXPECT_EQ(planReshape(ops[0]).domain, planReshape(ops[2]).domain);
}

} // namespace
