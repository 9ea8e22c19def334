//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of a program that have schedules to choose from, and these as text.
//
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Tuning.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Support/DiagnosticText.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace fuser;

namespace {

/// Kernels 0 and 2 are equal; the last one differs from 1 in its result, which is the program's.
constexpr const char *kFourKernels = R"mlir(
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  %3 = fuser.segment_set %2 : tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  %5 = fuser.segment_set %4 : tensor<?x?xf32>
  %6 = fuser.neg %5 : tensor<?x?xf32>
  fuser.return %6 : tensor<?x?xf32>
}
)mlir";

/// A script that schedules one kernel.
std::string makeScript(StringRef kernel, StringRef step = "transform.fuser.split %y at 0 by 4") {
  return ("module attributes {transform.with_named_sequence} {\n"
          "  transform.named_sequence @__transform_main(%module: !transform.any_op) {\n"
          "    %kernel = transform.fuser.get_kernel @" +
          kernel +
          " in %module : (!transform.any_op) -> !transform.any_op\n"
          "    %y = transform.fuser.get_output %kernel[0] : (!transform.any_op) -> "
          "!transform.any_op\n    " +
          step +
          " : !transform.any_op\n"
          "    transform.yield\n  }\n}\n")
      .str();
}

class TuningTest : public testing::Test {
protected:
  TuningTest() : context(makeDialects(), MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
    options.pipeline.target = *artifact::lookupDevice("h100");
    options.pipeline.sizes = "64,4096";
  }
  static DialectRegistry makeDialects() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }

  /// "f_0 f_2: 3", for each kernel with its number of schedules; or "failed: " and the first error.
  std::string enumerate(StringRef text, size_t most = 3) {
    DiagnosticText diagnostics(&context, "", "program");
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    FailureOr<std::vector<TuningKernel>> found = failure();
    if (module)
      found = enumerateSchedules(*module, options, most);
    if (failed(found)) {
      const std::string taken = diagnostics.take();
      return "failed: " + StringRef(taken).split("error: ").second.split('\n').first.str();
    }
    kernels = std::move(*found);
    std::vector<std::string> lines;
    for (const TuningKernel &kernel : kernels)
      lines.push_back(llvm::join(kernel.names, " ") + ": " + std::to_string(kernel.options.size()) +
                      (kernel.isFirstGiven ? ", given" : ""));
    return llvm::join(lines, "; ");
  }

  MLIRContext context;
  CompileOptions options;
  OwningOpRef<ModuleOp> module;
  std::vector<TuningKernel> kernels;
};

TEST_F(TuningTest, EqualKernelsAreOne) {
  EXPECT_EQ(enumerate(kFourKernels), "f_0 f_2: 3; f_1: 3; f_3: 3");
  EXPECT_EQ(enumerate(kFourKernels, 1), "f_0 f_2: 1; f_1: 1; f_3: 1");
  EXPECT_GT(kernels[0].numLeftOut, 0u);
  const std::string all = std::to_string(kernels[0].numLeftOut + 1);
  EXPECT_EQ(enumerate(kFourKernels, 1000000),
            "f_0 f_2: " + all + "; f_1: " + all + "; f_3: " + all);
  EXPECT_EQ(kernels[0].numLeftOut, 0u);
  EXPECT_EQ(enumerate("fuser.host @none(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                      "  fuser.return %x : tensor<4xf32>\n}\n"),
            "");
}

TEST_F(TuningTest, ScheduledKernelsAreLeftOut) {
  EXPECT_EQ(enumerate(kFourKernels + makeScript("f_1")), "f_0 f_2: 3; f_3: 3");
  // Of equal kernels the others stay.
  EXPECT_EQ(enumerate(kFourKernels + makeScript("f_0")), "f_2: 3; f_1: 3; f_3: 3");
  EXPECT_EQ(enumerate(kFourKernels + makeScript("f_2")), "f_0: 3; f_1: 3; f_3: 3");
  // What the program itself says of a kernel, as parameters or as a schedule, is not enumerated,
  // and hides no other kernel.
  const std::string host =
      "fuser.host @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
      "  %0 = fuser.alloc() : tensor<8xf32>\n"
      "  %1 = fuser.launch @a ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>\n"
      "  %2 = fuser.alloc() : tensor<8xf32>\n"
      "  %3 = fuser.launch @b ins(%1 : tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>\n"
      "  fuser.return %3 : tensor<8xf32>\n}\n";
  auto makeKernel = [](StringRef name, StringRef op, StringRef attributes) {
    return ("fuser.kernel @" + name + "(%x: tensor<8xf32>) -> tensor<8xf32> " + attributes +
            " {\n  %0 = fuser." + op +
            " %x : tensor<8xf32>\n"
            "  fuser.return %0 : tensor<8xf32>\n}\n")
        .str();
  };
  const StringRef given = "attributes {schedule = #fuser_sched.pointwise<>}";
  options.pipeline.sizes = "";
  EXPECT_EQ(enumerate(makeKernel("a", "exp", "") + makeKernel("b", "neg", "") + host),
            "a: 3; b: 3");
  EXPECT_EQ(enumerate(makeKernel("a", "exp", given) + makeKernel("b", "neg", "") + host), "b: 3");
  EXPECT_EQ(enumerate(makeKernel("a", "exp", "") + makeKernel("b", "neg", given) + host), "a: 3");
  EXPECT_EQ(enumerate(makeKernel("a", "exp", given) + makeKernel("b", "neg", given) + host), "");
  std::string scheduled = makeKernel("a", "exp", "");
  scheduled.insert(scheduled.find("%x :") + 2, " {memory = #fuser.memory<global>}");
  EXPECT_EQ(enumerate(scheduled + makeKernel("b", "neg", "") + host), "b: 3");
}

