//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Combiners: identity, accumulation, combination in any order, finalisation, on random numbers.
//
//===----------------------------------------------------------------------===//

#include "OpTest.h"
#include "mlir/IR/Verifier.h"
#include <random>

using namespace mlir;
using namespace fuser;

namespace {

class CombinerTest : public OpTest {
protected:
  /// The tuple of rows [begin, end), where row i holds one element for each operand: accumulated
  /// one by one, or lifted and combined as a tree.
  SmallVector<Value> reduce(CombinerOpInterface op, ArrayRef<SmallVector<double>> rows, bool tree) {
    auto build = [&](ArrayRef<double> row) {
      SmallVector<Value> operands;
      for (auto [operand, value] : llvm::zip(op->getOperands(), row))
        operands.push_back(constant(getElementTypeOrSelf(operand.getType()), value));
      return operands;
    };
    if (tree && rows.size() > 1) {
      size_t half = rows.size() / 2;
      return op.buildCombine(builder, loc(), reduce(op, rows.take_front(half), true),
                             reduce(op, rows.drop_front(half), true));
    }
    if (tree && rows.size() == 1) // tuples begin with the identity
      return op.buildCombine(builder, loc(), op.buildIdentity(builder, loc()),
                             op.buildLift(builder, loc(), build(rows[0])));
    SmallVector<Value> tuple = op.buildIdentity(builder, loc());
    for (ArrayRef<double> row : rows)
      tuple = op.buildAccumulate(builder, loc(), tuple, build(row));
    return tuple;
  }

  SmallVector<double> finalize(CombinerOpInterface op, ArrayRef<Value> tuple, size_t count) {
    Value size = arith::ConstantIndexOp::create(builder, loc(), count);
    SmallVector<double> results;
    for (Value value : op.buildFinalize(builder, loc(), tuple, size))
      results.push_back(evaluate(value));
    return results;
  }

  /// Results of one by one, tree, and identity combined with tree; they must agree up to
  /// `tolerance`.
  SmallVector<double> run(StringRef arguments, StringRef text, ArrayRef<SmallVector<double>> rows,
                          double tolerance = 0) {
    auto op = cast<CombinerOpInterface>(parse(arguments, text));
    SmallVector<double> steps = finalize(op, reduce(op, rows, false), rows.size());
    SmallVector<Value> tuple = reduce(op, rows, true);
    SmallVector<double> tree = finalize(op, tuple, rows.size());
    SmallVector<Value> identity = op.buildIdentity(builder, loc());
    SmallVector<double> left =
        finalize(op, op.buildCombine(builder, loc(), identity, tuple), rows.size());
    SmallVector<double> right =
        finalize(op, op.buildCombine(builder, loc(), tuple, identity), rows.size());
    auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    EXPECT_TRUE(llvm::equal(tree, left, same));
    EXPECT_TRUE(llvm::equal(tree, right, same));
    for (auto [a, b] : llvm::zip(steps, tree))
      if (!same(a, b)) // infinities are equal, their distance is NaN
        EXPECT_NEAR(a, b, tolerance);
    return steps;
  }

  /// `count` rows of `operands` elements that f32 holds.
  SmallVector<SmallVector<double>> randomRows(unsigned count, unsigned operands, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-3, 5);
    SmallVector<SmallVector<double>> rows(count);
    for (SmallVector<double> &row : rows)
      for (unsigned k = 0; k < operands; ++k)
        row.push_back(uniform(random));
    return rows;
  }
};

static SmallVector<SmallVector<double>> column(ArrayRef<double> values) {
  return llvm::map_to_vector(values, [](double value) { return SmallVector<double>{value}; });
}

TEST_F(CombinerTest, SumAndMean) {
  auto rows = randomRows(37, 1, 1);
  double sum = 0;
  for (auto &row : rows)
    sum += row[0];
  EXPECT_NEAR(run("%x: tensor<37xf32>",
                  "%0 = fuser.sum %x dims [0] : tensor<37xf32> -> tensor<f32>", rows, 1e-4)[0],
              sum, 1e-4);
  EXPECT_NEAR(run("%x: tensor<37xf32>",
                  "%0 = fuser.mean %x dims [0] : tensor<37xf32> -> tensor<f32>", rows, 1e-5)[0],
              sum / 37, 1e-5);
  // Half types accumulate in f32: 256 + 1 + 1 is not lost.
  EXPECT_EQ(run("%x: tensor<3xbf16>", "%0 = fuser.sum %x dims [0] : tensor<3xbf16> -> tensor<bf16>",
                column({256, 1, 1}))[0],
            258);
  // Bools count in i64.
  EXPECT_EQ(run("%x: tensor<4xi1>", "%0 = fuser.sum %x dims [0] : tensor<4xi1> -> tensor<i64>",
                column({1, 0, 1, 1}))[0],
            3);
  EXPECT_EQ(run("%x: tensor<3xi32>", "%0 = fuser.prod %x dims [0] : tensor<3xi32> -> tensor<i32>",
                column({-3, 5, 7}))[0],
            -105);
}

