//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The layouts and the facts that the arguments of a call give a fusion.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Session/Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fuser;
using runtime::CallArgument;
using runtime::ScalarValue;
using session::SizeRange;

namespace {

/// A tensor of a call, by the distance of its first element from an aligned address.
struct Tensor {
  std::vector<int64_t> sizes, strides;
  unsigned offset = 0;
};

class SpecializeTest : public testing::Test {
protected:
  SpecializeTest() { context.loadDialect<FuserDialect>(); }

  /// The layouts and facts of a fusion with arguments of these types for a call.
  std::string specialize(StringRef types, std::vector<CallArgument> arguments,
                         bool forEmpty = false, std::vector<SizeRange> ranges = {}) {
    std::string text = "fuser.fusion @f(" + types.str() + " {\n  fuser.return\n}\n";
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module)
      return "invalid";
    session::specialize(*module, {arguments.data(), arguments.size()}, forEmpty,
                        {ranges.data(), ranges.size()});
    FusionOp fusion = *module->getOps<FusionOp>().begin();
    std::string result;
    llvm::raw_string_ostream out(result);
    for (unsigned i = 0; i < fusion.getNumArguments(); ++i)
      if (LayoutAttr layout = fusion.getArgLayout(i); layout && !layout.isRowMajorContiguous())
        out << i << ": " << layout << " ";
    if (auto facts = fusion.getFacts())
      for (Attribute fact : *facts)
        out << fact << " ";
    if (fusion->hasAttr(kAllowsEmptyName))
      out << "empty";
    return StringRef(result).rtrim().str();
  }

  CallArgument view(const Tensor &tensor) {
    runtime::TensorView view;
    view.data = memory + tensor.offset;
    view.rank = tensor.sizes.size();
    view.sizes = tensor.sizes.data();
    view.strides = tensor.strides.data();
    return view;
  }

  MLIRContext context;
  alignas(64) char memory[128];
};

TEST_F(SpecializeTest, Layouts) {
  constexpr int64_t kMany = int64_t(1) << 32;
  const std::pair<Tensor, const char *> cases[] = {
      {{{2, 3, 4}, {12, 4, 1}}, ""},
      {{{2, 3, 4}, {1, 2, 6}}, "0: #fuser.layout<order = [2, 1, 0]>"},
      {{{2, 3, 4}, {4, 8, 1}}, "0: #fuser.layout<order = [1, 0, 2]>"},
      {{{2, 3, 4}, {16, 4, 1}},
       "0: #fuser.layout<order = [0, 1, 2], strided = [0]> "
       "#fuser.fact<stride_divisible 0[0], 16>"},
      {{{2, 3, 4}, {24, 8, 2}}, "0: #fuser.layout<order = [0, 1, 2], strided = [0, 1, 2]>"},
      {{{2, 3, 4}, {1, 3, 9}}, "0: #fuser.layout<order = [2, 1, 0], strided = [0, 1]>"},
      // A dimension of size 1 keeps its place, whatever its stride is.
      {{{2, 1, 4}, {4, 99, 1}}, ""},
      {{{2, 1, 4}, {4, 0, 1}}, ""},
      {{{2, 1, 4}, {1, 99, 2}}, "0: #fuser.layout<order = [2, 1, 0]>"},
      {{{2, 1, 4}, {9, 7, 1}}, "0: #fuser.layout<order = [0, 1, 2], strided = [0]>"},
      {{{1, 1, 1}, {7, 8, 9}}, ""},
      // Equal strides.
      {{{2, 3, 1}, {0, 0, 0}}, "0: #fuser.layout<order = [0, 1, 2], strided = [0, 1]>"},
      {{{3, 2, 1}, {1, 1, 0}}, "0: #fuser.layout<order = [0, 1, 2], strided = [0]>"},
      // No elements, and more than there can be.
      {{{2, 0, 4}, {1, 2, 6}}, ""},
      {{{kMany, kMany, 1}, {1, kMany, 0}}, ""}};
  for (const auto &[tensor, layout] : cases)
    EXPECT_EQ(specialize("%x: tensor<?x?x?xf32>)", {view(tensor)}), layout);
}

