//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layouts of buffers and vector widths.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Contiguity.h"
#include "TestPrograms.h"
#include "fuser/Analysis/VectorWidth.h"

using namespace mlir;
using namespace fuser;
using fuser::test::Program;
using fuser::test::toString;

namespace {

std::vector<std::string> getStrides(const BufferLayout &layout) {
  std::vector<std::string> strides;
  for (const BufferDim &dim : layout.getDims())
    strides.push_back(std::to_string(dim.index) + ": " + toString(dim.stride));
  return strides;
}

using Strings = std::vector<std::string>;

TEST(ContiguityTest, ArgumentsLieAsTheirLayoutsSay) {
  Program program(R"(
    fuser.fusion @f(%x: tensor<?x8x?xf32>, %y: tensor<?x8x?xf32>, %z: tensor<?x8x?xf32>, %w: tensor<?x1x?xf32>)
        -> tensor<?x8x?xf32>
        attributes {arg_layouts = [unit, #fuser.layout<order = [0, 2, 1]>, #fuser.layout<order = [0, 1, 2], strided = [1]>,
                                   #fuser.layout<order = [0, 1, 2], strided = [1]>]} {
      fuser.return %x : tensor<?x8x?xf32>
    })");
  auto extents = *ExtentAnalysis::create(program.get());
  auto layoutOf = [&](unsigned arg) {
    return BufferLayout::ofArgument(program.get(), extents, arg);
  };
  EXPECT_EQ(getStrides(layoutOf(0)), (Strings{"0: s2 * 8", "1: s2", "2: 1"}));
  EXPECT_EQ(layoutOf(0).getNumContiguous(), 3u);
  EXPECT_EQ(toString(layoutOf(0).getInnerExtent(2)), "s2 * 8");
  EXPECT_EQ(getStrides(layoutOf(1)), (Strings{"0: s5 * 8", "2: 8", "1: 1"}));
  EXPECT_EQ(layoutOf(1).find(1), 2);
  EXPECT_EQ(getStrides(layoutOf(2)), (Strings{"0: s8 * 8", "1: ", "2: 1"}));
  EXPECT_EQ(layoutOf(2).getNumContiguous(), 1u);
  // A strided dimension of size 1 moves nothing.
  EXPECT_EQ(getStrides(layoutOf(3)), (Strings{"0: s11", "1: s11", "2: 1"}));
  EXPECT_EQ(layoutOf(3).getNumContiguous(), 3u);
}

TEST(ContiguityTest, OutputsFollowRequirementThenAllocationThenAlias) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>)
        -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
        attributes {arg_layouts = [unit, #fuser.layout<order = [1, 0]>], aliases = [#fuser.alias<output 2, input 1>],
                    output_orders = [array<i64: 1, 0>, unit, unit, unit]} {
      %0 = fuser.set %x : tensor<?x?xf32>
      %1 = fuser.set %x {domains = [#fuser.domain<logical = [i0, i1], allocation = [i1, i0]>]} : tensor<?x?xf32>
      %2 = fuser.set %y : tensor<?x?xf32>
      fuser.return %0, %1, %2, %0 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
    })");
  auto extents = *ExtentAnalysis::create(program.get());
  auto layoutOf = [&](unsigned output) {
    return getStrides(BufferLayout::ofOutput(program.get(), extents, output));
  };
  EXPECT_EQ(layoutOf(0), (Strings{"1: s0", "0: 1"}));
  EXPECT_EQ(layoutOf(1), (Strings{"1: s0", "0: 1"}));
  EXPECT_EQ(layoutOf(2), (Strings{"1: s2", "0: 1"}));
  EXPECT_EQ(layoutOf(3), (Strings{"0: s1", "1: 1"}));
}

TEST(ContiguityTest, ValuesLieAsTheirAllocationDomains) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
      %0 = fuser.set %x {memory = #fuser.memory<shared>, domains = [#fuser.domain<logical = [i0, i1], split(i1, 16) -> (i2, i3),
          split(i0, 32) -> (i4, i5), loop = [i4, i5, i2, i3], allocation = [i4, i2, i5 strided, i3]>]} : tensor<?x64xf32>
      fuser.return %0 : tensor<?x64xf32>
    })");
  auto extents = *ExtentAnalysis::create(program.get());
  BufferLayout layout = BufferLayout::ofValue(cast<OpResult>(program.getTensor(0)), extents);
  EXPECT_EQ(getStrides(layout), (Strings{"4: 2048", "2: 512", "5: ", "3: 1"}));
  EXPECT_EQ(layout.getNumContiguous(), 1u);
}

