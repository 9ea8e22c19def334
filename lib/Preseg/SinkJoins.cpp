//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-sink-joins.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceShapes.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSINKJOINS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// More parts are more ops and kernels than a second kernel that reads all of them takes.
static constexpr size_t kMostParts = 16;

/// True if a slice of `value` along `dim` is a view, or if all parts read the same element.
static bool isSlicedForFree(Value value, unsigned dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return !type || type.getDimSize(dim) == 1 || (isa<BlockArgument>(value) && type.hasStaticShape());
}

/// True if `value`, joined along `dim`, is only used by pointwise ops on the way to one result of
/// the program, whose other operands have parts without a kernel.
static bool isStoredAfter(Value value, unsigned dim) {
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (isa<ReturnOp>(user))
      return true;
    if (!isPointwise(user) || llvm::any_of(user->getOperands(), [&](Value operand) {
          return operand != value && !isSlicedForFree(operand, dim);
        }))
      return false;
    value = user->getResult(0);
  }
  return false;
}

namespace {

/// f(cat(x, y), z) = cat(f(x, part of z), f(y, rest of z)).
struct SinkJoin : CountedPattern<CatOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CatOp cat, PatternRewriter &rewriter) const override {
    const unsigned dim = cat.getDim();
    if (cat.getInputs().size() > kMostParts || !cat->hasOneUse() ||
        isa<ReturnOp>(*cat->user_begin()) || !isStoredAfter(cat.getResult(), dim))
      return rewriter.notifyMatchFailure(cat, "its elements are not stored one by one");
    if (llvm::none_of(cat.getInputs(), isAfterOwnLoops))
      return rewriter.notifyMatchFailure(cat, "no part has loops of its own");
    Operation *op = *cat->user_begin();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (type.isDynamicDim(dim) || type.getDimSize(dim) != cat.getType().getDimSize(dim) ||
        llvm::any_of(cat.getInputs(), [&](Value part) {
          return cast<RankedTensorType>(part.getType()).isDynamicDim(dim);
        }))
      return rewriter.notifyMatchFailure(op, "parts of unknown sizes");

    rewriter.setInsertionPoint(op);
    int64_t offset = 0;
    SmallVector<Value> parts;
    for (Value part : cat.getInputs()) {
      const int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(dim);
      parts.push_back(computePart(rewriter, op, cat.getResult(), part, dim, offset, size));
      offset += size;
    }
    auto joined = CatOp::create(rewriter, cat.getLoc(), parts, dim);
    joined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, joined.getResult());
    rewriter.eraseOp(cat);
    return success();
  }

private:
  /// `op` on the elements of `part`, which has `size` of them from `offset` on in `joined`.
  static Value computePart(PatternRewriter &rewriter, Operation *op, Value joined, Value part,
                           unsigned dim, int64_t offset, int64_t size) {
    auto getPart = [&](Value operand) -> Value {
      if (operand == joined)
        return part;
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type || type.getDimSize(dim) == 1)
        return operand;
      SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)), sizes;
      for (int64_t length : type.getShape())
        sizes.push_back(rewriter.getIndexAttr(length));
      offsets[dim] = rewriter.getIndexAttr(offset);
      sizes[dim] = rewriter.getIndexAttr(size);
      return createSlice(rewriter, op->getLoc(), /*type=*/nullptr, operand, offsets, sizes);
    };
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), getPart);
    SmallVector<int64_t> shape(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
    shape[dim] = size;
    return clonePointwise(rewriter, op, operands, shape);
  }
};

struct SinkJoinsPass : fuser::impl::FuserSinkJoinsBase<SinkJoinsPass> {
  void runOnOperation() override { numSunk += sinkJoins(getOperation()); }
};

} // namespace

unsigned fuser::sinkJoins(FusionOp fusion) { return applyCounted<SinkJoin>(fusion); }
