//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The bytes that two launches save as one.
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "fuser/Scheduling/TimeModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class TrafficTest : public testing::Test {
protected:
  TrafficTest() {
    context.loadDialect<FuserDialect, arith::ArithDialect>();
    // One byte in a microsecond.
    options.device.memoryBandwidth = 1000000;
  }

  void parse(const char *text) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(module);
    FusionOp fusion = *module->getOps<FusionOp>().begin();
    FailureOr<ExtentAnalysis> made = ExtentAnalysis::create(fusion);
    ASSERT_TRUE(succeeded(made));
    extents.emplace(std::move(*made));
    traffic.emplace(*extents, options);
    for (Operation &op : fusion.getBody().front().without_terminator())
      ops.push_back(&op);
  }

  /// The bytes that groups of ops, by their numbers, save together.
  double save(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
    auto get = [&](unsigned number) { return ops[number]; };
    const double saved =
        traffic->getSaving(llvm::map_to_vector(a, get), llvm::map_to_vector(b, get));
    EXPECT_EQ(traffic->getSaving(llvm::map_to_vector(b, get), llvm::map_to_vector(a, get)), saved);
    return saved - kLaunchMicroseconds;
  }

  MLIRContext context;
  SegmentationOptions options;
  OwningOpRef<ModuleOp> module;
  std::optional<ExtentAnalysis> extents;
  std::optional<Traffic> traffic;
  SmallVector<Operation *> ops;
};

TEST_F(TrafficTest, SavingsOfPairs) {
  parse(R"(
    fuser.fusion @f(%x: tensor<10xf32>, %y: tensor<20xbf16>, %s: f32)
        -> (tensor<10xf32>, tensor<10xf32>, tensor<20xbf16>, tensor<20xbf16>, tensor<10xf32>) {
      %0 = fuser.exp %x : tensor<10xf32>
      %1 = fuser.neg %0 : tensor<10xf32>
      %2 = fuser.add %0, %x : tensor<10xf32>
      %3 = fuser.abs %y : tensor<20xbf16>
      %4 = fuser.neg %y : tensor<20xbf16>
      %5 = fuser.mul %1, %1 : tensor<10xf32>
      %6 = fuser.mul %2, %s : (tensor<10xf32>, f32) -> tensor<10xf32>
      %7 = fuser.mul %x, %s : (tensor<10xf32>, f32) -> tensor<10xf32>
      fuser.return %5, %6, %3, %4, %7 : tensor<10xf32>, tensor<10xf32>, tensor<20xbf16>, tensor<20xbf16>, tensor<10xf32>
    }
  )");
  // A value that another op reads as well is written anyway; without other readers it is not.
  EXPECT_EQ(save({0}, {1}), 40);
  EXPECT_EQ(save({0}, {1, 2}), 120);
  EXPECT_EQ(save({1}, {5}), 80);
  // An argument that both read; scalars are not counted.
  EXPECT_EQ(save({3}, {4}), 40);
  EXPECT_EQ(save({6}, {7}), 0);
  EXPECT_EQ(save({0}, {2}), 80);
  EXPECT_EQ(save({0}, {7}), 40);
  // Nothing in common.
  EXPECT_EQ(save({0}, {3}), 0);
  EXPECT_EQ(save({1}, {2}), 40);
  // A value from inside of a group is no argument of it.
  EXPECT_EQ(save({0, 1}, {2}), 120);
  EXPECT_EQ(save({0, 1}, {2, 6}), 120);
  EXPECT_EQ(save({0, 2}, {1, 5}), 80);
  EXPECT_EQ(save({0, 1, 2}, {5, 6, 7}), 200);
  EXPECT_EQ(save({0, 1, 5}, {2, 3}), 120);
  EXPECT_EQ(save({0, 6}, {2, 7}), 160);
}

TEST_F(TrafficTest, BytesOfValues) {
  parse(R"(
    fuser.fusion @f(%x: tensor<?x3xf32>, %y: tensor<f64>, %z: tensor<0x5xi8>)
        -> (tensor<?x3xf32>, tensor<f64>, tensor<0x5xi8>) {
      %0 = fuser.exp %x : tensor<?x3xf32>
      %1 = fuser.exp %y : tensor<f64>
      %2 = fuser.abs %z : tensor<0x5xi8>
      fuser.return %0, %1, %2 : tensor<?x3xf32>, tensor<f64>, tensor<0x5xi8>
    }
  )");
  EXPECT_EQ(traffic->getBytes(ops[0]->getResult(0)), 4 * 3 * kUnknownSize);
  EXPECT_EQ(traffic->getBytes(ops[0]->getResult(0)), 4 * 3 * kUnknownSize);
  EXPECT_EQ(traffic->getBytes(ops[1]->getResult(0)), 8);
  EXPECT_EQ(traffic->getBytes(ops[2]->getResult(0)), 0);
  EXPECT_EQ(traffic->getMicroseconds(5), 5);
  // A device that says nothing of its memory.
  options.device.memoryBandwidth = 0;
  EXPECT_EQ(Traffic(*extents, options).getMicroseconds(5e6), 5);
}

} // namespace
