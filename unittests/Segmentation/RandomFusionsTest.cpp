//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random fusions: whatever segmentation does with them, the segments compute what the fusion does.
// FUSER_RANDOM_FUSIONS sets how many (default 200).
//
//===----------------------------------------------------------------------===//

#include "RandomFusion.h"

#include "fuser/Reference/Evaluate.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/OutlineKernels.h"
#include "fuser/Segmentation/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace fuser;
using fuser::test::Generator;

namespace {

class RandomFusionsTest : public ::testing::Test {
protected:
  RandomFusionsTest() {
    context.loadDialect<FuserDialect, FuserSchedDialect, arith::ArithDialect, math::MathDialect,
                        tensor::TensorDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        message += diagnostic.str() + "\n";
    });
  }

  SmallVector<reference::Tensor> makeArguments(ArrayRef<Generator::Sizes> shapes, unsigned seed) {
    std::mt19937 random(seed);
    SmallVector<reference::Tensor> arguments;
    for (const Generator::Sizes &shape : shapes) {
      std::vector<double> values(reference::getNumElements(shape));
      for (double &value : values)
        value = double(random() % 2001) / 1000 - 1;
      arguments.emplace_back(Float32Type::get(&context), shape, std::move(values));
    }
    return arguments;
  }

  /// Everything that the program of a module computes.
  std::optional<std::vector<std::vector<double>>> evaluate(ModuleOp module,
                                                           ArrayRef<reference::Tensor> arguments) {
    for (auto program : module.getOps<FunctionOpInterface>()) {
      if (isa<KernelOp>(program))
        continue;
      auto results = reference::evaluate(program, arguments);
      if (failed(results))
        return std::nullopt;
      std::vector<std::vector<double>> values;
      for (reference::Tensor &tensor : *results)
        values.push_back(tensor.floats());
      return values;
    }
    return std::nullopt;
  }

  /// True where nothing reads an argument after it was overwritten. (The reference has values, not
  /// addresses: a wrong order would not show in what it computes.)
  static bool readsBeforeOverwriting(ModuleOp module) {
    for (auto host : module.getOps<HostOp>())
      for (BlockArgument argument : host.getArguments()) {
        Operation *writer = nullptr;
        for (OpOperand &use : argument.getUses()) {
          auto launch = dyn_cast<LaunchOp>(use.getOwner());
          bool writes = launch ? use.getOperandNumber() >= launch.getInputs().size()
                               : isa<CopyOp>(use.getOwner()) && use.getOperandNumber() == 1;
          if (writes && writer)
            return false;
          if (writes)
            writer = use.getOwner();
        }
        for (Operation *user : argument.getUsers())
          // Sizes stay.
          if (writer && user != writer && !isa<tensor::DimOp>(user) &&
              !user->isBeforeInBlock(writer))
            return false;
      }
    return true;
  }

  LogicalResult outlineSingles(ModuleOp module) {
    FusionOp fusion = *module.getOps<FusionOp>().begin();
    SymbolTable symbols(module);
    FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
    if (failed(analysis))
      return failure();
    return success(succeeded(
        outlineFusion(fusion, *analysis, Partition::getSingles(fusion), SizeHints(), symbols)));
  }

  MLIRContext context;
  std::string message;
};

TEST_F(RandomFusionsTest, SegmentsComputeWhatTheFusionComputes) {
  const char *wanted = std::getenv("FUSER_RANDOM_FUSIONS");
  unsigned count = wanted ? std::atoi(wanted) : 200, numKernels = 0, numOps = 0, severalKernels = 0;
  auto registry = createDefaultRegistry();
  for (unsigned seed = 0; seed < count; ++seed) {
    fuser::test::GeneratorOptions options;
    options.aliases = true;
    Generator generator(seed, options);
    std::string text = generator.run();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);

    message.clear();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << message;
    SmallVector<reference::Tensor> arguments = makeArguments(generator.arguments, seed);
    auto expected = evaluate(*module, arguments);
    ASSERT_TRUE(expected) << message;

    OwningOpRef<ModuleOp> segmented = module->clone();
    PassManager manager(&context);
    manager.addPass(createSegmentFusionsPass(registry));
    ASSERT_TRUE(succeeded(manager.run(*segmented))) << message;
    ASSERT_TRUE(succeeded(mlir::verify(*segmented))) << message;
    EXPECT_EQ(evaluate(*segmented, arguments), expected) << message;
    EXPECT_TRUE(readsBeforeOverwriting(*segmented));

    OwningOpRef<ModuleOp> singles = module->clone();
    ASSERT_TRUE(succeeded(outlineSingles(*singles))) << message;
    EXPECT_EQ(evaluate(*singles, arguments), expected) << message;
    EXPECT_TRUE(readsBeforeOverwriting(*singles));

    unsigned kernels = llvm::range_size(segmented->getOps<KernelOp>());
    unsigned ops = llvm::range_size(singles->getOps<KernelOp>());
    EXPECT_LE(kernels, std::max(ops, 1u));
    numKernels += kernels;
    numOps += ops;
    severalKernels += kernels > 1;
    if (HasFailure())
      return;
  }
  // The cases are worth something: many need several kernels, and few need one for each op.
  EXPECT_GE(severalKernels * 4, count);
  EXPECT_LE(numKernels * 3, numOps * 2);
}

} // namespace
