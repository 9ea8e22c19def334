//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Edge cases of scalar forms, as the descriptions of pointwise ops state them.
//
//===----------------------------------------------------------------------===//

#include "OpTest.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fuser;

namespace {

class ElementTest : public OpTest {
protected:
  /// One element of `op` (an op name with attributes after a blank) on operands of one type.
  double element(StringRef op, StringRef type, ArrayRef<double> operands,
                 StringRef resultType = "") {
    auto [name, attributes] = op.split(' ');
    std::string arguments, names, types;
    for (size_t i = 0; i < operands.size(); ++i) {
      std::string separator = i ? ", " : "";
      arguments += separator + "%a" + std::to_string(i) + ": tensor<" + type.str() + ">";
      names += separator + "%a" + std::to_string(i);
      types += separator + "tensor<" + type.str() + ">";
    }
    std::string result = "tensor<" + (resultType.empty() ? type : resultType).str() + ">";
    std::string form = name == "cast" ? types + " to " + result : "(" + types + ") -> " + result;
    Operation *operation = parse(arguments, "%0 = fuser." + name.str() + " " + names + " " +
                                                attributes.str() + " : " + form);
    if (!operation)
      return kNaN;
    Type elementType = getElementTypeOrSelf(operation->getOperand(0).getType());
    auto values =
        llvm::map_to_vector(operands, [&](double value) { return constant(elementType, value); });
    Value built = cast<ElementwiseOpInterface>(operation).buildElement(builder, loc(), values);
    EXPECT_EQ(built.getType(), getElementTypeOrSelf(operation->getResult(0).getType()));
    return evaluate(built);
  }