TEST_F(CombinerTest, MinMaxPropagateNaN) {
  StringRef type = "%x: tensor<3xf32>";
  StringRef max = "%0 = fuser.max %x dims [0] : tensor<3xf32> -> tensor<f32>";
  StringRef min = "%0 = fuser.min %x dims [0] : tensor<3xf32> -> tensor<f32>";
  EXPECT_EQ(run(type, max, column({-5, -kInf, -2}))[0], -2);
  EXPECT_EQ(run(type, min, column({5, kInf, 2}))[0], 2);
  auto op = cast<CombinerOpInterface>(parse(type, max));
  EXPECT_TRUE(std::isnan(finalize(op, reduce(op, column({1, kNaN, 2}), true), 3)[0]));
  EXPECT_EQ(finalize(op, op.buildIdentity(builder, loc()), 0)[0], -kInf);
  EXPECT_EQ(run("%x: tensor<2xi8>", "%0 = fuser.max %x dims [0] : tensor<2xi8> -> tensor<i8>",
                column({-128, -127}))[0],
            -127);
  EXPECT_EQ(run("%x: tensor<2xi1>", "%0 = fuser.max %x dims [0] : tensor<2xi1> -> tensor<i1>",
                column({0, 1}))[0],
            1);
  EXPECT_EQ(run("%x: tensor<2xi1>", "%0 = fuser.min %x dims [0] : tensor<2xi1> -> tensor<i1>",
                column({1, 1}))[0],
            1);
}

TEST_F(CombinerTest, AnyAll) {
  StringRef type = "%x: tensor<3xf32>";
  StringRef any = "%0 = fuser.any %x dims [0] : tensor<3xf32> -> tensor<i1>";
  StringRef all = "%0 = fuser.all %x dims [0] : tensor<3xf32> -> tensor<i1>";
  EXPECT_EQ(run(type, any, column({0, -0.0, 0}))[0], 0);
  EXPECT_EQ(run(type, any, column({0, kNaN, 0}))[0], 1);
  EXPECT_EQ(run(type, all, column({1, 2, 0}))[0], 0);
  EXPECT_EQ(run(type, all, column({1, 2, -3}))[0], 1);
}

TEST_F(CombinerTest, VarianceByWelford) {
  // A mean far from 0, where the sum of squares would lose everything in f32.
  auto rows = randomRows(61, 1, 2);
  double sum = 0, squares = 0;
  for (auto &row : rows) {
    row[0] = float(row[0] + 4096);
    sum += row[0];
  }
  double mean = sum / rows.size();
  for (auto &row : rows)
    squares += (row[0] - mean) * (row[0] - mean);
  for (int correction : {0, 1, 60}) {
    std::string op = "%0, %1 = fuser.var_mean %x dims [0] correction " +
                     std::to_string(correction) + " : tensor<61xf32> -> tensor<f32>, tensor<f32>";
    SmallVector<double> results = run("%x: tensor<61xf32>", op, rows, squares * 1e-3);
    double variance = squares / (rows.size() - correction);
    EXPECT_NEAR(results[0], variance, variance * 1e-3);
    EXPECT_NEAR(results[1], mean, mean * 1e-6);
  }
}

TEST_F(CombinerTest, VarianceOfFewElements) {
  auto op = cast<CombinerOpInterface>(parse(
      "%x: tensor<?xf32>", "%0, %1 = fuser.var_mean %x dims [0] correction 1 : tensor<?xf32> -> "
                           "tensor<f32>, tensor<f32>"));
  SmallVector<double> one = finalize(op, reduce(op, column({7}), false), 1);
  EXPECT_TRUE(std::isnan(one[0])); // 0 / 0
  EXPECT_EQ(one[1], 7);
  SmallVector<double> none = finalize(op, op.buildIdentity(builder, loc()), 0);
  EXPECT_TRUE(std::isnan(none[0]));
  EXPECT_TRUE(std::isnan(none[1]));
}

