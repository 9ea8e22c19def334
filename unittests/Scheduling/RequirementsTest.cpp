//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Requirements.h"
#include "KernelFixture.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace fuser;

namespace {

class RequirementsTest : public KernelTest {
protected:
  KernelView getView() {
    FailureOr<KernelView> view = KernelView::create(kernel);
    EXPECT_TRUE(succeeded(view)) << message;
    return *view;
  }
  /// The classes of the dimensions of argument 0.
  SmallVector<unsigned> getClasses(const KernelView &view) {
    SmallVector<unsigned> classes;
    auto type = cast<RankedTensorType>(kernel.getArgument(0).getType());
    for (unsigned dim = 0; dim < type.getRank(); ++dim)
      classes.push_back(view.getClasses().getClass(kernel.getArgument(0), dim));
    return classes;
  }
  FactAttr parseFact(StringRef text) { return cast<FactAttr>(parseAttribute(text, &context)); }
};

const char *const relu = R"(
  fuser.kernel @k(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
    %0 = fuser.relu %x : tensor<?x?xbf16>
    fuser.return %0 : tensor<?x?xbf16>
  })";

TEST_F(RequirementsTest, UnknownSizesAreTakenToBeDivisible) {
  parse(relu);
  KernelView view = getView();
  Requirements requirements(view, SizeHints());
  SmallVector<unsigned> classes = getClasses(view);
  EXPECT_EQ(requirements.getVectorWidth(classes), 8);
  EXPECT_EQ(requirements.getVectorWidth(classes, 4), 2);
  requirements.requireVectorWidth(classes, 8);
  EXPECT_EQ(requirements.takeFacts(),
            (SmallVector<FactAttr>{parseFact("#fuser.fact<divisible 0[1], 8>"),
                                   parseFact("#fuser.fact<aligned 0, 16>"),
                                   parseFact("#fuser.fact<aligned 1, 16>")}));
}

TEST_F(RequirementsTest, HintsShareADivisorOutFastestFirst) {
  parse(relu);
  KernelView view = getView();
  FailureOr<SizeHints> hints = SizeHints::parse(kernel, "12,5002");
  ASSERT_TRUE(succeeded(hints));
  Requirements requirements(view, *hints);
  SmallVector<unsigned> classes = getClasses(view);
  EXPECT_EQ(requirements.getDivisor(classes, 16), 8);
  EXPECT_EQ(requirements.getVectorWidth(ArrayRef(classes).drop_front()), 2);
  EXPECT_EQ(requirements.getSize(classes), 12 * 5002);
  requirements.requireDivisor(classes, 8);
  EXPECT_EQ(requirements.takeFacts(),
            (SmallVector<FactAttr>{parseFact("#fuser.fact<divisible 0[0], 4>"),
                                   parseFact("#fuser.fact<divisible 0[1], 2>")}));
}

TEST_F(RequirementsTest, KnownFactsAreNotCollectedAgain) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x64xf32>) -> tensor<?x64xf32>
        attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<at_most 0[0], 100>]} {
      %0 = fuser.relu %x : tensor<?x64xf32>
      fuser.return %0 : tensor<?x64xf32>
    })");
  KernelView view = getView();
  Requirements requirements(view, SizeHints());
  SmallVector<unsigned> classes = getClasses(view);
  requirements.requireVectorWidth(classes, 4);
  EXPECT_TRUE(requirements.requireAtMost(classes, 6400));
  EXPECT_EQ(requirements.takeFacts(),
            (SmallVector<FactAttr>{parseFact("#fuser.fact<aligned 1, 16>")}));
  // A tighter bound is a new fact about the size that is not constant.
  EXPECT_TRUE(requirements.requireAtMost(classes, 640));
  EXPECT_EQ(requirements.takeFacts(),
            (SmallVector<FactAttr>{parseFact("#fuser.fact<at_most 0[0], 10>")}));
}