  void expectZero(double value, bool negative) {
    EXPECT_EQ(value, 0);
    EXPECT_EQ(std::signbit(value), negative);
  }
};

constexpr double kLeast32 = -2147483648.0;

TEST_F(ElementTest, NaNWinsInMaximumLosesInFmax) {
  EXPECT_TRUE(std::isnan(element("maximum", "f32", {kNaN, 1})));
  EXPECT_TRUE(std::isnan(element("minimum", "bf16", {1, kNaN})));
  EXPECT_EQ(element("fmax", "f32", {kNaN, 1}), 1);
  EXPECT_EQ(element("fmin", "f32", {1, kNaN}), 1);
  expectZero(element("maximum", "f32", {-0.0, 0.0}), false);
  expectZero(element("minimum", "f32", {-0.0, 0.0}), true);
  EXPECT_EQ(element("maximum", "i1", {0, 1}), 1);
  EXPECT_EQ(element("minimum", "i1", {0, 1}), 0);
  EXPECT_EQ(element("maximum", "i32", {-5, 3}), 3);
}

TEST_F(ElementTest, ReluSignClamp) {
  EXPECT_TRUE(std::isnan(element("relu", "f32", {kNaN})));
  expectZero(element("relu", "f32", {-0.0}), false);
  EXPECT_EQ(element("relu", "i32", {-3}), 0);
  EXPECT_EQ(element("sign", "f32", {-7}), -1);
  EXPECT_EQ(element("sign", "f32", {kNaN}), 0);
  EXPECT_EQ(element("sign", "i32", {7}), 1);
  EXPECT_TRUE(std::isnan(element("clamp", "f32", {kNaN, 0, 1})));
  EXPECT_TRUE(std::isnan(element("clamp", "f32", {0, kNaN, 1})));
  EXPECT_EQ(element("clamp", "f32", {5, 3, 2}), 2);
}

TEST_F(ElementTest, NegAbsWrap) {
  EXPECT_EQ(element("neg", "i32", {kLeast32}), kLeast32);
  EXPECT_EQ(element("abs", "i32", {kLeast32}), kLeast32);
  expectZero(element("neg", "f32", {0.0}), true);
  expectZero(element("abs", "bf16", {-0.0}), false);
}

TEST_F(ElementTest, BoolArithmetic) {
  EXPECT_EQ(element("add", "i1", {1, 1}), 1);
  EXPECT_EQ(element("mul", "i1", {1, 0}), 0);
  EXPECT_EQ(element("bitwise_not", "i1", {1}), 0);
  EXPECT_EQ(element("bitwise_not", "i32", {5}), -6);
}

TEST_F(ElementTest, IntegerDivisionNeverTraps) {
  EXPECT_EQ(element("trunc_div", "i32", {7, 0}), 0);
  EXPECT_EQ(element("floor_div", "i32", {-7, 0}), 0);
  EXPECT_EQ(element("remainder", "i32", {-7, 0}), -7);
  EXPECT_EQ(element("fmod", "i32", {7, 0}), 7);
  EXPECT_EQ(element("trunc_div", "i32", {kLeast32, -1}), kLeast32);
  EXPECT_EQ(element("floor_div", "i32", {kLeast32, -1}), kLeast32);
  EXPECT_EQ(element("remainder", "i32", {kLeast32, -1}), 0);
  EXPECT_EQ(element("fmod", "i32", {kLeast32, -1}), 0);
}

TEST_F(ElementTest, RoundingOfDivision) {
  for (double x : {-7.0, 7.0, -6.0, 0.0})
    for (double y : {-3.0, 3.0, 2.0, -1.0})
      for (StringRef type : {"i32", "f32", "bf16"}) {
        double floor = std::floor(x / y), trunc = std::trunc(x / y);
        EXPECT_EQ(element("floor_div", type, {x, y}), floor) << x << " / " << y << type.str();
        EXPECT_EQ(element("trunc_div", type, {x, y}), trunc) << x << " / " << y << type.str();
        EXPECT_EQ(element("remainder", type, {x, y}), x - floor * y) << x << " / " << y;
        EXPECT_EQ(element("fmod", type, {x, y}), std::fmod(x, y)) << x << " / " << y;
      }
  EXPECT_EQ(element("floor_div", "f32", {1, 0}), kInf);
  EXPECT_TRUE(std::isnan(element("remainder", "f32", {1, 0})));
  EXPECT_TRUE(std::isnan(element("fmod", "f32", {kInf, 2})));
}

TEST_F(ElementTest, Shifts) {
  EXPECT_EQ(element("shift_left", "i32", {3, 2}), 12);
  EXPECT_EQ(element("shift_left", "i32", {3, 32}), 0);
  EXPECT_EQ(element("shift_left", "i32", {3, -1}), 0);
  EXPECT_EQ(element("shift_right", "i32", {-5, 1}), -3);
  EXPECT_EQ(element("shift_right", "i32", {-5, 40}), -1);
  EXPECT_EQ(element("shift_right", "i32", {5, -1}), 0);
}

TEST_F(ElementTest, ComparesNaNFalseExceptNe) {
  for (StringRef op : {"eq", "lt", "le", "gt", "ge"})
    EXPECT_EQ(element(op, "f32", {kNaN, 1}, "i1"), 0) << op.str();
  EXPECT_EQ(element("ne", "f32", {kNaN, kNaN}, "i1"), 1);
  EXPECT_EQ(element("eq", "bf16", {0.0, -0.0}, "i1"), 1);
  EXPECT_EQ(element("lt", "i32", {-1, 0}, "i1"), 1);
  // false is below true.
  EXPECT_EQ(element("lt", "i1", {0, 1}, "i1"), 1);
  EXPECT_EQ(element("gt", "i1", {0, 1}, "i1"), 0);
}

TEST_F(ElementTest, TestsOfOneNumber) {
  for (StringRef type : {"f32", "bf16", "f16", "f64", "f8E5M2"}) {
    EXPECT_EQ(element("isnan", type, {kNaN}, "i1"), 1);
    EXPECT_EQ(element("isnan", type, {kInf}, "i1"), 0);
    EXPECT_EQ(element("isinf", type, {-kInf}, "i1"), 1);
    EXPECT_EQ(element("isinf", type, {kNaN}, "i1"), 0);
    EXPECT_EQ(element("isfinite", type, {1}, "i1"), 1);
    EXPECT_EQ(element("isfinite", type, {kInf}, "i1"), 0);
    EXPECT_EQ(element("isfinite", type, {kNaN}, "i1"), 0);
  }
  EXPECT_EQ(element("logical_not", "f32", {-0.0}, "i1"), 1);
  EXPECT_EQ(element("logical_not", "f32", {kNaN}, "i1"), 0);
  EXPECT_EQ(element("logical_and", "f32", {kNaN, 2}, "i1"), 1);
  EXPECT_EQ(element("logical_xor", "i32", {4, 2}, "i1"), 0);
}

TEST_F(ElementTest, Casts) {
  EXPECT_EQ(element("cast", "f32", {-1.9}, "i32"), -1);
  EXPECT_EQ(element("cast", "f32", {3e9}, "i32"), 2147483647.0);
  EXPECT_EQ(element("cast", "f64", {-3e9}, "i32"), kLeast32);
  EXPECT_EQ(element("cast", "bf16", {kNaN}, "i64"), 0);
  EXPECT_EQ(element("cast", "f32", {-kInf}, "i8"), -128);
  EXPECT_EQ(element("cast", "f32", {kNaN}, "i1"), 1);
  EXPECT_EQ(element("cast", "i1", {1}, "i32"), 1);
  EXPECT_EQ(element("cast", "i1", {1}, "bf16"), 1);
  EXPECT_EQ(element("cast", "i32", {300}, "i8"), 44);
  EXPECT_EQ(element("cast", "i8", {-1}, "i64"), -1);
  EXPECT_EQ(element("cast", "f32", {1e39}, "f16"), kInf);
  EXPECT_EQ(element("cast", "f32", {1 + 1.0 / 256}, "bf16"), 1); // tie to even
  EXPECT_EQ(element("cast", "bf16", {1.5}, "f16"), 1.5);
  // Through f32: 2^24 + 1 is no f32.
  EXPECT_EQ(element("cast", "i32", {16777217}, "f32"), 16777216);
}

TEST_F(ElementTest, ActivationsAtTheEdges) {
  EXPECT_EQ(element("sigmoid", "f32", {-kInf}), 0);
  EXPECT_EQ(element("sigmoid", "f32", {kInf}), 1);
  EXPECT_TRUE(std::isnan(element("silu", "f32", {-kInf})));
  EXPECT_EQ(element("silu", "f32", {kInf}), kInf);
  EXPECT_TRUE(std::isnan(element("gelu", "f32", {-kInf})));
  EXPECT_NEAR(element("gelu", "f64", {1.25}), 0.625 * (1 + std::erf(1.25 / std::sqrt(2.0))), 1e-15);
  double inner = std::sqrt(2 / std::acos(-1.0)) * (1.25 + 0.044715 * 1.25 * 1.25 * 1.25);
  EXPECT_NEAR(element("gelu {approximate}", "f64", {1.25}), 0.625 * (1 + std::tanh(inner)), 1e-15);
  EXPECT_EQ(element("reciprocal", "f32", {-0.0}), -kInf);
}

TEST_F(ElementTest, LerpAddcmulFma) {
  EXPECT_EQ(element("lerp", "f32", {1e8, 3, 1}), 3); // exact at the far end
  EXPECT_EQ(element("lerp", "f32", {2, 6, 0.25}), 3);
  EXPECT_EQ(element("addcmul", "f32", {1, 2, 3, 4}), 25);
  EXPECT_EQ(element("addcmul", "i32", {1, 2, 3, 4}), 25);
  // a * b needs 48 bits: two roundings would lose the last.
  double a = 1 + std::ldexp(1, -23);
  EXPECT_EQ(element("fma", "f32", {a, a, -(1 + std::ldexp(1, -22))}), std::ldexp(1, -46));
}

// Half types compute in f32 and round once: 256 + 1 + 1 in bf16 per op, but one op does not round
// inside.
TEST_F(ElementTest, HalfTypesRoundOnce) {
  EXPECT_EQ(element("add", "bf16", {256, 1}), 256);
  EXPECT_EQ(element("addcmul", "bf16", {256, 1, 1, 2}), 258);
  EXPECT_EQ(element("mul", "f16", {300, 300}), kInf);
}

TEST_F(ElementTest, ScalarsConvertToTheComputeType) {
  // 1 + 2^-10 is no bf16, but the scalar is used as it is in f32.
  Operation *op = parse("%x: tensor<bf16>, %s: f64",
                        "%0 = fuser.mul %x, %s : (tensor<bf16>, f64) -> tensor<bf16>");
  Value operands[] = {constant(builder.getBF16Type(), 128),
                      constant(builder.getF64Type(), 1 + 1.0 / 128)};
  EXPECT_EQ(evaluate(cast<ElementwiseOpInterface>(op).buildElement(builder, loc(), operands)), 129);
}

// Every pointwise op builds valid code on vectors.
TEST_F(ElementTest, Vectors) {
  struct Case {
    StringRef op, type, result;
    unsigned operands;
  };
  const Case cases[] = {{"add", "bf16", "bf16", 2},       {"gelu", "bf16", "bf16", 1},
                        {"floor_div", "f32", "f32", 2},   {"floor_div", "i32", "i32", 2},
                        {"remainder", "f16", "f16", 2},   {"clamp", "bf16", "bf16", 3},
                        {"lerp", "f32", "f32", 3},        {"isfinite", "bf16", "i1", 1},
                        {"lt", "bf16", "i1", 2},          {"logical_not", "i32", "i1", 1},
                        {"shift_right", "i32", "i32", 2}, {"sign", "bf16", "bf16", 1},
                        {"cast", "bf16", "i32", 1},       {"cast", "i1", "f8E4M3FN", 1},
                        {"fma", "f32", "f32", 3},         {"maximum", "i1", "i1", 2},
                        {"bitwise_not", "i8", "i8", 1},   {"addcmul", "i32", "i32", 4}};
  for (const Case &c : cases) {
    std::string arguments, names, types;
    for (unsigned i = 0; i < c.operands; ++i) {
      std::string separator = i ? ", " : "", type = "tensor<4x" + c.type.str() + ">";
      arguments += separator + "%a" + std::to_string(i) + ": " + type;
      names += separator + "%a" + std::to_string(i);
      types += separator + type;
    }
    std::string result = "tensor<4x" + c.result.str() + ">";
    std::string form = c.op == "cast" ? types + " to " + result : "(" + types + ") -> " + result;
    Operation *op = parse(arguments, "%0 = fuser." + c.op.str() + " " + names + " : " + form);
    ASSERT_TRUE(op);
    auto vector = VectorType::get(4, getElementTypeOrSelf(op->getOperand(0).getType()));
    Value operand = arith::ConstantOp::create(builder, loc(), builder.getZeroAttr(vector));
    SmallVector<Value> operands(c.operands, operand);
    Value built = cast<ElementwiseOpInterface>(op).buildElement(builder, loc(), operands);
    EXPECT_EQ(built.getType(),
              VectorType::get(4, getElementTypeOrSelf(op->getResult(0).getType())));
    EXPECT_TRUE(succeeded(verify(*module))) << c.op.str();
  }
}

} // namespace