TEST_F(TuningTest, OptionsAreSchedulesOfTheKernel) {
  ASSERT_EQ(enumerate(kFourKernels), "f_0 f_2: 3; f_1: 3; f_3: 3");
  for (const TuningKernel &kernel : kernels) {
    EXPECT_EQ(kernel.options[0].difference, "");
    for (const TuningOption &option : kernel.options) {
      EXPECT_EQ(option.scheduler, "pointwise");
      EXPECT_EQ(option.params.rfind("#fuser_sched.pointwise<", 0), 0u) << option.params;
      const std::string head = "fuser.kernel @" + kernel.names[0] + "(%x: tensor<?x?xf32>)";
      EXPECT_EQ(option.entry.rfind(head.substr(0, head.find('%')), 0), 0u) << option.entry;
      EXPECT_NE(option.entry.find("schedule = " + option.params), std::string::npos);
      // Notes of other phases are none of the schedule's.
      for (const char *note : {"decision", "only", "settled", "copy"})
        EXPECT_EQ(option.entry.find(std::string("fuser_sched.") + note), std::string::npos) << note;
      EXPECT_NE(option.entry.find("fuser_sched.sizes = [array<i64: 64, 4096>]"), std::string::npos);
      EXPECT_GT(option.microseconds, 0);
      // "vector = 4, unroll = 2" are what the parameters have, and the choice has not.
      SmallVector<StringRef> parts;
      StringRef(option.difference).split(parts, ", ", -1, /*KeepEmpty=*/false);
      EXPECT_EQ(parts.empty(), &option == &kernel.options[0]);
      for (StringRef part : parts) {
        const bool isDefault = part.ends_with(" = false");
        EXPECT_EQ(StringRef(option.params).contains(part), !isDefault)
            << part.str() << option.params;
        EXPECT_FALSE(StringRef(kernel.options[0].params).contains(part)) << part.str();
      }
    }
  }
  options.schedules = printSchedules({kernels[0].options[2].entry}, "any");
  const std::string params = kernels[0].options[2].params;
  EXPECT_EQ(enumerate(kFourKernels), "f_0 f_2: 3, given; f_1: 3; f_3: 3");
  EXPECT_EQ(kernels[0].options[0].params, params);
  EXPECT_EQ(kernels[0].options[0].difference, "");
}

TEST_F(TuningTest, DifferencesOfEveryScheduler) {
  ASSERT_EQ(enumerate(R"mlir(
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %1 = fuser.broadcast %0 dims [1] : tensor<?xf32> -> tensor<?x1xf32>
  %2 = fuser.div %x, %1 : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
)mlir",
                      40),
            "f_0: 35");
  // Each parameter of each scheduler differs somewhere.
  std::set<std::string> names;
  for (const TuningOption &option : kernels[0].options) {
    SmallVector<StringRef> parts;
    StringRef(option.difference).split(parts, ", ", -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      names.insert(option.scheduler + " " + part.split(" = ").first.str());
  }
  EXPECT_EQ(llvm::join(names, ", "),
            "inner_persistent cluster, inner_persistent flat, inner_persistent part, "
            "inner_persistent recompute, inner_persistent rows, inner_persistent threads, "
            "inner_persistent vector, inner_persistent vectors, streaming threads_x, streaming "
            "threads_y, "
            "streaming unroll, streaming vector");
  std::vector<std::string> refused;
  for (const auto &[code, count] : kernels[0].refused)
    refused.push_back(count > 0 ? code : "none of " + code);
  EXPECT_EQ(llvm::join(refused, ", "), "row-too-long");
}

TEST_F(TuningTest, FailuresAreReported) {
  EXPECT_EQ(enumerate(kFourKernels + makeScript("f_9")),
            "failed: expected a 'fuser.kernel' called @f_9, but got none");
  options.schedules = "module {";
  EXPECT_EQ(enumerate(kFourKernels), "failed: expected operation name in quotes");
  // An entry whose parameters the kernel does not allow.
  options.schedules = "";
  enumerate(kFourKernels);
  std::string entry = kernels[0].options[0].entry;
  const size_t at = entry.find("#fuser_sched.pointwise<");
  entry.replace(at, entry.find('>', at) + 1 - at,
                "#fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 8, rows = 2>");
  options.schedules = printSchedules({entry}, "any");
  EXPECT_EQ(enumerate(kFourKernels),
            "failed: 'fuser.kernel' op expected parameters that 'inner_persistent' takes for this "
            "kernel, but it refuses them [no-reduction]: expected a reduction, but got none");
  options.schedules = "";
  options.pipeline.sizes = "64";
  EXPECT_NE(enumerate(kFourKernels).find("sizes"), std::string::npos);
  options.pipeline.sizes = "";
  const int interrupted = 1;
  InterruptionScope interruption(&context, &interrupted);
  kernels.clear();
  EXPECT_EQ(enumerate(kFourKernels), "failed: ");
  EXPECT_TRUE(kernels.empty());
}

TEST_F(TuningTest, SchedulesAsText) {
  EXPECT_EQ(printSchedules({}, "a \"b\""),
            "module attributes {fuser_sched.device = \"a \\22b\\22\"} {\n}\n");
  EXPECT_EQ(printSchedules({"fuser.kernel {\n  x\n}\n", "y"}, "d"),
            "module attributes {fuser_sched.device = \"d\"} {\n"
            "  fuser.kernel {\n    x\n  }\n  y\n}\n");
}

} // namespace