TEST_F(SpecializeTest, ALayoutOfTheProgramStays) {
  const Tensor tensor{{2, 3}, {9, 1}};
  EXPECT_EQ(specialize("%x: tensor<?x?xf32>) attributes {arg_layouts = [#fuser.layout<order = [1, "
                       "0]>]}",
                       {view(tensor)}),
            "0: #fuser.layout<order = [1, 0]>");
}

TEST_F(SpecializeTest, Alignments) {
  const std::pair<unsigned, const char *> cases[] = {
      {0, ""},  {16, ""}, {1, "#fuser.fact<aligned 0, 1>"},  {2, "#fuser.fact<aligned 0, 2>"},
      {32, ""}, {48, ""}, {12, "#fuser.fact<aligned 0, 4>"}, {24, "#fuser.fact<aligned 0, 8>"}};
  for (auto [offset, facts] : cases) {
    const Tensor tensor{{3}, {1}, offset};
    EXPECT_EQ(specialize("%x: tensor<?xf32>)", {view(tensor)}), facts);
  }
}

// Of rows with adjacent elements: without these, there are no vectors.
TEST_F(SpecializeTest, DivisorsOfStrides) {
  const std::pair<Tensor, const char *> cases[] = {
      {{{5, 8}, {8, 1}}, ""},
      {{{5, 8}, {9, 1}}, "0: #fuser.layout<order = [0, 1], strided = [0]>"},
      {{{5, 8}, {10, 1}},
       "0: #fuser.layout<order = [0, 1], strided = [0]> #fuser.fact<stride_divisible 0[0], 2>"},
      {{{5, 8}, {40, 1}},
       "0: #fuser.layout<order = [0, 1], strided = [0]> #fuser.fact<stride_divisible 0[0], 8>"},
      {{{5, 8}, {96, 1}},
       "0: #fuser.layout<order = [0, 1], strided = [0]> #fuser.fact<stride_divisible 0[0], 16>"},
      {{{5, 8}, {0, 1}}, "0: #fuser.layout<order = [1, 0], strided = [0, 1]>"},
      {{{5, 2, 8}, {24, 0, 1}}, "0: #fuser.layout<order = [0, 2, 1], strided = [0, 1, 2]>"},
      {{{5, 8}, {1, 12}},
       "0: #fuser.layout<order = [1, 0], strided = [0]> #fuser.fact<stride_divisible 0[1], 4>"},
      {{{5, 8}, {32, 2}}, "0: #fuser.layout<order = [0, 1], strided = [0, 1]>"}};
  for (const auto &[tensor, text] : cases) {
    CallArgument argument = view(tensor);
    argument.tensor.dtype = artifact::DType::BF16;
    EXPECT_EQ(
        specialize(tensor.sizes.size() == 2 ? "%x: tensor<?x?xbf16>)" : "%x: tensor<?x?x?xbf16>)",
                   {argument}),
        text);
  }
}

TEST_F(SpecializeTest, FactsOfEmptyTensors) {
  const Tensor some{{3, 4}, {4, 1}}, none{{0, 4}, {4, 1}};
  const StringRef types = "%s: f32, %x: tensor<?x4xf32>, %y: tensor<?x?xf32>)";
  const ScalarValue scalar = ScalarValue::f32(1);
  EXPECT_EQ(specialize(types, {scalar, view(some), view(some)}), "");
  EXPECT_EQ(specialize(types, {scalar, view(none), view(some)}, /*forEmpty=*/true),
            "#fuser.fact<at_most 1[0], 0> #fuser.fact<at_least 2[0], 1> "
            "#fuser.fact<at_least 2[1], 1> empty");
}

