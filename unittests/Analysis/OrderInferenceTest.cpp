//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All references of the values of a fusion, and what is decided from them.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/OrderInference.h"
#include "fuser/Dialect/IR/ArgumentNames.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fuser;

namespace {

class OrderInferenceTest : public testing::Test {
protected:
  OrderInferenceTest() { context.loadDialect<FuserDialect>(); }

  static std::string print(ArrayRef<int64_t> dims) {
    return "[" +
           llvm::join(llvm::map_range(dims, [](int64_t dim) { return std::to_string(dim); }), " ") +
           "]";
  }
  /// "%x", or "neg": the argument or the op.
  static std::string print(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return "%" + getArgumentName(argument).str();
    return value.getDefiningOp()->getName().stripDialect().str();
  }

  /// For each result of the fusion's ops, "add: %x 2 8192 [1 0], %y 2 8192 [0 1] -> [1 0]
  /// cheapest-reference %x": its references with their dimensions, bytes and places (`...` after
  /// those that lack a faster dimension), and the decision.
  std::string infer(StringRef arguments, StringRef layouts, StringRef body,
                    OrderPolicy policy = nullptr) {
    std::string attributes;
    if (!layouts.empty())
      attributes = (" attributes {arg_layouts = [" + layouts + "]}").str();
    std::string text =
        ("fuser.fusion @f(" + arguments + ")" + attributes + " {\n" + body + "\nfuser.return\n}")
            .str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "no program";
    FusionOp fusion = *module->getOps<FusionOp>().begin();
    OrderInference inference(fusion, {"mine"}, std::move(policy));
    std::string result;
    for (Operation &op : fusion.getBody().front())
      for (OpResult value : op.getResults()) {
        std::vector<std::string> references;
        for (const OrderReference &reference : inference.getReferences(value))
          references.push_back(print(reference.source) + " " + std::to_string(reference.numDims) +
                               " " + std::to_string(reference.bytes) + " " + print(reference.dims) +
                               (reference.truncated ? "..." : ""));
        result += op.getName().stripDialect().str() + ": " + llvm::join(references, ", ");
        if (std::optional<InferredOrder> order = inference.getOrder(value))
          result += " -> " + print(order->order) + " " + order->rule +
                    (order->reference ? " " + print(order->reference) : "");
        result += "\n";
      }
    return result;
  }

