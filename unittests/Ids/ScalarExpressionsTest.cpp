//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The expression of each scalar op, word for word.
//
//===----------------------------------------------------------------------===//

#include "ScalarExpressions.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;
using fuser::test::toShortString;

namespace {

/// Arguments that are symbols. s0, s1 and s6 can be any number, s2 is at least 0, s3 in [1, 8], s4
/// and s5 are conditions, s7 is in [-128, 127], and s8 is negative. %data has no expression.
constexpr llvm::StringLiteral kScalars =
    "%x: tensor<?x4xf32>, %s0: index, %s1: index, %s2: index, %s3: index, %s4: i1, %s5: i1, "
    "%s6: i64, %s7: i64, %s8: index, %data: index";

/// The expression of the last op of `text`; "none" if it has none. The size of dimension i of a
/// tensor is d<i>.
std::string translate(const std::string &text, bool hasClamps = true) {
  Program program("fuser.fusion @f(" + kScalars.str() + ") -> tensor<?x4xf32> {\n" + text +
                  "\nfuser.return %x : tensor<?x4xf32> }");
  SymbolFacts facts;
  DenseMap<Value, AffineExpr> cache;
  for (unsigned number = 0; number < 9; ++number)
    cache[program.getArgument(number + 1)] = program.symbol(number);
  facts.addRange(program.symbol(2), {0, IntegerRange::kUnboundedAbove});
  facts.addRange(program.symbol(3), {1, 8});
  facts.addRange(program.symbol(4), {0, 1});
  facts.addRange(program.symbol(5), {0, 1});
  facts.addRange(program.symbol(7), {-128, 127});
  facts.addRange(program.symbol(8), {IntegerRange::kUnboundedBelow, -1});
  ScalarExpressions scalars(
      cache, facts, [&](Value, unsigned dim) { return getAffineDimExpr(dim, &program.context); },
      hasClamps);
  Operation *last = program.get().getFunctionBody().front().getTerminator()->getPrevNode();
  const AffineExpr expr = scalars.get(last->getResult(0));
  EXPECT_EQ(scalars.get(last->getResult(0)), expr);
  return expr ? toShortString(expr) : "none";
}
/// Without minima, maxima and conditions that the facts leave open.
std::string translateInKernel(const std::string &text) { return translate(text, false); }
std::string translateComparison(const std::string &operands) {
  return translate("%r = arith.cmpi " + operands + " : index");
}
std::string translateSelection(const std::string &comparison, const std::string &values) {
  return translate("%c = arith.cmpi " + comparison + " : index\n%r = arith.select %c, " + values +
                   " : index");
}

TEST(ScalarExpressionsTest, Arithmetic) {
  EXPECT_EQ(translate("%r = arith.constant 7 : index"), "7");
  EXPECT_EQ(translate("%r = arith.constant -7 : i64"), "-7");
  EXPECT_EQ(translate("%r = arith.constant true"), "1");
  EXPECT_EQ(translate("%r = arith.constant false"), "0");
  EXPECT_EQ(translate("%r = arith.constant 9223372036854775807 : i128"), "9223372036854775807");
  EXPECT_EQ(translate("%r = arith.constant -9223372036854775808 : i128"), "-9223372036854775808");
  EXPECT_EQ(translate("%r = arith.constant 9223372036854775808 : i128"), "none");
  EXPECT_EQ(translate("%r = arith.addi %s0, %s1 : index"), "s0 + s1");
  EXPECT_EQ(translate("%r = arith.subi %s0, %s1 : index"), "s0 - s1");
  EXPECT_EQ(translate("%r = arith.muli %s0, %s1 : index"), "s0 * s1");
  EXPECT_EQ(translate("%r = arith.index_cast %s0 : index to i64"), "s0");
  EXPECT_EQ(translate("%d = arith.trunci %s6 : i64 to i32\n%r = arith.extsi %d : i32 to i64"),
            "(s6 + 2147483648) mod 4294967296 - 2147483648");
  EXPECT_EQ(translate("%r = arith.extui %s4 : i1 to i64"), "s4");
  EXPECT_EQ(translate("%d = arith.trunci %s6 : i64 to i32\n%r = arith.extui %d : i32 to i64"),
            "none");
  EXPECT_EQ(translate("%r = arith.extsi %s4 : i1 to i64"), "none");
  EXPECT_EQ(translate("%r = arith.addi %s4, %s5 : i1"), "none");
  EXPECT_EQ(translate("%r = arith.addi %s0, %data : index"), "none");
  EXPECT_EQ(translate("%r = arith.shli %s0, %s1 : index"), "none");
  EXPECT_EQ(translate("%r = arith.divui %s2, %s3 : index"), "none");
  EXPECT_EQ(
      translate(
          "%r = affine.apply affine_map<(d0, d1)[s0] -> (d1 * 2 + d0 floordiv s0)>(%s0, %s1)[%s2]"),
      "s1 * 2 + s0 floordiv s2");
  EXPECT_EQ(translate("%r, %h = arith.mulsi_extended %s0, %s1 : index"), "none");
}

TEST(ScalarExpressionsTest, Divisions) {
  EXPECT_EQ(translate("%r = arith.divsi %s2, %s3 : index"), "s2 floordiv s3");
  EXPECT_EQ(translate("%r = arith.floordivsi %s2, %s3 : index"), "s2 floordiv s3");
  EXPECT_EQ(translate("%r = arith.ceildivsi %s2, %s3 : index"), "s2 ceildiv s3");
  EXPECT_EQ(translate("%r = arith.remsi %s2, %s3 : index"), "s2 mod s3");
  EXPECT_EQ(translate("%r = arith.divsi %s0, %s3 : index"), "none");
  // What is rounded down or up has the same value for negative numbers.
  EXPECT_EQ(translate("%r = arith.floordivsi %s0, %s3 : index"), "s0 floordiv s3");
  EXPECT_EQ(translate("%r = arith.ceildivsi %s0, %s3 : index"), "s0 ceildiv s3");
  EXPECT_EQ(translate("%r = arith.remsi %s8, %s3 : index"), "none");
  EXPECT_EQ(translate("%r = arith.divsi %s2, %s8 : index"), "none");
  EXPECT_EQ(translate("%r = arith.divsi %s2, %s2 : index"), "none");
  EXPECT_EQ(translate("%r = arith.divsi %s2, %s1 : index"), "s2 floordiv s1");
  EXPECT_EQ(translate("%r = arith.remsi %s2, %s1 : index"), "s2 mod s1");
  EXPECT_EQ(translate("%r = arith.ceildivsi %s2, %s0 : index"), "s2 ceildiv s0");
  EXPECT_EQ(translate("%c = arith.constant 5 : i64\n%r = arith.divsi %c, %s7 : i64"), "none");
  EXPECT_EQ(translate("%d = arith.addi %s0, %s1 : index\n%r = arith.divsi %s2, %d : index"),
            "none");
  EXPECT_EQ(translate("%c = arith.constant 3 : index\n%r = arith.divsi %s2, %c : index"),
            "s2 floordiv 3");
}

TEST(ScalarExpressionsTest, Sizes) {
  EXPECT_EQ(translate("%i = arith.constant 0 : index\n%r = tensor.dim %x, %i : tensor<?x4xf32>"),
            "d0");
  EXPECT_EQ(translate("%i = arith.constant 1 : index\n%r = tensor.dim %x, %i : tensor<?x4xf32>"),
            "d1");
  EXPECT_EQ(translate("%i = arith.constant 2 : index\n%r = tensor.dim %x, %i : tensor<?x4xf32>"),
            "none");
  EXPECT_EQ(translate("%i = arith.constant 3 : index\n%r = tensor.dim %x, %i : tensor<?x4xf32>"),
            "none");
  EXPECT_EQ(translate("%i = arith.constant -1 : index\n%r = tensor.dim %x, %i : tensor<?x4xf32>"),
            "none");
  EXPECT_EQ(translate("%r = tensor.dim %x, %s0 : tensor<?x4xf32>"), "none");
  EXPECT_EQ(translate("%i = arith.constant 0 : index\n%u = tensor.cast %x : tensor<?x4xf32> to "
                      "tensor<*xf32>\n%r = tensor.dim %u, %i : tensor<*xf32>"),
            "none");
}

TEST(ScalarExpressionsTest, NarrowIntegers) {
  EXPECT_EQ(translate("%r = arith.trunci %s6 : i64 to i32"),
            "(s6 + 2147483648) mod 4294967296 - 2147483648");
  EXPECT_EQ(translate("%r = arith.trunci %s6 : i64 to i8"), "(s6 + 128) mod 256 - 128");
  EXPECT_EQ(translate("%r = arith.trunci %s7 : i64 to i8"), "s7");
  EXPECT_EQ(translate("%r = arith.trunci %s7 : i64 to i7"), "(s7 + 64) mod 128 - 64");
  EXPECT_EQ(translate("%r = arith.trunci %s7 : i64 to i32"), "s7");
  EXPECT_EQ(translate("%r = arith.trunci %s6 : i64 to i33"), "none");
  // A condition is 0 or 1.
  EXPECT_EQ(translate("%r = arith.trunci %s6 : i64 to i1"), "s6 mod 2");
  EXPECT_EQ(translate("%d = arith.extui %s4 : i1 to i64\n%r = arith.trunci %d : i64 to i1"), "s4");
  EXPECT_EQ(translate("%d = arith.trunci %s6 : i64 to i1\n%r = arith.extui %d : i1 to i64"),
            "s6 mod 2");
  EXPECT_EQ(translate("%c = arith.constant 1 : i64\n%d = arith.addi %s7, %c : i64\n%r = "
                      "arith.trunci %d : i64 to i8"),
            "(s7 + 129) mod 256 - 128");
  EXPECT_EQ(translate("%c = arith.constant 1 : i64\n%d = arith.subi %s7, %c : i64\n%r = "
                      "arith.trunci %d : i64 to i8"),
            "(s7 + 127) mod 256 - 128");
}

TEST(ScalarExpressionsTest, MinimaAndMaxima) {
  EXPECT_EQ(translate("%r = arith.minsi %s0, %s1 : index"),
            "s1 - (s1 - s0) * ((s1 - s0) floordiv 2^62 + 1)");
  EXPECT_EQ(translate("%r = arith.maxsi %s0, %s1 : index"),
            "s1 + (s0 - s1) * ((s0 - s1) floordiv 2^62 + 1)");
  EXPECT_EQ(translate("%r = arith.minsi %s2, %s8 : index"), "s8");
  EXPECT_EQ(translate("%r = arith.maxsi %s2, %s8 : index"), "s2");
  EXPECT_EQ(translate("%r = arith.minsi %s8, %s2 : index"), "s8");
  EXPECT_EQ(translate("%r = arith.maxsi %s8, %s2 : index"), "s2");
  EXPECT_EQ(translate("%c = arith.constant 8 : index\n%r = arith.minsi %c, %s3 : index"), "s3");
  EXPECT_EQ(translate("%c = arith.constant 8 : index\n%r = arith.maxsi %c, %s3 : index"), "8");
  EXPECT_EQ(translate("%c = arith.constant 8 : index\n%r = arith.minsi %s3, %c : index"), "s3");
  EXPECT_EQ(translate("%c = arith.constant 1 : index\n%r = arith.minsi %s3, %c : index"), "1");
  EXPECT_EQ(translate("%c = arith.constant 1 : index\n%r = arith.maxsi %c, %s3 : index"), "s3");
  EXPECT_EQ(translate("%c = arith.constant 7 : index\n%r = arith.minsi %c, %s3 : index"),
            "s3 - (s3 - 7) * ((s3 - 7) floordiv 2^62 + 1)");
  EXPECT_EQ(translate("%c = arith.constant 0 : index\n%r = arith.maxsi %c, %s0 : index"),
            "s0 * (s0 floordiv 2^62 + 1)");
}

TEST(ScalarExpressionsTest, Comparisons) {
  EXPECT_EQ(translateComparison("eq, %s0, %s1"),
            "(s0 - s1) floordiv 2^62 + (s1 - s0) floordiv 2^62 + 1");
  EXPECT_EQ(translateComparison("ne, %s0, %s1"),
            "-((s0 - s1) floordiv 2^62) - (s1 - s0) floordiv 2^62");
  EXPECT_EQ(translateComparison("slt, %s0, %s1"), "-((s0 - s1) floordiv 2^62)");
  EXPECT_EQ(translateComparison("sle, %s0, %s1"), "(s1 - s0) floordiv 2^62 + 1");
  EXPECT_EQ(translateComparison("sgt, %s0, %s1"), "-((s1 - s0) floordiv 2^62)");
  EXPECT_EQ(translateComparison("sge, %s0, %s1"), "(s0 - s1) floordiv 2^62 + 1");
  EXPECT_EQ(translateComparison("ult, %s0, %s1"), "none");
  EXPECT_EQ(translateComparison("ule, %s0, %s1"), "none");
  EXPECT_EQ(translateComparison("ugt, %s0, %s1"), "none");
  EXPECT_EQ(translateComparison("uge, %s0, %s1"), "none");
  EXPECT_EQ(translateComparison("ult, %s2, %s3"), "-((s2 - s3) floordiv 2^62)");
  EXPECT_EQ(translateComparison("ule, %s2, %s3"), "(s3 - s2) floordiv 2^62 + 1");
  EXPECT_EQ(translateComparison("ugt, %s2, %s3"), "-((s3 - s2) floordiv 2^62)");
  EXPECT_EQ(translateComparison("uge, %s2, %s3"), "(s2 - s3) floordiv 2^62 + 1");
  EXPECT_EQ(translateComparison("ult, %s3, %s2"), "-((s3 - s2) floordiv 2^62)");
  EXPECT_EQ(translateComparison("ult, %s0, %s3"), "none");
  EXPECT_EQ(translateComparison("ult, %s3, %s0"), "none");
  EXPECT_EQ(translateComparison("slt, %s8, %s2"), "1");
  EXPECT_EQ(translateComparison("sge, %s8, %s2"), "0");
  EXPECT_EQ(translateComparison("eq, %s8, %s2"), "0");
  EXPECT_EQ(translateComparison("slt, %s2, %s8"), "0");
  EXPECT_EQ(translate("%c = arith.constant 8 : index\n%r = arith.cmpi sgt, %s3, %c : index"), "0");
  EXPECT_EQ(translate("%c = arith.constant 9 : index\n%r = arith.cmpi slt, %s3, %c : index"), "1");
  EXPECT_EQ(translate("%c = arith.constant 8 : index\n%r = arith.cmpi slt, %s3, %c : index"),
            "-((s3 - 8) floordiv 2^62)");
  EXPECT_EQ(translate("%c = arith.constant 7 : index\n%r = arith.cmpi sgt, %s3, %c : index"),
            "-((-s3 + 7) floordiv 2^62)");
  EXPECT_EQ(translate("%r = arith.cmpi eq, %s4, %s5 : i1"), "none");
}

TEST(ScalarExpressionsTest, Conditions) {
  EXPECT_EQ(translate("%r = arith.andi %s4, %s5 : i1"), "s4 * s5");
  EXPECT_EQ(translate("%r = arith.ori %s4, %s5 : i1"), "s4 + s5 - s4 * s5");
  EXPECT_EQ(translate("%r = arith.xori %s4, %s5 : i1"), "s4 + s5 - (s4 * s5) * 2");
  EXPECT_EQ(translate("%r = arith.andi %s0, %s1 : index"), "none");
  EXPECT_EQ(translate("%r = arith.ori %s0, %s1 : index"), "none");
  EXPECT_EQ(translate("%r = arith.xori %s0, %s1 : index"), "none");
  EXPECT_EQ(translate("%r = arith.muli %s4, %s5 : i1"), "none");
}

TEST(ScalarExpressionsTest, Selections) {
  // Of the operands of a comparison, one is the smaller.
  const std::string smaller = "s1 - (s1 - s0) * ((s1 - s0) floordiv 2^62 + 1)";
  const std::string larger = "s1 + (s0 - s1) * ((s0 - s1) floordiv 2^62 + 1)";
  const std::string smallerUnsigned = "s3 - (s3 - s2) * ((s3 - s2) floordiv 2^62 + 1)";
  const std::string largerUnsigned = "s3 + (s2 - s3) * ((s2 - s3) floordiv 2^62 + 1)";
  EXPECT_EQ(translate("%r = arith.select %s4, %s0, %s1 : index"), "s0 * s4 + (-s4 + 1) * s1");
  EXPECT_EQ(translate("%r = arith.select %s4, %s5, %s4 : i1"), "s4 * s5 + (-s4 + 1) * s4");
  EXPECT_EQ(translate("%c = arith.constant true\n%r = arith.select %c, %s0, %s1 : index"), "s0");
  EXPECT_EQ(translate("%c = arith.constant false\n%r = arith.select %c, %s0, %s1 : index"), "s1");
  EXPECT_EQ(translate("%r = arith.select %s4, %s0, %data : index"), "none");
  EXPECT_EQ(translateSelection("slt, %s0, %s1", "%s0, %s1"), smaller);
  EXPECT_EQ(translateSelection("slt, %s0, %s1", "%s1, %s0"), larger);
  EXPECT_EQ(translateSelection("sle, %s0, %s1", "%s0, %s1"), smaller);
  EXPECT_EQ(translateSelection("sle, %s0, %s1", "%s1, %s0"), larger);
  EXPECT_EQ(translateSelection("sgt, %s0, %s1", "%s0, %s1"), larger);
  EXPECT_EQ(translateSelection("sgt, %s0, %s1", "%s1, %s0"), smaller);
  EXPECT_EQ(translateSelection("sge, %s0, %s1", "%s0, %s1"), larger);
  EXPECT_EQ(translateSelection("sge, %s0, %s1", "%s1, %s0"), smaller);
  EXPECT_EQ(translateSelection("eq, %s0, %s1", "%s0, %s1"),
            "((s0 - s1) floordiv 2^62 + (s1 - s0) floordiv 2^62 + 1) * s0 + (-((s0 - s1) floordiv "
            "2^62 + (s1 - s0) floordiv 2^62 + 1) + 1) * s1");
  EXPECT_EQ(translateSelection("eq, %s0, %s1", "%s1, %s0"),
            "((s0 - s1) floordiv 2^62 + (s1 - s0) floordiv 2^62 + 1) * s1 + (-((s0 - s1) floordiv "
            "2^62 + (s1 - s0) floordiv 2^62 + 1) + 1) * s0");
  EXPECT_EQ(translateSelection("ult, %s2, %s3", "%s2, %s3"), smallerUnsigned);
  EXPECT_EQ(translateSelection("ult, %s2, %s3", "%s3, %s2"), largerUnsigned);
  EXPECT_EQ(translateSelection("ule, %s2, %s3", "%s2, %s3"), smallerUnsigned);
  EXPECT_EQ(translateSelection("ule, %s2, %s3", "%s3, %s2"), largerUnsigned);
  EXPECT_EQ(translateSelection("ugt, %s2, %s3", "%s2, %s3"), largerUnsigned);
  EXPECT_EQ(translateSelection("ugt, %s2, %s3", "%s3, %s2"), smallerUnsigned);
  EXPECT_EQ(translateSelection("uge, %s2, %s3", "%s2, %s3"), largerUnsigned);
  EXPECT_EQ(translateSelection("uge, %s2, %s3", "%s3, %s2"), smallerUnsigned);
  EXPECT_EQ(translateSelection("slt, %s0, %s1", "%s0, %s2"),
            "-(((s0 - s1) floordiv 2^62) * s0) + ((s0 - s1) floordiv 2^62 + 1) * s2");
  EXPECT_EQ(translateSelection("slt, %s0, %s1", "%s2, %s1"),
            "-(((s0 - s1) floordiv 2^62) * s2) + ((s0 - s1) floordiv 2^62 + 1) * s1");
  EXPECT_EQ(translateSelection("slt, %s0, %s1", "%s1, %s2"),
            "-(((s0 - s1) floordiv 2^62) * s1) + ((s0 - s1) floordiv 2^62 + 1) * s2");
  EXPECT_EQ(translateSelection("slt, %s0, %s1", "%s2, %s0"),
            "-(((s0 - s1) floordiv 2^62) * s2) + ((s0 - s1) floordiv 2^62 + 1) * s0");
  EXPECT_EQ(translateSelection("ult, %s0, %s1", "%s0, %s1"), "none");
  EXPECT_EQ(translateSelection("slt, %s8, %s2", "%s0, %s1"), "s0");
  EXPECT_EQ(translateSelection("sgt, %s8, %s2", "%s0, %s1"), "s1");
}

TEST(ScalarExpressionsTest, KernelsGetConditionsAsArguments) {
  EXPECT_EQ(translateInKernel("%r = arith.addi %s0, %s1 : index"), "s0 + s1");
  EXPECT_EQ(translateInKernel("%r = arith.minsi %s2, %s8 : index"), "s8");
  EXPECT_EQ(translateInKernel("%r = arith.maxsi %s2, %s8 : index"), "s2");
  EXPECT_EQ(translateInKernel("%r = arith.minsi %s0, %s1 : index"), "none");
  EXPECT_EQ(translateInKernel("%r = arith.maxsi %s0, %s1 : index"), "none");
  EXPECT_EQ(translateInKernel("%r = arith.cmpi slt, %s0, %s1 : index"), "none");
  EXPECT_EQ(translateInKernel("%r = arith.andi %s4, %s5 : i1"), "none");
  EXPECT_EQ(translateInKernel("%r = arith.select %s4, %s0, %s1 : index"), "none");
  EXPECT_EQ(translateInKernel("%r = arith.extui %s4 : i1 to i64"), "none");
}

} // namespace
