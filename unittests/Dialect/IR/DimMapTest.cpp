//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Domain mappings: kinds and extents of root ids, and how operands are read from them.
//
//===----------------------------------------------------------------------===//

#include "OpTest.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

namespace {

class DimMapTest : public OpTest {
protected:
  /// Letters of the root kinds.
  static std::string kinds(Operation *op) {
    std::string text;
    for (IdKind kind : cast<DomainMappingOpInterface>(op).getRootKinds())
      text += "irbe"[static_cast<unsigned>(kind)];
    return text;
  }

  /// The maps of one operand: "0 1*2+3-s-e10 [1] . #": mapped, resized (s: minus a value, ekd:
  /// minus the extent of dimension d of operand k), indirect, broadcast, whole.
  static std::string maps(Operation *op, unsigned operand) {
    std::string text;
    for (const DimMap &map : cast<DomainMappingOpInterface>(op).getDimMaps(operand)) {
      text += text.empty() ? "" : " ";
      switch (map.kind) {
      case DimMap::Kind::Mapped:
        text += std::to_string(map.id);
        break;
      case DimMap::Kind::Broadcast:
        text += "." + (map.id == kNoId ? "" : std::to_string(map.id));
        break;
      case DimMap::Kind::Indirect:
        text += "[" + std::to_string(map.indexOperand) + "]";
        break;
      case DimMap::Kind::Whole:
        text += "#";
        break;
      case DimMap::Kind::Resized: {
        auto offset = getConstantIntValue(map.offset);
        text += std::to_string(map.id) + "*" + std::to_string(map.step) + "+" +
                (offset ? std::to_string(*offset) : "s") + (map.minus ? "-s" : "");
        for (auto [k, d] : map.minusExtents)
          text += "-e" + std::to_string(k) + std::to_string(d);
        break;
      }
      }
    }
    return text;
  }

  /// Root extents, where dimension d of operand k is symbol 10 * k + d and every index operand
  /// d100.
  std::string extents(Operation *op) {
    SmallVector<SmallVector<AffineExpr>> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      auto &list = operands.emplace_back();
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      for (int64_t d = 0, rank = type ? type.getRank() : 0; d < rank; ++d)
        list.push_back(type.isDynamicDim(d)
                           ? getAffineSymbolExpr(10 * operand.getOperandNumber() + d, &context)
                           : getAffineConstantExpr(type.getDimSize(d), &context));
    }
    auto symbolOf = [&](Value) { return getAffineDimExpr(100, &context); };
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleaveComma(cast<DomainMappingOpInterface>(op).inferRootExtents(operands, symbolOf),
                          stream, [&](AffineExpr extent) {
                            if (extent)
                              stream << extent;
                            else
                              stream << "?";
                          });
    return text;
  }
};

TEST_F(DimMapTest, Pointwise) {
  Operation *op = parse("%x: tensor<?x1xf32>, %y: tensor<?x8xf32>, %s: f32",
                        "%0 = fuser.fma %x, %y, %s : (tensor<?x1xf32>, tensor<?x8xf32>, f32) -> "
                        "tensor<?x8xf32>");
  EXPECT_EQ(kinds(op), "ii");
  EXPECT_EQ(maps(op, 0), "0 .1");
  EXPECT_EQ(maps(op, 1), "0 1");
  EXPECT_EQ(maps(op, 2), "");
  EXPECT_EQ(extents(op), "s0, 8");
}

TEST_F(DimMapTest, Reduction) {
  Operation *op = parse("%x: tensor<?x1x8xf32>",
                        "%0 = fuser.max %x dims [2] : tensor<?x1x8xf32> -> tensor<?x1xf32>");
  EXPECT_EQ(kinds(op), "ibr");
  EXPECT_EQ(maps(op, 0), "0 1 2");
  EXPECT_EQ(extents(op), "s0, 1, 8");
}

TEST_F(DimMapTest, BroadcastExpandSqueezePermute) {
  Operation *op = parse("%x: tensor<?xf32>",
                        "%0 = fuser.broadcast %x dims [0] : tensor<?xf32> -> tensor<1x?xf32>");
  EXPECT_EQ(kinds(op), "bi");
  EXPECT_EQ(maps(op, 0), "1");
  EXPECT_EQ(extents(op), "1, s0");
  op = parse("%x: tensor<1x?x1xf32>, %n: index",
             "%0 = fuser.expand %x sizes(%n) : tensor<1x?x1xf32> -> tensor<?x?x4xf32>");
  EXPECT_EQ(kinds(op), "eie");
  EXPECT_EQ(maps(op, 0), ".0 1 .2");
  EXPECT_EQ(maps(op, 1), "");
  EXPECT_EQ(extents(op), "d100, s1, 4");
  op = parse("%x: tensor<1x?xf32>",
             "%0 = fuser.squeeze %x dims [0] : tensor<1x?xf32> -> tensor<?xf32>");
  EXPECT_EQ(maps(op, 0), ". 0");
  EXPECT_EQ(extents(op), "s1");
  op = parse("%x: tensor<2x?x4xf32>",
             "%0 = fuser.permute %x [2, 0, 1] : tensor<2x?x4xf32> -> tensor<4x2x?xf32>");
  EXPECT_EQ(maps(op, 0), "1 2 0");
  EXPECT_EQ(extents(op), "4, 2, s1");
}

