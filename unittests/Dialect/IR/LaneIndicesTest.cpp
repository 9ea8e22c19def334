//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the ops of a vector of indices show of its lanes.
//
//===----------------------------------------------------------------------===//

#include "LaneIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Offsets and divisor of what the body returns, as text: "0 1 2 3 by 4"; "? by 1" where the
/// offsets are not known.
std::string describe(StringRef body, StringRef type = "vector<4xindex>") {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, vector::VectorDialect>();
  const std::string text =
      ("func.func @f(%i: index, %n: index, %v: vector<4xindex>) -> " + type + " {\n" +
       "%lanes = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>\n" +
       "%c8 = arith.constant 8 : index\n%c12 = arith.constant 12 : index\n" +
       "%twelve = arith.constant dense<12> : vector<4xindex>\n" +
       "%all = vector.broadcast %i : index to vector<4xindex>\n" +
       "%size = vector.broadcast %n : index to vector<4xindex>\n" + body + "\nreturn %r : " + type +
       "\n}")
          .str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "invalid";
  auto function = *module->getOps<func::FuncOp>().begin();
  const LaneIndices lanes =
      LaneIndices::get(function.getBody().front().getTerminator()->getOperand(0));
  std::string result;
  if (!lanes.offsets)
    result = "? ";
  else
    for (int64_t offset : *lanes.offsets)
      result += std::to_string(offset) + " ";
  return result + "by " + std::to_string(lanes.divisor) + (lanes.areAdjacent() ? ", a row" : "");
}

TEST(LaneIndicesTest, Constants) {
  EXPECT_EQ(describe("%r = arith.addi %lanes, %lanes : vector<4xindex>"), "0 2 4 6 by 64");
  EXPECT_EQ(describe("%r = arith.constant dense<[20, 21, 22, 23]> : vector<4xindex>"),
            "0 1 2 3 by 4, a row");
  EXPECT_EQ(describe("%r = arith.constant dense<[3, 2, 1, 0]> : vector<4xindex>"),
            "0 -1 -2 -3 by 1");
  EXPECT_EQ(describe("%r = arith.constant dense<24> : vector<4xindex>"), "0 0 0 0 by 8");
  EXPECT_EQ(describe("%r = arith.constant -6 : index", "index"), "0 by 2, a row");
  EXPECT_EQ(describe("%r = arith.constant 1024 : i32", "i32"), "0 by 64, a row");
}

TEST(LaneIndicesTest, Rows) {
  EXPECT_EQ(describe("%r = arith.addi %all, %lanes : vector<4xindex>"), "0 1 2 3 by 1, a row");
  EXPECT_EQ(describe("%a = arith.muli %i, %c8 : index\n"
                     "%b = vector.broadcast %a : index to vector<4xindex>\n"
                     "%c = arith.addi %b, %lanes : vector<4xindex>\n"
                     "%d = arith.muli %all, %twelve : vector<4xindex>\n"
                     "%e = arith.addi %d, %c : vector<4xindex>\n"
                     "%r = arith.index_cast %e : vector<4xindex> to vector<4xi64>",
                     "vector<4xi64>"),
            "0 1 2 3 by 4, a row");
  EXPECT_EQ(describe("%a = arith.muli %all, %size : vector<4xindex>\n"
                     "%r = arith.addi %a, %lanes : vector<4xindex>"),
            "0 1 2 3 by 1, a row");
}

TEST(LaneIndicesTest, OtherLanes) {
  EXPECT_EQ(describe("%r = arith.muli %lanes, %twelve : vector<4xindex>"), "0 12 24 36 by 64");
  EXPECT_EQ(describe("%r = arith.subi %all, %lanes : vector<4xindex>"), "0 -1 -2 -3 by 1");
  EXPECT_EQ(describe("%r = arith.muli %all, %twelve : vector<4xindex>"), "0 0 0 0 by 4");
  EXPECT_EQ(describe("%a = arith.addi %all, %twelve : vector<4xindex>\n"
                     "%r = arith.muli %a, %lanes : vector<4xindex>"),
            "? by 64");
}

TEST(LaneIndicesTest, NothingIsKnown) {
  EXPECT_EQ(describe("%r = arith.addi %v, %lanes : vector<4xindex>"), "? by 1");
  EXPECT_EQ(describe("%r = arith.muli %v, %twelve : vector<4xindex>"), "? by 4");
  EXPECT_EQ(describe("%r = arith.muli %size, %lanes : vector<4xindex>"), "? by 64");
  EXPECT_EQ(describe("%r = arith.divui %lanes, %twelve : vector<4xindex>"), "? by 1");
  EXPECT_EQ(describe("%r = arith.divui %c12, %c8 : index", "index"), "0 by 1, a row");
}

} // namespace