TEST(VectorWidthTest, FactsDecide) {
  Program program(R"(
    fuser.kernel @k(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>, %z: tensor<?x?xbf16>, %w: tensor<4x6xf32>) -> tensor<?x?xbf16>
        attributes {arg_layouts = [unit, #fuser.layout<order = [0, 1], strided = [0]>, #fuser.layout<order = [1, 0]>, unit],
                    facts = [#fuser.fact<divisible 0[1], 24>, #fuser.fact<aligned 0, 64>, #fuser.fact<aligned 1, 16>,
                             #fuser.fact<divisible 2[0], 4>, #fuser.fact<aligned 2, 16>, #fuser.fact<aligned 3, 16>,
                             #fuser.fact<aligned 4, 8>]} {
      %0 = fuser.set %x : tensor<?x?xbf16>
      fuser.return %0 : tensor<?x?xbf16>
    })");
  auto extents = *ExtentAnalysis::create(program.get());
  auto widthOf = [&](unsigned number, unsigned inner = 1) {
    return getMaxVectorWidth(program.get(), extents, number, inner);
  };
  EXPECT_EQ(widthOf(0), 8);    // 16 bytes
  EXPECT_EQ(widthOf(1), 1);    // the row pitch is known at run time only
  EXPECT_EQ(widthOf(2), 4);    // columns of dimension 0, of which 4 divides the size
  EXPECT_EQ(widthOf(3), 2);    // rows of 6
  EXPECT_EQ(widthOf(3, 2), 4); // 24 elements as one
  EXPECT_EQ(widthOf(4), 4);    // the output is aligned to 8 bytes
  EXPECT_EQ(widthOf(1, 2), 1); // not contiguous
}

TEST(VectorWidthTest, ConcreteBuffersDecide) {
  auto widthOf = [](BufferHint hint, std::vector<int64_t> order, int64_t bytes,
                    unsigned inner = 1) { return getMaxVectorWidth(hint, order, bytes, inner); };
  EXPECT_EQ(widthOf({{16, 5002}, {5002, 1}, 256}, {0, 1}, 2), 2);
  EXPECT_EQ(widthOf({{16, 5002}, {5002, 1}, 256}, {0, 1}, 2, 2), 8);
  EXPECT_EQ(widthOf({{16, 5002}, {5008, 1}, 256}, {0, 1}, 2), 2);
  EXPECT_EQ(widthOf({{16, 4096}, {4100, 1}, 256}, {0, 1}, 2), 4);
  EXPECT_EQ(widthOf({{16, 4096}, {4100, 1}, 256}, {0, 1}, 2, 2), 1);
  EXPECT_EQ(widthOf({{16, 4096}, {4096, 1}, 4}, {0, 1}, 2), 2);
  EXPECT_EQ(widthOf({{16, 4096}, {1, 16}, 256}, {1, 0}, 4), 4);
  EXPECT_EQ(widthOf({{16, 4096}, {8192, 2}, 256}, {0, 1}, 4), 1);
  EXPECT_EQ(widthOf({{16, 1}, {1, 77}, 256}, {0, 1}, 4, 2), 4);
  EXPECT_EQ(widthOf({{}, {}, 256}, {}, 4), 1);
  EXPECT_EQ(widthOf({{0, 8}, {8, 1}, 256}, {0, 1}, 1), 8);
}
} // namespace
