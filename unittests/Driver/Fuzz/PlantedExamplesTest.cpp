//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mistakes planted in the kernels of written schedules: products of warp groups, roles, boxes and
// dependent launches, which random schedules reach rarely or not at all. The host device has to
// find each of them.
//
//===----------------------------------------------------------------------===//

#include "CaseRunner.h"
#include "PlantedBugs.h"
#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace fuser;
using namespace fuser::fuzz;
using namespace mlir;

namespace {

/// An example, and the mistake to plant in its kernels; null: none.
struct PlantedExample {
  const char *file, *sizes;
  const char *bug;
  /// What the script asks for in addition, and is left out.
  const char *without = "";
};

/// For the names of tests.
void PrintTo(const PlantedExample &example, std::ostream *out) {
  *out << example.file << example.without << ' ' << (example.bug ? example.bug : "none");
}

constexpr unsigned kSeconds = 300;

DialectRegistry getRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  return registry;
}

/// Runs the example with the mistake; `changes`: whether its kernels have a place for it.
Outcome run(const PlantedExample &example, const PlantedBug *bug) {
  const std::string path = std::string(FUSER_EXAMPLES) + "/schedules/" + example.file + ".mlir";
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return {Verdict::Internal, "no file " + path};
  Program program = {(*file)->getBuffer().str(), example.sizes};
  if (const size_t length = std::strlen(example.without)) {
    const size_t place = program.text.find(example.without);
    if (place == std::string::npos)
      return {Verdict::Internal, "the example does not ask for it"};
    program.text.erase(place, length);
  }
  const DialectRegistry registry = getRegistry();
  return runApart(kSeconds, [&](EndRun end) {
    RunOptions options;
    options.target = *artifact::lookupDevice("h200");
    options.dependentLaunches = true;
    options.afterPhase = [&](Phase phase, ModuleOp module) {
      if (phase != Phase::Lowering || !bug)
        return;
      std::string before, after;
      llvm::raw_string_ostream(before) << module;
      plant(*bug, module);
      llvm::raw_string_ostream(after) << module;
      if (before == after)
        end({Verdict::Internal, "no place for the mistake"});
    };
    return runHere(program, registry, options);
  });
}

class PlantedExamples : public testing::TestWithParam<PlantedExample> {};

TEST_P(PlantedExamples, AreFound) {
  const PlantedExample &example = GetParam();
  const std::vector<PlantedBug> bugs = getAllPlantedBugs();
  const auto bug = llvm::find_if(bugs, [&](const PlantedBug &each) {
    return example.bug && llvm::StringRef(each.name) == example.bug;
  });
  ASSERT_TRUE(!example.bug || bug != bugs.end());
  const Outcome outcome = run(example, example.bug ? &*bug : nullptr);
  SCOPED_TRACE(std::string(toString(outcome.verdict)) + ": " + outcome.text);
  if (!example.bug) {
    EXPECT_TRUE(hasRun(outcome.verdict));
    return;
  }
  RecordProperty("verdict", toString(outcome.verdict));
  if (bug->refusal) {
    EXPECT_EQ(outcome.verdict, Verdict::Refused);
    EXPECT_TRUE(llvm::StringRef(outcome.text).contains(bug->refusal));
    return;
  }
  EXPECT_TRUE(isFailure(outcome.verdict) && outcome.verdict != Verdict::Internal &&
              outcome.verdict != Verdict::Crash);
}

// The steps of the sum are two iterations of the ring of four stages, or, in the second and the
// third one, more than it has stages, and more than twice as many.
constexpr const char *kWarpGroups = "128x128,256x128,256", *kLongSum = "128x384,256x384,256",
                     *kTensor = "128x640,128x640,128",
                     *kByRole = " by bulk role producer registers [40, 232]";

