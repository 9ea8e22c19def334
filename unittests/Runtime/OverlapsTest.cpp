//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which arguments and outputs of a call may share memory.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include "fuser/Runtime/Executable.h"

#include <gtest/gtest.h>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::FakeDevice;

namespace {

/// y[n] = a, z[4] = c, and b and d, which are arguments and outputs. A scalar is between them.
Artifact makeCopies() {
  Artifact a;
  a.name = "copies";
  a.target = *lookupDevice("sm_90");
  a.arguments = {{"a", true, DType::F32, {kDynamic}, {0}, {1}, 4},
                 {"s", false, DType::I64, {}, {}, {}, 1},
                 {"b", true, DType::F32, {4}, {0}, {1}, 4},
                 {"c", true, DType::F32, {4}, {0}, {1}, 4},
                 {"d", true, DType::F32, {4}, {0}, {1}, 4}};
  ExprId one = a.exprs.constant(1), four = a.exprs.constant(4), n = a.exprs.size(0, 0);
  a.outputs = {{"y", DType::F32, {n}, {one}, kNotAnArgument, false, 4},
               {"b_out", DType::F32, {four}, {one}, 2, false, 4},
               {"z", DType::F32, {four}, {one}, kNotAnArgument, false, 4},
               {"d_out", DType::F32, {four}, {one}, 4, false, 4}};
  a.program.buffers = {{"a", DType::F32, 0},
                       {"b", DType::F32, 2},
                       {"c", DType::F32, 3},
                       {"d", DType::F32, 4},
                       {"y", DType::F32, kNotAnArgument},
                       {"z", DType::F32, kNotAnArgument}};
  a.program.instructions = {Alloc{4, {n}, {one}, false}, Copy{0, 4}, Alloc{5, {four}, {one}, false},
                            Copy{2, 5}, Return{{4, 1, 5, 3}}};
  return a;
}

class OverlapsTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto made = Executable::create(makeCopies(), std::make_shared<FakeDevice>());
    ASSERT_TRUE(made.ok()) << made.error().str();
    executable = made.take();
  }

  /// The first elements of each tensor in one memory (-1: a null pointer), and what differs from
  /// n = 4.
  struct Places {
    int64_t a = 0, b = 4, c = 8, d = 12, y = 16, z = 20;
    int64_t n = 4, strideOfA = 1, strideOfY = 1, strideOfZ = 1;
  };
  std::string call(const Places &places) {
    int64_t four = 4, one = 1, n = places.n, strideOfA = places.strideOfA,
            strideOfY = places.strideOfY, strideOfZ = places.strideOfZ;
    auto view = [&](int64_t at, int64_t &size, int64_t &stride) {
      return TensorView{at < 0 ? nullptr : memory + at, DType::F32, 1, &size, &stride,
                        {DeviceKind::Cuda, 0}};
    };
    std::vector<CallArgument> arguments = {view(places.a, n, strideOfA), ScalarValue::i64(1),
                                           view(places.b, four, one), view(places.c, four, one),
                                           view(places.d, four, one)};
    std::vector<TensorView> outputs = {view(places.y, n, strideOfY), arguments[2].tensor,
                                       view(places.z, four, strideOfZ), arguments[4].tensor};
    Status status = executable->callInto(arguments, outputs);
    return status ? "" : status.error().message;
  }

  alignas(64) float memory[64] = {};
  std::unique_ptr<Executable> executable;
};

TEST_F(OverlapsTest, WrittenArguments) {
  auto getMessage = [](std::string written, std::string output, std::string other) {
    return "argument " + written + ": expected memory of its own, because output '" + output +
           "' is stored there, but it overlaps argument " + other;
  };
  Places places;
  EXPECT_EQ(call(places), "");
  // Arguments that are only read may share all.
  places.a = 8;
  EXPECT_EQ(call(places), "");
  places.a = 1;
  EXPECT_EQ(call(places), getMessage("2 (b)", "b_out", "0 (a)"));
  places.a = 7;
  EXPECT_EQ(call(places), getMessage("2 (b)", "b_out", "0 (a)"));
  places.a = 13;
  EXPECT_EQ(call(places), getMessage("4 (d)", "d_out", "0 (a)"));
  places = {};
  places.c = 5;
  EXPECT_EQ(call(places), getMessage("2 (b)", "b_out", "3 (c)"));
  places.c = 11;
  EXPECT_EQ(call(places), getMessage("4 (d)", "d_out", "3 (c)"));
  places = {};
  places.d = 4;
  EXPECT_EQ(call(places), getMessage("2 (b)", "b_out", "4 (d)"));
}

TEST_F(OverlapsTest, Outputs) {
  auto getMessage = [](std::string output, std::string other) {
    return "output " + output + ": expected memory of its own, but it overlaps " + other;
  };
  const std::pair<int64_t, const char *> others[] = {
      {0, "argument 0 (a)"}, {4, "argument 2 (b)"}, {8, "argument 3 (c)"}, {12, "argument 4 (d)"}};
  for (auto [at, name] : others) {
    Places places;
    places.y = at;
    EXPECT_EQ(call(places), getMessage("0 (y)", name));
    places = {};
    places.z = at;
    EXPECT_EQ(call(places), getMessage("2 (z)", name));
  }
  Places places;
  places.z = 19;
  EXPECT_EQ(call(places), getMessage("2 (z)", "output 0 (y)"));
  places.y = 23;
  EXPECT_EQ(call(places), "");
  places.y = 22;
  EXPECT_EQ(call(places), getMessage("2 (z)", "output 0 (y)"));
}

TEST_F(OverlapsTest, EmptyTensorsAndTensorsOfOneElement) {
  // Without elements neither places nor strides count, but those of the other outputs do.
  Places places;
  places.n = 0;
  places.a = places.y = 5;
  places.strideOfA = places.strideOfY = 7;
  EXPECT_EQ(call(places), "");
  places.a = places.y = -1;
  EXPECT_EQ(call(places), "");
  places.strideOfZ = 2;
  EXPECT_EQ(call(places), "output 2 (z): expected stride 1 in dimension 0, but got strides [2]");
  places.strideOfZ = 1;
  places.z = 6;
  EXPECT_EQ(call(places), "output 2 (z): expected memory of its own, but it overlaps argument 2 "
                          "(b)");
  // One element has no stride.
  places = {};
  places.y = -1;
  EXPECT_EQ(call(places), "output 0 (y): expected data, but got a null pointer");
  places = {};
  places.n = 1;
  places.strideOfA = places.strideOfY = 7;
  EXPECT_EQ(call(places), "");
  places.n = 2;
  EXPECT_EQ(call(places), "argument 0 (a): expected stride 1 in dimension 0, but got strides [7] "
                          "of sizes [2]");
  places.strideOfA = 1;
  EXPECT_EQ(call(places), "output 0 (y): expected stride 1 in dimension 0, but got strides [7]");
}

} // namespace
