//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions of 8-bit floats: every value, and every place where rounding changes its mind,
// compared with LLVM's software floats. The integer arithmetic is evaluated by folding it.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/Float8AsBits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace {

class Float8Test : public testing::Test {
protected:
  Float8Test() : builder(&context) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  }

  /// The constant that `OpT` makes of `values`, of elements `to`, once 8-bit floats are bits.
  template <typename OpT> DenseElementsAttr convert(DenseElementsAttr values, Type to) {
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type type = VectorType::get(values.getType().getShape(), to);
    auto function =
        func::FuncOp::create(builder, loc, "f", builder.getFunctionType({}, TypeRange(type)));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    Value constant = arith::ConstantOp::create(builder, loc, values);
    Value converted = OpT::create(builder, loc, type, constant);
    func::ReturnOp::create(builder, loc, converted);
    fuser::kernel_ir::carryFloat8AsBits(*module);
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_TRUE(succeeded(
        applyPatternsGreedily(*module, FrozenRewritePatternSet(RewritePatternSet(&context)))));
    DenseElementsAttr result;
    module->walk([&](func::ReturnOp op) { matchPattern(op.getOperand(0), m_Constant(&result)); });
    EXPECT_TRUE(result) << "the conversion did not fold";
    return result;
  }

  SmallVector<FloatType> getTypes() {
    return {Float8E4M3FNType::get(&context), Float8E5M2Type::get(&context)};
  }

  static APFloat round(APFloat value, const llvm::fltSemantics &to) {
    bool lost = false;
    value.convert(to, APFloat::rmNearestTiesToEven, &lost);
    return value;
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(Float8Test, ExtensionIsExactForEveryValue) {
  for (FloatType type : getTypes()) {
    SmallVector<APFloat> all;
    for (unsigned bits = 0; bits < 256; ++bits) {
      APFloat value(type.getFloatSemantics(), APInt(8, bits));
      // The extension of a signaling NaN does not fold.
      all.push_back(value.isSignaling() ? value.makeQuiet() : value);
    }
    auto values = DenseElementsAttr::get(VectorType::get({256}, type), ArrayRef<APFloat>(all));
    DenseElementsAttr result = convert<arith::ExtFOp>(values, builder.getF32Type());
    ASSERT_TRUE(result);
    for (auto [value, got] : llvm::zip_equal(all, result.getValues<APFloat>())) {
      APFloat expected = round(value, APFloat::IEEEsingle());
      if (expected.isNaN())
        EXPECT_TRUE(got.isNaN());
      else
        EXPECT_TRUE(got.bitwiseIsEqual(expected)) << value.convertToDouble();
    }
  }
}

TEST_F(Float8Test, TruncationRoundsToNearestEvenEverywhere) {
  for (FloatType type : getTypes()) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    SmallVector<APFloat> inputs;
    auto addAround = [&](double value) {
      float single = float(value);
      for (float sign : {1.0f, -1.0f})
        for (float near : {single, std::nextafter(single, INFINITY), std::nextafter(single, 0.0f)})
          inputs.push_back(APFloat(sign * near));
    };
    // Each finite value, and the middle between it and the next.
    for (unsigned bits = 0; bits < 128; ++bits) {
      APFloat value(semantics, APInt(8, bits)), next = value;
      if (!value.isFinite())
        continue;
      next.next(/*nextDown=*/false);
      addAround(value.convertToDouble());
      if (next.isFinite())
        addAround((value.convertToDouble() + next.convertToDouble()) / 2);
    }
    for (double edge : {464.0, 480.0, 512.0, 57344.0, 61440.0, 65536.0, 3e38, 1e-40, 1e-30})
      addAround(edge);
    inputs.push_back(APFloat(INFINITY));
    inputs.push_back(APFloat(-INFINITY));
    inputs.push_back(APFloat(NAN));

    auto values = DenseElementsAttr::get(
        VectorType::get({int64_t(inputs.size())}, builder.getF32Type()), ArrayRef<APFloat>(inputs));
    DenseElementsAttr result = convert<arith::TruncFOp>(values, type);
    ASSERT_TRUE(result);
    for (auto [value, bits] : llvm::zip_equal(inputs, result.getValues<APInt>())) {
      APFloat expected = round(value, semantics), got(semantics, bits);
      if (expected.isNaN())
        EXPECT_TRUE(got.isNaN()) << value.convertToDouble();
      else
        EXPECT_TRUE(got.bitwiseIsEqual(expected))
            << value.convertToDouble() << " gave " << got.convertToDouble();
    }
  }
}

TEST_F(Float8Test, IntegersRoundThroughF32) {
  for (FloatType type : getTypes()) {
    SmallVector<int32_t> inputs = {0, 1, -1, 17, 19, 100, 448, 464, 465, -464, 70000, 1 << 30};
    auto values = DenseElementsAttr::get(
        VectorType::get({int64_t(inputs.size())}, builder.getI32Type()), ArrayRef<int32_t>(inputs));
    DenseElementsAttr result = convert<arith::SIToFPOp>(values, type);
    ASSERT_TRUE(result);
    for (auto [value, bits] : llvm::zip_equal(inputs, result.getValues<APInt>())) {
      APFloat expected = round(APFloat(float(value)), type.getFloatSemantics());
      APFloat got(type.getFloatSemantics(), bits);
      EXPECT_TRUE(got.bitwiseIsEqual(expected) || (got.isNaN() && expected.isNaN())) << value;
    }
  }
}

} // namespace