const PlantedExample kExamples[] = {
    // Products of warp groups, whose operands one of them copies and whose results it stores by
    // boxes, with budgets of registers.
    {"matmul_wgmma", kWarpGroups, nullptr},
    {"matmul_wgmma", kWarpGroups, "registers-above-the-file"},
    {"matmul_wgmma", kWarpGroups, "registers-not-given-back"},
    {"matmul_wgmma", kWarpGroups, "registers-of-one-warp"},
    {"matmul_wgmma", kWarpGroups, "product-fence-dropped"},
    {"matmul_wgmma", kWarpGroups, "product-wait-dropped"},
    {"matmul_wgmma", kWarpGroups, "product-wait-for-one-less"},
    {"matmul_wgmma", kWarpGroups, "product-not-committed"},
    {"matmul_wgmma", kWarpGroups, "product-forgotten"},
    {"matmul_wgmma", kWarpGroups, "product-step-not-advanced"},
    {"matmul_wgmma", kWarpGroups, "product-of-another-stage"},
    {"matmul_wgmma", kWarpGroups, "product-of-shorter-rows"},
    {"matmul_wgmma", kWarpGroups, "product-operand-shifted"},
    {"matmul_wgmma", kWarpGroups, "box-shifted"},
    {"matmul_wgmma", kWarpGroups, "expect-differs"},
    {"matmul_wgmma", kWarpGroups, "store-fence-dropped"},
    {"matmul_wgmma", kWarpGroups, "store-fence-after-the-barrier"},
    {"matmul_wgmma", kWarpGroups, "store-barrier-dropped"},
    {"matmul_wgmma", kWarpGroups, "store-wait-dropped"},
    {"matmul_wgmma", kWarpGroups, "store-wait-for-one-less"},
    {"matmul_wgmma", kWarpGroups, "store-not-committed"},
    {"matmul_wgmma", kWarpGroups, "store-shifted"},
    {"matmul_wgmma", kWarpGroups, "stored-by-all-threads"},
    {"matmul_wgmma", kWarpGroups, "matrix-store-forgotten"},
    {"matmul_wgmma", kWarpGroups, "matrix-stored-transposed"},
    {"matmul_wgmma", kWarpGroups, "matrix-stored-to-the-next"},
    {"matmul_wgmma", kWarpGroups, "matrix-store-between-rows"},
    {"matmul_wgmma", kLongSum, "released-too-early"},
    {"matmul_wgmma", kLongSum, "release-dropped"},
    {"matmul_wgmma", kLongSum, "acquire-dropped"},
    {"matmul_wgmma", kLongSum, "wait-for-the-phase-before"},
    // The same, whose operands all threads copy while earlier products are under way.
    {"matmul_wgmma", kWarpGroups, nullptr, kByRole},
    {"matmul_wgmma", kLongSum, "operand-fence-dropped", kByRole},
    {"matmul_wgmma", kLongSum, "operand-fence-after-the-barrier", kByRole},
    {"matmul_wgmma", kLongSum, "earlier-products-not-awaited", kByRole},
    {"matmul_wgmma", kLongSum, "earlier-products-awaited-after-the-barrier", kByRole},
    {"matmul_wgmma", kLongSum, "copy-wait-dropped", kByRole},
    {"matmul_wgmma", kLongSum, "copy-wait-for-one-less", kByRole},
    {"matmul_wgmma", kLongSum, "copy-group-forgotten", kByRole},
    {"matmul_wgmma", kLongSum, "product-wait-dropped", kByRole},
    {"matmul_wgmma", kLongSum, "product-not-committed", kByRole},
    // Matrix instructions of warps, whose operands a warp copies.
    {"matmul_tensor", kTensor, nullptr},
    {"matmul_tensor", kTensor, "box-shifted"},
    {"matmul_tensor", kTensor, "wait-for-the-next-phase"},
    {"matmul_tensor", kTensor, "acquire-of-the-next-phase"},
    {"matmul_tensor", kTensor, "acquire-of-the-phase-before"},
    {"matmul_tensor", kTensor, "acquire-of-the-first-stage"},
    {"matmul_tensor", kTensor, "release-of-the-first-stage"},
    {"matmul_tensor", kTensor, "release-twice"},
    {"matmul_tensor", kTensor, "phase-forgotten"},
    {"matmul_tensor", kTensor, "one-arrival-less"},
    // A launch that begins before the one before it has ended.
    {"dependent_sum", "100x1000", nullptr},
    {"dependent_sum", "100x1000", "dependencies-dropped"},
    {"dependent_sum", "100x1000", "dependencies-after-the-first-access"},
    {"dependent_sum", "100x1000", "dependencies-after-the-last-access"},
};

INSTANTIATE_TEST_SUITE_P(All, PlantedExamples, testing::ValuesIn(kExamples),
                         [](const testing::TestParamInfo<PlantedExample> &info) {
                           std::string name = std::string(info.param.file) +
                                              (*info.param.without ? "_by_threads_" : "_") +
                                              (info.param.bug ? info.param.bug : "none");
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
