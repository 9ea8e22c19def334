//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_SCHEDULING_KERNELFIXTURE_H
#define FUSER_UNITTESTS_SCHEDULING_KERNELFIXTURE_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace fuser {

/// A module of one kernel from text, and the last diagnostic.
class KernelTest : public ::testing::Test {
protected:
  KernelTest() {
    context.loadDialect<FuserDialect, FuserSchedDialect, mlir::arith::ArithDialect,
                        mlir::math::MathDialect, mlir::tensor::TensorDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { message = diagnostic.str(); });
  }

  void parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << message;
    kernel = *module->getOps<KernelOp>().begin();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelOp kernel;
  std::string message;
};

} // namespace fuser

#endif // FUSER_UNITTESTS_SCHEDULING_KERNELFIXTURE_H
