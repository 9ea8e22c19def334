//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DIALECT_TRANSFORMS_KERNELFIXTURE_H
#define FUSER_UNITTESTS_DIALECT_TRANSFORMS_KERNELFIXTURE_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace fuser {

/// A module of one kernel from text, its diagnostics, and its ops by position.
class KernelTest : public ::testing::Test {
protected:
  KernelTest() {
    context.loadDialect<FuserDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::tensor::TensorDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { message = diagnostic.str(); });
  }

  void parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << message;
    kernel = *module->getOps<KernelOp>().begin();
  }

  TensorViewOpInterface getOp(unsigned position) {
    return mlir::cast<TensorViewOpInterface>(
        *std::next(kernel.getBody().front().begin(), position));
  }

  std::string print(DomainAttr domain) {
    std::string text;
    llvm::raw_string_ostream(text) << domain;
    return text;
  }

  /// The kernel is valid IR.
  void verify() { EXPECT_TRUE(mlir::succeeded(mlir::verify(*module))) << message; }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelOp kernel;
  /// The last diagnostic.
  std::string message;
};

} // namespace fuser

#endif // FUSER_UNITTESTS_DIALECT_TRANSFORMS_KERNELFIXTURE_H
