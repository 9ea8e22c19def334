//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fixture: evaluates programs written as text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_REFERENCE_REFERENCETEST_H
#define FUSER_UNITTESTS_REFERENCE_REFERENCETEST_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Reference/Evaluate.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

namespace fuser::reference {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

class ReferenceTest : public testing::Test {
protected:
  ReferenceTest() {
    context.loadDialect<FuserDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::tensor::TensorDialect>();
  }

  mlir::Type type(llvm::StringRef name) { return mlir::parseType(name, &context); }
  Tensor floats(llvm::StringRef element, llvm::ArrayRef<int64_t> shape,
                std::vector<double> values) {
    return Tensor(type(element), shape, std::move(values));
  }
  Tensor integers(llvm::StringRef element, llvm::ArrayRef<int64_t> shape,
                  std::vector<int64_t> values) {
    return Tensor(type(element), shape, std::move(values));
  }

  /// Evaluates the only function of `program`; a failure is in `diagnostics`.
  mlir::FailureOr<llvm::SmallVector<Tensor>>
  run(llvm::StringRef program, llvm::ArrayRef<Tensor> args, const EvaluateOptions &options = {}) {
    diagnostics.clear();
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
    if (!module)
      return mlir::failure();
    auto function = *module->getOps<mlir::FunctionOpInterface>().begin();
    return evaluate(function, args, options);
  }

  /// Evaluates `body` ("%0 = ... \n" that defines %0 of type `result`) on arguments %a, %b, ...
  mlir::FailureOr<llvm::SmallVector<Tensor>> runBody(llvm::ArrayRef<llvm::StringRef> argTypes,
                                                     llvm::StringRef body, llvm::StringRef result,
                                                     llvm::ArrayRef<Tensor> args,
                                                     const EvaluateOptions &options = {}) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << "fuser.fusion @f(";
    char name = 'a';
    llvm::interleaveComma(argTypes, stream,
                          [&](llvm::StringRef arg) { stream << "%" << name++ << ": " << arg; });
    stream << ") -> " << result << " {\n" << body << "\nfuser.return %0 : " << result << "\n}";
    return run(text, args, options);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string diagnostics;
};

/// Equal values; NaN equals NaN, and zeros have the same sign.
inline void expectValues(llvm::ArrayRef<double> expected, llvm::ArrayRef<double> actual,
                         double tolerance = 0) {
  ASSERT_EQ(expected.size(), actual.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(actual[i])) << "element " << i << ": " << actual[i];
      continue;
    }
    if (std::isinf(expected[i]) || tolerance == 0)
      EXPECT_EQ(expected[i], actual[i]) << "element " << i;
    else
      EXPECT_NEAR(expected[i], actual[i], tolerance * std::max(1.0, std::fabs(expected[i])))
          << "element " << i;
    EXPECT_TRUE(expected[i] != 0 || std::signbit(expected[i]) == std::signbit(actual[i]))
        << "sign of zero at element " << i;
  }
}

inline void expectValues(llvm::ArrayRef<int64_t> expected, llvm::ArrayRef<int64_t> actual) {
  EXPECT_EQ(std::vector<int64_t>(expected), std::vector<int64_t>(actual));
}

} // namespace fuser::reference

#endif // FUSER_UNITTESTS_REFERENCE_REFERENCETEST_H
