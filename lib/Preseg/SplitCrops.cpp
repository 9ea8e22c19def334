//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pads that crop, as slices of what is left and pads that only add elements.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "SliceShapes.h"
#include "SliceSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

namespace {

/// A pad that crops a reduction, a scan or what is computed from one becomes a slice and the rest
/// of the pad: the slice moves up, so that only what is read is computed.
struct SplitCrop : CountedPattern<PadOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(PadOp op, PatternRewriter &rewriter) const override {
    auto isNegative = [](int64_t amount) { return amount < 0; };
    if (!op.getLow().empty() || !op.getHigh().empty() ||
        (llvm::none_of(op.getStaticLow(), isNegative) &&
         llvm::none_of(op.getStaticHigh(), isNegative)))
      return rewriter.notifyMatchFailure(op, "it crops nothing, or its amounts are dynamic");
    if (!isAfterOwnLoops(op.getInput()))
      return rewriter.notifyMatchFailure(op, "its operand is computed element by element");
    auto type = op.getInput().getType();
    SmallVector<int64_t> offsets, sizes, low, high, cuts;
    for (auto [size, before, after] :
         llvm::zip_equal(type.getShape(), op.getStaticLow(), op.getStaticHigh())) {
      const int64_t cut = std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
      offsets.push_back(-std::min<int64_t>(before, 0));
      low.push_back(std::max<int64_t>(before, 0));
      high.push_back(std::max<int64_t>(after, 0));
      cuts.push_back(cut);
      const bool isDynamic = ShapedType::isDynamic(size);
      // The border may replace what is cropped on the other side.
      if ((!isDynamic && size + cut < 0) || (isDynamic && cut < 0 && (before > 0 || after > 0)))
        return rewriter.notifyMatchFailure(op, "it may crop more elements than there are");
      sizes.push_back(isDynamic ? size : size + cut);
    }
    SmallVector<Value> dynamicSizes;
    for (auto [dim, cut] : llvm::enumerate(cuts)) {
      if (!type.isDynamicDim(dim))
        continue;
      Value size = buildSize(rewriter, op.getLoc(), op.getInput(), dim);
      if (cut != 0)
        size = arith::AddIOp::create(rewriter, op.getLoc(), size,
                                     arith::ConstantIndexOp::create(rewriter, op.getLoc(), cut));
      dynamicSizes.push_back(size);
    }
    Value slice = SliceOp::create(rewriter, op.getLoc(), type.clone(sizes), op.getInput(),
                                  ValueRange(), dynamicSizes, offsets, sizes, DenseI64ArrayAttr(),
                                  ArrayAttr(), MemoryAttr(), IntegerAttr());
    auto isZero = [](int64_t amount) { return amount == 0; };
    if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero)) {
      slice.setType(op.getResult().getType());
      rewriter.replaceOp(op, slice);
      return success();
    }
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getResult().getType(), slice, ValueRange(),
                                       ValueRange(), op.getValue(), low, high, ArrayAttr(),
                                       MemoryAttr(), IntegerAttr());
    return success();
  }

private:
  static bool isAfterOwnLoops(Value value) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    SmallVector<Value> stack = {value};
    while (!stack.empty()) {
      Operation *op = stack.pop_back_val().getDefiningOp();
      if (!op || !seen.insert(op).second)
        continue;
      if (isa<CombinerOpInterface, ScanOpInterface>(op))
        return true;
      llvm::append_range(stack, op->getOperands());
    }
    return false;
  }
};

} // namespace

void fuser::addSplitCropPattern(RewritePatternSet &patterns, unsigned &count) {
  patterns.add<SplitCrop>(patterns.getContext(), count);
}