TEST_F(RequirementsTest, VectorsLieInDimensionsThatTensorsHaveWholeOrNotAtAll) {
  // A weight of each channel is one element for a vector within an image.
  parse(R"(
    fuser.kernel @k(%x: tensor<?x10x4096xbf16>, %w: tensor<10x1xbf16>) -> tensor<?x10x4096xbf16> {
      %0 = fuser.broadcast %w dims [0] : tensor<10x1xbf16> -> tensor<1x10x1xbf16>
      %1 = fuser.mul %x, %0 : (tensor<?x10x4096xbf16>, tensor<1x10x1xbf16>) -> tensor<?x10x4096xbf16>
      fuser.return %1 : tensor<?x10x4096xbf16>
    })");
  KernelView view = getView();
  Requirements requirements(view, SizeHints());
  SmallVector<unsigned> channels(ArrayRef(getClasses(view)).drop_front());
  EXPECT_EQ(requirements.getVectorWidth(channels), 8);
  requirements.requireVectorWidth(channels, 8);
  EXPECT_EQ(requirements.takeFacts(),
            (SmallVector<FactAttr>{parseFact("#fuser.fact<aligned 0, 16>"),
                                   parseFact("#fuser.fact<aligned 2, 16>")}));
  // Not so in an image of an odd number of elements, whatever the number of channels.
  parse(R"(
    fuser.kernel @k(%x: tensor<?x16x49xbf16>, %w: tensor<16x1xbf16>) -> tensor<?x16x49xbf16> {
      %0 = fuser.broadcast %w dims [0] : tensor<16x1xbf16> -> tensor<1x16x1xbf16>
      %1 = fuser.mul %x, %0 : (tensor<?x16x49xbf16>, tensor<1x16x1xbf16>) -> tensor<?x16x49xbf16>
      fuser.return %1 : tensor<?x16x49xbf16>
    })");
  KernelView odd = getView();
  EXPECT_EQ(Requirements(odd, SizeHints()).getVectorWidth(ArrayRef(getClasses(odd)).drop_front()),
            1);
}

TEST_F(RequirementsTest, PaddedRowsAllowNoVectors) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
        attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
      %0 = fuser.relu %x : tensor<?x?xf32>
      fuser.return %0 : tensor<?x?xf32>
    })");
  KernelView view = getView();
  Requirements requirements(view, SizeHints());
  EXPECT_EQ(requirements.getVectorWidth(ArrayRef(getClasses(view)).drop_front()), 1);
}

TEST_F(RequirementsTest, ShortIndicesNeedKnownSizes) {
  parse(relu);
  KernelView view = getView();
  Requirements unknown(view, SizeHints());
  unknown.requireShortIndices();
  EXPECT_TRUE(unknown.takeFacts().empty());
  FailureOr<SizeHints> large = SizeHints::parse(kernel, "65536,65536");
  Requirements tooLarge(view, *large);
  tooLarge.requireShortIndices();
  EXPECT_TRUE(tooLarge.takeFacts().empty());
  FailureOr<SizeHints> small = SizeHints::parse(kernel, "64,64");
  Requirements fits(view, *small);
  fits.requireShortIndices();
  EXPECT_EQ(fits.takeFacts().size(), 2u);
}

// Rows that shift by one are read along a dimension that is longer than any of the tensor: what
// counts are the elements of the tensor.
TEST_F(RequirementsTest, ShortIndicesCountElementsNotWhatIsReadAlong) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x16x1024x1024xbf16>) -> tensor<?x16x1024x1024xbf16> {
      %zero = arith.constant 0.0 : f64
      %0 = fuser.pad %x low [0, 0, 0, 1] high [0, 0, 0, 0] value %zero
        : tensor<?x16x1024x1024xbf16>, f64 -> tensor<?x16x1024x1025xbf16>
      %1 = fuser.reshape %0 : tensor<?x16x1024x1025xbf16> -> tensor<?x16x1049600xbf16>
      %c0 = arith.constant 0 : index
      %rows = tensor.dim %x, %c0 : tensor<?x16x1024x1024xbf16>
      %2 = fuser.slice %1 [0, 0, 1024] [%rows, 16, 1048576]
        : tensor<?x16x1049600xbf16> -> tensor<?x16x1048576xbf16>
      %3 = fuser.reshape %2 : tensor<?x16x1048576xbf16> -> tensor<?x16x1024x1024xbf16>
      %4 = fuser.set %3 : tensor<?x16x1024x1024xbf16>
      fuser.return %4 : tensor<?x16x1024x1024xbf16>
    })");
  KernelView view = getView();
  FailureOr<SizeHints> hints = SizeHints::parse(kernel, "16,16,1024,1024");
  ASSERT_TRUE(succeeded(hints));
  Requirements requirements(view, *hints);
  requirements.requireShortIndices();
  EXPECT_EQ(requirements.takeFacts(),
            (SmallVector<FactAttr>{parseFact("#fuser.fact<at_most 0[0], 64>"),
                                   parseFact("#fuser.fact<elements_at_most 0, 2130706431>"),
                                   parseFact("#fuser.fact<elements_at_most 1, 2130706431>")}));
}