TEST_F(DimMapTest, ReshapeAndRepeat) {
  Operation *op = parse("%x: tensor<?x1x6xf32>",
                        "%0 = fuser.reshape %x : tensor<?x1x6xf32> -> tensor<?x2x1x3xf32>");
  EXPECT_EQ(kinds(op), "iib");
  EXPECT_EQ(maps(op, 0), "0 . 1");
  EXPECT_EQ(extents(op), "s0, 6, 1");
  op = parse("%x: tensor<?x3xf32>",
             "%0 = fuser.repeat %x [2, 1] : tensor<?x3xf32> -> tensor<?x3xf32>");
  EXPECT_EQ(kinds(op), "eii");
  EXPECT_EQ(maps(op, 0), "1 2");
  EXPECT_EQ(extents(op), "2, s0, 3");
  EXPECT_EQ(cast<TensorViewOpInterface>(op).getDomain(0).getLogical(), (ArrayRef<unsigned>{3, 2}));
}

TEST_F(DimMapTest, Boxes) {
  Operation *op = parse("%x: tensor<8x?xf32>, %n: index",
                        "%0 = fuser.slice %x [1, %n] [4, %n] strides [2, 1] : tensor<8x?xf32> -> "
                        "tensor<4x?xf32>");
  EXPECT_EQ(maps(op, 0), "0*2+1 1*1+s");
  EXPECT_EQ(extents(op), "4, d100");
  op = parse("%x: tensor<4x?xf32>, %n: index, %v: f32",
             "%0 = fuser.pad %x low [-1, %n] high [2, 3] value %v : tensor<4x?xf32>, f32 -> "
             "tensor<5x?xf32>");
  EXPECT_EQ(maps(op, 0), "0*1+1 1*1+0-s");
  EXPECT_EQ(extents(op), "5, d100 + s1 + 3");
  op =
      parse("%x: tensor<2x4xf32>, %y: tensor<?x4xf32>",
            "%0 = fuser.cat %x, %y, %x dim 0 : (tensor<2x4xf32>, tensor<?x4xf32>, tensor<2x4xf32>) "
            "-> tensor<?x4xf32>");
  EXPECT_EQ(maps(op, 0), "0*1+0 1");
  EXPECT_EQ(maps(op, 1), "0*1+-2 1");
  EXPECT_EQ(maps(op, 2), "0*1+-2-e10 1");
  EXPECT_EQ(extents(op), "s10 + 4, 4");
  op = parse("%x: tensor<2xf32>, %y: tensor<?xf32>, %n: index",
             "%0 = fuser.insert_slice %x into %y [%n] : tensor<2xf32> into tensor<?xf32>");
  EXPECT_EQ(maps(op, 0), "0*1+0-s");
  EXPECT_EQ(maps(op, 1), "0");
  EXPECT_EQ(extents(op), "s10");
}

TEST_F(DimMapTest, Factories) {
  Operation *op =
      parse("%v: f32, %n: index", "%0 = fuser.full %v sizes(%n) : f32 -> tensor<4x?x1xf32>");
  EXPECT_EQ(kinds(op), "iib");
  EXPECT_EQ(extents(op), "4, d100, 1");
  op = parse("%v: f32, %n: index", "%0 = fuser.iota %v, %v length(%n) : f32, f32 -> tensor<?xf32>");
  EXPECT_TRUE(cast<ElementwiseOpInterface>(op).dependsOnIndex());
  EXPECT_EQ(extents(op), "d100");
}

