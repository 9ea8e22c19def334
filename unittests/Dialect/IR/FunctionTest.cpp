//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inherent attributes of fusions, attributes of TensorViews, and the builders of ops.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class FunctionTest : public ::testing::Test {
protected:
  FunctionTest() : builder(&context) {
    context.loadDialect<FuserDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    matrix = RankedTensorType::get({ShapedType::kDynamic, 8}, builder.getF32Type());
    Type inputs[] = {matrix, matrix}, outputs[] = {matrix, matrix};
    fusion = FusionOp::create(builder, builder.getUnknownLoc(), "f",
                              builder.getFunctionType(inputs, outputs));
    builder.setInsertionPointToEnd(&fusion.getBody().front());
    x = fusion.getArgument(0);
  }

  /// Ends the fusion and verifies the module; returns the first diagnostic.
  std::string verify() {
    builder.setInsertionPointToEnd(&fusion.getBody().front());
    if (fusion.getBody().front().empty() || !isa<ReturnOp>(fusion.getBody().front().back()))
      ReturnOp::create(builder, builder.getUnknownLoc(), ValueRange{x, x});
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
      return success();
    });
    (void)mlir::verify(*module);
    return message;
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  RankedTensorType matrix;
  FusionOp fusion;
  Value x;
};

// S0.1: a required stride order by output position, apart from the tensors' domains.
TEST_F(FunctionTest, S0_1_StrideOrderByOutput) {
  EXPECT_EQ(fusion.getOutputStrideOrder(0), std::nullopt);
  fusion.setOutputStrideOrder(1, ArrayRef<int64_t>{1, 0});
  EXPECT_EQ(fusion.getOutputStrideOrder(0), std::nullopt);
  ASSERT_TRUE(fusion.getOutputStrideOrder(1).has_value());
  EXPECT_EQ(*fusion.getOutputStrideOrder(1), (ArrayRef<int64_t>{1, 0}));
  EXPECT_EQ(verify(), "");
  // The same value at another position has another order.
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{0, 1});
  EXPECT_EQ(*fusion.getOutputStrideOrder(0), (ArrayRef<int64_t>{0, 1}));
  EXPECT_EQ(*fusion.getOutputStrideOrder(1), (ArrayRef<int64_t>{1, 0}));
  EXPECT_EQ(verify(), "");
  fusion.setOutputStrideOrder(0, std::nullopt);
  fusion.setOutputStrideOrder(1, std::nullopt);
  EXPECT_EQ(fusion.getOutputStrideOrder(1), std::nullopt);
  EXPECT_FALSE(fusion->hasAttr("output_orders"));
}

TEST_F(FunctionTest, S0_1_StrideOrderIsVerified) {
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{1, 1});
  EXPECT_EQ(verify(), "'fuser.fusion' op expected the required stride order of output 0 to be a "
                      "permutation of its 2 dimensions, but got [1, 1]");
}

// S0.1: domains are apart from requirements.
TEST_F(FunctionTest, S0_1_RequirementLeavesDomainsAlone) {
  auto set = SetOp::create(builder, builder.getUnknownLoc(), x);
  DomainAttr before = set.getDomain();
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{1, 0});
  EXPECT_EQ(set.getDomain(), before);
  EXPECT_FALSE(set.hasDomains());
}

// S0.9: no permutation maps in addition to the domains. These are all the inherent attributes that
// hold an order of dimensions: a requirement by output, a request of a front end, the buffer of a
// host function, and the op that permutes.
TEST_F(FunctionTest, S0_9_OneMechanismForOrders) {
  SmallVector<std::string> orders;
  for (RegisteredOperationName op : context.getRegisteredOperationsByDialect("fuser"))
    for (StringAttr name : op.getAttributeNames())
      if (name.getValue().contains("order") || name.getValue().contains("perm"))
        orders.push_back((op.getStringRef() + "." + name.getValue()).str());
  llvm::sort(orders);
  EXPECT_EQ(orders,
            (SmallVector<std::string>{"fuser.alloc.order", "fuser.fusion.output_orders",
                                      "fuser.host.output_orders", "fuser.kernel.output_orders",
                                      "fuser.permute.permutation", "fuser.stride_order.order"}));
  llvm::StringSet<> known = {"sym_name",   "function_type", "sym_visibility", "arg_attrs",
                             "res_attrs",  "arg_layouts",   "output_orders",  "aliases",
                             "facts",      "mesh",          "arg_domains",    "input_ids",
                             "output_ids", "extent_ids"};
  for (StringRef name : FusionOp::getAttributeNames())
    EXPECT_TRUE(known.contains(name)) << name.str();
}