// 16 rows of each batch are whole blocks of 32 rows for an even number of batches.
TEST_F(RequirementsTest, WholeBlocksFollowFromHints) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x16x?xf32>) -> tensor<?x16x?xf32> {
      %0 = fuser.relu %x : tensor<?x16x?xf32>
      fuser.return %0 : tensor<?x16x?xf32>
    })");
  KernelView view = getView();
  auto getFacts = [&](StringRef sizes, int64_t count, bool always = false) {
    FailureOr<SizeHints> hints = sizes.empty() ? SizeHints() : SizeHints::parse(kernel, sizes);
    EXPECT_TRUE(succeeded(hints));
    Requirements requirements(view, *hints);
    const auto rows = ArrayRef(getClasses(view)).drop_back();
    if (always)
      requirements.requireWhole(rows, count);
    else
      requirements.requireWholeBlocks(rows, count);
    return requirements.takeFacts();
  };
  const SmallVector<FactAttr> isEven{parseFact("#fuser.fact<divisible 0[0], 2>")};
  EXPECT_EQ(getFacts("200,16,1000", 32), isEven);
  EXPECT_TRUE(getFacts("201,16,1000", 16).empty());
  // Not for a part of a block, for unknown sizes, nor, if it gains little, for few elements.
  EXPECT_TRUE(getFacts("201,16,1000", 32).empty());
  EXPECT_TRUE(getFacts("240,16,1000", 24).empty());
  EXPECT_TRUE(getFacts("", 32).empty());
  EXPECT_TRUE(getFacts("200,16,100", 32).empty());
  EXPECT_EQ(getFacts("200,16,100", 32, /*always=*/true), isEven);
  EXPECT_TRUE(getFacts("0,16,100", 32, /*always=*/true).empty());
}

TEST_F(RequirementsTest, OneDivisorImpliesSmallerOnes) {
  parse(relu);
  KernelView view = getView();
  FailureOr<SizeHints> hints = SizeHints::parse(kernel, "64,64");
  ASSERT_TRUE(succeeded(hints));
  Requirements requirements(view, *hints);
  for (int64_t divisor : {4, 32, 8})
    requirements.requireDivisor(getClasses(view).back(), divisor);
  EXPECT_EQ(requirements.takeFacts(),
            SmallVector<FactAttr>{parseFact("#fuser.fact<divisible 0[1], 32>")});
}

// Facts state the sizes of arguments, and with them the products that reshapes make of them; no
// fact states the value of a scalar.
TEST_F(RequirementsTest, OnlySizesOfArgumentsAreStatedNotToBeEmpty) {
  parse(R"(
    fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>, %n: index)
        -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>) {
      %0 = fuser.reshape %x : tensor<?x?xf32> -> tensor<?xf32>
      %1 = fuser.slice %y [0, 0] [%n, 4] : tensor<?x4xf32> -> tensor<?x4xf32>
      %2 = fuser.reshape %1 : tensor<?x4xf32> -> tensor<?xf32>
      fuser.return %0, %1, %2 : tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>
    })");
  KernelView view = getView();
  auto getClass = [&](unsigned op, unsigned dim) {
    return view.getClasses().getClass(view.getOps()[op]->getResult(0), dim);
  };
  Requirements requirements(view, SizeHints());
  EXPECT_TRUE(requirements.requireNonEmpty(getClass(1, 1)));
  EXPECT_TRUE(requirements.takeFacts().empty());
  EXPECT_TRUE(requirements.requireNonEmpty(getClasses(view)));
  const SmallVector<FactAttr> facts = {parseFact("#fuser.fact<at_least 0[0], 1>"),
                                       parseFact("#fuser.fact<at_least 0[1], 1>")};
  EXPECT_EQ(requirements.takeFacts(), facts);
  Requirements ofProduct(view, SizeHints());
  EXPECT_TRUE(ofProduct.requireNonEmpty(getClass(0, 0)));
  EXPECT_EQ(ofProduct.takeFacts(), facts);
  for (unsigned op : {1, 2}) {
    Requirements ofScalar(view, SizeHints());
    EXPECT_FALSE(ofScalar.requireNonEmpty(getClass(op, 0))) << op;
    EXPECT_TRUE(ofScalar.takeFacts().empty()) << op;
  }
}

} // namespace
