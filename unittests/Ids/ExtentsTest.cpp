//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/Extents.h"
#include "TestPrograms.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;
using fuser::test::toString;

namespace {

/// The message of the first diagnostic while `action` runs.
template <typename Action> std::string getDiagnostic(MLIRContext &context, Action action) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  action();
  return message;
}

TEST(ExtentsTest, NumbersSymbolsByRankAndThenScalars) {
  Program program(R"(
    fuser.fusion @f(%n: i64, %x: tensor<?x8xf32>, %s: f32, %y: tensor<?xf32>, %k: index) -> tensor<?x8xf32> {
      %0 = fuser.add %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
      fuser.return %0 : tensor<?x8xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  std::vector<std::pair<unsigned, int64_t>> symbols;
  for (ExtentAnalysis::Symbol symbol : extents->getSymbols())
    symbols.push_back({symbol.arg, symbol.dim});
  EXPECT_EQ(symbols,
            (std::vector<std::pair<unsigned, int64_t>>{{1, 0}, {1, 1}, {3, 0}, {0, -1}, {4, -1}}));
  EXPECT_EQ(extents->getExtent(program.getTensor(0), 0), program.symbol(0));
  EXPECT_EQ(extents->getExtent(program.getTensor(0), 1), program.constant(8));
  EXPECT_EQ(extents->getSymbolExpr(1), program.constant(8));
  EXPECT_EQ(extents->getScalar(program.getArgument(4)), program.symbol(4));
  EXPECT_FALSE(extents->getScalar(program.getArgument(2)));
}

TEST(ExtentsTest, FollowsTransformsAndReductions) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x16xf32> {
      %0 = fuser.sum %x dims [1] {domains = [#fuser.domain<root = [i0, r1], split(r1, 16) -> (r2, i3),
          logical = [i0, r2, i3], split(i0, outer 4) -> (i4, i5), merge(i5, r2) -> r6, resize(i4, 1, 2) -> i7,
          broadcast() -> b8, loop = [i7 @block_x, b8, r6, i3 @thread_x]>]} : tensor<?x?xf32> -> tensor<?x16xf32>
      fuser.return %0 : tensor<?x16xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  Value sum = program.getTensor(0);
  std::vector<std::string> ids;
  for (unsigned id = 0; id < 9; ++id)
    ids.push_back(toString(extents->getIdExtent(sum, id)));
  EXPECT_EQ(ids, (std::vector<std::string>{"s0", "s1", "s1 ceildiv 16", "16", "4", "s0 ceildiv 4",
                                           "(s0 ceildiv 4) * (s1 ceildiv 16)", "7", "1"}));
  EXPECT_EQ(toString(extents->getExtent(sum, 0)), "s0");
  EXPECT_EQ(extents->getExtents(sum).size(), 2u);
}

TEST(ExtentsTest, EqualFactsAndMappedDimensionsShareOneSymbol) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?x?xf32>
        attributes {facts = [#fuser.fact<equal 2[0], 0[1]>]} {
      %0 = fuser.broadcast %b dims [0] : tensor<?xf32> -> tensor<1x?xf32>
      %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
      %2 = fuser.add %1, %y : tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  EXPECT_EQ(extents->getExtent(program.getArgument(1), 0), program.symbol(0));
  EXPECT_EQ(extents->getExtent(program.getArgument(1), 1), program.symbol(1));
  EXPECT_EQ(extents->getExtent(program.getArgument(2), 0), program.symbol(1));
  EXPECT_EQ(extents->getExtent(program.getTensor(0), 0), program.constant(1));
  EXPECT_EQ(extents->getExtent(program.getArgument(3), 0), program.symbol(5));
  // Only what the ops demand needs a guard of its own; the fact has one already.
  std::vector<std::string> equalities;
  for (const ExtentAnalysis::Equality &equality : extents->getImpliedEqualities()) {
    equalities.push_back(toString(equality.lhs) + " = " + toString(equality.rhs));
    EXPECT_EQ(equality.op, program.getOp(2));
  }
  EXPECT_EQ(equalities, (std::vector<std::string>{"s0 = s2", "s1 = s3"}));
  EXPECT_TRUE(extents->isProvablyEqual(program.symbol(3), program.symbol(4)));
  EXPECT_FALSE(extents->isProvablyEqual(program.symbol(0), program.symbol(1)));
}

TEST(ExtentsTest, StaticSizesWinAndAreGuarded) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<32xf32>) -> tensor<?xf32> {
      %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<32xf32>) -> tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  EXPECT_EQ(extents->getExtent(program.getArgument(0), 0), program.constant(32));
  ASSERT_EQ(extents->getImpliedEqualities().size(), 1u);
  EXPECT_EQ(extents->getConstant(program.symbol(0)), 32);
}

// Two dimensions of an op may need the same.
TEST(ExtentsTest, AnEqualityIsNeededOnce) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32>
        attributes {facts = [#fuser.fact<equal 0[0], 0[1]>, #fuser.fact<equal 1[0], 1[1]>]} {
      %0 = fuser.add %x, %y : tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  EXPECT_EQ(extents->getImpliedEqualities().size(), 1u);
  EXPECT_TRUE(extents->isProvablyEqual(program.symbol(1), program.symbol(3)));
}

// What a reshape splits is divisible, and is guarded where nothing else says so.
TEST(ExtentsTest, SplitsOfReshapesDivide) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x6xf32>, %z: tensor<?xf32>)
        -> (tensor<?x?x8xf32>, tensor<?x4xf32>, tensor<?x16xf32>)
        attributes {facts = [#fuser.fact<divisible 2[0], 32>]} {
      %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?x?x8xf32>
      %1 = fuser.reshape %y : tensor<?x6xf32> -> tensor<?x4xf32>
      %2 = fuser.reshape %z : tensor<?xf32> -> tensor<?x16xf32>
      fuser.return %0, %1, %2 : tensor<?x?x8xf32>, tensor<?x4xf32>, tensor<?x16xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  std::vector<std::string> equalities;
  for (const ExtentAnalysis::Equality &equality : extents->getImpliedEqualities())
    equalities.push_back(toString(equality.lhs) + " = " + toString(equality.rhs));
  EXPECT_EQ(equalities, (std::vector<std::string>{"s1 = (s1 ceildiv 8) * 8",
                                                  "s2 * 6 = ((s2 * 6) ceildiv 4) * 4"}));
  EXPECT_EQ(extents->getKnownDivisor(program.symbol(1)), 8);
  EXPECT_EQ(extents->getKnownDivisor(program.symbol(2)), 2);
  EXPECT_EQ(extents->getKnownDivisor(program.symbol(2) * 6), 12);
  // So nothing is rounded.
  EXPECT_TRUE(
      extents->isProvablyEqual(extents->getExtent(program.getTensor(0), 1) * 8, program.symbol(1)));
  EXPECT_TRUE(extents->isProvablyEqual(extents->getExtent(program.getTensor(1), 0) * 4,
                                       program.symbol(2) * 6));
}

// Also where a product of sizes is split twice.
TEST(ExtentsTest, SplitsOfProductsDivide) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<8x?x?x3xf32>) -> (tensor<?x2x48xf32>, tensor<?xf32>) {
      %0 = fuser.reshape %x : tensor<8x?x?x3xf32> -> tensor<?x2x48xf32>
      %1 = fuser.reshape %0 : tensor<?x2x48xf32> -> tensor<?xf32>
      fuser.return %0, %1 : tensor<?x2x48xf32>, tensor<?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  AffineExpr rows = program.symbol(1) * program.symbol(2);
  EXPECT_EQ(extents->getKnownDivisor(rows), 4);
  EXPECT_TRUE(extents->isProvablyEqual(extents->getExtent(program.getTensor(1), 0), rows * 24));
  EXPECT_EQ(extents->getImpliedEqualities().size(), 2u);
}

TEST(ExtentsTest, FactsOfAClassBelongToItsSymbol) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16>
        attributes {facts = [#fuser.fact<divisible 1[1], 8>, #fuser.fact<divisible 0[1], 12>, #fuser.fact<at_most 1[1], 4096>,
                             #fuser.fact<at_least 0[1], 24>, #fuser.fact<aligned 1, 16>, #fuser.fact<aligned 2, 32>,
                             #fuser.fact<elements_at_most 2, 1000>]} {
      %0 = fuser.add %x, %y : tensor<?x?xbf16>
      fuser.return %0 : tensor<?x?xbf16>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  AffineExpr columns = extents->getExtent(program.getTensor(0), 1);
  EXPECT_EQ(extents->getKnownDivisor(columns), 24);
  EXPECT_EQ(extents->getUpperBound(columns), 4096);
  EXPECT_EQ(extents->getLowerBound(columns), 24);
  EXPECT_EQ(extents->getLowerBound(program.symbol(0)), 0);
  EXPECT_EQ(extents->getUpperBound(program.symbol(0)), std::nullopt);
  EXPECT_EQ(extents->getUpperBound(columns.ceilDiv(1024)), 4);
  EXPECT_EQ(extents->getConstant(columns.ceilDiv(4096)), 1);
  EXPECT_EQ(extents->getPointerAlignment(0), 2);
  EXPECT_EQ(extents->getPointerAlignment(1), 16);
  EXPECT_EQ(extents->getPointerAlignment(2), 32);
  EXPECT_EQ(extents->getElementsAtMost(0), std::nullopt);
  EXPECT_EQ(extents->getElementsAtMost(2), 1000);
}

TEST(ExtentsTest, TranslatesScalarArithmetic) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %n: i64, %m: index) -> tensor<?x?xf32> {
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %0 = fuser.add %x, %x : tensor<?x?xf32>
      %d = tensor.dim %0, %c1 : tensor<?x?xf32>
      %q = arith.ceildivsi %d, %c8 : index
      %i = arith.index_cast %n : i64 to index
      %s = arith.addi %q, %i : index
      %t = arith.muli %s, %c8 : index
      %u = arith.maxsi %c1, %c8 : index
      %v = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0)>(%d)[%m]
      %w = arith.divsi %i, %c8 : index
      fuser.return %0 : tensor<?x?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  std::map<std::string, std::string> scalars;
  for (Operation &op : program.get().getFunctionBody().front())
    if (op.getNumResults() && op.getResult(0).getType().isIndex())
      scalars[op.getName().getStringRef().str()] = toString(extents->getScalar(op.getResult(0)));
  EXPECT_EQ(scalars["tensor.dim"], "s1");
  EXPECT_EQ(scalars["arith.ceildivsi"], "s1 ceildiv 8");
  EXPECT_EQ(scalars["arith.addi"], "s1 ceildiv 8 + s2");
  EXPECT_EQ(scalars["arith.muli"], "(s1 ceildiv 8 + s2) * 8");
  EXPECT_EQ(scalars["arith.maxsi"], "8");
  EXPECT_EQ(scalars["affine.apply"], "s1 floordiv 4 + s3");
  // n may be negative, where truncation is not floor.
  EXPECT_EQ(scalars["arith.divsi"], "");
}

