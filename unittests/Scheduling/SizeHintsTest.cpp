//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What size hints say, from text and from an attribute, and what they determine.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/SizeHints.h"
#include "KernelFixture.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace fuser;

namespace {

class SizeHintsTest : public KernelTest {
protected:
  /// A kernel of a matrix with rows of 8, a scalar and two vectors; the first is as long as the
  /// matrix.
  void parseKernel(const std::string &attributes = "") {
    message.clear();
    parse("fuser.kernel @k(%x: tensor<?x8xf32>, %n: index, %y: tensor<?xf32>, %z: tensor<?xf32>)"
          " -> tensor<?x8xf32> attributes {facts = [#fuser.fact<equal 2[0], 0[0]>]" +
          attributes + "} {\n  fuser.return %x : tensor<?x8xf32>\n}");
  }
  /// The sizes of all arguments as in the text of hints, or the diagnostic.
  std::string print(const FailureOr<SizeHints> &hints) {
    if (failed(hints))
      return message;
    std::string text;
    const unsigned ranks[] = {2, 0, 1, 1};
    for (unsigned argument = 0; argument < 4; ++argument) {
      text += argument ? ";" : "";
      if (std::optional<int64_t> value = hints->getScalar(argument))
        text += std::to_string(*value);
      for (unsigned dim = 0; dim < ranks[argument]; ++dim) {
        std::optional<int64_t> size = hints->getSize(argument, dim);
        text += (dim ? "," : "") + (size ? std::to_string(*size) : "?");
      }
    }
    return text;
  }
  std::string parseHints(StringRef text) {
    parseKernel();
    return print(SizeHints::parse(kernel, text));
  }
  std::string readAttribute(const std::string &attribute) {
    parseKernel(", fuser_sched.sizes = " + attribute);
    return print(SizeHints::fromAttribute(kernel));
  }
  /// The value of an expression of s0 (rows of the matrix), s1 (its rows' length), s2, s3 (lengths
  /// of the vectors) and s4 (the scalar).
  std::string evaluate(StringRef sizes, const std::string &expr) {
    parseKernel();
    FailureOr<SizeHints> hints = SizeHints::parse(kernel, sizes);
    FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
    auto map = dyn_cast_or_null<AffineMapAttr>(
        parseAttribute("affine_map<()[s0, s1, s2, s3, s4] -> (" + expr + ")>", &context));
    if (failed(hints) || failed(extents) || !map)
      return message;
    std::optional<int64_t> value = hints->evaluate(map.getValue().getResult(0), *extents);
    return value ? std::to_string(*value) : "?";
  }
};

TEST_F(SizeHintsTest, Text) {
  EXPECT_EQ(parseHints(""), "?,?;;?;?");
  EXPECT_EQ(parseHints("16,8;;32;64"), "16,8;;32;64");
  EXPECT_EQ(parseHints("16,?;;?;64"), "16,?;;?;64");
  EXPECT_EQ(parseHints("?,8;; 32 ; ? "), "?,8;;32;?");
  EXPECT_EQ(parseHints("0,8;;0;1"), "0,8;;0;1");
  EXPECT_EQ(parseHints("?,?;;?;?"), "?,?;;?;?");
  // Integers have values.
  EXPECT_EQ(parseHints("?,8; 7 ;32;?"), "?,8;7;32;?");
  EXPECT_EQ(parseHints("?,8;-7;32;?"), "?,8;-7;32;?");
  EXPECT_EQ(parseHints("?,8;?;32;?"), "?,8;;32;?");
}

// Hints without a size are hints.
TEST_F(SizeHintsTest, AreGiven) {
  parseKernel();
  EXPECT_FALSE(SizeHints::parse(kernel, "")->areGiven());
  EXPECT_FALSE(SizeHints::fromAttribute(kernel)->areGiven());
  EXPECT_TRUE(SizeHints::parse(kernel, "?,?;;?;?")->areGiven());
  EXPECT_TRUE(SizeHints::parse(kernel, "16,?;;?;?")->areGiven());
  parseKernel(", fuser_sched.sizes = [array<i64: -1, 8>, unit, array<i64: -1>, array<i64: -1>]");
  EXPECT_TRUE(SizeHints::fromAttribute(kernel)->areGiven());
  SizeHints set;
  set.setSize(0, 1, 8);
  EXPECT_TRUE(set.areGiven());
}

TEST_F(SizeHintsTest, TextWithErrors) {
  const std::string op = "'fuser.kernel' op ";
  EXPECT_EQ(parseHints("16,8;;32"), op + "expected sizes of 4 arguments, but got 3");
  EXPECT_EQ(parseHints("16,8;;32;64;"), op + "expected sizes of 4 arguments, but got 5");
  EXPECT_EQ(parseHints("16;;32;64"), op + "expected 2 sizes for argument 0, but got '16'");
  EXPECT_EQ(parseHints("16,8;1,2;32;64"),
            op + "expected an integer or '?' for argument 1, but got '1,2'");
  EXPECT_EQ(parseHints("16,8;n;32;64"),
            op + "expected an integer or '?' for argument 1, but got 'n'");
  EXPECT_EQ(parseHints("16,8;;;64"), op + "expected 1 sizes for argument 2, but got ''");
  EXPECT_EQ(parseHints("16,8;;32;-1"), op + "expected a size of at least 0 or '?', but got '-1'");
  EXPECT_EQ(parseHints("16,8;;32;n"), op + "expected a size of at least 0 or '?', but got 'n'");
  EXPECT_EQ(parseHints("16,9;;32;64"),
            op + "expected size 8 for dimension 1 of argument 0, but got 9");
}

TEST_F(SizeHintsTest, Attributes) {
  parseKernel();
  EXPECT_EQ(print(SizeHints::fromAttribute(kernel)), "?,?;;?;?");
  EXPECT_EQ(readAttribute("[array<i64: 16, 8>, unit, array<i64: 32>, array<i64: 64>]"),
            "16,8;;32;64");
  EXPECT_EQ(readAttribute("[array<i64: -1, 8>, unit, unit, array<i64: 0>]"), "?,8;;?;0");
  EXPECT_EQ(readAttribute("[unit, unit, unit, unit]"), "?,?;;?;?");
  EXPECT_EQ(readAttribute("[unit, array<i64: 7>, unit, unit]"), "?,?;7;?;?");
}

TEST_F(SizeHintsTest, AttributesWithErrors) {
  const std::string op = "'fuser.kernel' op ";
  const std::string list = op + "expected 'fuser_sched.sizes' to have one element for each of 4 "
                                "arguments";
  EXPECT_EQ(readAttribute("4"), list);
  EXPECT_EQ(readAttribute("[unit, unit, unit]"), list);
  EXPECT_EQ(readAttribute("[unit, unit, unit, unit, unit]"), list);
  const std::string sizes = op + "expected the sizes of argument ";
  EXPECT_EQ(readAttribute("[array<i64: 16>, unit, unit, unit]"),
            sizes + "0 in 'fuser_sched.sizes', but got array<i64: 16>");
  EXPECT_EQ(readAttribute("[unit, array<i64: 1, 2>, unit, unit]"),
            sizes + "1 in 'fuser_sched.sizes', but got array<i64: 1, 2>");
  EXPECT_EQ(readAttribute("[unit, array<i64>, unit, unit]"),
            sizes + "1 in 'fuser_sched.sizes', but got array<i64>");
  EXPECT_EQ(readAttribute("[unit, unit, unit, 64]"),
            sizes + "3 in 'fuser_sched.sizes', but got 64 : i64");
  EXPECT_EQ(readAttribute("[array<i64: 16, 9>, unit, unit, unit]"),
            op + "expected size 8 for dimension 1 of argument 0, but got 9");
}

TEST_F(SizeHintsTest, Expressions) {
  EXPECT_EQ(evaluate("16,8;;?;32", "s0"), "16");
  EXPECT_EQ(evaluate("16,8;;?;32", "s0 * s3 + 5"), "517");
  EXPECT_EQ(evaluate("16,8;;?;32", "(s0 + 1) floordiv 4"), "4");
  // Facts and types need no hint.
  EXPECT_EQ(evaluate("?,?;;?;?", "s1"), "8");
  EXPECT_EQ(evaluate("?,?;;?;?", "s1 * 2 + 1"), "17");
  EXPECT_EQ(evaluate("?,?;;?;?", "7"), "7");
  EXPECT_EQ(evaluate("", "s0"), "?");
  EXPECT_EQ(evaluate("", "s0 * s3"), "?");
  // A size of equal ones is enough.
  EXPECT_EQ(evaluate("?,8;;24;?", "s0"), "24");
  EXPECT_EQ(evaluate("?,8;;24;?", "s0 + s0 * s1"), "216");
  EXPECT_EQ(evaluate("?,8;;24;?", "s3"), "?");
  EXPECT_EQ(evaluate("?,8;;24;32", "s0 * s3"), "768");
  EXPECT_EQ(evaluate("16,8;7;?;32", "s4"), "7");
  EXPECT_EQ(evaluate("16,8;7;?;32", "s0 + s4"), "23");
  // What a scalar makes empty has no hint.
  EXPECT_EQ(evaluate("16,8;0;?;32", "s4"), "?");
  EXPECT_EQ(evaluate("16,8;-16;?;32", "s0 + s4"), "?");
  EXPECT_EQ(evaluate("0,8;-16;?;32", "s0"), "0");
  // A scalar without a hint may have no effect.
  EXPECT_EQ(evaluate("16,8;;?;32", "s4"), "?");
  EXPECT_EQ(evaluate("16,8;;?;32", "s0 + s4"), "?");
  EXPECT_EQ(evaluate("16,8;;?;32", "(s3 - 32) * s4 + s0"), "16");
  EXPECT_EQ(evaluate("16,8;;?;32", "(s0 + s4) + s3 - s4"), "48");
  EXPECT_EQ(evaluate("16,8;;?;32", "(s4 + s3) - (s4 + s0)"), "16");

  parseKernel();
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  ASSERT_TRUE(succeeded(extents));
  EXPECT_EQ(SizeHints().evaluate(AffineExpr(), *extents), std::nullopt);
}

} // namespace
