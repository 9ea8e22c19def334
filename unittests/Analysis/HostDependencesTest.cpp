//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of the ops of a host function that memory requires.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/HostDependences.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

/// A matrix, a part of its rows, a part of its columns, and one of a size that a call knows.
constexpr llvm::StringLiteral kTypes = R"(
  !t = tensor<8x8xf32>
  !rows = tensor<2x8xf32>
  !cols = tensor<8x2xf32>
  !some = tensor<?x8xf32>
  fuser.kernel @one(%x: !t, %n: index) -> !t {
    fuser.return %x : !t
  }
  fuser.kernel @two(%x: !t) -> (!t, !t) {
    fuser.return %x, %x : !t, !t
  }
)";

/// Of each op that accesses memory: its depth and the numbers of those that it depends on, as in
/// "0, 1(0), 1(0), 2(1 2)". %a to %e are matrices, %r rows, %q columns, %s some rows and %n a
/// number.
std::string describe(const std::string &body) {
  MLIRContext context;
  context.loadDialect<FuserDialect, arith::ArithDialect, tensor::TensorDialect>();
  auto module = parseSourceString<ModuleOp>(
      kTypes.str() +
          "fuser.host @h(%a: !t, %b: !t, %c: !t, %d: !t, %e: !t, %r: !rows, %q: !cols, "
          "%s: !some, %n: index, %wide: tensor<100x8xf32>) {\n" +
          body + "\nfuser.return\n}",
      &context);
  if (!module)
    return "expected text that parses";
  Block &block = (*module->getOps<HostOp>().begin()).getBody().front();
  HostDependences dependences(block);
  std::string text;
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : block) {
    if (!isa<LaunchOp, CopyOp, LibraryCallOp, FreeOp, ForOp>(op)) {
      EXPECT_TRUE(dependences.getPredecessors(&op).empty());
      continue;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(dependences.getDepth(&op));
    const char *separator = "(";
    for (Operation *predecessor : dependences.getPredecessors(&op)) {
      text += separator + std::to_string(numbers.at(predecessor));
      separator = " ";
    }
    text += *separator == ' ' ? ")" : "";
    numbers[&op] = numbers.size();
  }
  return text;
}

std::string makeCopy(const std::string &from, const std::string &to,
                     const std::string &type = "!t") {
  return "fuser.copy %" + from + " into %" + to + " : " + type + ", " + type + "\n";
}
/// A part of %a, e.g. of the rows [0, 2).
std::string makeView(const std::string &name, const std::string &range, const std::string &type) {
  return "%" + name + " = fuser.view %a " + range + " : !t -> " + type + "\n";
}

TEST(HostDependencesTest, ReadsAndWrites) {
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("c", "d")), "0, 0");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("a", "c")), "0, 0");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("b", "c")), "0, 1(0)");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("c", "a")), "0, 1(0)");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("c", "b")), "0, 1(0)");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("a", "c") + makeCopy("d", "a")), "0, 0, 1(0 1)");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("b", "c") + makeCopy("c", "d")),
            "0, 1(0), 2(1)");
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("b", "c") + makeCopy("d", "e")), "0, 1(0), 0");
  // Through the last one that writes all of a buffer.
  EXPECT_EQ(describe(makeCopy("a", "b") + makeCopy("c", "b") + makeCopy("b", "d")),
            "0, 1(0), 2(1)");
  EXPECT_EQ(describe(makeCopy("b", "a") + makeCopy("c", "b") + makeCopy("d", "b")),
            "0, 1(0), 2(1)");
}

