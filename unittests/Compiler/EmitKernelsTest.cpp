//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Code of several kernels, in one thread and in several.
//
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/Artifact.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fuser;

namespace {
/// Eight kernels of which two are equal; each reads the result of the one before it, so that their
/// launches are not merged.
constexpr const char *kProgram = R"mlir(
fuser.fusion @chain(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.tanh %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.exp %1 : tensor<?x?xf32>
  %3 = fuser.segment_set %2 : tensor<?x?xf32>
  %4 = fuser.neg %3 : tensor<?x?xf32>
  %5 = fuser.segment_set %4 : tensor<?x?xf32>
  %6 = fuser.sin %5 : tensor<?x?xf32>
  %7 = fuser.segment_set %6 : tensor<?x?xf32>
  %8 = fuser.tanh %7 : tensor<?x?xf32>
  %9 = fuser.segment_set %8 : tensor<?x?xf32>
  %10 = fuser.cos %9 : tensor<?x?xf32>
  %11 = fuser.segment_set %10 : tensor<?x?xf32>
  %12 = fuser.relu %11 : tensor<?x?xf32>
  %13 = fuser.segment_set %12 : tensor<?x?xf32>
  %14 = fuser.sigmoid %13 : tensor<?x?xf32>
  fuser.return %14 : tensor<?x?xf32>
}
)mlir";
constexpr size_t kKernels = 8, kDifferentKernels = 7;

class EmitKernelsTest : public ::testing::TestWithParam<artifact::DeviceKind> {
protected:
  EmitKernelsTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
    options.device = GetParam();
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }

  FailureOr<CompileResult> compileWith(unsigned threads) {
    module = parseSourceString<ModuleOp>(kProgram, ParserConfig(&context));
    options.threads = threads;
    return compile(*module, options);
  }

  /// Adds an op that no target compiles to the kernels with these numbers, at the line of the
  /// number.
  void breakKernels(ArrayRef<unsigned> numbers) {
    options.afterPhase = [numbers = SmallVector<unsigned>(numbers)](Phase phase, ModuleOp module) {
      if (phase != Phase::Lowering)
        return;
      auto kernels = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
      for (unsigned number : numbers)
        for (auto function : kernels[number].getOps<gpu::GPUFuncOp>()) {
          OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
          auto location = FileLineColLoc::get(module.getContext(), "broken", number, 1);
          gpu::WaitOp::create(builder, location, /*asyncToken=*/Type(), ValueRange());
        }
    };
  }

  MLIRContext context;
  CompileOptions options;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_P(EmitKernelsTest, ThreadsDoNotChangeTheArtifact) {
  FailureOr<CompileResult> expected = compileWith(1);
  ASSERT_TRUE(succeeded(expected));
  EXPECT_EQ(expected->artifact.kernels.size(), kKernels);
  for (unsigned threads : {2u, 3u, 16u, 0u}) {
    FailureOr<CompileResult> actual = compileWith(threads);
    ASSERT_TRUE(succeeded(actual));
    EXPECT_EQ(artifact::serialize(actual->artifact), artifact::serialize(expected->artifact))
        << threads;
    EXPECT_FALSE(context.isMultithreadingEnabled());
  }
}

/// All that the artifact says of the kernels but their code, which equal ones share.
TEST_P(EmitKernelsTest, KernelsSayWhatTheyAreFor) {
  options.pipeline.target = *artifact::lookupDevice("sm_80");
  FailureOr<CompileResult> result = compileWith(2);
  ASSERT_TRUE(succeeded(result));
  const std::vector<artifact::Kernel> &kernels = result->artifact.kernels;
  ASSERT_EQ(kernels.size(), kKernels);
  for (size_t number = 0; number < kKernels; ++number) {
    const artifact::Kernel &kernel = kernels[number];
    EXPECT_EQ(kernel.name, "chain_" + std::to_string(number));
    // Kernel 4 is equal to kernel 0.
    EXPECT_EQ(kernel.entry, "chain_" + std::to_string(number == 4 ? 0 : number));
    EXPECT_EQ(kernel.code == kernels[0].code, number % 4 == 0);
    if (GetParam() == artifact::DeviceKind::Host) {
      EXPECT_EQ(kernel.format, artifact::KernelFormat::HostObject);
      EXPECT_NE(kernel.chip.find("-linux-gnu"), std::string::npos) << kernel.chip;
      EXPECT_EQ(kernel.code.rfind("\177ELF", 0), 0u);
    } else {
      EXPECT_EQ(kernel.format, artifact::KernelFormat::PTX);
      EXPECT_EQ(kernel.chip, "sm_80");
      EXPECT_NE(kernel.code.find(".target sm_80"), std::string::npos);
      EXPECT_NE(kernel.code.find(".entry " + kernel.entry), std::string::npos);
    }
  }
}

TEST_P(EmitKernelsTest, TheFirstFailureOfTheProgramIsReported) {
  breakKernels({2, 4, 5});
  for (unsigned threads : {1u, 2u, 8u}) {
    std::vector<unsigned> lines;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return;
      auto location = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
      ASSERT_TRUE(location);
      lines.push_back(location.getLine());
    });
    EXPECT_TRUE(failed(compileWith(threads)));
    EXPECT_EQ(lines, (std::vector<unsigned>{2})) << threads;
  }
}

TEST_P(EmitKernelsTest, ProgressCountsDifferentKernels) {
  // The first kernel of a program, which waits for no other one, would be different.
  options.pipeline.dependentLaunches = DependentLaunches::Marked;
  for (unsigned threads : {1u, 4u}) {
    std::vector<std::string> steps;
    std::vector<size_t> counts;
    options.onProgress = [&](const CompileProgress &progress) {
      if (steps.empty() || progress.step != steps.back())
        steps.push_back(progress.step.str());
      if (progress.total == 0)
        return;
      EXPECT_EQ(progress.total, kDifferentKernels);
      counts.push_back(progress.done);
      // Several threads may use the context only while they emit code.
      if (progress.done > 0)
        EXPECT_EQ(context.isMultithreadingEnabled(), threads > 1);
    };
    ASSERT_TRUE(succeeded(compileWith(threads)));
    EXPECT_EQ(steps, (std::vector<std::string>{
                         "preseg", "segmentation", "choose", "apply", "lowering",
                         GetParam() == artifact::DeviceKind::Host ? "object" : "ptx"}));
    EXPECT_EQ(counts, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  }
}

TEST_P(EmitKernelsTest, AnInterruptionStartsNoMoreKernels) {
  for (unsigned threads : {1u, 2u}) {
    int flag = 0;
    size_t done = 0;
    options.onProgress = [&](const CompileProgress &progress) {
      done = progress.done;
      if (progress.done == 1)
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    };
    InterruptionScope interruption(&context, &flag);
    // Kernels that are under way may report that patterns were skipped.
    ScopedDiagnosticHandler handler(&context, [](Diagnostic &) {});
    EXPECT_TRUE(failed(compileWith(threads)));
    EXPECT_TRUE(interruption.isInterrupted());
    // Those that other threads had begun may end.
    EXPECT_LE(done, threads);
    EXPECT_FALSE(context.isMultithreadingEnabled());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, EmitKernelsTest,
                         ::testing::Values(artifact::DeviceKind::Cuda, artifact::DeviceKind::Host),
                         [](const auto &info) {
                           return info.param == artifact::DeviceKind::Host ? "Host" : "Cuda";
                         });