TEST(ExtentsTest, FollowsShapeOps) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?x64xf32>, %y: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
      %0 = fuser.reshape %x : tensor<?x?x64xf32> -> tensor<?x64xf32>
      %1 = fuser.slice %0 [2, 0] [%n, 64] : tensor<?x64xf32> -> tensor<?x64xf32>
      %zero = arith.constant 0.0 : f32
      %2 = fuser.pad %1 low [1, 0] high [%n, 0] value %zero : tensor<?x64xf32>, f32 -> tensor<?x64xf32>
      %3 = fuser.cat %2, %y dim 0 : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
      %4 = fuser.permute %3 [1, 0] : tensor<?x64xf32> -> tensor<64x?xf32>
      %5 = fuser.broadcast %4 dims [0] : tensor<64x?xf32> -> tensor<1x64x?xf32>
      %6 = fuser.expand %5 sizes(%n) : tensor<1x64x?xf32> -> tensor<?x64x?xf32>
      fuser.return %3 : tensor<?x64xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  std::vector<std::string> sizes;
  for (unsigned index : {0, 1, 2, 3})
    sizes.push_back(toString(extents->getExtent(program.getTensor(index), 0)));
  EXPECT_EQ(sizes, (std::vector<std::string>{"s0 * s1", "s5", "s5 * 2 + 1", "s5 * 2 + s3 + 1"}));
  EXPECT_EQ(toString(extents->getExtent(program.getTensor(4), 1)), "s5 * 2 + s3 + 1");
  EXPECT_EQ(toString(extents->getExtent(program.getTensor(6), 0)), "s5");
  // The scalar may be negative, but not where it is an extent.
  EXPECT_EQ(extents->getLowerBound(program.symbol(5)), 0);
  EXPECT_TRUE(extents->getImpliedEqualities().empty());
}