TEST_F(FunctionTest, LayoutsAreFacts) {
  EXPECT_TRUE(fusion.getArgLayout(0).isRowMajorContiguous());
  fusion.setArgLayout(1, LayoutAttr::get(&context, {1, 0}, {0}));
  EXPECT_FALSE(fusion.getArgLayout(1).isContiguousAt(0));
  EXPECT_TRUE(fusion.getArgLayout(1).isContiguousAt(1));
  EXPECT_TRUE(fusion.getArgLayout(0).isRowMajorContiguous());
  EXPECT_EQ(verify(), "");
  fusion.setArgLayout(1, LayoutAttr());
  EXPECT_FALSE(fusion->hasAttr("arg_layouts"));
}

// ST6: each limit of arguments, dimensions and values, also those that the parser refuses.
TEST_F(FunctionTest, FactsAreVerified) {
  auto check = [&](FactAttr fact) {
    fusion.setFactsAttr(builder.getArrayAttr({fact}));
    return verify();
  };
  MLIRContext *c = &context;
  const std::string place =
      "'fuser.fusion' op expected a fact of a dimension of a tensor argument, but got ";
  const std::string least = "'fuser.fusion' op expected a value of at least 0, but got ";
  const std::string positive = "'fuser.fusion' op expected a positive value, but got ";
  const std::string alignment = "'fuser.fusion' op expected an alignment of a power of two of at "
                                "most 4096 bytes, but got ";
  for (FactAttr fact : {FactAttr::getDivisible(c, 0, 0, 1), FactAttr::getDivisible(c, 1, 1, 7),
                        FactAttr::getStrideDivisible(c, 1, 0, 1), FactAttr::getAtMost(c, 0, 1, 0),
                        FactAttr::getAtLeast(c, 0, 0, 0), FactAttr::getEqual(c, 0, 1, 1, 1),
                        FactAttr::getAligned(c, 0, 1), FactAttr::getAligned(c, 3, 4096),
                        FactAttr::getElementsAtMost(c, 0, 0), FactAttr::getElementsAtMost(c, 3, 9)})
    EXPECT_EQ(check(fact), "");
  const std::pair<FactAttr, const std::string &> refused[] = {
      {FactAttr::getDivisible(c, 0, 0, 0), positive},
      {FactAttr::getStrideDivisible(c, 0, 0, 0), positive},
      {FactAttr::getStrideDivisible(c, 0, 0, -2), positive},
      {FactAttr::getAtMost(c, 0, 0, -1), least},
      {FactAttr::getAtLeast(c, 0, 0, -1), least},
      {FactAttr::getElementsAtMost(c, 0, -1), least},
      {FactAttr::getAligned(c, 0, 0), alignment},
      {FactAttr::getAligned(c, 0, -4), alignment},
      {FactAttr::getAligned(c, 0, 3), alignment},
      {FactAttr::getAligned(c, 0, 8192), alignment},
      {FactAttr::getAligned(c, 0, INT64_MIN), alignment},
      {FactAttr::getDivisible(c, -1, 0, 2), place},
      {FactAttr::getDivisible(c, 2, 0, 2), place},
      {FactAttr::getDivisible(c, 0, -1, 2), place},
      {FactAttr::getDivisible(c, 0, 2, 2), place},
      {FactAttr::getAligned(c, -1, 4), place},
      {FactAttr::getAligned(c, 4, 4), place},
      {FactAttr::getElementsAtMost(c, 4, 4), place},
      {FactAttr::getEqual(c, 0, 0, 2, 0), place},
      {FactAttr::getEqual(c, 0, 0, 1, 2), place},
      {FactAttr::getEqual(c, 0, 0, 1, -1), place},
      {FactAttr::getEqual(c, 0, 2, 1, 0), place}};
  for (const auto &[fact, message] : refused) {
    std::string text;
    llvm::raw_string_ostream(text) << fact;
    EXPECT_EQ(check(fact), message + text);
  }
  // A fact after a legal one.
  fusion.setFactsAttr(
      builder.getArrayAttr({FactAttr::getAligned(c, 0, 4), FactAttr::getAtMost(c, 0, 0, -1)}));
  EXPECT_EQ(verify(), least + "#fuser.fact<at_most 0[0], -1>");
}