TEST(HostDependencesTest, EachKindOfOp) {
  const std::string one = "%1 = fuser.launch @one ins(%a, %n : !t, index) outs(%b : !t) -> !t\n";
  EXPECT_EQ(describe(one + makeCopy("1", "c")), "0, 1(0)");
  EXPECT_EQ(describe(one + makeCopy("b", "c")), "0, 1(0)");
  EXPECT_EQ(describe(one + makeCopy("c", "a")), "0, 1(0)");
  EXPECT_EQ(describe(one + makeCopy("a", "c")), "0, 0");
  EXPECT_EQ(describe(makeCopy("c", "a") + one), "0, 1(0)");
  const std::string call =
      "%2 = fuser.library_call \"f\" ins(%a, %n : !t, index) outs(%b : !t) -> !t\n";
  EXPECT_EQ(describe(call + makeCopy("2", "c")), "0, 1(0)");
  EXPECT_EQ(describe(call + makeCopy("c", "a")), "0, 1(0)");
  EXPECT_EQ(describe(call + makeCopy("a", "c")), "0, 0");
  EXPECT_EQ(describe(makeCopy("c", "a") + call), "0, 1(0)");
  EXPECT_EQ(describe(one + call), "0, 1(0)");
  const std::string temporary = "%t = fuser.alloc() : !t\n%3 = " + makeCopy("a", "t");
  EXPECT_EQ(describe(temporary + makeCopy("3", "b") + "fuser.free %t : !t"), "0, 1(0), 2(0 1)");
  EXPECT_EQ(describe(temporary + makeCopy("b", "c") + "fuser.free %t : !t"), "0, 0, 1(0)");
  // A loop may write what it names.
  const std::string loop = "fuser.for %i to %n streams 2 {\n" + makeCopy("a", "b") + "}\n";
  EXPECT_EQ(describe(makeCopy("a", "c") + loop), "0, 1(0)");
  EXPECT_EQ(describe(makeCopy("c", "d") + loop), "0, 0");
  EXPECT_EQ(describe(loop + makeCopy("c", "b") + makeCopy("a", "d")), "0, 1(0), 1(0)");
}

TEST(HostDependencesTest, EachResultIsInTheBufferOfItsOutput) {
  const std::string outputs = " ins(%a : !t) outs(%b, %c : !t, !t) -> !t, !t\n";
  for (const char *op : {"%1:2 = fuser.launch @two", "%1:2 = fuser.library_call \"f\""}) {
    const std::string both = op + outputs;
    EXPECT_EQ(describe(both + makeCopy("d", "b") + makeCopy("1#0", "e")), "0, 1(0), 2(1)");
    EXPECT_EQ(describe(both + makeCopy("d", "b") + makeCopy("1#1", "e")), "0, 1(0), 1(0)");
    EXPECT_EQ(describe(both + makeCopy("d", "c") + makeCopy("1#1", "e")), "0, 1(0), 2(1)");
  }
  const std::string part = makeView("v", "[0, 0] [2, 8]", "!rows");
  const std::string write = "%1 = " + makeCopy("r", "v", "!rows");
  const std::string place = "%2 = fuser.place %1 into %a [0, 0] : !rows into !t\n";
  EXPECT_EQ(describe(part + write + place + makeCopy("2", "b")), "0, 1(0)");
  EXPECT_EQ(describe(part + write + place + makeCopy("b", "2")), "0, 1(0)");
  EXPECT_EQ(describe(part + makeCopy("b", "a") + makeCopy("v", "r", "!rows")), "0, 1(0)");
  const std::string flat =
      "%f = fuser.reshape_view %a [64] groups [2] to [1] : !t -> tensor<64xf32>\n"
      "%g = fuser.alloc() : tensor<64xf32>\n";
  EXPECT_EQ(describe(flat + makeCopy("b", "a") + makeCopy("f", "g", "tensor<64xf32>")), "0, 1(0)");
}

/// What two writes of parts of %a depend on, and then a read of all of it.
std::string describeParts(const std::string &first, const std::string &firstType,
                          const std::string &second, const std::string &secondType) {
  auto source = [](const std::string &type) {
    return type == "!rows" ? "r" : type == "!cols" ? "q" : "s";
  };
  return describe(makeView("v", first, firstType) + makeView("w", second, secondType) +
                  makeCopy(source(firstType), "v", firstType) +
                  makeCopy(source(secondType), "w", secondType) + makeCopy("a", "b"));
}

TEST(HostDependencesTest, PartsOfABuffer) {
  const std::string apart = "0, 0, 1(0 1)", together = "0, 1(0), 2(0 1)";
  EXPECT_EQ(describeParts("[0, 0] [2, 8]", "!rows", "[2, 0] [2, 8]", "!rows"), apart);
  EXPECT_EQ(describeParts("[2, 0] [2, 8]", "!rows", "[0, 0] [2, 8]", "!rows"), apart);
  EXPECT_EQ(describeParts("[0, 0] [2, 8]", "!rows", "[6, 0] [2, 8]", "!rows"), apart);
  EXPECT_EQ(describeParts("[0, 0] [2, 8]", "!rows", "[1, 0] [2, 8]", "!rows"), together);
  EXPECT_EQ(describeParts("[1, 0] [2, 8]", "!rows", "[0, 0] [2, 8]", "!rows"), together);
  EXPECT_EQ(describeParts("[0, 0] [8, 2]", "!cols", "[0, 2] [8, 2]", "!cols"), apart);
  EXPECT_EQ(describeParts("[0, 2] [8, 2]", "!cols", "[0, 1] [8, 2]", "!cols"), together);
  EXPECT_EQ(describeParts("[0, 0] [2, 8]", "!rows", "[0, 2] [8, 2]", "!cols"), together);
  // Between the elements of a view with steps there are others; they count as part of it.
  EXPECT_EQ(describeParts("[0, 0] [2, 8] strides [2, 1]", "!rows", "[4, 0] [2, 8]", "!rows"),
            apart);
  EXPECT_EQ(describeParts("[0, 0] [2, 8] strides [2, 1]", "!rows", "[3, 0] [2, 8]", "!rows"),
            together);
  // What only a call knows may be anywhere.
  EXPECT_EQ(describeParts("[%n, 0] [2, 8]", "!rows", "[6, 0] [2, 8]", "!rows"), together);
  EXPECT_EQ(describeParts("[0, 0] [2, 8]", "!rows", "[%n, 0] [2, 8]", "!rows"), together);
  EXPECT_EQ(describeParts("[0, 0] [%n, 8]", "!some", "[6, 0] [2, 8]", "!rows"), together);
}

