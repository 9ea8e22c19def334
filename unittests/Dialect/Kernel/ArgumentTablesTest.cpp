//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which arguments of a kernel its launch passes as arrays.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/ArgumentTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class ArgumentTablesTest : public testing::Test {
protected:
  ArgumentTablesTest() {
    context.loadDialect<arith::ArithDialect, gpu::GPUDialect, kernel_ir::FuserGPUDialect,
                        memref::MemRefDialect>();
  }

  /// The parameter runs of a kernel with seven arguments that reads tables of them.
  std::vector<unsigned> getRuns(llvm::StringRef tables) {
    std::string text = R"(gpu.module @m {
      gpu.func @k(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index, %g: index) kernel {
        %p = gpu.block_id x
        )" + tables.str() +
                       R"(
        gpu.return
      }
    })";
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    std::vector<unsigned> runs;
    module->walk([&](gpu::GPUFuncOp function) {
      FailureOr<SmallVector<unsigned>> found = kernel_ir::getParameterRuns(function);
      ASSERT_TRUE(succeeded(found));
      runs.assign(found->begin(), found->end());
    });
    return runs;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Runs = std::vector<unsigned>;

TEST_F(ArgumentTablesTest, WithoutTablesThereAreNoRuns) { EXPECT_EQ(getRuns(""), Runs{}); }

TEST_F(ArgumentTablesTest, EveryOtherArgumentIsARunOfOne) {
  EXPECT_EQ(getRuns("%0 = fuser_gpu.part_argument %p of %c, %d, %e : index"),
            Runs({1, 1, 3, 1, 1}));
  EXPECT_EQ(getRuns("%0 = fuser_gpu.part_argument %p of %a, %b : index"), Runs({2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(getRuns("%0 = fuser_gpu.part_argument %p of %f, %g : index"), Runs({1, 1, 1, 1, 1, 2}));
  EXPECT_EQ(getRuns("%0 = fuser_gpu.part_argument %p of %a, %b, %c, %d, %e, %f, %g : index"),
            Runs({7}));
}

TEST_F(ArgumentTablesTest, SeveralTablesInAnyOrder) {
  EXPECT_EQ(getRuns(R"(%0 = fuser_gpu.part_argument %p of %e, %f : index
                       %1 = fuser_gpu.part_argument %p of %a, %b, %c : index)"),
            Runs({3, 1, 2, 1}));
  // One after the other, and one that is read twice.
  EXPECT_EQ(getRuns(R"(%0 = fuser_gpu.part_argument %p of %b, %c : index
                       %1 = fuser_gpu.part_argument %p of %d, %e : index
                       %2 = fuser_gpu.part_argument %p of %b, %c : index)"),
            Runs({1, 2, 2, 1, 1}));
}

/// Each part but the first is selected by its number.
TEST_F(ArgumentTablesTest, ReadsBecomeSelections) {
  (void)getRuns(R"(%0 = fuser_gpu.part_argument %p of %b, %c, %d : index
                   %1 = arith.addi %0, %0 : index)");
  std::string text;
  module->walk([&](gpu::GPUFuncOp function) {
    kernel_ir::expandPartArguments(function);
    llvm::raw_string_ostream out(text);
    for (Operation &op : function.getBody().front())
      out << op << "\n";
  });
  EXPECT_EQ("\n" + text, R"(
%block_id_x = gpu.block_id  x
%c1 = arith.constant 1 : index
%0 = arith.cmpi eq, %block_id_x, %c1 : index
%1 = arith.select %0, %arg2, %arg1 : index
%c2 = arith.constant 2 : index
%2 = arith.cmpi eq, %block_id_x, %c2 : index
%3 = arith.select %2, %arg3, %1 : index
%4 = arith.addi %3, %3 : index
gpu.return
)");
}

// Tables are the same or apart.
TEST_F(ArgumentTablesTest, TablesDoNotOverlap) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &d) { message = d.str(); });
  auto refuse = [&](llvm::StringRef tables) {
    std::string text = R"(gpu.module @m {
      gpu.func @k(%a: index, %b: index, %c: index) kernel {
        %p = gpu.block_id x
        )" + tables.str() +
                       R"(
        gpu.return
      }
    })";
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    module->walk([&](gpu::GPUFuncOp function) {
      EXPECT_TRUE(failed(kernel_ir::getArgumentTables(function)));
      EXPECT_TRUE(failed(kernel_ir::getParameterRuns(function)));
    });
    return message;
  };
  EXPECT_EQ(refuse(R"(%0 = fuser_gpu.part_argument %p of %a, %b : index
                      %1 = fuser_gpu.part_argument %p of %a, %b, %c : index)"),
            "'fuser_gpu.part_argument' op expected the 2 arguments of another op from 0 on, but "
            "got 3");
  EXPECT_EQ(refuse(R"(%0 = fuser_gpu.part_argument %p of %a, %b : index
                      %1 = fuser_gpu.part_argument %p of %b, %c : index)"),
            "'fuser_gpu.part_argument' op expected arguments that no other op reads, but got "
            "argument 1 of the 2 from 0 on");
}

} // namespace
