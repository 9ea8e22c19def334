//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What phases of one compilation share.
//
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Compiler.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fuser;

namespace {

/// The schedules that segmentation has chosen are in the caller's cache, where later phases find
/// them.
TEST(CompileTest, SchedulesAreInTheGivenCache) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
    fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = fuser.exp %x : tensor<?x?xf32>
      %1 = fuser.segment_set %0 : tensor<?x?xf32>
      %2 = fuser.neg %1 : tensor<?x?xf32>
      fuser.return %2 : tensor<?x?xf32>
    }
  )mlir",
                                                             &context);
  ASSERT_TRUE(module);
  CompileOptions options;
  options.emitCode = false;
  auto cache = std::make_shared<ScheduleCache>();
  options.pipeline.schedules = cache;
  std::string found;
  options.afterPhase = [&](Phase phase, ModuleOp after) {
    if (phase == Phase::Segmentation)
      for (KernelOp kernel : after.getOps<KernelOp>())
        found += kernel.getSymName().str() + (cache->findChoice(kernel) ? ": known; " : ": new; ");
  };
  ASSERT_TRUE(succeeded(compile(*module, options)));
  EXPECT_EQ(found, "f_0: known; f_1: known; ");
}

} // namespace