TEST_F(CombinerTest, MaximumAndSumOfExponentials) {
  const double infinity = std::numeric_limits<double>::infinity();
  auto reduceColumn = [&](ArrayRef<double> elements) {
    return run("%x: tensor<?xf32>",
               "%0, %1 = fuser.max_sum_exp %x dims [0] : tensor<?xf32> -> tensor<f32>, tensor<f32>",
               column(elements), 1e-5);
  };
  auto rows = randomRows(50, 1, 9);
  SmallVector<double> elements;
  for (auto &row : rows)
    elements.push_back(row[0]);
  double maximum = *llvm::max_element(elements), sum = 0;
  for (double x : elements)
    sum += std::exp(x - maximum);
  SmallVector<double> results = reduceColumn(elements);
  EXPECT_EQ(results[0], maximum);
  EXPECT_NEAR(results[1], sum, 1e-5 * sum);
  // What is masked contributes nothing, wherever it is.
  EXPECT_EQ(reduceColumn({-infinity, 1, -infinity, 1, -infinity}), (SmallVector<double>{1, 2}));
  EXPECT_EQ(reduceColumn({}), (SmallVector<double>{-infinity, 0}));
  for (double all : {infinity, -infinity})
    EXPECT_TRUE(std::isnan(reduceColumn({all, all})[1]));
  EXPECT_TRUE(std::isnan(reduceColumn({0, infinity, 3})[1]));
  SmallVector<double> nan = reduceColumn({0, std::nan(""), 3});
  EXPECT_TRUE(std::isnan(nan[0]) && std::isnan(nan[1]));
}

TEST_F(CombinerTest, MatmulAndLinear) {
  auto rows = randomRows(29, 2, 3);
  double product = 0;
  for (auto &row : rows)
    product += row[0] * row[1];
  EXPECT_NEAR(
      run("%a: tensor<4x29xf32>, %b: tensor<29x4xf32>",
          "%0 = fuser.matmul %a, %b : tensor<4x29xf32>, tensor<29x4xf32> -> tensor<4x4xf32>", rows,
          1e-3)[0],
      product, 1e-3);
  StringRef arguments = "%a: tensor<4x29xf32>, %b: tensor<4x29xf32>, %c: tensor<4xf32>";
  EXPECT_NEAR(
      run(arguments,
          "%0 = fuser.linear %a, %b : tensor<4x29xf32>, tensor<4x29xf32> -> tensor<4x4xf32>", rows,
          1e-3)[0],
      product, 1e-3);
  for (double bias : {-2.5, kInf, -kInf}) {
    for (auto &row : rows) {
      row.resize(2);
      row.push_back(bias); // one value for every k
    }
    double result = run(arguments,
                        "%0 = fuser.linear %a, %b bias %c : tensor<4x29xf32>, tensor<4x29xf32>, "
                        "tensor<4xf32> -> tensor<4x4xf32>",
                        rows, 1e-3)[0];
    if (std::isinf(bias))
      EXPECT_EQ(result, bias);
    else
      EXPECT_NEAR(result, product + bias, 1e-3);
  }
}

// Every combiner works on vectors too.
TEST_F(CombinerTest, Vectors) {
  for (StringRef text : {"%0 = fuser.sum %x dims [0] : tensor<8xbf16> -> tensor<bf16>",
                         "%0 = fuser.prod %x dims [0] : tensor<8xbf16> -> tensor<f32>",
                         "%0 = fuser.min %x dims [0] : tensor<8xbf16> -> tensor<bf16>",
                         "%0 = fuser.max %x dims [0] : tensor<8xbf16> -> tensor<bf16>",
                         "%0 = fuser.mean %x dims [0] : tensor<8xbf16> -> tensor<bf16>",
                         "%0 = fuser.any %x dims [0] : tensor<8xbf16> -> tensor<i1>",
                         "%0 = fuser.all %x dims [0] : tensor<8xbf16> -> tensor<i1>",
                         "%0, %1 = fuser.var_mean %x dims [0] correction 1 : tensor<8xbf16> -> "
                         "tensor<f32>, tensor<f32>"}) {
    auto op = cast<CombinerOpInterface>(parse("%x: tensor<8xbf16>", text));
    auto vector = VectorType::get(4, builder.getBF16Type());
    Value operand = arith::ConstantOp::create(builder, loc(), builder.getZeroAttr(vector));
    SmallVector<Value> tuple = op.buildLift(builder, loc(), operand);
    tuple = op.buildAccumulate(builder, loc(), tuple, operand);
    tuple = op.buildCombine(builder, loc(), tuple, tuple);
    ASSERT_EQ(tuple.size(), op.getAccumulatorTypes().size());
    for (auto [value, type] : llvm::zip(tuple, op.getAccumulatorTypes()))
      EXPECT_EQ(value.getType(), VectorType::get(4, type)) << text.str();
    Value count = arith::ConstantIndexOp::create(builder, loc(), 8);
    for (auto [value, result] :
         llvm::zip(op.buildFinalize(builder, loc(), tuple, count), op->getResults()))
      EXPECT_EQ(value.getType(), VectorType::get(4, getElementTypeOrSelf(result.getType())))
          << text.str();
    EXPECT_TRUE(succeeded(verify(*module))) << text.str();
  }
}

} // namespace
