//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/LayoutContract.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

// S0.2, S0.6: facts, requirements and aliases stay the same through every stage.
class LayoutContractTest : public ::testing::Test {
protected:
  LayoutContractTest() {
    context.loadDialect<FuserDialect, arith::ArithDialect, math::MathDialect>();
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &diagnostic) { message = diagnostic.str(); });
  }
  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << message;
    fusion = *module->getOps<FusionOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  FusionOp fusion;
  std::string message;
};

const char *const program = R"(
  fuser.fusion @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = fuser.neg %x : tensor<4x8xf32>
    fuser.return %0 : tensor<4x8xf32>
  })";

TEST_F(LayoutContractTest, KeptTermsPass) {
  parse(program);
  LayoutContract contract(*module);
  EXPECT_TRUE(succeeded(contract.verify(*module)));
}

TEST_F(LayoutContractTest, ANewRequirementIsFound) {
  parse(program);
  LayoutContract contract(*module);
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{1, 0});
  EXPECT_TRUE(failed(contract.verify(*module)));
  EXPECT_EQ(message, "'fuser.fusion' op expected the required stride order of output 0 to stay "
                     "absent, but got array<i64: 1, 0>");
}

TEST_F(LayoutContractTest, AStrideOrderOfAFrontEndIsARequirementAlready) {
  parse(R"(
    fuser.fusion @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = fuser.stride_order %x [1, 0] : tensor<4x8xf32>
      fuser.return %0 : tensor<4x8xf32>
    })");
  LayoutContract contract(*module);
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{1, 0});
  EXPECT_TRUE(succeeded(contract.verify(*module)));
  fusion.setOutputStrideOrder(0, ArrayRef<int64_t>{0, 1});
  EXPECT_TRUE(failed(contract.verify(*module)));
}

TEST_F(LayoutContractTest, AChangedFactIsFound) {
  parse(program);
  LayoutContract contract(*module);
  fusion.setArgLayout(0, LayoutAttr::get(&context, {1, 0}, {}));
  EXPECT_TRUE(failed(contract.verify(*module)));
  EXPECT_EQ(message, "'fuser.fusion' op expected the layout of argument 0 to stay "
                     "#fuser.layout<order = [0, 1]>, but got #fuser.layout<order = [1, 0]>");
}

TEST_F(LayoutContractTest, ANewAliasIsFound) {
  parse(program);
  LayoutContract contract(*module);
  fusion.setAliasesAttr(ArrayAttr::get(&context, {AliasAttr::get(&context, 0, 0)}));
  EXPECT_TRUE(failed(contract.verify(*module)));
}

} // namespace
