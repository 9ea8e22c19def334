//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Small programs for the tests of ids and analyses, parsed from text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_IDS_TESTPROGRAMS_H
#define FUSER_UNITTESTS_IDS_TESTPROGRAMS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace fuser::test {

/// Reshapes: a static dimension split, dynamic ones merged, and other factors of one number.
inline constexpr llvm::StringLiteral kHeads = R"(
    fuser.fusion @f(%x: tensor<?x12xf32>) -> tensor<?x3x4xf32> {
      %0 = fuser.reshape %x : tensor<?x12xf32> -> tensor<?x3x4xf32>
      fuser.return %0 : tensor<?x3x4xf32>
    })";
inline constexpr llvm::StringLiteral kFlat = R"(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    })";
inline constexpr llvm::StringLiteral kOtherFactors = R"(
    fuser.fusion @f(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
      %0 = fuser.reshape %x : tensor<6x4xf32> -> tensor<4x6xf32>
      fuser.return %0 : tensor<4x6xf32>
    })";

/// A program (the first function of a module) that owns its IR.
class Program {
public:
  explicit Program(llvm::StringRef text) {
    context.loadDialect<FuserDialect, mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                        mlir::math::MathDialect, mlir::tensor::TensorDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (module)
      function = *module->getOps<mlir::FunctionOpInterface>().begin();
    EXPECT_TRUE(function) << "expected text that parses";
  }

  mlir::FunctionOpInterface get() const { return function; }
  mlir::Value getArgument(unsigned index) { return function.getArgument(index); }
  /// The first result of the index-th op with tensor results.
  mlir::Value getTensor(unsigned index) {
    for (mlir::Operation &op : function.getFunctionBody().front())
      if (op.getNumResults() && mlir::isa<mlir::RankedTensorType>(op.getResult(0).getType()) &&
          index-- == 0)
        return op.getResult(0);
    ADD_FAILURE() << "expected that many tensors";
    return {};
  }
  mlir::Operation *getOp(unsigned index) { return getTensor(index).getDefiningOp(); }
  /// The value of `fuser.return` at `index`.
  mlir::Value getOutput(unsigned index) {
    return function.getFunctionBody().front().getTerminator()->getOperand(index);
  }
  mlir::AffineExpr symbol(unsigned index) { return mlir::getAffineSymbolExpr(index, &context); }
  mlir::AffineExpr constant(int64_t value) { return mlir::getAffineConstantExpr(value, &context); }

  mlir::MLIRContext context;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface function;
};

/// The text of an expression, for comparison in tests.
inline std::string toString(mlir::AffineExpr expr) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (expr)
    stream << expr;
  return text;
}

/// The same with "2^62", the divisor of signs, in place of its digits.
inline std::string toShortString(mlir::AffineExpr expr) {
  const llvm::StringRef digits = "4611686018427387904";
  std::string text = toString(expr);
  for (size_t at; (at = text.find(digits)) != std::string::npos;)
    text.replace(at, digits.size(), "2^62");
  return text;
}

} // namespace fuser::test

#endif // FUSER_UNITTESTS_IDS_TESTPROGRAMS_H
