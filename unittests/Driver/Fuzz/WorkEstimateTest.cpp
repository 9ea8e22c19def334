//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The number of accesses that a case would make: of all threads, along loops of dynamic size, and
// by one thread where it stores alone.
//
//===----------------------------------------------------------------------===//

#include "WorkEstimate.h"

#include "fuser/Compiler/Compiler.h"
#include "fuser/InitAllDialects.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

/// The accesses of an iteration, which count beside those that it makes.
constexpr double kIteration = 1.0 / 32;

/// The accesses of a fusion with a schedule, for arguments of these sizes.
double countOf(const std::string &domains, const char *sizes, const std::string &before = "") {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string text = "fuser.fusion @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n" + before +
                     "  %1 = fuser.set %" + (before.empty() ? "x" : "0") + " {" + domains +
                     ", memory = #fuser.memory<global>} : tensor<?xf32>\n"
                     "  fuser.return %1 : tensor<?xf32>\n}";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  EXPECT_TRUE(module);
  PipelineOptions options;
  options.target = *artifact::lookupDevice("sm_90");
  for (Phase phase : getPhases())
    if (!module || failed(runPhase(*module, phase, options)))
      return -1;
  return fuzz::countAccesses(*module, sizes);
}

TEST(WorkEstimate, CountsAllThreadsOfAllBlocks) {
  const std::string domains = "domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), "
                              "loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>]";
  // Three blocks of four threads, which read and write.
  EXPECT_EQ(countOf(domains, "10"), 3 * 4 * 2);
  EXPECT_EQ(countOf(domains, "4000"), 1000 * 4 * 2);
}

TEST(WorkEstimate, FollowsLoopsOfDynamicSize) {
  EXPECT_EQ(countOf("domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), "
                    "loop = [i1, i2 @thread_x], allocation = [i0]>]",
                    "10"),
            4 * 3 * (2 + kIteration));
}

TEST(WorkEstimate, CountsWhatOneThreadDoesOnce) {
  EXPECT_EQ(countOf("domains = [#fuser.domain<logical = [i0], broadcast() -> b1, "
                    "split(b1, 8) -> (b2, b3), loop = [b3 @thread_x, b2, i0], "
                    "allocation = [i0]>]",
                    "10"),
            10 * 2 + 8 * 10 * kIteration);
}

TEST(WorkEstimate, CountsBarriers) {
  const std::string domains = "domains = [#fuser.domain<logical = [i0], split(i0, 4) -> (i1, i2), "
                              "loop = [i1, i2 @thread_x], allocation = [i0]>]";
  const std::string before = "  %0 = fuser.set %x {" + domains +
                             ", inline_at = 1 : i64, memory = #fuser.memory<shared>} : "
                             "tensor<?xf32>\n";
  // Four accesses, and a barrier before the value is read and one before it is written again.
  EXPECT_EQ(countOf(domains, "10", before), 4 * 3 * (4 + 2 + kIteration));
}

} // namespace
