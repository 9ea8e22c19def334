//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The verdict of the fuzzers on outputs: what the cheap exp of ADR 11 moves is rounding, mistakes
// are not. The outputs are those of a program whose exp is off by a factor.
//
//===----------------------------------------------------------------------===//

#include "Fuzz/OutputCheck.h"

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Reference/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;
using reference::Tensor;

namespace {

class OutputCheckTest : public testing::Test {
protected:
  OutputCheckTest() { context.loadDialect<FuserDialect, arith::ArithDialect>(); }

  /// exp(x) - y on elements of `type`; exp is computed in f64 and multiplied by `factor`.
  OwningOpRef<ModuleOp> makeProgram(FloatType type, double factor) {
    std::string text;
    llvm::raw_string_ostream out(text);
    auto tensor = RankedTensorType::get({kCount}, type);
    auto wide = RankedTensorType::get({kCount}, Float64Type::get(&context));
    out << "fuser.fusion @f(%x: " << tensor << ", %y: " << tensor << ") -> " << tensor << " {\n"
        << "%w = fuser.cast %x : " << tensor << " to " << wide << "\n"
        << "%e = fuser.exp %w : " << wide << "\n"
        << "%c = arith.constant " << llvm::format("%.17f", factor) << " : f64\n"
        << "%m = fuser.mul %e, %c : (" << wide << ", f64) -> " << wide << "\n"
        << "%r = fuser.cast %m : " << wide << " to " << tensor << "\n"
        << "%0 = fuser.sub %r, %y : " << tensor << "\n"
        << "fuser.return %0 : " << tensor << "\n}";
    return parseSourceString<ModuleOp>(text, &context);
  }
  /// The same with an exp of `type`.
  OwningOpRef<ModuleOp> makeProgram(FloatType type) {
    std::string text;
    llvm::raw_string_ostream out(text);
    auto tensor = RankedTensorType::get({kCount}, type);
    out << "fuser.fusion @f(%x: " << tensor << ", %y: " << tensor << ") -> " << tensor << " {\n"
        << "%e = fuser.exp %x : " << tensor << "\n"
        << "%0 = fuser.sub %e, %y : " << tensor << "\n"
        << "fuser.return %0 : " << tensor << "\n}";
    return parseSourceString<ModuleOp>(text, &context);
  }

  static FusionOp getFusion(ModuleOp module) { return *module.getOps<FusionOp>().begin(); }
  static Tensor evaluate(ModuleOp module, ArrayRef<Tensor> arguments) {
    auto outputs = reference::evaluate(getFusion(module), arguments);
    EXPECT_TRUE(succeeded(outputs));
    reference::roundElements(outputs->front(), /*roundF32=*/true);
    return outputs->front();
  }

  /// The verdict on what a kernel gives whose exp is off by `factor`; `change` is done to that.
  Verdict judge(FloatType type, double factor,
                llvm::function_ref<void(std::vector<double> &)> change = nullptr) {
    OwningOpRef<ModuleOp> program = makeProgram(type), device = makeProgram(type, factor);
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> distribution(-8, 8);
    Tensor x(type, {kCount}), zeros(type, {kCount});
    for (double &value : x.floats())
      value = distribution(random);
    reference::roundElements(x, /*roundF32=*/true);
    // Of exp(x) minus itself every unit in the last place shows.
    Tensor arguments[] = {x, evaluate(*program, {x, zeros})};
    Tensor output = evaluate(*device, arguments);
    if (change)
      change(output.floats());
    return checkOutputs(getFusion(*program), arguments, {output}).verdict;
  }

  static constexpr int64_t kCount = 4096;
  MLIRContext context;
  FloatType f16 = Float16Type::get(&context), bf16 = BFloat16Type::get(&context),
            f32 = Float32Type::get(&context);
};

TEST_F(OutputCheckTest, ExactOutputsPass) {
  for (FloatType type : {f16, bf16})
    EXPECT_EQ(judge(type, 1), Verdict::Passed);
}

TEST_F(OutputCheckTest, WhatCheapMathMovesInShortTypesIsRounding) {
  for (FloatType type : {f16, bf16})
    for (double factor : {1 + 0x1p-17, 1 - 0x1p-17})
      EXPECT_EQ(judge(type, factor), Verdict::Rounding) << "exp times " << factor;
}

TEST_F(OutputCheckTest, LargerErrorsAreWrong) {
  for (double factor : {1 + 0x1p-12, 1 - 0x1p-12, 1 + 0x1p-9})
    EXPECT_EQ(judge(f16, factor), Verdict::Wrong) << "exp times " << factor;
  for (double factor : {1 + 0x1p-9, 1 - 0x1p-9})
    EXPECT_EQ(judge(bf16, factor), Verdict::Wrong) << "exp times " << factor;
}

TEST_F(OutputCheckTest, OtherTypesHaveExactMath) {
  EXPECT_EQ(judge(f32, 1 + 0x1p-23), Verdict::Rounding);
  EXPECT_EQ(judge(f32, 1 + 0x1p-17), Verdict::Wrong);
}

TEST_F(OutputCheckTest, OneWrongElementAmongRoundedOnesIsWrong) {
  auto change = [](std::vector<double> &values) { values[17] += 0.25; };
  for (FloatType type : {f16, bf16, f32})
    EXPECT_EQ(judge(type, 1 + 0x1p-20, change), Verdict::Wrong);
}

} // namespace