// An extent that is an expression may stand for the size of an argument.
TEST(ExtentsTest, SymbolsMayEqualExpressions) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>
        attributes {facts = [#fuser.fact<divisible 1[0], 8>, #fuser.fact<at_most 0[0], 100>]} {
      %zero = arith.constant 0.0 : f32
      %0 = fuser.pad %x low [1] high [2] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
      %1 = fuser.add %0, %y : tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  EXPECT_EQ(toString(extents->getExtent(program.getArgument(1), 0)), "s0 + 3");
  EXPECT_EQ(extents->getKnownDivisor(program.symbol(1)), 8);
  EXPECT_EQ(extents->getUpperBound(program.symbol(1)), 103);
  ASSERT_EQ(extents->getImpliedEqualities().size(), 1u);
}

// An equality of two sums determines one of their symbols, and is checked as it was demanded.
TEST(ExtentsTest, SumsMayBeEqual) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
      %zero = arith.constant 0.0 : f32
      %0 = fuser.cat %x, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %1 = fuser.pad %z low [2] high [130] value %zero : tensor<?xf32>, f32 -> tensor<?xf32>
      %2 = fuser.add %0, %1 : tensor<?xf32>
      fuser.return %2 : tensor<?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  const AffineExpr joined = program.symbol(0) + program.symbol(1), padded = program.symbol(2) + 132;
  EXPECT_TRUE(extents->isProvablyEqual(joined, padded));
  EXPECT_TRUE(extents->isProvablyEqual(joined.ceilDiv(128), padded.ceilDiv(128)));
  EXPECT_FALSE(extents->isProvablyEqual(joined, padded + 1));
  EXPECT_EQ(toString(extents->getExtent(program.getArgument(2), 0)), "s0 + s1 - 132");
  EXPECT_EQ(extents->getLowerBound(program.symbol(2)), 0);
  ASSERT_EQ(extents->getImpliedEqualities().size(), 1u);
  EXPECT_EQ(toString(extents->getImpliedEqualities()[0].lhs), "s0 + s1");
  EXPECT_EQ(toString(extents->getImpliedEqualities()[0].rhs), "s2 + 132");
}