TEST_F(DimMapTest, Indexing) {
  Operation *op = parse("%x: tensor<4x9xf32>, %i: tensor<3x?xi64>",
                        "%0 = fuser.gather %x, %i dim 1 : tensor<4x9xf32>, tensor<3x?xi64> -> "
                        "tensor<3x?xf32>");
  EXPECT_EQ(maps(op, 0), "0*1+0 [1]");
  EXPECT_EQ(maps(op, 1), "0 1");
  EXPECT_EQ(extents(op), "3, s11");
  op = parse("%x: tensor<4x9xf32>, %i: tensor<1x?xi64>",
             "%0 = fuser.take_along_axis %x, %i dim 1 : tensor<4x9xf32>, tensor<1x?xi64> -> "
             "tensor<4x?xf32>");
  EXPECT_EQ(maps(op, 0), "0 [1]");
  EXPECT_EQ(maps(op, 1), ".0 1");
  EXPECT_EQ(extents(op), "4, s11");
  op = parse(
      "%x: tensor<4x9xf32>, %i: tensor<?xi64>",
      "%0 = fuser.index_select %x, %i dim 0 : tensor<4x9xf32>, tensor<?xi64> -> tensor<?x9xf32>");
  EXPECT_EQ(maps(op, 0), "[1] 1");
  EXPECT_EQ(maps(op, 1), "0");
  EXPECT_EQ(extents(op), "s10, 9");
  op = parse("%x: tensor<4x9x2xf32>, %i: tensor<3x?xi64>",
             "%0 = fuser.index_select %x, %i dim 1 : tensor<4x9x2xf32>, tensor<3x?xi64> -> "
             "tensor<4x3x?x2xf32>");
  EXPECT_EQ(maps(op, 0), "0 [1] 3");
  EXPECT_EQ(maps(op, 1), "1 2");
  EXPECT_EQ(extents(op), "4, 3, s11, 2");
  op =
      parse("%x: tensor<4x9xf32>, %i: tensor<i64>",
            "%0 = fuser.index_select %x, %i dim 0 : tensor<4x9xf32>, tensor<i64> -> tensor<9xf32>");
  EXPECT_EQ(maps(op, 0), "[1] 0");
  EXPECT_EQ(maps(op, 1), "");
  op = parse("%x: tensor<4x9xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>",
             "%0 = fuser.scatter %s at %i into %x dim 1 : tensor<4x2xf32>, tensor<4x2xi64>, "
             "tensor<4x9xf32>");
  EXPECT_EQ(maps(op, 0), "0 #");
  EXPECT_EQ(maps(op, 2), "0 1");
  op = parse("%x: tensor<4x9xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>",
             "%0 = fuser.push %s at %i into %x dim 1 : tensor<4x2xf32>, tensor<4x2xi64>, "
             "tensor<4x9xf32>");
  EXPECT_EQ(maps(op, 0), "0 1");
  EXPECT_EQ(maps(op, 2), "0 [1]");
  EXPECT_EQ(extents(op), "4, 2");
}

TEST_F(DimMapTest, Contraction) {
  Operation *op = parse("%a: tensor<1x?x?xf32>, %b: tensor<3x?x8xf32>",
                        "%0 = fuser.matmul %a, %b : tensor<1x?x?xf32>, tensor<3x?x8xf32> -> "
                        "tensor<3x?x8xf32>");
  EXPECT_EQ(kinds(op), "iiir");
  EXPECT_EQ(maps(op, 0), ".0 1 3");
  EXPECT_EQ(maps(op, 1), "0 3 2");
  EXPECT_EQ(extents(op), "3, s1, 8, s2");
  op =
      parse("%a: tensor<3x?x16xf32>, %b: tensor<16x8xf32>",
            "%0 = fuser.matmul %a, %b : tensor<3x?x16xf32>, tensor<16x8xf32> -> tensor<3x?x8xf32>");
  EXPECT_EQ(maps(op, 1), "3 2");
  op = parse(
      "%x: tensor<3x?x16xf32>, %w: tensor<8x16xf32>, %b: tensor<8xf32>",
      "%0 = fuser.linear %x, %w bias %b : tensor<3x?x16xf32>, tensor<8x16xf32>, tensor<8xf32> "
      "-> tensor<3x?x8xf32>");
  EXPECT_EQ(kinds(op), "iiir");
  EXPECT_EQ(maps(op, 0), "0 1 3");
  EXPECT_EQ(maps(op, 1), "2 3");
  EXPECT_EQ(maps(op, 2), "2");
  EXPECT_EQ(extents(op), "3, s1, 8, 16");
  op = parse(
      "%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>, %v: tensor<2x?x8xf32>",
      "%0, %1 = fuser.sdpa %q, %k, %v : tensor<2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x8xf32> "
      "-> tensor<2x?x8xf32>, tensor<2x?xf32>");
  EXPECT_EQ(maps(op, 0), "0 1 #");
  EXPECT_EQ(maps(op, 1), "0 # #");
  EXPECT_EQ(maps(op, 2), "0 # 2");
  EXPECT_EQ(extents(op), "2, s1, 8");
}

} // namespace
