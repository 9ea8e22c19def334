//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which launches of a call begin before the launches before them have ended.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include "fuser/Runtime/Executable.h"

#include <gtest/gtest.h>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::FakeDevice;

namespace {

/// Launches that read x[n] and write y[n]: of each, the number by which its blocks are fewer than
/// n, and whether it is dependent.
Artifact makeChain(const std::vector<std::pair<int64_t, bool>> &launches) {
  Artifact a;
  a.name = "chain";
  a.target = *lookupDevice("sm_90");
  Kernel kernel;
  kernel.name = kernel.entry = "k";
  kernel.chip = "sm_90";
  kernel.attributes = {{kWaitsForLaunches, 1}};
  a.kernels.push_back(kernel);
  a.arguments.push_back({"x", true, DType::F32, {kDynamic}, {0}, {1}, 4});
  ExprId one = a.exprs.constant(1), size = a.exprs.size(0, 0);
  a.outputs.push_back({"y", DType::F32, {size}, {one}, kNotAnArgument, false, 4});
  a.program.buffers = {{"x", DType::F32, 0}, {"y", DType::F32, kNotAnArgument}};
  a.program.instructions.push_back(Alloc{1, {size}, {one}, false});
  for (auto [fewer, dependent] : launches) {
    Launch launch;
    launch.parameters = {{Parameter::Kind::Pointer, 0}, {Parameter::Kind::Pointer, 1}};
    for (unsigned i = 0; i < 3; ++i)
      launch.grid[i] = launch.block[i] = launch.cluster[i] = one;
    launch.grid[0] = a.exprs.sub(size, a.exprs.constant(fewer));
    launch.dynamicSharedBytes = a.exprs.constant(0);
    launch.dependent = dependent;
    a.program.instructions.push_back(launch);
  }
  a.program.instructions.push_back(Return{{1}});
  return a;
}

/// For each launch that a call with `size` elements makes: '-', or 'd' for a dependent one.
std::string call(Executable &executable, FakeDevice &device, int64_t size) {
  std::string made;
  device.onLaunch = [&](const LaunchConfig &config, const std::vector<std::string> &) {
    made += config.dependent ? 'd' : '-';
    return Status();
  };
  float values[4] = {};
  const int64_t stride = 1;
  TensorView view{values, DType::F32, 1, &size, &stride, {DeviceKind::Cuda, 0}};
  std::vector<CallArgument> arguments = {view};
  auto results = executable.call(arguments);
  EXPECT_TRUE(results.ok()) << results.error().str();
  return made;
}

struct Loaded {
  explicit Loaded(const std::vector<std::pair<int64_t, bool>> &launches) {
    auto created = Executable::create(makeChain(launches), device);
    EXPECT_TRUE(created.ok()) << created.error().str();
    executable = created.take();
  }
  std::string call(int64_t size) { return ::call(*executable, *device, size); }

  std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>();
  std::unique_ptr<Executable> executable;
};

TEST(DependentLaunches, AreThoseOfTheProgram) {
  Loaded loaded({{0, false}, {0, true}, {0, true}, {0, false}, {0, true}});
  // The next call begins after the end of the last one.
  for (unsigned i = 0; i < 2; ++i)
    EXPECT_EQ(loaded.call(3), "-dd-d");
}

// What precedes the call, which no kernel of it waits for before it reads arguments, is complete
// when its first kernel begins.
TEST(DependentLaunches, TheFirstOneThatHasBlocksIsNotDependent) {
  Loaded loaded({{1, false}, {0, true}, {0, true}});
  EXPECT_EQ(loaded.call(1), "-d");
  EXPECT_EQ(loaded.call(2), "-dd");
  EXPECT_EQ(loaded.call(1), "-d");
}

// So is what another launch without blocks would have waited for.
TEST(DependentLaunches, OneWithoutBlocksEndsAChain) {
  Loaded loaded({{0, false}, {0, true}, {1, false}, {0, true}});
  EXPECT_EQ(loaded.call(1), "-d-");
  Loaded between({{0, false}, {1, true}, {0, true}});
  EXPECT_EQ(between.call(1), "-d");
}

} // namespace
