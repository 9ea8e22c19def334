//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/IntExpr.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

using namespace fuser::artifact;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// size(a, b) = 100 * a + b and so on.
struct FakeLeaves {
  int64_t operator()(const ExprNode &node) const {
    return static_cast<int64_t>(node.kind) * 10000 + node.a * 100 + node.b;
  }
};

std::vector<ExprId> allIds(const ExprPool &pool) {
  std::vector<ExprId> ids;
  for (ExprId id = 0; id < pool.size(); ++id)
    ids.push_back(id);
  return ids;
}

TEST(IntExpr, OperatorsAgreeWithWideArithmetic) {
  std::mt19937_64 random(7);
  std::vector<int64_t> interesting = {0, 1,  -1,   2,        -2,   3,       -3,
                                      7, -7, kMin, kMin + 1, kMax, kMax - 1};
  for (unsigned i = 0; i < 20; ++i)
    interesting.push_back(static_cast<int64_t>(random()) >> (random() % 60));
  auto fits = [](__int128 value) { return value >= kMin && value <= kMax; };
  for (int64_t a : interesting) {
    for (int64_t b : interesting) {
      __int128 wa = a, wb = b;
      auto check = [&](ExprKind kind, __int128 exact) {
        int64_t result = 0;
        EvalFault fault = applyOperator(kind, a, b, result);
        if (!fits(exact)) {
          EXPECT_EQ(fault, EvalFault::Overflow) << a << " " << b;
        } else {
          EXPECT_EQ(fault, EvalFault::None) << a << " " << b;
          EXPECT_EQ(result, static_cast<int64_t>(exact)) << int(kind) << ": " << a << " " << b;
        }
      };
      check(ExprKind::Add, wa + wb);
      check(ExprKind::Sub, wa - wb);
      check(ExprKind::Mul, wa * wb);
      check(ExprKind::Min, std::min(wa, wb));
      check(ExprKind::Max, std::max(wa, wb));
      check(ExprKind::Less, wa < wb);
      check(ExprKind::LessEqual, wa <= wb);
      check(ExprKind::Equal, wa == wb);
      check(ExprKind::NotEqual, wa != wb);
      int64_t result = 0;
      if (b == 0) {
        for (ExprKind kind : {ExprKind::FloorDiv, ExprKind::CeilDiv, ExprKind::TruncDiv,
                              ExprKind::Mod, ExprKind::Rem})
          EXPECT_EQ(applyOperator(kind, a, b, result), EvalFault::DivisionByZero);
        continue;
      }
      if (a == kMin && b == -1) {
        EXPECT_EQ(applyOperator(ExprKind::FloorDiv, a, b, result), EvalFault::Overflow);
        continue;
      }
      // Floor: the largest q with q * b <= a (b > 0) or q * b >= a (b < 0).
      __int128 quotient = wa / wb;
      __int128 floor = quotient * wb != wa && ((a < 0) != (b < 0)) ? quotient - 1 : quotient;
      __int128 ceil = quotient * wb != wa && ((a < 0) == (b < 0)) ? quotient + 1 : quotient;
      check(ExprKind::FloorDiv, floor);
      check(ExprKind::CeilDiv, ceil);
      check(ExprKind::TruncDiv, quotient);
      check(ExprKind::Mod, wa - wb * floor);
      check(ExprKind::Rem, wa - wb * quotient);
    }
  }
}

TEST(IntExpr, NodesAreSharedAndConstantsFolded) {
  ExprPool pool;
  ExprId n = pool.size(0, 1), four = pool.constant(4);
  EXPECT_EQ(pool.mul(n, four), pool.mul(n, four));
  EXPECT_EQ(pool.add(pool.constant(2), pool.constant(2)), four);
  EXPECT_EQ(pool.mul(n, pool.constant(1)), n);
  EXPECT_EQ(pool.add(pool.constant(0), n), n);
  EXPECT_EQ(pool.select(pool.constant(0), n, four), four);
  // A fault is left for the call that needs the value.
  ExprId bad = pool.binary(ExprKind::Mod, four, pool.constant(0));
  EXPECT_EQ(pool.nodes()[bad].kind, ExprKind::Mod);
}

TEST(IntExpr, EvaluatesLeavesAndOperators) {
  ExprPool pool;
  ExprId size = pool.size(1, 2), scalar = pool.scalar(3);
  ExprId sum = pool.add(size, scalar);
  ExprId pick = pool.select(pool.binary(ExprKind::Less, size, scalar), sum, size);
  std::vector<int64_t> values(pool.size());
  ExprFault fault = evaluate(pool, allIds(pool), FakeLeaves(), values.data());
  EXPECT_EQ(fault.fault, EvalFault::None);
  EXPECT_EQ(values[size], 10102);
  EXPECT_EQ(values[scalar], 30300);
  EXPECT_EQ(values[pick], 40402);
}

TEST(IntExpr, FaultsNameTheOperationAndItsOperands) {
  ExprPool pool;
  ExprId product = pool.mul(pool.size(0, 1), pool.constant(kMax));
  std::vector<int64_t> values(pool.size());
  ExprFault fault = evaluate(pool, allIds(pool), FakeLeaves(), values.data());
  ASSERT_EQ(fault.fault, EvalFault::Overflow);
  EXPECT_EQ(fault.node, product);
  std::vector<std::string> names = {"x"};
  Error error = describeFault(pool, fault, values.data(), names);
  EXPECT_EQ(error.code, ErrorCode::IntegerOverflow);
  EXPECT_EQ(error.message, "'x.size[1] * 9223372036854775807': expected a result that fits 64 "
                           "bits, but got operands 10001 and 9223372036854775807");
}

TEST(IntExpr, PrintsInfix) {
  ExprPool pool;
  std::vector<std::string> names = {"x"};
  ExprId sum = pool.add(pool.size(0, 0), pool.stride(1, 2));
  ExprId e = pool.ceilDiv(pool.mul(sum, pool.constant(2)), pool.alignment(0));
  EXPECT_EQ(printExpr(pool, e, names), "ceildiv((x.size[0] + arg1.stride[2]) * 2, x.alignment)");
}

} // namespace
