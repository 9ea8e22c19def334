//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// verifySchedule is a query: it writes no code.
//
//===----------------------------------------------------------------------===//

#include "fuser/Lowering/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

/// A context without the dialects of kernel IR: no op, type or attribute of theirs can be made.
class VerifyScheduleTest : public ::testing::Test {
protected:
  VerifyScheduleTest() {
    context.loadDialect<FuserDialect>();
    EXPECT_EQ(context.getLoadedDialect("gpu"), nullptr);
    EXPECT_EQ(context.getLoadedDialect("fuser_gpu"), nullptr);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      diagnostics.push_back(diagnostic.str());
      return success();
    });
  }

  LogicalResult verify(StringRef text, const LoweringOptions &options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    std::string before = print(*module);
    std::vector<Dialect *> dialects = context.getLoadedDialects();
    LogicalResult result = verifySchedule(*module->getOps<KernelOp>().begin(), options);
    EXPECT_EQ(before, print(*module));
    EXPECT_EQ(context.getLoadedDialects(), dialects);
    return result;
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  MLIRContext context;
  std::vector<std::string> diagnostics;
};

/// A value in shared memory, and its sum over the threads of two warps, which exchange their sums
/// there.
constexpr StringLiteral kSum = R"(
fuser.kernel @sum(%x: tensor<64x512xf32>) -> tensor<64xf32> {
  %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], split(i1, 128) -> (i2, i3), split(i3, 4) -> (i4, i5), loop = [i0 @block_x, i2, i4 @thread_x, i5]>], memory = #fuser.memory<shared>} : tensor<64x512xf32>
  %1 = fuser.sum %0 dims [1] {domains = [#fuser.domain<logical = [i0, r1], split(r1, 128) -> (r2, r3), split(r3, 64) -> (r4, r5), loop = [i0 @block_x, r2, r4, r5 @thread_x]>], memory = #fuser.memory<global>} : tensor<64x512xf32> -> tensor<64xf32>
  fuser.return %1 : tensor<64xf32>
}
)";

TEST_F(VerifyScheduleTest, WritesNoCode) {
  EXPECT_TRUE(succeeded(verify(kSum)));
  EXPECT_TRUE(diagnostics.empty());
}

TEST_F(VerifyScheduleTest, CountsSharedMemoryOfReductions) {
  // A row of 512 elements, and one sum for each warp (in 16 bytes).
  LoweringOptions options;
  options.maxSharedBytes = 512 * 4 + 16;
  EXPECT_TRUE(succeeded(verify(kSum, options)));
  options.maxSharedBytes = 512 * 4 + 15;
  EXPECT_TRUE(failed(verify(kSum, options)));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0], "'fuser.kernel' op expected at most 2063 bytes of shared memory in a "
                            "block, but got 2064");
}

TEST_F(VerifyScheduleTest, CountsSharedMemoryOfScans) {
  constexpr StringLiteral kScan = R"(
fuser.kernel @scan(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = fuser.cumsum %x dim 1 {domains = [#fuser.domain<logical = [i0, i1], loop = [i0 @block_x, i1 @thread_x]>], memory = #fuser.memory<global>} : tensor<64x128xf32> -> tensor<64x128xf32>
  fuser.return %0 : tensor<64x128xf32>
}
)";
  // One tuple for each of four warps.
  LoweringOptions options;
  options.maxSharedBytes = 16;
  EXPECT_TRUE(succeeded(verify(kScan, options)));
  options.maxSharedBytes = 15;
  EXPECT_TRUE(failed(verify(kScan, options)));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0],
            "'fuser.kernel' op expected at most 15 bytes of shared memory in a block, but got 16");
}

TEST_F(VerifyScheduleTest, RefusesVectorsThatDoNotDivide) {
  EXPECT_TRUE(failed(verify(R"(
fuser.kernel @vector(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.exp %x {domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), loop = [i1 @block_x, i2 @vectorize]>], memory = #fuser.memory<global>} : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
)")));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_TRUE(StringRef(diagnostics[0]).contains("expected a vector access of 4 elements"));
}

} // namespace
