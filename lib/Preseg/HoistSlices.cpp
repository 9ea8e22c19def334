//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-slices.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTSLICES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Slices an operand of `op`, the producer of the slice's operand, to the elements that the slice
/// of the result needs.
static Value sliceOperand(PatternRewriter &rewriter, SliceOp slice, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return operand.get();
  SmallVector<int64_t> offsets(slice.getStaticOffsets()), sizes(slice.getStaticSizes());
  SmallVector<int64_t> strides(type.getRank(), 1);
  if (std::optional<ArrayRef<int64_t>> given = slice.getStrides())
    strides.assign(given->begin(), given->end());
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  auto mapping = cast<DomainMappingOpInterface>(operand.getOwner());
  unsigned nextOffset = 0, nextSize = 0;
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
    Value offset = ShapedType::isDynamic(offsets[dim]) ? slice.getOffsets()[nextOffset++] : Value();
    Value size = ShapedType::isDynamic(sizes[dim]) ? slice.getSizes()[nextSize++] : Value();
    // A broadcast dimension has the same elements in every slice.
    if (map.kind == DimMap::Kind::Broadcast) {
      offsets[dim] = 0;
      sizes[dim] = strides[dim] = 1;
      continue;
    }
    if (offset)
      dynamicOffsets.push_back(offset);
    if (size)
      dynamicSizes.push_back(size);
  }
  bool hasStrides = llvm::any_of(strides, [](int64_t stride) { return stride != 1; });
  return SliceOp::create(rewriter, slice.getLoc(), type.clone(sizes), operand.get(), dynamicOffsets,
                         dynamicSizes, rewriter.getDenseI64ArrayAttr(offsets),
                         rewriter.getDenseI64ArrayAttr(sizes),
                         hasStrides ? rewriter.getDenseI64ArrayAttr(strides) : DenseI64ArrayAttr(),
                         ArrayAttr(), MemoryAttr(), IntegerAttr());
}

namespace {

/// slice(f(x, y)) = f(slice(x), slice(y))
struct HoistSlice : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    Operation *producer = op.getInput().getDefiningOp();
    if (!producer || !producer->hasOneUse() || !isPointwise(producer))
      return rewriter.notifyMatchFailure(op,
                                         "its operand is no pointwise op, or is used elsewhere");
    SmallVector<Value> operands;
    for (OpOperand &operand : producer->getOpOperands())
      operands.push_back(sliceOperand(rewriter, op, operand));
    rewriter.replaceOp(
        op, clonePointwise(rewriter, producer, operands, op.getResult().getType().getShape()));
    return success();
  }
};

struct HoistSlicesPass : fuser::impl::FuserHoistSlicesBase<HoistSlicesPass> {
  void runOnOperation() override { numHoisted += hoistSlices(getOperation()); }
};

} // namespace

unsigned fuser::hoistSlices(FusionOp fusion) {
  unsigned count = 0;
  RewritePatternSet patterns(fusion.getContext());
  patterns.add<HoistSlice>(fusion.getContext(), count);
  applyPatterns(fusion, std::move(patterns));
  return count;
}