TEST_F(FunctionTest, ScheduleOfOneResultOfTwo) {
  auto op = VarMeanOp::create(builder, builder.getUnknownLoc(), x, ArrayRef<int64_t>{1}, 1);
  auto view = cast<TensorViewOpInterface>(op.getOperation());
  EXPECT_EQ(view.getMemoryType(), MemoryType::Register);
  EXPECT_EQ(view.getInlinePosition(), 0);
  DomainBuilder domain(view.getDomain(1));
  domain.split(1, 4);
  view.setDomain(domain.build(), 1);
  EXPECT_TRUE(view.getDomain(0).isTrivial());
  EXPECT_FALSE(view.getDomain(1).isTrivial());
  view.setMemoryType(MemoryType::Shared);
  view.setInlinePosition(1);
  EXPECT_EQ(view.getMemoryType(), MemoryType::Shared);
  EXPECT_EQ(view.getInlinePosition(), 1);
  EXPECT_EQ(verify(), "");
}

TEST_F(FunctionTest, ScheduledOpsHaveAnEffect) {
  auto set = SetOp::create(builder, builder.getUnknownLoc(), x);
  EXPECT_TRUE(isMemoryEffectFree(set));
  set.setInlinePosition(0);
  EXPECT_FALSE(isMemoryEffectFree(set));
  auto mark = SegmentSetOp::create(builder, builder.getUnknownLoc(), x);
  EXPECT_FALSE(isMemoryEffectFree(mark));
}

TEST_F(FunctionTest, BuildersInferTypes) {
  Location loc = builder.getUnknownLoc();
  Type f16 = builder.getF16Type();
  auto typeOf = [](Value value) { return cast<RankedTensorType>(value.getType()); };
  int64_t dynamic = ShapedType::kDynamic;
  Value half = CastOp::create(builder, loc, f16, x);
  EXPECT_EQ(typeOf(half), RankedTensorType::get({dynamic, 8}, f16));
  Value sum = SumOp::create(builder, loc, x, ArrayRef<int64_t>{0});
  EXPECT_EQ(typeOf(sum), RankedTensorType::get({8}, builder.getF32Type()));
  Value row = BroadcastOp::create(builder, loc, sum, ArrayRef<int64_t>{0});
  EXPECT_EQ(typeOf(row), RankedTensorType::get({1, 8}, builder.getF32Type()));
  EXPECT_EQ(typeOf(AddOp::create(builder, loc, row, x)), matrix);
  EXPECT_EQ(typeOf(LtOp::create(builder, loc, x, row)),
            RankedTensorType::get({dynamic, 8}, builder.getI1Type()));
  EXPECT_EQ(typeOf(SqueezeOp::create(builder, loc, row, ArrayRef<int64_t>{0})), typeOf(sum));
  EXPECT_EQ(typeOf(PermuteOp::create(builder, loc, x, ArrayRef<int64_t>{1, 0})),
            RankedTensorType::get({8, dynamic}, builder.getF32Type()));
  EXPECT_EQ(typeOf(CatOp::create(builder, loc, ValueRange{row, row}, 0)),
            RankedTensorType::get({2, 8}, builder.getF32Type()));
  EXPECT_TRUE(GeluOp::create(builder, loc, x, /*approximate=*/true).getApproximate());
  EXPECT_EQ(verify(), "");
}

} // namespace