  MLIRContext context;
};

constexpr StringLiteral kColumns = "#fuser.layout<order = [1, 0]>";

TEST_F(OrderInferenceTest, TheBytesOfASource) {
  EXPECT_EQ(infer("%x: tensor<4x1x?xf32>, %y: tensor<3xi1>, %z: tensor<?x?xcomplex<f64>>", "",
                  "%0 = fuser.neg %x : tensor<4x1x?xf32>\n"
                  "%1 = fuser.logical_not %y : tensor<3xi1>\n"
                  "%2 = fuser.neg %z : tensor<?x?xcomplex<f64>>"),
            "neg: %x 2 4096 [0 1 2]\n"
            "logical_not: %y 1 3 [0]\n"
            "neg: %z 2 1048576 [0 1]\n");
}

TEST_F(OrderInferenceTest, OneSourceInTwoOrdersIsTwoReferences) {
  const StringRef body = "%0 = fuser.permute %x [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>\n"
                         "%1 = fuser.add %0, %x : tensor<8x8xf32>\n"
                         "%2 = fuser.add %x, %0 : tensor<8x8xf32>\n"
                         "%3 = fuser.add %0, %0 : tensor<8x8xf32>";
  EXPECT_EQ(infer("%x: tensor<8x8xf32>", "", body),
            "permute: %x 2 256 [1 0] -> [1 0] follow-reference %x\n"
            "add: %x 2 256 [1 0], %x 2 256 [0 1]\n"
            "add: %x 2 256 [0 1], %x 2 256 [1 0]\n"
            "add: %x 2 256 [1 0] -> [1 0] follow-reference %x\n");
  EXPECT_EQ(infer("%x: tensor<8x8xf32>", kColumns, body), "permute: %x 2 256 [0 1]\n"
                                                          "add: %x 2 256 [0 1], %x 2 256 [1 0]\n"
                                                          "add: %x 2 256 [1 0], %x 2 256 [0 1]\n"
                                                          "add: %x 2 256 [0 1]\n");
}

TEST_F(OrderInferenceTest, TheSourcesWithMostDimensions) {
  EXPECT_EQ(infer("%a: tensor<1x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>", "",
                  "%0 = fuser.add %a, %b : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                  "%1 = fuser.add %b, %a : (tensor<8x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>\n"
                  "%2 = fuser.add %a, %a : tensor<1x8xf32>\n"
                  "%3 = fuser.add %b, %c : tensor<8x8xf32>"),
            "add: %b 2 256 [0 1]\n"
            "add: %b 2 256 [0 1]\n"
            "add: %a 1 32 [0 1]\n"
            "add: %b 2 256 [0 1], %c 2 256 [0 1]\n");
}

TEST_F(OrderInferenceTest, TheCheapestOrder) {
  const StringRef sum = "%0 = fuser.cast %a : tensor<8x8xf32> to tensor<8x8xf64>\n"
                        "%1 = fuser.add %0, %b : tensor<8x8xf64>";
  EXPECT_EQ(infer("%a: tensor<8x8xf32>, %b: tensor<8x8xf64>", ("unit, " + kColumns).str(), sum),
            "cast: %a 2 256 [0 1]\n"
            "add: %a 2 256 [0 1], %b 2 512 [1 0] -> [1 0] cheapest-reference %b\n");
  EXPECT_EQ(infer("%a: tensor<8x8xf32>, %b: tensor<8x8xf64>", (kColumns + ", unit").str(), sum),
            "cast: %a 2 256 [1 0] -> [1 0] follow-reference %a\n"
            "add: %a 2 256 [1 0], %b 2 512 [0 1]\n");
  // Strided bytes count before those of another order: of equally many of the former, fewer of the
  // latter.
  EXPECT_EQ(infer("%a: tensor<4x4x4xf32>, %b: tensor<4x4x4xf32>, %c: tensor<4x4x4xf32>",
                  "#fuser.layout<order = [1, 2, 0]>, #fuser.layout<order = [2, 1, 0]>, "
                  "#fuser.layout<order = [2, 1, 0]>",
                  "%0 = fuser.add %a, %b : tensor<4x4x4xf32>\n"
                  "%1 = fuser.add %0, %c : tensor<4x4x4xf32>"),
            "add: %a 3 256 [1 2 0], %b 3 256 [2 1 0]\n"
            "add: %a 3 256 [1 2 0], %b 3 256 [2 1 0], %c 3 256 [2 1 0] -> [2 1 0] "
            "cheapest-reference %b\n");
  // However few bytes are in another order.
  const StringRef all = "%0 = fuser.cast %d : tensor<4x4x4xbf16> to tensor<4x4x4xf32>\n"
                        "%1 = fuser.add %a, %b : tensor<4x4x4xf32>\n"
                        "%2 = fuser.add %1, %c : tensor<4x4x4xf32>\n"
                        "%3 = fuser.add %2, %0 : tensor<4x4x4xf32>";
  auto inferLast = [&](StringRef layouts) {
    std::string text = infer("%a: tensor<4x4x4xf32>, %b: tensor<4x4x4xf32>, "
                             "%c: tensor<4x4x4xf32>, %d: tensor<4x4x4xbf16>",
                             layouts, all);
    return StringRef(text).rtrim('\n').rsplit('\n').second.str();
  };
  const std::string rows = "unit, ", middle = "#fuser.layout<order = [1, 0, 2]>, ",
                    columns = "#fuser.layout<order = [0, 2, 1]>, ",
                    lastColumns = "#fuser.layout<order = [0, 2, 1]>";
  EXPECT_EQ(inferLast(rows + middle + columns + lastColumns),
            "add: %a 3 256 [0 1 2], %b 3 256 [1 0 2], %c 3 256 [0 2 1], %d 3 128 [0 2 1]");
  EXPECT_EQ(inferLast(columns + middle + middle + "unit"),
            "add: %a 3 256 [0 2 1], %b 3 256 [1 0 2], %c 3 256 [1 0 2], %d 3 128 [0 1 2] -> "
            "[1 0 2] cheapest-reference %b");
  EXPECT_EQ(inferLast(middle + columns + columns + lastColumns),
            "add: %a 3 256 [1 0 2], %b 3 256 [0 2 1], %c 3 256 [0 2 1], %d 3 128 [0 2 1] -> "
            "[0 2 1] cheapest-reference %b");
  // Two orders that cost the same, and are better than row-major.
  EXPECT_EQ(infer("%a: tensor<4x4x4xf32>, %b: tensor<4x4x4xf32>",
                  "#fuser.layout<order = [1, 2, 0]>, #fuser.layout<order = [0, 2, 1]>",
                  "%0 = fuser.add %a, %b : tensor<4x4x4xf32>"),
            "add: %a 3 256 [1 2 0], %b 3 256 [0 2 1]\n");
}

TEST_F(OrderInferenceTest, DimensionsThatAreLost) {
  // Slower dimensions than one that the result lacks have no place; of size 1 it does not count.
  const StringRef layout = "#fuser.layout<order = [1, 0, 2]>";
  EXPECT_EQ(infer("%x: tensor<4x5x6xf32>", layout,
                  "%0 = fuser.sum %x dims [0] : tensor<4x5x6xf32> -> tensor<5x6xf32>\n"
                  "%1 = fuser.sum %x dims [1] : tensor<4x5x6xf32> -> tensor<4x6xf32>\n"
                  "%2 = fuser.sum %x dims [2] : tensor<4x5x6xf32> -> tensor<4x5xf32>"),
            "sum: sum 2 120 [0 1]\n"
            "sum: sum 2 96 [0 1]\n"
            "sum: sum 2 80 [0 1]\n");
  EXPECT_EQ(infer("%x: tensor<4x5x1xf32>, %y: tensor<4x5x1x3xf32>",
                  "#fuser.layout<order = [1, 0, 2]>, #fuser.layout<order = [3, 1, 2, 0]>",
                  "%0 = fuser.squeeze %x dims [2] : tensor<4x5x1xf32> -> tensor<4x5xf32>\n"
                  "%1 = fuser.squeeze %y dims [2] : tensor<4x5x1x3xf32> -> tensor<4x5x3xf32>\n"
                  "%2 = fuser.broadcast %0 dims [1] : tensor<4x5xf32> -> tensor<4x1x5xf32>"),
            "squeeze: %x 2 80 [1 0] -> [1 0] follow-reference %x\n"
            "squeeze: %y 3 240 [2 1 0] -> [2 1 0] follow-reference %y\n"
            "broadcast: %x 2 80 [2 0] -> [1 2 0] follow-reference %x\n");
  EXPECT_EQ(infer("%x: tensor<4x5x6x7xf32>", "#fuser.layout<order = [2, 1, 0, 3]>",
                  "%0 = fuser.sum %x dims [1] : tensor<4x5x6x7xf32> -> tensor<4x6x7xf32>\n"
                  "%1 = fuser.sum %x dims [2] : tensor<4x5x6x7xf32> -> tensor<4x5x7xf32>\n"
                  "%2 = fuser.neg %1 : tensor<4x5x7xf32>"),
            "sum: %x 4 3360 [0 2]... -> [1 0 2] follow-reference %x\n"
            "sum: %x 4 3360 [1 0 2]... -> [1 0 2] follow-reference %x\n"
            "neg: %x 4 3360 [1 0 2]... -> [1 0 2] follow-reference %x\n");
}

TEST_F(OrderInferenceTest, Reshapes) {
  auto reshape = [&](StringRef from, StringRef order, StringRef to) {
    return infer(
        ("%x: tensor<" + from + "xf32>").str(), ("#fuser.layout<order = [" + order + "]>").str(),
        ("%0 = fuser.reshape %x : tensor<" + from + "xf32> -> tensor<" + to + "xf32>").str());
  };
  // Split.
  EXPECT_EQ(reshape("4x6", "1, 0", "4x2x3"),
            "reshape: %x 2 96 [1 2 0] -> [1 2 0] follow-reference %x\n");
  EXPECT_EQ(reshape("4x6", "0, 1", "4x2x3"), "reshape: %x 2 96 [0 1 2]\n");
  // Merged: next to each other; the slower one faster; another one between them.
  EXPECT_EQ(reshape("4x6x8", "2, 0, 1", "24x8"),
            "reshape: %x 3 768 [1 0] -> [1 0] follow-reference %x\n");
  EXPECT_EQ(reshape("4x6x8", "1, 2, 0", "4x48"),
            "reshape: %x 3 768 [1 0] -> [1 0] follow-reference %x\n");
  EXPECT_EQ(reshape("4x6x8", "2, 1, 0", "4x48"),
            "reshape: %x 3 768 [0]... -> [1 0] follow-reference %x\n");
  EXPECT_EQ(reshape("4x6x8", "2, 0, 1", "4x48"), "reshape: %x 3 768 []...\n");
  EXPECT_EQ(reshape("4x6x8", "1, 0, 2", "4x48"), "reshape: %x 3 768 [1]...\n");
  // Of dimensions that the reference lacks.
  EXPECT_EQ(infer("%x: tensor<6x8xf32>, %y: tensor<8xf32>", kColumns.str() + ", unit",
                  "%0 = fuser.broadcast %x dims [0] : tensor<6x8xf32> -> tensor<1x6x8xf32>\n"
                  "%1 = fuser.reshape %0 : tensor<1x6x8xf32> -> tensor<6x8xf32>\n"
                  "%2 = fuser.broadcast %y dims [0, 1] : tensor<8xf32> -> tensor<1x1x8xf32>\n"
                  "%3 = fuser.reshape %2 : tensor<1x1x8xf32> -> tensor<1x8xf32>"),
            "broadcast: %x 2 192 [2 1] -> [0 2 1] follow-reference %x\n"
            "reshape: %x 2 192 [1 0] -> [1 0] follow-reference %x\n"
            "broadcast: %y 1 32 [2]\n"
            "reshape: %y 1 32 [1]\n");
  EXPECT_EQ(reshape("4x6x8", "2, 1, 0", "24x8"), "reshape: %x 3 768 []...\n");
}

TEST_F(OrderInferenceTest, ResultsThatCombineDimensions) {
  // The innermost one of the result stays, dimensions of 1 aside.
  EXPECT_EQ(infer("%x: tensor<4x5x6xf32>, %y: tensor<4x8x8x1xf32>, %z: tensor<4x8x1x8xf32>",
                  "#fuser.layout<order = [0, 2, 1]>, #fuser.layout<order = [0, 1, 3, 2]>, "
                  "#fuser.layout<order = [0, 1, 3, 2]>",
                  "%0 = fuser.sum %x dims [0] : tensor<4x5x6xf32> -> tensor<5x6xf32>\n"
                  "%1 = fuser.sum %y dims [0] : tensor<4x8x8x1xf32> -> tensor<8x8x1xf32>\n"
                  "%2 = fuser.sum %z dims [0] : tensor<4x8x1x8xf32> -> tensor<8x1x8xf32>"),
            "sum: sum 2 120 [0 1]\n"
            "sum: %y 3 1024 [0 2 1]... -> [0 2 1] follow-reference %y\n"
            "sum: %z 3 1024 [0 2 1]... -> [0 2 1] follow-reference %z\n");
  // Of attention, the query orders the first result.
  const StringRef attention =
      "%0, %1 = fuser.sdpa %q, %k, %v : tensor<2x8x?x64xbf16>, tensor<2x8x?x64xbf16>, "
      "tensor<2x8x?x64xbf16> -> tensor<2x8x?x64xbf16>, tensor<2x8x?xf32>";
  const StringRef arguments =
      "%q: tensor<2x8x?x64xbf16>, %k: tensor<2x8x?x64xbf16>, %v: tensor<2x8x?x64xbf16>";
  EXPECT_EQ(infer(arguments, "#fuser.layout<order = [0, 2, 1, 3]>, unit, unit", attention),
            "sdpa: %q 4 524288 [0 2 1 3] -> [0 2 1 3] follow-reference %q\n"
            "sdpa: sdpa 3 16384 [0 1 2]\n");
  EXPECT_EQ(infer(arguments, "unit, #fuser.layout<order = [0, 2, 1, 3]>, unit", attention),
            "sdpa: sdpa 4 524288 [0 1 2 3]\n"
            "sdpa: sdpa 3 16384 [0 1 2]\n");
}

TEST_F(OrderInferenceTest, ValuesWithoutReferences) {
  EXPECT_EQ(infer("%v: f32, %x: tensor<8x8xf32>", ("unit, " + kColumns).str(),
                  "%0 = fuser.full %v : f32 -> tensor<8x8xf32>\n"
                  "%1 = fuser.add %0, %x : tensor<8x8xf32>\n"
                  "%2 = fuser.add %0, %0 : tensor<8x8xf32>\n"
                  "%3 = fuser.sum %0 dims [1] : tensor<8x8xf32> -> tensor<8xf32>"),
            "full: \n"
            "add: %x 2 256 [1 0] -> [1 0] follow-reference %x\n"
            "add: \n"
            "sum: \n");
  // Of a source whose dimensions have all lost their places, the order does not count.
  const StringRef body = "%0 = fuser.reshape %x : tensor<4x6x8xf32> -> tensor<24x8xf32>\n"
                         "%1 = fuser.reshape %y : tensor<4x6x8xf32> -> tensor<24x8xf32>\n"
                         "%2 = fuser.add %0, %1 : tensor<24x8xf32>";
  EXPECT_EQ(infer("%x: tensor<4x6x8xf32>, %y: tensor<4x6x8xf32>",
                  "#fuser.layout<order = [2, 1, 0]>, #fuser.layout<order = [2, 0, 1]>", body),
            "reshape: %x 3 768 []...\n"
            "reshape: %y 3 768 [1 0] -> [1 0] follow-reference %y\n"
            "add: %x 3 768 []..., %y 3 768 [1 0] -> [1 0] follow-reference %y\n");
}

TEST_F(OrderInferenceTest, FrozenAllocations) {
  EXPECT_EQ(infer("%x: tensor<8x8xf32>", kColumns,
                  "%0 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1], allocation = "
                  "[i1, i0]>]} : tensor<8x8xf32>\n"
                  "%1 = fuser.neg %x {domains = [#fuser.domain<logical = [i0, i1]>]} : "
                  "tensor<8x8xf32>\n"
                  "%2 = fuser.abs %0 : tensor<8x8xf32>\n"
                  "%3 = fuser.abs %1 : tensor<8x8xf32>"),
            "neg: neg 2 256 [1 0]\n"
            "neg: %x 2 256 [1 0] -> [1 0] follow-reference %x\n"
            "abs: neg 2 256 [1 0] -> [1 0] follow-reference neg\n"
            "abs: %x 2 256 [1 0] -> [1 0] follow-reference %x\n");
}

TEST_F(OrderInferenceTest, PadsAndSlices) {
  EXPECT_EQ(infer("%x: tensor<8x8xf32>, %v: f32", (kColumns + ", unit").str(),
                  "%0 = fuser.slice %x [1, 0] [4, 8] : tensor<8x8xf32> -> "
                  "tensor<4x8xf32>\n"
                  "%1 = fuser.pad %x low [1, 0] high [0, 2] value %v : tensor<8x8xf32>, f32 -> "
                  "tensor<9x10xf32>"),
            "slice: %x 2 256 [1 0] -> [1 0] follow-reference %x\n"
            "pad: %x 2 256 [1 0] -> [1 0] follow-reference %x\n");
}

TEST_F(OrderInferenceTest, HintsAndPolicies) {
  const StringRef body =
      "%0 = fuser.neg %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "
      "\"theirs\">]} : tensor<8x8xf32>\n"
      "%1 = fuser.abs %x {fuser.layout_hints = [#fuser.layout_hint<order = [1, 0], rule = "
      "\"mine\">]} : tensor<8x8xf32>\n"
      "%2 = fuser.exp %0 : tensor<8x8xf32>\n"
      "%3 = fuser.add %x, %0 : tensor<8x8xf32>";
  EXPECT_EQ(infer("%x: tensor<8x8xf32>", "", body),
            "neg: neg 2 256 [1 0]\n"
            "abs: %x 2 256 [0 1]\n"
            "exp: neg 2 256 [1 0] -> [1 0] follow-reference neg\n"
            "add: %x 2 256 [0 1], neg 2 256 [1 0]\n");
  // Of the values whose order is not given, a policy is asked first.
  auto policy = [](Value value, ArrayRef<OrderReference> references) {
    std::optional<InferredOrder> order;
    if (value.getDefiningOp()->getName().stripDialect() == "exp")
      order = {{0, 1}, "rows", {}};
    else if (references.size() == 2)
      order = {{1, 0}, "columns", {}};
    return order;
  };
  EXPECT_EQ(infer("%x: tensor<8x8xf32>", "", body, policy),
            "neg: neg 2 256 [1 0]\n"
            "abs: %x 2 256 [0 1]\n"
            "exp: neg 2 256 [1 0]\n"
            "add: %x 2 256 [0 1], neg 2 256 [1 0] -> [1 0] columns\n");
}

TEST_F(OrderInferenceTest, TheFirstReferencesCount) {
  std::string arguments = "%x0: tensor<8xf32>", body = "%y0 = fuser.neg %x0 : tensor<8xf32>";
  for (unsigned i = 1; i < OrderInference::kMaxReferences + 2; ++i) {
    std::string number = std::to_string(i);
    arguments += ", %x" + number + ": tensor<8xf32>";
    body += "\n%y" + number + " = fuser.add %y" + std::to_string(i - 1) + ", %x" + number +
            " : tensor<8xf32>";
  }
  std::string text = infer(arguments, "", body);
  StringRef last = StringRef(text).rtrim('\n').rsplit('\n').second;
  EXPECT_EQ(last, "add: %x0 1 32 [0], %x1 1 32 [0], %x2 1 32 [0], %x3 1 32 [0], %x4 1 32 [0], "
                  "%x5 1 32 [0], %x6 1 32 [0], %x7 1 32 [0]");
}

} // namespace