TEST_F(SpecializeTest, Ranges) {
  const Tensor tensor{{30, 4}, {4, 1}, 8};
  const StringRef types = "%x: tensor<?x4xf32>, %s: f32) attributes {facts = "
                          "[#fuser.fact<divisible 0[0], 2>]}";
  const std::vector<CallArgument> arguments = {view(tensor), ScalarValue::f32(1)};
  EXPECT_EQ(specialize(types, arguments, false, {{0, 0, {16, 64}}}),
            "#fuser.fact<divisible 0[0], 2> #fuser.fact<aligned 0, 8> #fuser.fact<at_least 0[0], "
            "16> #fuser.fact<at_most 0[0], 64>");
  // Of a static size, of a dimension that there is not, of a scalar; and of another dimension next.
  EXPECT_EQ(specialize(types, arguments, false,
                       {{0, 1, {2, 8}}, {0, 2, {2, 8}}, {1, 0, {2, 8}}, {0, 0, {2, 32}}}),
            "#fuser.fact<divisible 0[0], 2> #fuser.fact<aligned 0, 8> #fuser.fact<at_least 0[0], "
            "2> #fuser.fact<at_most 0[0], 32>");
}

// Calls refuse them.
TEST_F(SpecializeTest, OtherArgumentsSayNothing) {
  const Tensor rows{{2, 3}, {1, 2}, 8}, row{{3}, {2}, 8};
  const ScalarValue scalar = ScalarValue::f32(1);
  EXPECT_EQ(specialize("%x: tensor<?xf32>)", {view(rows)}), "");
  EXPECT_EQ(specialize("%x: f32)", {view(rows)}), "");
  EXPECT_EQ(specialize("%x: tensor<?xf32>)", {scalar}), "");
  EXPECT_EQ(specialize("%x: tensor<?xf32>)", {view(row), view(row)}), "");
  // But the arguments after them.
  EXPECT_EQ(specialize("%s: f32, %x: tensor<?xf32>)", {scalar, view(row)}),
            "1: #fuser.layout<order = [0], strided = [0]> #fuser.fact<aligned 1, 8>");
}

TEST_F(SpecializeTest, EachFusionOfTheArguments) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>("fuser.fusion @other() {\n  fuser.return\n}\n"
                                  "fuser.fusion @f(%x: tensor<?xf32>) {\n  fuser.return\n}\n"
                                  "fuser.fusion @g(%x: tensor<?xf32>) {\n  fuser.return\n}\n",
                                  ParserConfig(&context));
  ASSERT_TRUE(module);
  const Tensor tensor{{3}, {1}, 8};
  const CallArgument argument = view(tensor);
  session::specialize(*module, {&argument, 1}, /*forEmpty=*/false, {});
  std::string specialized;
  for (FusionOp fusion : module->getOps<FusionOp>())
    if (fusion.getFacts())
      specialized += fusion.getSymName().str();
  EXPECT_EQ(specialized, "fg");
}

TEST_F(SpecializeTest, SizesAsText) {
  const Tensor rows{{2, 3}, {1, 2}}, row{{4}, {1}}, none;
  auto describe = [](std::vector<CallArgument> arguments) {
    return session::describeSizes({arguments.data(), arguments.size()});
  };
  EXPECT_EQ(describe({}), "");
  EXPECT_EQ(describe({view(rows)}), "2,3");
  EXPECT_EQ(describe({view(row), ScalarValue::f32(1), view(none), view(rows)}), "4;;;2,3");
}

// Of integers that are sizes, the values; code does not depend on others.
TEST_F(SpecializeTest, SizesOfScalarsAsText) {
  context.loadDialect<arith::ArithDialect>();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>("fuser.fusion @f(%x: tensor<?xf32>, %n: i64, %s: i64) {\n"
                                  "  %0 = arith.index_cast %n : i64 to index\n"
                                  "  fuser.return\n}\n",
                                  ParserConfig(&context));
  ASSERT_TRUE(module);
  const Tensor row{{4}, {1}};
  const std::vector<CallArgument> arguments = {view(row), ScalarValue::i64(9), ScalarValue::i64(5)};
  EXPECT_EQ(session::describeSizes({arguments.data(), arguments.size()}, *module), "4;9;");
  EXPECT_EQ(session::describeSizes({arguments.data(), 2}, *module), "4;");
}

} // namespace
