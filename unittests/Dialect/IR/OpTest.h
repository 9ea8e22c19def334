//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A fixture that parses one op and evaluates the scalar code that it builds by constant folding.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DIALECT_IR_OPTEST_H
#define FUSER_UNITTESTS_DIALECT_IR_OPTEST_H

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <string>

namespace fuser {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class OpTest : public ::testing::Test {
protected:
  OpTest() : builder(&context) { context.loadDialect<FuserDialect>(); }

  /// The only op before the return of a fusion with these arguments.
  mlir::Operation *parse(llvm::StringRef arguments, llvm::StringRef op) {
    std::string text = ("fuser.fusion @f(" + arguments + ") {\n" + op + "\nfuser.return\n}").str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return nullptr;
    auto fusion = *module->getOps<FusionOp>().begin();
    builder.setInsertionPointToStart(&fusion.getBody().front());
    return &fusion.getBody().front().front();
  }

  mlir::Location loc() { return builder.getUnknownLoc(); }

  mlir::Value constant(mlir::Type type, double value) {
    if (mlir::isa<mlir::FloatType>(type))
      return mlir::arith::ConstantOp::create(builder, loc(), builder.getFloatAttr(type, value));
    return mlir::arith::ConstantOp::create(builder, loc(),
                                           builder.getIntegerAttr(type, int64_t(value)));
  }

  /// The constant that `value` folds to; fails the test where it does not fold.
  double evaluate(mlir::Value value) {
    llvm::DenseMap<mlir::Value, mlir::Attribute> known;
    for (mlir::Operation &op : *value.getParentBlock()) {
      if (op.getNumResults() == 0 || op.getDialect()->getNamespace() == "fuser")
        continue;
      auto operands = llvm::map_to_vector(
          op.getOperands(), [&](mlir::Value operand) { return known.lookup(operand); });
      if (mlir::Attribute rounded = evaluateRounding(&op, operands)) {
        known[op.getResult(0)] = rounded;
        continue;
      }
      llvm::SmallVector<mlir::OpFoldResult> results;
      if (failed(op.fold(operands, results)) || results.empty())
        continue;
      for (auto [result, folded] : llvm::zip_equal(op.getResults(), results))
        known[result] = mlir::isa<mlir::Attribute>(folded)
                            ? mlir::cast<mlir::Attribute>(folded)
                            : known.lookup(mlir::cast<mlir::Value>(folded));
    }
    mlir::Attribute result = known.lookup(value);
    if (auto number = mlir::dyn_cast_or_null<mlir::FloatAttr>(result))
      return number.getValueAsDouble();
    if (auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(result))
      return number.getType().isInteger(1) ? double(number.getValue().getZExtValue())
                                           : double(number.getValue().getSExtValue());
    ADD_FAILURE() << "expected a value that folds to a constant";
    return 0;
  }

  /// Ops that upstream does not fold because they round: truncf, and fma.
  static mlir::Attribute evaluateRounding(mlir::Operation *op,
                                          llvm::ArrayRef<mlir::Attribute> operands) {
    llvm::SmallVector<llvm::APFloat> values;
    for (mlir::Attribute operand : operands)
      if (auto number = mlir::dyn_cast_or_null<mlir::FloatAttr>(operand))
        values.push_back(number.getValue());
    if (values.size() != operands.size())
      return {};
    auto type = mlir::dyn_cast<mlir::FloatType>(op->getResult(0).getType());
    if (mlir::isa<mlir::arith::TruncFOp>(op)) {
      bool lost;
      values[0].convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
      return mlir::FloatAttr::get(type, values[0]);
    }
    if (mlir::isa<mlir::math::FmaOp>(op)) {
      values[0].fusedMultiplyAdd(values[1], values[2], llvm::APFloat::rmNearestTiesToEven);
      return mlir::FloatAttr::get(type, values[0]);
    }
    return {};
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace fuser

#endif // FUSER_UNITTESTS_DIALECT_IR_OPTEST_H