// Rows that two reshapes merge are equal, though no size of one argument is one of the other.
TEST(ExtentsTest, ProductsMayBeEqual) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
      %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?xf32>
      %1 = fuser.reshape %y : tensor<?x?xf32> -> tensor<?xf32>
      %2 = fuser.add %1, %z : tensor<?xf32>
      %3 = fuser.mul %0, %2 : tensor<?xf32>
      fuser.return %3 : tensor<?xf32>
    })");
  auto extents = ExtentAnalysis::create(program.get());
  ASSERT_TRUE(succeeded(extents));
  const AffineExpr x = program.symbol(0) * program.symbol(1),
                   y = program.symbol(2) * program.symbol(3);
  EXPECT_TRUE(extents->isProvablyEqual(x, y));
  EXPECT_TRUE(extents->isProvablyEqual(x, extents->getExtent(program.getArgument(2), 0)));
  EXPECT_FALSE(extents->isProvablyEqual(program.symbol(0), program.symbol(2)));
  EXPECT_EQ(extents->getImpliedEqualities().size(), 2u);
}

TEST(ExtentsTest, ReportsContradictions) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32>
        attributes {facts = [#fuser.fact<equal 0[0], 1[0]>]} {
      fuser.return %x : tensor<8xf32>
    })");
  std::string message = getDiagnostic(
      program.context, [&] { EXPECT_TRUE(failed(ExtentAnalysis::create(program.get()))); });
  EXPECT_EQ(message, "'fuser.fusion' op expected equal extents by #fuser.fact<equal 0[0], 1[0]>, "
                     "but got 8 and 16");
}

TEST(ExtentsTest, ReportsContradictionsOfOps) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>, %y: tensor<8xf32>, %z: tensor<16xf32>) -> tensor<?xf32> {
      %0 = fuser.add %x, %y : (tensor<?xf32>, tensor<8xf32>) -> tensor<?xf32>
      %1 = fuser.add %x, %z : (tensor<?xf32>, tensor<16xf32>) -> tensor<?xf32>
      fuser.return %1 : tensor<?xf32>
    })");
  std::string message = getDiagnostic(
      program.context, [&] { EXPECT_TRUE(failed(ExtentAnalysis::create(program.get()))); });
  EXPECT_EQ(message, "'fuser.add' op expected equal extents of dimensions that it maps to one, but "
                     "got 16 and 8");
}

TEST(ExtentsTest, ReportsOpsWithoutMapping) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      fuser.return %x : tensor<?xf32>
    })");
  std::string message = getDiagnostic(
      program.context, [&] { EXPECT_TRUE(failed(ExtentAnalysis::create(program.get()))); });
  EXPECT_EQ(
      message,
      "'tensor.empty' op expected an op with a domain mapping in 'fuser.fusion', but got none");
}
} // namespace