TEST(HostDependencesTest, PartsAndWholes) {
  const std::string parts =
      makeView("v", "[0, 0] [2, 8]", "!rows") + makeView("w", "[2, 0] [2, 8]", "!rows");
  const std::string readV = "%t = fuser.alloc() : !rows\n" + makeCopy("v", "t", "!rows"),
                    writeV = "%1 = " + makeCopy("r", "v", "!rows"),
                    writeW = makeCopy("r", "w", "!rows");
  EXPECT_EQ(describe(parts + readV + writeW), "0, 0");
  EXPECT_EQ(describe(parts + readV + writeV), "0, 1(0)");
  EXPECT_EQ(describe(parts + makeCopy("b", "a") + writeV + writeW), "0, 1(0), 1(0)");
  EXPECT_EQ(describe(parts + writeV + writeW + makeCopy("b", "a") + writeW), "0, 0, 1(0 1), 2(2)");
  EXPECT_EQ(describe(parts + makeCopy("a", "b") + writeV + writeW), "0, 1(0), 1(0)");
  // The result of a write of a part is the part.
  const std::string again = "%u = fuser.alloc() : !rows\n" + makeCopy("1", "u", "!rows");
  EXPECT_EQ(describe(parts + writeV + writeW + again), "0, 0, 1(0)");
  // A part of a part may be any part.
  const std::string row = "%x = fuser.view %v [0, 0] [1, 8] : !rows -> tensor<1x8xf32>\n"
                          "%y = fuser.alloc() : tensor<1x8xf32>\n";
  EXPECT_EQ(describe(parts + row + writeW + makeCopy("x", "y", "tensor<1x8xf32>")), "0, 1(0)");
}

// A size that is read from a result needs the result.
TEST(HostDependencesTest, Operands) {
  const std::string size = "%1 = " + makeCopy("s", "z", "!some") +
                           "%c0 = arith.constant 0 : index\n%m = tensor.dim %1, %c0 : !some\n";
  const std::string part = "%v = fuser.view %a [%m, 0] [2, 8] : !t -> !rows\n";
  const std::string buffer = "%z = fuser.alloc(%n) : !some\n%t = fuser.alloc() : !rows\n";
  EXPECT_EQ(describe(buffer + size + part + makeCopy("v", "t", "!rows")), "0, 1");
  EXPECT_EQ(describe(buffer + size + part + makeCopy("b", "a") + makeCopy("v", "t", "!rows")),
            "0, 0, 1(1)");
}

// Beyond 64 parts, one stands for all.
TEST(HostDependencesTest, ManyParts) {
  const std::string type = "tensor<1x8xf32>";
  auto makeRow = [&](const std::string &row) {
    return "%v" + row + " = fuser.view %wide [" + row + ", 0] [1, 8] : tensor<100x8xf32> -> " +
           type + "\n%u" + row + " = fuser.alloc() : " + type + "\n";
  };
  // One read, and then writes of other rows.
  std::string body = makeRow("90") + makeCopy("v90", "u90", type);
  std::string expected = "0", writes;
  for (unsigned row = 1; row < 69; ++row) {
    const std::string name = std::to_string(row);
    body += makeRow(name) + makeCopy("u" + name, "v" + name, type);
    if (row > 64)
      continue;
    expected += ", 0";
    writes += name + " ";
  }
  EXPECT_EQ(describe(body), expected + ", 1(" + writes + "0), 2(65), 2(65), 2(65)");
}

} // namespace
