//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-narrow-boundaries.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERNARROWBOUNDARIES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The only tensor operand of an op that is cheap to recompute and that needs each element of that
/// operand; else null.
static Value getCheapInput(Operation *op) {
  auto element = dyn_cast<ElementwiseOpInterface>(op);
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  if (!element || !mapping || !op->hasTrait<fuser::CheapElement>() ||
      fuser::detail::isScheduled(op) || element.dependsOnIndex())
    return {};
  // The dimensions of a reshape do not show which of the two tensors is larger.
  if (!isa<RepeatOp>(op) && !cast<TensorViewOpInterface>(op).getTrivialDomain(0).getRoot().empty())
    return {};
  Value tensor = getOnlyTensorOperand(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != tensor)
      continue;
    // Elements that are cropped or moved by an offset need not be stored.
    for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber()))
      if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
        return {};
  }
  return tensor;
}

/// True if every tensor of type `lhs` takes fewer bytes than the tensor of type `rhs` that cheap
/// ops compute from it: its dynamic dimensions are among those of `rhs`.
static bool takesFewerBytes(RankedTensorType lhs, RankedTensorType rhs) {
  auto getStaticBytes = [](RankedTensorType type) {
    double bytes = getElementBytes(type.getElementType());
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size))
        bytes *= size;
    return bytes;
  };
  return lhs.getNumDynamicDims() < rhs.getNumDynamicDims() ||
         (lhs.getNumDynamicDims() == rhs.getNumDynamicDims() &&
          getStaticBytes(lhs) < getStaticBytes(rhs));
}

namespace {

/// segment_set(f(x)) = f(segment_set(x)) if x is smaller and f is cheap.
struct NarrowBoundary : CountedPattern<SegmentSetOp> {
  NarrowBoundary(MLIRContext *context, unsigned &count, unsigned maxOps)
      : CountedPattern(context, count), maxOps(maxOps) {}

  LogicalResult rewrite(SegmentSetOp op, PatternRewriter &rewriter) const override {
    SmallVector<Operation *> chain;
    Value best = op.getInput(), value = op.getInput();
    unsigned length = 0;
    while (chain.size() < maxOps) {
      Operation *producer = value.getDefiningOp();
      Value input = producer ? getCheapInput(producer) : Value();
      // A boundary at an argument would only copy it.
      if (!input || isa<BlockArgument>(input))
        break;
      chain.push_back(producer);
      value = input;
      if (takesFewerBytes(cast<RankedTensorType>(value.getType()),
                          cast<RankedTensorType>(best.getType()))) {
        best = value;
        length = chain.size();
      }
    }
    if (length == 0)
      return rewriter.notifyMatchFailure(op, "nothing smaller is a few cheap ops away");
    IRMapping mapping;
    mapping.map(best, SegmentSetOp::create(rewriter, op.getLoc(), best.getType(), best, ArrayAttr(),
                                           MemoryAttr(), IntegerAttr())
                          .getResult());
    Operation *last = nullptr;
    for (Operation *producer : llvm::reverse(ArrayRef(chain).take_front(length))) {
      last = rewriter.clone(*producer, mapping);
      last->setDiscardableAttrs(DictionaryAttr::get(op.getContext()));
    }
    rewriter.replaceOp(op, last->getResults());
    for (Operation *producer : ArrayRef(chain).take_front(length))
      if (producer->use_empty())
        rewriter.eraseOp(producer);
    return success();
  }

private:
  unsigned maxOps;
};

struct NarrowBoundariesPass : fuser::impl::FuserNarrowBoundariesBase<NarrowBoundariesPass> {
  using FuserNarrowBoundariesBase::FuserNarrowBoundariesBase;
  void runOnOperation() override { numNarrowed += narrowBoundaries(getOperation(), maxOps); }
};

} // namespace

unsigned fuser::narrowBoundaries(FusionOp fusion, unsigned maxOps) {
  return applyCounted<NarrowBoundary>(fusion, maxOps);
}
