//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The statistics of the rewrites' passes, and idempotence.
//
//===----------------------------------------------------------------------===//

#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class RewriteCounts : public ::testing::Test {
protected:
  RewriteCounts() {
    context.loadDialect<FuserDialect, arith::ArithDialect, tensor::TensorDialect>();
  }

  /// The fusion of a program with these arguments, ops and results.
  FusionOp parse(const std::string &signature, const std::string &body) {
    module = parseSourceString<ModuleOp>("fuser.fusion @f" + signature + " {\n" + body + "\n}",
                                         &context);
    EXPECT_TRUE(module);
    return module ? *module->getOps<FusionOp>().begin() : FusionOp();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(RewriteCounts, RemoveEmpty) {
  FusionOp fusion =
      parse("(%x: tensor<4x0xf32>, %y: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4x3xf32>)", R"(
    %0 = fuser.exp %x : tensor<4x0xf32>
    %1 = fuser.sum %0 dims [1] : tensor<4x0xf32> -> tensor<4xf32>
    %2 = fuser.cat %y, %0, %x dim 1 : (tensor<4x3xf32>, tensor<4x0xf32>, tensor<4x0xf32>) -> tensor<4x3xf32>
    %3 = fuser.permute %2 [0, 1] : tensor<4x3xf32> -> tensor<4x3xf32>
    fuser.return %1, %3 : tensor<4xf32>, tensor<4x3xf32>)");
  FailureOr<RemovedEmpty> removed = removeEmpty(fusion);
  ASSERT_TRUE(succeeded(removed));
  EXPECT_EQ(removed->numTensors, 1u);
  EXPECT_EQ(removed->numReductions, 1u);
  EXPECT_EQ(removed->numOperands, 2u);
  EXPECT_EQ(removed->numMoves, 1u);
  removed = removeEmpty(fusion);
  ASSERT_TRUE(succeeded(removed));
  EXPECT_EQ(removed->numTensors + removed->numReductions + removed->numOperands + removed->numMoves,
            0u);
}

TEST_F(RewriteCounts, InterleaveParts) {
  FusionOp fusion = parse("(%x: tensor<4x1xf32>, %y: tensor<4x5xf32>) -> (tensor<4x2xf32>, "
                          "tensor<4x10xf32>)",
                          R"(
    %0 = fuser.neg %x : tensor<4x1xf32>
    %1 = fuser.cat %0, %x dim 1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
    %2 = fuser.neg %y : tensor<4x5xf32>
    %3 = fuser.cat %2, %y dim 1 : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x10xf32>
    %4 = fuser.insert_slice %0 into %1 [0, 1] : tensor<4x1xf32> into tensor<4x2xf32>
    fuser.return %4, %3 : tensor<4x2xf32>, tensor<4x10xf32>)");
  FailureOr<unsigned> count = interleaveParts(fusion);
  ASSERT_TRUE(succeeded(count));
  EXPECT_EQ(*count, 2u);
  EXPECT_EQ(*interleaveParts(fusion), 0u);
}

TEST_F(RewriteCounts, ReducePads) {
  FusionOp fusion = parse("(%x: tensor<4x3xf32>) -> (tensor<6xf32>, tensor<7xf32>)", R"(
    %zero = arith.constant 0.0 : f32
    %0 = fuser.pad %x low [1, 2] high [1, 2] value %zero : tensor<4x3xf32>, f32 -> tensor<6x7xf32>
    %1 = fuser.sum %0 dims [1] : tensor<6x7xf32> -> tensor<6xf32>
    %2 = fuser.sum %0 dims [0] : tensor<6x7xf32> -> tensor<7xf32>
    fuser.return %1, %2 : tensor<6xf32>, tensor<7xf32>)");
  EXPECT_EQ(reducePads(fusion), 2u);
  EXPECT_EQ(reducePads(fusion), 0u);
}

TEST_F(RewriteCounts, SqueezeReductions) {
  FusionOp fusion = parse("(%x: tensor<4x1xf32>) -> (tensor<4xf32>, tensor<f32>)", R"(
    %0 = fuser.max %x dims [1] : tensor<4x1xf32> -> tensor<4xf32>
    %1 = fuser.mean %x dims [0, 1] : tensor<4x1xf32> -> tensor<f32>
    fuser.return %0, %1 : tensor<4xf32>, tensor<f32>)");
  EXPECT_EQ(squeezeReductions(fusion), 2u);
  EXPECT_EQ(squeezeReductions(fusion), 0u);
}

TEST_F(RewriteCounts, DeriveMaxima) {
  FusionOp fusion = parse("(%x: tensor<4x3xf32>) -> tensor<4xf32>", R"(
    %0 = fuser.max %x dims [1] : tensor<4x3xf32> -> tensor<4xf32>
    %1 = fuser.broadcast %0 dims [1] : tensor<4xf32> -> tensor<4x1xf32>
    %2 = fuser.sub %x, %1 : (tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
    %3 = fuser.max %2 dims [1] : tensor<4x3xf32> -> tensor<4xf32>
    fuser.return %3 : tensor<4xf32>)");
  EXPECT_EQ(deriveMaxima(fusion), 1u);
  EXPECT_EQ(deriveMaxima(fusion), 0u);
}

TEST_F(RewriteCounts, ExpandPowers) {
  FusionOp fusion = parse("(%x: tensor<4x3xf32>) -> tensor<4x3xf32>", R"(
    %n = arith.constant 6.0 : f64
    %0 = fuser.pow %x, %n : (tensor<4x3xf32>, f64) -> tensor<4x3xf32>
    fuser.return %0 : tensor<4x3xf32>)");
  EXPECT_EQ(expandPowers(fusion), 1u);
  EXPECT_EQ(expandPowers(fusion), 0u);
}

TEST_F(RewriteCounts, DeriveMoments) {
  FusionOp fusion = parse("(%x: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4xf32>)", R"(
    %0 = fuser.mean %x dims [1] : tensor<4x3xf32> -> tensor<4xf32>
    %1 = fuser.mean %x dims [1] : tensor<4x3xf32> -> tensor<4xf32>
    %2 = fuser.add %0, %1 : tensor<4xf32>
    %3, %4 = fuser.var_mean %x dims [1] correction 0 : tensor<4x3xf32> -> tensor<4xf32>, tensor<4xf32>
    fuser.return %2, %3 : tensor<4xf32>, tensor<4xf32>)");
  EXPECT_EQ(deriveMoments(fusion), 2u);
  EXPECT_EQ(deriveMoments(fusion), 0u);
}

TEST_F(RewriteCounts, JoinInsertions) {
  FusionOp fusion = parse("(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> tensor<4x5xf32>", R"(
    %zero = arith.constant 0.0 : f32
    %0 = fuser.pad %a low [0, 0] high [0, 2] value %zero : tensor<4x3xf32>, f32 -> tensor<4x5xf32>
    %1 = fuser.pad %b low [0, 3] high [0, 0] value %zero : tensor<4x2xf32>, f32 -> tensor<4x5xf32>
    %2 = fuser.add %0, %1 : tensor<4x5xf32>
    fuser.return %2 : tensor<4x5xf32>)");
  EXPECT_EQ(*joinInsertions(fusion), 1u);
  EXPECT_EQ(*joinInsertions(fusion), 0u);
}

TEST_F(RewriteCounts, HoistRolls) {
  FusionOp fusion = parse("(%x: tensor<4x3xf32>) -> tensor<4x3xf32>", R"(
    %0 = fuser.exp %x : tensor<4x3xf32>
    %1 = fuser.slice %0 [3, 0] [1, 3] : tensor<4x3xf32> -> tensor<1x3xf32>
    %2 = fuser.slice %0 [0, 0] [3, 3] : tensor<4x3xf32> -> tensor<3x3xf32>
    %3 = fuser.cat %1, %2 dim 0 : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    fuser.return %3 : tensor<4x3xf32>)");
  EXPECT_EQ(*hoistRolls(fusion), 1u);
  EXPECT_EQ(*hoistRolls(fusion), 0u);
}

TEST_F(RewriteCounts, SumSelections) {
  FusionOp fusion = parse("(%i: tensor<4x1xi64>, %w: tensor<4x1xf32>) -> tensor<4xf32>", R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    %iota = fuser.iota %c0, %c1 : i64, i64 -> tensor<7xi64>
    %at = fuser.broadcast %iota dims [0] : tensor<7xi64> -> tensor<1x7xi64>
    %hit = fuser.eq %i, %at : (tensor<4x1xi64>, tensor<1x7xi64>) -> tensor<4x7xi1>
    %0 = fuser.where %hit, %w, %zero : (tensor<4x7xi1>, tensor<4x1xf32>, f32) -> tensor<4x7xf32>
    %1 = fuser.sum %0 dims [1] : tensor<4x7xf32> -> tensor<4xf32>
    fuser.return %1 : tensor<4xf32>)");
  EXPECT_EQ(sumSelections(fusion), 1u);
  EXPECT_EQ(sumSelections(fusion), 0u);
}

TEST_F(RewriteCounts, FoldCasts) {
  FusionOp fusion = parse("(%x: tensor<?xbf16>) -> tensor<?xbf16>", R"(
    %0 = fuser.cast %x : tensor<?xbf16> to tensor<?xf32>
    %1 = fuser.cast %0 : tensor<?xf32> to tensor<?xf64>
    %2 = fuser.cast %1 : tensor<?xf64> to tensor<?xbf16>
    fuser.return %2 : tensor<?xbf16>)");
  EXPECT_EQ(foldCasts(fusion), 2u);
  EXPECT_EQ(foldCasts(fusion), 0u);
}

TEST_F(RewriteCounts, MultiplyOuterProducts) {
  FusionOp fusion = parse("(%a: tensor<4x1xf32>, %b: tensor<1x5xf32>) -> tensor<4x5xf32>", R"(
    %0 = fuser.matmul %a, %b : tensor<4x1xf32>, tensor<1x5xf32> -> tensor<4x5xf32>
    fuser.return %0 : tensor<4x5xf32>)");
  EXPECT_EQ(multiplyOuterProducts(fusion), 1u);
  EXPECT_EQ(multiplyOuterProducts(fusion), 0u);
}

TEST_F(RewriteCounts, ExpandRepeats) {
  FusionOp fusion = parse("(%x: tensor<1xf32>) -> tensor<3xf32>", R"(
    %0 = fuser.cat %x, %x, %x dim 0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
    fuser.return %0 : tensor<3xf32>)");
  ExpandedRepeats result = expandRepeats(fusion);
  EXPECT_EQ(result.numRepeats, 1u);
  EXPECT_EQ(result.numExpanded, 1u);
  result = expandRepeats(fusion);
  EXPECT_EQ(result.numRepeats + result.numExpanded, 0u);
}

TEST_F(RewriteCounts, FoldReshapes) {
  FusionOp fusion = parse("(%x: tensor<4x2xf32>) -> tensor<2x4xf32>", R"(
    %0 = fuser.exp %x : tensor<4x2xf32>
    %1 = fuser.reshape %0 : tensor<4x2xf32> -> tensor<8xf32>
    %2 = fuser.reshape %1 : tensor<8xf32> -> tensor<2x4xf32>
    fuser.return %2 : tensor<2x4xf32>)");
  EXPECT_EQ(foldReshapes(fusion), 1u);
  EXPECT_EQ(foldReshapes(fusion), 0u);
}

TEST_F(RewriteCounts, CancelBroadcasts) {
  FusionOp fusion = parse("(%x: tensor<?xf32>) -> tensor<?xf32>", R"(
    %0 = fuser.broadcast %x dims [0] : tensor<?xf32> -> tensor<1x?xf32>
    %1 = fuser.broadcast %0 dims [0] : tensor<1x?xf32> -> tensor<1x1x?xf32>
    %2 = fuser.squeeze %1 dims [0, 1] : tensor<1x1x?xf32> -> tensor<?xf32>
    fuser.return %2 : tensor<?xf32>)");
  EXPECT_EQ(cancelBroadcasts(fusion), 2u);
  EXPECT_EQ(cancelBroadcasts(fusion), 0u);
}

TEST_F(RewriteCounts, HoistPads) {
  FusionOp fusion = parse("(%x: tensor<4xf32>) -> tensor<7xf32>", R"(
    %zero = arith.constant 0.0 : f32
    %0 = fuser.pad %x low [1] high [0] value %zero : tensor<4xf32>, f32 -> tensor<5xf32>
    %1 = fuser.relu %0 : tensor<5xf32>
    %2 = fuser.pad %1 low [0] high [1] value %zero : tensor<5xf32>, f32 -> tensor<6xf32>
    %3 = fuser.pad %2 low [0] high [1] value %zero : tensor<6xf32>, f32 -> tensor<7xf32>
    fuser.return %3 : tensor<7xf32>)");
  HoistedPads result = hoistPads(fusion);
  EXPECT_EQ(result.numMerged + result.numHoisted, 2u);
  EXPECT_EQ(llvm::range_size(fusion.getBody().front().getOps<PadOp>()), 1u);
  result = hoistPads(fusion);
  EXPECT_EQ(result.numMerged + result.numHoisted, 0u);
}

TEST_F(RewriteCounts, SinkRepeats) {
  FusionOp fusion = parse("(%x: tensor<3xf32>) -> tensor<6xf32>", R"(
    %0 = fuser.repeat %x [2] : tensor<3xf32> -> tensor<6xf32>
    %1 = fuser.exp %0 : tensor<6xf32>
    %2 = fuser.neg %1 : tensor<6xf32>
    fuser.return %2 : tensor<6xf32>)");
  EXPECT_EQ(sinkRepeats(fusion), 2u);
  EXPECT_EQ(sinkRepeats(fusion), 0u);
}

TEST_F(RewriteCounts, SinkJoins) {
  FusionOp fusion = parse("(%x: tensor<2x4xf32>, %y: tensor<3x2xf32>) -> tensor<6x2xf32>", R"(
    %0 = fuser.permute %x [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
    %1 = fuser.slice %y [0, 0] [2, 2] : tensor<3x2xf32> -> tensor<2x2xf32>
    %2 = fuser.cat %1, %0 dim 0 : (tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<6x2xf32>
    %3 = fuser.exp %2 : tensor<6x2xf32>
    %4 = fuser.neg %3 : tensor<6x2xf32>
    fuser.return %4 : tensor<6x2xf32>)");
  EXPECT_EQ(sinkJoins(fusion), 2u);
  EXPECT_EQ(sinkJoins(fusion), 0u);
}

TEST_F(RewriteCounts, HoistGathers) {
  FusionOp fusion = parse("(%x: tensor<9xbf16>, %i: tensor<?xi64>) -> tensor<?xf32>", R"(
    %0 = fuser.cast %x : tensor<9xbf16> to tensor<9xf32>
    %1 = fuser.index_select %0, %i dim 0 : tensor<9xf32>, tensor<?xi64> -> tensor<?xf32>
    fuser.return %1 : tensor<?xf32>)");
  EXPECT_EQ(hoistGathers(fusion), 1u);
  EXPECT_EQ(hoistGathers(fusion), 0u);
}

TEST_F(RewriteCounts, SubstituteExtents) {
  FusionOp fusion = parse("(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32>", R"(
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %one = arith.constant 1.0 : f32
    %0 = fuser.full %one sizes(%n) : f32 -> tensor<?xf32>
    %1 = fuser.add %0, %x : tensor<?xf32>
    %2 = fuser.add %1, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
    fuser.return %2 : tensor<4xf32>)");
  FailureOr<SubstitutedExtents> result = substituteExtents(fusion);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->numFacts, 2u);
  EXPECT_EQ(result->numTypes, 2u);
  result = substituteExtents(fusion);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->numFacts + result->numTypes + result->numSizes, 0u);
}

TEST_F(RewriteCounts, CancelSplits) {
  FusionOp fusion = parse("(%x: tensor<4xf32>) -> tensor<4xf32>", R"(
    %0 = fuser.slice %x [0] [3] : tensor<4xf32> -> tensor<3xf32>
    %1 = fuser.slice %x [3] [1] : tensor<4xf32> -> tensor<1xf32>
    %2 = fuser.cat %0, %1 dim 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
    fuser.return %2 : tensor<4xf32>)");
  EXPECT_EQ(*cancelSplits(fusion), 1u);
  EXPECT_EQ(*cancelSplits(fusion), 0u);
}

TEST_F(RewriteCounts, NarrowBoundaries) {
  FusionOp fusion = parse("(%x: tensor<?xbf16>) -> tensor<?xf32>", R"(
    %0 = fuser.exp %x : tensor<?xbf16>
    %1 = fuser.cast %0 : tensor<?xbf16> to tensor<?xf32>
    %2 = fuser.segment_set %1 : tensor<?xf32>
    %3 = fuser.exp %2 : tensor<?xf32>
    fuser.return %3 : tensor<?xf32>)");
  EXPECT_EQ(narrowBoundaries(fusion, /*maxOps=*/0), 0u);
  EXPECT_EQ(narrowBoundaries(fusion, /*maxOps=*/4), 1u);
  EXPECT_EQ(narrowBoundaries(fusion, /*maxOps=*/4), 0u);
}

TEST_F(RewriteCounts, ProtectUpdates) {
  FusionOp fusion = parse("(%x: tensor<?x?xf32>) -> tensor<?x?xf32> "
                          "attributes {aliases = [#fuser.alias<output 0, input 0>]}",
                          R"(
    %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %1 = fuser.add %x, %0 : tensor<?x?xf32>
    fuser.return %1 : tensor<?x?xf32>)");
  EXPECT_EQ(protectUpdates(fusion), 1u);
  EXPECT_EQ(protectUpdates(fusion), 0u);
}

TEST_F(RewriteCounts, MarkAliases) {
  FusionOp fusion = parse("(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)", R"(
    %0 = fuser.set %x : tensor<?x?xf32>
    %1 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    fuser.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>)");
  MarkedAliases marked = markAliases(fusion);
  EXPECT_EQ(marked.numForwarded, 1u);
  EXPECT_EQ(marked.numHints, 1u);
  marked = markAliases(fusion);
  EXPECT_EQ(marked.numForwarded + marked.numHints, 0u);
}

TEST_F(RewriteCounts, FinalizeDomains) {
  FusionOp fusion = parse("(%x: tensor<?x?xf32>) -> tensor<?x?xf32>", R"(
    %0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "test">]}
        : tensor<?x?xf32>
    fuser.return %0 : tensor<?x?xf32>)");
  EXPECT_EQ(finalizeDomains(fusion), 1u);
  EXPECT_EQ(finalizeDomains(fusion), 0u);
}

} // namespace
